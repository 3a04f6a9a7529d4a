# Copyright 2026 The urdf_tools authors
#
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.

"""Imports run one way, and the library and the command do without ROS."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / 'urdf_tools'
MODULES = sorted(PACKAGE.rglob('*.py'))

BELOW = {
    'model': set(),
    'kinematics': {'model'},
    'inertia': {'kinematics', 'model'},
    'joint_source': {'kinematics', 'model'},
    'validation': {'inertia', 'kinematics', 'model'},
    'cli': {'validation', 'inertia', 'kinematics', 'model'},
    'ros': {'validation', 'inertia', 'joint_source', 'kinematics', 'model'},
    'nodes': {'ros', 'validation', 'inertia', 'joint_source', 'kinematics', 'model'},
}
"""What each part of the package may import besides itself."""

WITH_ROS = {'ros', 'nodes'}


def part_of(module: Path) -> str:
    return module.relative_to(PACKAGE).with_suffix('').parts[0]


def imported(module: Path) -> set[str]:
    """Return the full names of what a module imports, wherever in it."""
    names = set()
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, 'imports are written in full'
            names.update(f'{node.module}.{alias.name}' for alias in node.names)
    return names


def of_ros(name: str) -> bool:
    top = name.partition('.')[0]
    return top in ('launch', 'launch_ros', 'rclpy', 'rosidl_runtime_py', 'tf2_ros') or (
        top.endswith(('_interfaces', '_msgs', '_srvs')))


@pytest.mark.parametrize(
    'module', MODULES, ids=lambda module: str(module.relative_to(PACKAGE)))
def test_imports(module):
    part = part_of(module)
    names = imported(module)
    if part == '__init__':
        assert not any(of_ros(name) for name in names)
        return
    parts = {name.split('.')[1] for name in names if name.startswith('urdf_tools.')}
    assert parts <= BELOW[part] | {part}
    if part not in WITH_ROS:
        assert not {name for name in names if of_ros(name)}


def test_the_rules_see_what_they_look_for():
    """An import that the rules forbid is one that they find."""
    node = PACKAGE / 'nodes' / 'state_publisher.py'
    assert any(of_ros(name) for name in imported(node))
    assert any(name.startswith('urdf_tools.ros.') for name in imported(node))
