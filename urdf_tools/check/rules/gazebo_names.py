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

"""Rules about the names of links, joints and collisions in sensors and plugins."""

from __future__ import annotations

from collections.abc import Container
from collections.abc import Iterator
from collections.abc import Sequence

from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import is_expression
from urdf_tools.check.loaded_robot import in_gazebo
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import INFO
from urdf_tools.check.registry import RULES
from urdf_tools.check.registry import WARN
from urdf_tools.findings.message import Name
from urdf_tools.model.spelling import closest
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.gazebo.document import value_of
from urdf_tools.programs.gazebo.model import GazeboModel

rule = RULES.in_category('extensions')

_KINDS = {
    **dict.fromkeys(('bodyName', 'body_name', 'linkName', 'link_name'), 'link'),
    **dict.fromkeys(('jointName', 'joint_name', 'leftJoint', 'left_joint', 'mimicJoint',
                     'rightJoint', 'right_joint'), 'joint'),
    **dict.fromkeys(('frameName', 'frame_name', 'robotBaseFrame', 'robot_base_frame',
                     'gz_frame_id', 'ignition_frame_id', 'optical_frame_id'), 'frame')}
"""What plugins and sensors of Gazebo call the links, joints and frames that they work with."""

_WORLD_FRAMES = frozenset(('map', 'odom', 'world'))


@rule('contact-unknown-collision', WARN,
      fix='Name a collision of the link as Gazebo names it; urdf-tools sdf prints them')
def contact_unknown_collision(description: Description) -> Iterator[Defect]:
    """
    Check that every contact sensor names a collision of its link.

    Otherwise it reports no contact. Gazebo names them itself: LINK_collision, LINK_collision_1
    and so on, with another prefix if the collision has its own name or its link is lumped.

    Fails in a robot:
        <link name="bumper">
          <inertial>
            <mass value="1"/>
            <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>
          </inertial>
          <collision><geometry><sphere radius="1"/></geometry></collision>
        </link>
        <gazebo reference="bumper"><sensor name="touch" type="contact"><contact>
          <collision>bumper</collision>
        </contact></sensor></gazebo>
    Passes with
        <contact>
          <collision>bumper_collision</collision>
        </contact>
    """
    conversion = in_gazebo(description)
    if conversion is None:
        return
    model = conversion.model
    for reference, element in _contacts(model):
        collisions = [shape.name for shape in model.bodies[reference].shapes['collision']]
        name = value_of(element)
        if name and '::' not in name and not is_expression(name) and name not in collisions:
            yield Defect(element, 'A contact sensor refers to collision {collision} of link '
                         '{link}, which does not exist', collision=Name(name),
                         link=Name(reference), suggestion=_meant(name, collisions))


def _meant(name: str, collisions: Sequence[str]) -> str | None:
    """Return the collision that a contact sensor probably refers to; lumping extends the name."""
    longer = [collision for collision in collisions if name in collision]
    return longer[0] if longer else closest(name, collisions)


def _contacts(model: GazeboModel) -> Iterator[tuple[str, Element]]:
    """Yield the collisions named in contact sensors, each with the link after lumping."""
    for reference, extensions in model.applied.items():
        for extension in extensions if reference in model.link_names else ():
            for sensor in extension.copied_elements:
                if sensor.tag == 'sensor':
                    for element in sensor.iterfind('contact'):
                        yield from ((reference, name) for name in element.iterfind('collision'))


@rule('plugin-unknown-name', WARN, fix='Name a link or joint of this robot')
def plugin_unknown_name(description: Description) -> Iterator[Defect]:
    """
    Check that the links and joints named in Gazebo plugins, and the frames of sensors, exist.

    Gazebo runs the plugin without that part, or not at all. A frame, also of a sensor, may come
    from another program, and is only noted if its name is not almost that of a link. Names may be
    separated by commas or white space.

    Fails in a robot with two links:
        <gazebo><plugin filename="p3d" name="truth">
          <body_name>tp</body_name>
        </plugin></gazebo>
    Passes with <body_name>tip</body_name>
    """
    if description.is_template or not description.links:
        return
    sensors = [each for extension in description.gazebo for each in extension.iter('sensor')]
    named = {element: owner for owner in (*sensors, *description.plugins)
             for element in owner.iter() if element.tag in _KINDS}
    for element, owner in named.items():
        yield from _unknown(description, owner, element)


def _unknown(description: Description, owner: Element, element: Element) -> Iterator[Defect]:
    kind = _KINDS[element.tag]
    is_frame = kind == 'frame'
    known, spelling = (description.joint_names, description.joint_spelling) if (
        kind == 'joint') else (description.link_names, description.link_spelling)
    for name in _names(value_of(element).lstrip('/'), known):
        if name not in known and not (is_frame and name in _WORLD_FRAMES):
            near = spelling.near(name) or is_frame and closest(name, _WORLD_FRAMES, 0.7) or None
            yield Defect(
                element, f'{{owner}} names {kind} {{name}} in <{{tag}}>, which does not exist',
                name=Name(name), suggestion=near, owner=owner,
                severity=INFO if is_frame and near is None else None,
                hint='Name a link of this robot, unless another program publishes the frame'
                if is_frame else '')


def _names(text: str, known: Container[str]) -> Sequence[str]:
    """Return the names in a text, which some plugins split at commas and white space."""
    if not text or text in known or is_expression(text):
        return ()
    names = text.replace(',', ' ').split()
    return names if any(name in known for name in names) else (text,)


@rule('plugin-lost-name', WARN,
      fix='Name a joint that moves, or the link that remains; to keep one on a fixed joint, add '
          '<gazebo reference="JOINT"><preserveFixedJoint>true</preserveFixedJoint></gazebo>')
def plugin_lost_name(description: Description) -> Iterator[Defect]:
    """
    Check that the links and joints named in Gazebo plugins remain in Gazebo.

    Gazebo lumps links on fixed joints into their parents, and drops links without mass with all
    below them, so that the plugin does not find them. Only in <bodyName> it writes the parent. The
    plugin of a <sensor> works with the link that has the sensor, whatever it names.

    Fails in a file:
        <robot name="r"><link name="base_link"><inertial><mass value="1"/>
        <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
        <link name="tip"/>
        <joint name="j" type="fixed"><parent link="base_link"/><child link="tip"/></joint>
        <gazebo><plugin filename="p3d" name="truth"><body_name>tip</body_name></plugin></gazebo>
        </robot>
    Passes:
        <robot name="r"><link name="base_link"><inertial><mass value="1"/>
        <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
        <link name="tip"/>
        <joint name="j" type="fixed"><parent link="base_link"/><child link="tip"/></joint>
        <gazebo><plugin filename="p3d" name="truth"><body_name>base_link</body_name></plugin>
        </gazebo></robot>
    """
    named = [(plugin, element) for extension in description.gazebo
             for around in extension.iter() if around.tag != 'sensor'
             for plugin in around.findall_tag('plugin') for element in plugin.iter()
             if _KINDS.get(element.tag) in ('link', 'joint') and element.tag != 'bodyName']
    conversion = in_gazebo(description) if named else None
    if conversion is None or not conversion.model.link_names:
        return
    model = conversion.model
    for plugin, element in named:
        kind = _KINDS[element.tag]
        declared, kept = (description.joint_names, {*model.joints}) if kind == 'joint' else (
            description.link_names, {*model.link_names})
        for name in value_of(element).lstrip('/').replace(',', ' ').split():
            if name in declared and name not in kept:
                joint = declared[name] if kind == 'joint' else model.bodies[name].joint_element
                is_fixed = joint is not None and joint.get('type') == 'fixed'
                yield Defect(
                    element, '{plugin} names {kind} {name}, which Gazebo ' + (
                        'does not keep, because {joint} is fixed' if is_fixed else
                        'drops for lack of mass'), plugin=plugin, kind=kind, name=Name(name),
                    joint=joint)
