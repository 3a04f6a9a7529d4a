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

"""A workspace with a robot description in a package of each build type, tested by urdf-tools."""

from __future__ import annotations

from pathlib import Path
import re
import textwrap

ROOT = Path(__file__).resolve().parents[2]

ARM = """\
<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:arg name="side" default="left"/>
  <xacro:include filename="$(find arm_description)/urdf/wheel.xacro"/>
  <link name="base_link"/>
  <xacro:wheel name="$(arg side)_wheel" radius="-0.1"/>
</robot>
"""

WHEEL = """\
<robot xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:macro name="wheel" params="name radius">
    <link name="${name}">
      <collision>
        <geometry>
          <sphere radius="${radius * 2}"/>
        </geometry>
      </collision>
    </link>
    <joint name="${name}_joint" type="fixed">
      <parent link="base_link"/>
      <child link="${name}"/>
    </joint>
  </xacro:macro>
</robot>
"""

GRIPPER = """\
<robot name="gripper">
  <link name="palm"/>
  <link name="finger"/>
  <joint name="grip" type="prismatic">
    <parent link="palm"/>
    <child link="finger"/>
    <limit lower="0.04" upper="0" effort="10" velocity="0.1"/>
  </joint>
</robot>
"""

PALM = '<robot name="palm"><link name="palm" nme="x"/></robot>\n'


def block_of_docs(start: str) -> str:
    """
    Return a block of code in ``docs/workspace.md``.

    :param start: how the block begins, after the line that names its language.
    """
    page = ROOT.joinpath('docs', 'workspace.md').read_text()
    block, = re.findall(rf'```\w*\n({re.escape(start)}.*?)```', page, re.DOTALL)
    return block


def write_pair(folder: Path) -> None:
    """Write a URDF and its MJCF, which has another mass, and settings that name the latter."""
    _write(folder, {
        'urdf/pair.urdf': """\
            <robot name="pair">
              <link name="base">
                <inertial><mass value="2"/>
                  <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
              </link>
            </robot>
            """,
        'mjcf/pair.xml': """\
            <mujoco><worldbody><body name="base">
              <inertial pos="0 0 0" mass="3" diaginertia="1 1 1"/>
            </body></worldbody></mujoco>
            """,
        'urdf-tools.toml': """\
            [[roots]]
            file = "urdf/pair.urdf"
            same = "mjcf/pair.xml"
            """})


DIFFERENCE = "Mass of link 'base' is 2 and 3 kg"
"""What differs in the files of :func:`write_pair`."""


def write_cmake_package(
        folder: Path, test: str, test_depends: tuple[str, ...] = ('ament_cmake_urdf_tools',),
        name: str = 'arm_description') -> None:
    """
    Write a package whose description gives a sphere a negative radius, in a macro.

    :param test: the lines of the CMakeLists.txt that add the test.
    :param test_depends: the dependencies of its tests.
    """
    _write(folder, {
        'package.xml': _manifest(name, 'ament_cmake', test_depends),
        'CMakeLists.txt': f"""\
            cmake_minimum_required(VERSION 3.16)
            project({name} NONE)
            find_package(ament_cmake REQUIRED)
            install(DIRECTORY urdf DESTINATION share/${{PROJECT_NAME}})
            {textwrap.indent(test, ' ' * 12).strip()}
            ament_package()
            """,
        'urdf/arm.urdf.xacro': ARM.replace('arm_description', name),
        'urdf/wheel.xacro': WHEEL,
    })


def write_python_package(folder: Path, test: str) -> None:
    """
    Write ``gripper_description`` with one good description and one whose limits are inverted.

    :param test: its ``test/test_urdf.py``.
    """
    _write(folder, {
        'package.xml': _manifest('gripper_description', 'ament_python', ('python3-pytest',)),
        'setup.py': """\
            from setuptools import setup
            setup(
                name='gripper_description', version='1.0.0', packages=[],
                data_files=[
                    ('share/ament_index/resource_index/packages',
                     ['resource/gripper_description']),
                    ('share/gripper_description', ['package.xml']),
                    ('share/gripper_description/urdf', ['urdf/gripper.urdf', 'urdf/palm.urdf']),
                ],
                extras_require={'test': ['pytest']})
            """,
        'resource/gripper_description': '',
        'test/test_urdf.py': test,
        'urdf/gripper.urdf': GRIPPER,
        'urdf/palm.urdf': PALM,
    })


def _manifest(name: str, build_type: str, test_depends: tuple[str, ...]) -> str:
    tool = '<buildtool_depend>ament_cmake</buildtool_depend>'
    return '\n'.join((
        f'<package format="3"><name>{name}</name><version>1.0.0</version>',
        '<description>A robot.</description><maintainer email="a@b.example">A</maintainer>',
        '<license>Apache-2.0</license>',
        tool if build_type == 'ament_cmake' else '',
        *(f'<test_depend>{name}</test_depend>' for name in test_depends),
        f'<export><build_type>{build_type}</build_type></export></package>', ''))


def _write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
