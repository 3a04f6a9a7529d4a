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

"""Imports run one way, and the library works without ROS."""

import ast
from functools import cache
from pathlib import Path
import re

PACKAGE = Path(__file__).resolve().parents[1] / 'urdf_tools'
MODULES = {
    '.'.join(('urdf_tools', *path.relative_to(PACKAGE).with_suffix('').parts))
    .removesuffix('.__init__'): path
    for path in sorted(PACKAGE.rglob('*.py'))}

BELOW = {
    'sandbox': '', 'atomic_write': '', 'installation': '', 'types': '',
    'model': 'sandbox atomic_write installation types',
    'xacro': 'model',
    'formats': 'findings dynamics',
    'kinematics': 'model',
    'meshes': 'kinematics',
    'dynamics': 'meshes xacro',
    'collision': 'dynamics',
    'equivalence': 'formats',
    'findings': 'model',
    'programs': 'formats collision',
    'check': 'programs equivalence',
    'messages': 'kinematics',
    'doctor': 'messages formats',
    'ros': 'messages formats',
    'lsp': 'check',
    'view': 'check',
    'cli': 'lsp view doctor',
    'nodes': 'ros doctor view',
    'testing': 'check',
    'urdf_tools': 'check view',
}
"""What each part of the package stands on; it may import that, and what that stands on."""


def text_of(module: str) -> str:
    """Return the text of a module, with what the stub of a package imports for it."""
    stub = MODULES[module].with_suffix('.pyi')
    return MODULES[module].read_text() + (stub.read_text() if stub.is_file() else '')


def below(part: str) -> set[str]:
    """Return the parts that a part may import besides itself."""
    return {name for direct in BELOW[part].split() for name in ({direct} | below(direct))}


WITH_ROS = {'ros', 'nodes'}


def part_of(module: str) -> str:
    """Return the part of the package that a module belongs to."""
    return module.split('.')[1] if module.count('.') else module


@cache
def imported(module: str) -> set[str]:
    """Return the full names of what a module imports, anywhere in it."""
    names = set()
    for node in ast.walk(ast.parse(text_of(module))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            # Only the stubs of packages have relative imports, because lazy_loader asks for them.
            assert node.level == 0 or node.level == 1 and MODULES[module].stem == '__init__'
            parent = f'{module}.' if node.level else ''
            names.update(f'{parent}{node.module}.{alias.name}' for alias in node.names)
    return names


@cache
def named(module: str) -> set[str]:
    """
    Return the modules that a module names in strings: for ``import_module``.

    What an f-string leaves open may be any module.
    """
    found = set()
    for node in ast.walk(ast.parse(text_of(module))):
        parts = node.values if isinstance(node, ast.JoinedStr) else [node]
        form = ''.join(
            re.escape(str(part.value)) if isinstance(part, ast.Constant) else '[a-z][a-z_0-9]*'
            for part in parts if isinstance(part, (ast.Constant, ast.FormattedValue)))
        if form.startswith(r'urdf_tools\.'):
            found |= {name for name in MODULES if re.fullmatch(form.partition(':')[0], name)}
    return found - {module}


def modules_imported(module: str) -> set[str]:
    """Return the modules of the package that a module imports."""
    found = set()
    for name in imported(module):
        while name and name not in MODULES:
            name = name.rpartition('.')[0]
        found.add(name)
    return found - {'', module}


def of_ros(name: str) -> bool:
    top = name.partition('.')[0]
    return top in ('launch', 'launch_ros', 'rclpy', 'rosidl_runtime_py', 'tf2_ros') or (
        top.endswith(('_interfaces', '_msgs', '_srvs')))


def test_imports_run_down_the_layers():
    for module in MODULES:
        part = part_of(module)
        found = {part_of(name) for name in modules_imported(module)}
        assert found <= below(part) | {part}, module
        if part not in WITH_ROS:
            assert not {name for name in imported(module) if of_ros(name)}, module


def test_no_node_imports_another():
    for module in MODULES:
        if module.startswith('urdf_tools.nodes.'):
            own = '.'.join(module.split('.')[:3])
            others = {
                name for name in modules_imported(module)
                if name.startswith('urdf_tools.nodes.') and not f'{name}.'.startswith(f'{own}.')}
            assert not others, module


def test_only_verbs_a_node_and_the_public_names_import_the_view():
    """What the view needs is optional."""
    importers = {
        module for module in MODULES if part_of(module) != 'view'
        and any(part_of(name) == 'view' for name in modules_imported(module))}
    others = ('urdf_tools', 'urdf_tools.cli.view', 'urdf_tools.cli.collide')
    assert all(module in others or module == 'urdf_tools.nodes.viewer'
               for module in importers)


def test_no_modules_import_each_other_in_a_cycle():
    pending = {module: modules_imported(module) | named(module) for module in MODULES}
    while leaves := [module for module, names in pending.items() if not names & pending.keys()]:
        for module in leaves:
            del pending[module]
    assert not pending


def test_annotations_with_types_of_rclpy_are_not_evaluated():
    """These take no parameters in ROS 2 Jazzy."""
    for module in MODULES:
        if any(name.startswith('rclpy.') for name in imported(module)):
            assert '__future__.annotations' in imported(module), module


def test_the_test_sees_what_it_looks_for():
    """An import that is forbidden is one that the test finds."""
    node = 'urdf_tools.nodes.state_publisher.published_robot'
    assert any(of_ros(name) for name in imported(node))
    assert 'urdf_tools.ros.process' in modules_imported(node)
    assert 'urdf_tools.kinematics.loops.mechanism' in modules_imported('urdf_tools.kinematics')
    assert 'urdf_tools.programs.urdfdom' in named('urdf_tools.programs.models')
    assert 'urdf_tools.model.replacement' in modules_imported('urdf_tools.model.robot')


def test_no_module_assigns_a_constant_twice():
    for module, path in MODULES.items():
        names = [
            name.id for statement in ast.parse(path.read_text()).body
            if isinstance(statement, ast.Assign) for target in statement.targets
            for name in ast.walk(target) if isinstance(name, ast.Name) and name.id != 'rule'
            and isinstance(name.ctx, ast.Store)]
        assert len(names) == len(set(names)), (module, names)
