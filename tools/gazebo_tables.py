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

"""The tables of docs/gazebo.md, from those and the behaviour of the conversion to SDFormat."""

from __future__ import annotations

from collections.abc import Iterator
import re

from urdf_tools.formats.loader import loads
from urdf_tools.programs.gazebo import convert
from urdf_tools.programs.gazebo import DEFAULT_RELEASE
from urdf_tools.programs.gazebo import RELEASES
from urdf_tools.programs.gazebo.document import Release
from urdf_tools.programs.gazebo.extensions import OPTIONS

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


def gazebo_tables() -> str:
    """Return the sections on elements, options and versions, in Markdown."""
    return '\n'.join((*_elements(), *_options(), *_releases()))


def _elements() -> Iterator[str]:
    yield '## What is lost\n'
    gazebo = RELEASES[DEFAULT_RELEASE].simulator
    yield f'Of a robot that has each element of URDF, in {gazebo}:\n'
    yield '| in URDF | Gazebo | because |'
    yield '|---|---|---|'
    for loss in convert(loads(SAMPLE)).account.losses:
        assert loss.element is not None
        path = loss.element.path + ('' if loss.attribute is None else f'/@{loss.attribute}')
        because = _escaped('. '.join(filter(None, (loss.message, loss.hint))))
        yield f'| `{_short(path)}` | {loss.impact.name.lower()} it | {because} |'
    yield ''


def _short(path: str) -> str:
    """Return a path with the names only."""
    return re.sub(r"\[@name='([^']*)'\]", r'[\1]', path.removeprefix('/robot/'))


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


def _releases() -> Iterator[str]:
    yield """\
Names with a prefix, such as `<ns0:dampingFactor>`, stay as they are written, and `<sdf>` declares
their prefixes; libsdformat copies them without, so that its text cannot be read again by parsers
that know namespaces. A name that cannot have a prefix (`a:b:c`, `p:1`) gets `_` for the colon.
"""
    yield '## Versions\n'
    yield f'| | {" | ".join(f"`--target {name}`" for name in RELEASES)} |'
    yield '|---' * (len(RELEASES) + 1) + '|'
    texts = dict(re.findall(
        r':param (\w+): (.+?)(?=\n *:param|\n *\Z)', Release.__doc__ or '', re.S))
    for name in Release._fields:
        values = [getattr(release, name) for release in RELEASES.values()]
        cells = [{True: 'yes', False: 'no'}.get(value, str(value))
                 if isinstance(value, bool) else f'{value}' for value in values]
        what = ' '.join(texts[name].split()).rstrip('.')
        yield f'| {_escaped(what)} | {" | ".join(cells)} |'


def _escaped(text: str) -> str:
    """Return a text for a cell of a table; what is between backquotes stays as it is."""
    parts = text.replace('``', '`').replace('|', '\\|').split('`')
    parts[::2] = [part.replace('<', '&lt;') for part in parts[::2]]
    return '`'.join(parts)
