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

"""Write docs/gazebo.md from the tables and the behaviour of the conversion to SDFormat."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
import re

from urdf_tools.model.loader import loads
from urdf_tools.programs.gazebo.conversion import convert
from urdf_tools.programs.gazebo.conversion_report import ConversionReport
from urdf_tools.programs.gazebo.conversion_report import Entry
from urdf_tools.programs.gazebo.extensions import OPTIONS
from urdf_tools.programs.gazebo.targets import DEFAULT_TARGET
from urdf_tools.programs.gazebo.targets import Target
from urdf_tools.programs.gazebo.targets import TARGETS

PAGE = Path(__file__).resolve().parents[1] / 'docs' / 'gazebo.md'

_INERTIAL = ('<inertial><origin xyz="0 0 1" rpy="0 0 0"/><mass value="1"/>'
             '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>')

SAMPLE = f"""<robot name="robot" version="1.0">
  <origin xyz="0 0 1" rpy="0 0 0"/>
  <material name="red"><color rgba="1 0 0 1"/><texture filename="red.png"/></material>
  <link name="base">{_INERTIAL}
    <visual name="hull"><origin xyz="0 0 1" rpy="0 0 0"/><geometry>
      <mesh filename="package://robot/hull.dae" scale="1 1 1"/></geometry>
      <material name="red"/></visual>
    <collision><origin xyz="0 0 1" rpy="0 0 0"/>
      <geometry><box size="1 1 1"/></geometry></collision>
  </link>
  <link name="arm">{_INERTIAL}
    <visual><geometry><cylinder radius="1" length="1"/></geometry></visual>
    <collision><geometry><sphere radius="1"/></geometry></collision>
  </link>
  <joint name="shoulder" type="revolute">
    <origin xyz="0 0 1" rpy="0 0 0"/><parent link="base"/><child link="arm"/>
    <axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/>
    <dynamics damping="1" friction="1"/><mimic joint="wheel" multiplier="2" offset="0"/>
    <calibration rising="0" falling="0"/>
    <safety_controller k_velocity="1" k_position="1" soft_lower_limit="0" soft_upper_limit="1"/>
  </joint>
  <link name="tool">{_INERTIAL}
    <visual><geometry><sphere radius="1"/></geometry></visual></link>
  <joint name="flange" type="fixed"><origin xyz="0 0 1"/><parent link="arm"/><child link="tool"/>
    <axis xyz="0 0 1"/></joint>
  <link name="wheel">{_INERTIAL}</link>
  <joint name="wheel_joint" type="continuous"><parent link="base"/><child link="wheel"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <link name="frame"/>
  <joint name="free" type="floating"><parent link="base"/><child link="frame"/></joint>
  <gazebo><plugin name="control" filename="control"/></gazebo>
  <gazebo reference="tool"><sensor name="camera" type="camera"/></gazebo>
  <gazebo reference="missing"><mu1>1</mu1></gazebo>
  <transmission name="t"><type>simple</type></transmission>
  <ros2_control name="c" type="system"/>
</robot>
"""

_HEAD = """\
# What Gazebo makes of a URDF

Gazebo reads a URDF with libsdformat, which converts it to SDFormat. `urdf-tools sdf` converts it
by the same rules and reports what becomes of each element and attribute:

- **kept** as it is, **renamed**, or **converted** to the element given here;
- **merged** into another link by fixed-joint lumping;
- **ignored**: lost; **dropped**: lost with everything below it.

This page is generated from the code: `python3 tools/write_gazebo.py`.

## The robot in Gazebo

`ros2 run ros_gz_sim create -topic robot_description` sends the URDF to Gazebo, which converts it
with its own libsdformat; `urdf-tools sdf --target harmonic robot.urdf` says beforehand what it
gets, and `urdf-tools account` says the same beside other programs. To spawn exactly the model
that was checked, which Gazebo does not convert again, beside a Gazebo that runs:

```bash
ros2 launch urdf_tools spawn.launch.py model:=robot.urdf.xacro z:=0.1
```

It starts nothing if Gazebo would refuse the model, and says why; `target:=ionic` is for another
Gazebo, and `name`, `world`, `x`, `y`, `z`, `R`, `P`, `Y` and `allow_renaming` are those of
`ros_gz_sim create`, which it needs. By hand, the same is:

```bash
urdf-tools sdf robot.urdf -o robot.sdf
ros2 run ros_gz_sim create -file "$PWD/robot.sdf"
```

Meshes with relative paths are looked for beside the SDF file; write `package://`. Plugins such as
gz_ros2_control still read the URDF from the `robot_description` topic. Targets are named by the
Gazebo that users have; the number of the library is another name for each. `12.3` is what Debian
12 has as `ign sdf`, not what Fortress has (12.9).

## Lumping and mass

The child of a fixed joint becomes a part of its parent: mass, shapes, sensors and the joints below
it move there. `<gazebo reference="JOINT"><preserveFixedJoint>true</preserveFixedJoint></gazebo>`
keeps the joint, and `<disableFixedJointLumping>` makes it a revolute joint with the range 0 to 0.
A root link `world` represents the world, and nothing is lumped into it.

A link that still has no mass is dropped with everything below it. A robot whose root link has no
mass is empty in Gazebo, unless fixed joints connect that link to one that has mass.

Pitfalls:

- Settings such as `<mu1>` and `<material>` below `<gazebo>` reach only visuals and collisions
  without a `name`.
- Contact sensors keep the old name of the collision of a lumped link, which lumping renames.
- urdfdom takes a pitch within 0.26 degrees of a right angle for a right angle: in the poses of
  shapes, and where it lumps masses.
- Poses of sensors on lumped links are rounded to six digits, as are scales of meshes.
- A material with a texture but no color becomes black.
- A setting that is not a number ends Gazebo with an exception.
- Every `<gazebo>` of a link gives its collisions a `<surface>`. If a later one brings another
  without `<contact>` or `<friction>`, libsdformat writes settings such as `<kp>` and `<mu1>` into
  an element that it has deleted: they are lost, or Gazebo crashes. The rule
  gazebo-surface-incomplete reports it and has a fix.
- From Fortress on, lumping leaves frames with the names of the fixed joint and of its child link.
  If these are equal, as in Baxter's grippers, Gazebo refuses the model. It also does if a joint
  mimics one that was dropped or lumped, or if a name contains `::`.
"""

_DIFFERENCES = """
## Known differences

The documents of 38 robots, of 69 fixtures of libsdformat's own tests, and of 66 robots that were
not known before, equal those of libsdformat 12.3, 14.9 and 15.4, number by number, and so does the
verdict whether Gazebo loads them. The verdict is that of Gazebo: it loads elements with a prefix,
or of unlike tags, that share a name, which `gz sdf -k` refuses; for 12.3 it is that of `ign sdf
-k`. Fortress (12.9) and Jetty (16) were read, not run. The urdfdom is that of the distribution:
colors of materials differ in a libsdformat that was built with its internal one. The differences:

- A comment inside a setting, as in `<mu1><!-- low -->0.5</mu1>`, ends Gazebo with an exception.
- A line break or tab between the numbers of an attribute is an error in urdfdom, which splits them
  at spaces only.
- The models of `<include>` are looked up in `GZ_SIM_RESOURCE_PATH` and `SDF_PATH` of the terminal,
  which may be others than those of Gazebo, and not in the folder where Gazebo was started. One of
  a server (`https://`) is taken to exist.
- What libsdformat writes into a deleted `<surface>` is left out; its own text has it elsewhere.
- The content of `<sensor>`, `<light>` and the like is copied unchecked: Gazebo may refuse it.
- Masses and lengths whose products overflow, or that are below 1e-307, give other numbers.
- Angles of a pitch within 1e-8 rad of a right angle differ by 1e-8 rad.
- Descriptions that are not a tree, such as those with a link that has two parents or no name, are
  refused here; libsdformat makes an empty model of them, which Gazebo does not load either.
- A conversion that repeats names or `<gazebo>` elements more than 300,000 times is refused.
"""


def gazebo_page() -> str:
    """Return the page in Markdown."""
    return '\n'.join((_HEAD, *_elements(), *_options(), *_targets())) + '\n' + _DIFFERENCES


def _elements() -> Iterator[str]:
    yield '## Element by element\n'
    gazebo = TARGETS[DEFAULT_TARGET].simulator
    yield f'A robot that has each element of URDF, converted for {gazebo}:\n'
    yield '| in URDF | is | in SDFormat, or why not |'
    yield '|---|---|---|'
    for entry in ConversionReport(convert(loads(SAMPLE))).entries:
        yield f'| `{_short(entry.path)}` | {entry.outcome.value} | {_result(entry)} |'
    yield ''


def _short(path: str) -> str:
    """Return a path with the names only."""
    return re.sub(r"\[@name='([^']*)'\]", r'[\1]', path.removeprefix('/robot/'))


def _result(entry: Entry) -> str:
    if entry.reason:
        hint = f'. {entry.hint}' if entry.hint else ''
        return _escaped(entry.reason + hint)
    return f'`{entry.becomes}`' if entry.becomes else ''


def _options() -> Iterator[str]:
    yield '## Directly below `<gazebo>`\n'
    yield ('All other elements are copied: to the link or joint that the reference names, or to '
           'the model. What is\nbelow `<visual>` and `<collision>` is copied to each visual and '
           'collision of the link.\n')
    yield '| element | applies to | value | in SDFormat |'
    yield '|---|---|---|---|'
    for tag, option in OPTIONS.items():
        path = f'`{option.path}`' if option.path else ''
        yield f'| `{tag}` | {option.scope.value} | {option.kind.value} | {path} |'
    yield ''


def _targets() -> Iterator[str]:
    yield """\
Names with a prefix, such as `<ns0:dampingFactor>`, stay as they are written, and `<sdf>` declares
their prefixes; libsdformat copies them without, so that its text cannot be read again by parsers
that know namespaces. A name that cannot have a prefix (`a:b:c`, `p:1`) gets `_` for the colon.
"""
    yield '## Versions\n'
    yield f'| | {" | ".join(f"`--target {name}`" for name in TARGETS)} |'
    yield '|---' * (len(TARGETS) + 1) + '|'
    texts = dict(re.findall(
        r':param (\w+): (.+?)(?=\n *:param|\n *\Z)', Target.__doc__ or '', re.S))
    for field in fields(Target):
        values = [getattr(target, field.name) for target in TARGETS.values()]
        cells = [{True: 'yes', False: 'no'}.get(value, str(value))
                 if isinstance(value, bool) else f'{value}' for value in values]
        what = ' '.join(texts[field.name].split()).rstrip('.')
        yield f'| {_escaped(what)} | {" | ".join(cells)} |'


def _escaped(text: str) -> str:
    """Return a text for a cell of a table; what is between backquotes stays as it is."""
    parts = text.replace('``', '`').replace('|', '\\|').split('`')
    parts[::2] = [part.replace('<', '&lt;') for part in parts[::2]]
    return '`'.join(parts)


if __name__ == '__main__':
    PAGE.write_text(gazebo_page(), encoding='utf-8')
