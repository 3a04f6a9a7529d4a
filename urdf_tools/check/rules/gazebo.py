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

"""Rules about <gazebo> elements, their sensors and plugins, and what Gazebo drops."""

from __future__ import annotations

from collections.abc import Container
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
import re

from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import is_expression
from urdf_tools.check.loaded_robot import gazebo_model
from urdf_tools.check.loaded_robot import misplaced_in_gazebo
from urdf_tools.check.package_files import package_files
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import ERROR
from urdf_tools.check.registry import INFO
from urdf_tools.check.registry import RULES
from urdf_tools.check.registry import WARN
from urdf_tools.check.rules.known_mistakes import listed
from urdf_tools.check.rules.simulation import GAZEBO
from urdf_tools.check.schema import TABLES
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Name
from urdf_tools.formats.converted_document import ConvertedDocument
from urdf_tools.model.spelling import closest
from urdf_tools.model.spelling import spelling_of
from urdf_tools.model.xml.editing import AddElements
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.gazebo.document import value_of
from urdf_tools.programs.gazebo.extensions import INTEGER
from urdf_tools.programs.gazebo.extensions import Kind
from urdf_tools.programs.gazebo.extensions import NUMBER
from urdf_tools.programs.gazebo.extensions import OPTIONS
from urdf_tools.programs.gazebo.extensions import setting_text

rule = RULES.in_category('extensions')


@rule('gazebo-reference-lumped', INFO)
def gazebo_reference_lumped(description: Description) -> Iterator[Defect]:
    """
    Check that no <gazebo reference> names a link that is lumped into another link.

    Gazebo applies the element to the other link.

    Fails in a robot with a fixed joint: <gazebo reference="tip"/>
    Passes:
        <gazebo reference="tip"/>
        <gazebo reference="j"><preserveFixedJoint>true</preserveFixedJoint></gazebo>
    """
    model = gazebo_model(description)
    for element in description.gazebo:
        reference = element.get('reference', '')
        body = None if model is None or is_expression(reference) or (
            reference in description.joint_names) else model.bodies.get(reference)
        if body is not None and body.lumped_into is not None and body.parent is not None:
            yield Defect(
                element, 'Gazebo lumps link {link} into link {parent}, because {joint} is fixed',
                link=Name(reference), parent=Name(body.parent.name), joint=body.joint_element)


@rule('gazebo-value-malformed', ERROR, affects='any')
def gazebo_value_malformed(description: Description) -> Iterator[Defect]:
    """
    Check that numbers and switches directly in <gazebo>, and the files of plugins, can be read.

    A number that cannot be read ends Gazebo with an exception. It is a warning where only the
    beginning is read, as 0 of 0,5, and where a switch is not true, yes, 1, false, no or 0.

    Fails in a robot with two links: <gazebo reference="tip"><mu1>abc</mu1></gazebo>
    Passes: <gazebo reference="tip"><mu1 value="0.2"/></gazebo>
    """
    yield from listed(description, 'gazebo-value-malformed')
    for element in (each for extension in description.gazebo for each in extension):
        text, option = value_of(element), OPTIONS.get(element.tag)
        if option is not None and not is_expression(text) and option.kind in (
                Kind.NUMBER, Kind.INTEGER):
            yield from _malformed_number(element, text)


def _malformed_number(element: Element, text: str) -> Iterator[Defect]:
    try:
        setting_text(element)
    except ValueError as reason:
        yield Defect(
            element, '<{option}> in <gazebo> is ' + ('{reason}: {value}' if text else 'empty'),
            option=element.tag, reason=str(reason), value=Name(text), hint='Write a number')
        return
    match = (INTEGER if element.tag == 'maxContacts' else NUMBER).match(text)
    if match is not None and match.end() < len(text):
        yield Defect(element, 'Gazebo reads only {read} of the number {value} in <{option}>',
                     read=Name(match[0].strip()), value=Name(text), option=element.tag,
                     severity=WARN)


@rule('gazebo-surface-incomplete', WARN, affects='any')
def gazebo_surface_incomplete(description: Description) -> Iterator[Defect]:
    """
    Check that a <surface> in <gazebo> that replaces another one has <contact> and <friction>.

    Every <gazebo> of a link gives its collisions a surface. sdformat deletes that for the
    <surface> of a later one, and then writes mu1, mu2, fdir1, kp, kd, maxVel and minDepth of this
    and later <gazebo> elements into the deleted part, or crashes.

    Fails in a robot with a fixed joint:
        <gazebo reference="base_link"><selfCollide>true</selfCollide></gazebo>
        <gazebo reference="base_link"><collision>
        <surface><friction><ode/></friction></surface>
        </collision><kp>9</kp></gazebo>
    Passes with <surface><friction><ode/></friction><contact><ode/></contact></surface>
    """
    settings: dict[Element, list[str]] = {}
    for setting, surface in misplaced_in_gazebo(description).items():
        settings.setdefault(surface, []).append(f'<{setting.tag}>')
    for surface, tags in settings.items():
        missing = [tag for tag in ('contact', 'friction') if surface.find(tag) is None]
        added = [f'<{tag}><ode/></{tag}>' for tag in missing]
        yield Defect(surface, 'The <surface> has no {missing:and}, and Gazebo writes '
                     '{settings:and} into the deleted one of an earlier <gazebo>',
                     missing=tuple(f'<{tag}>' for tag in missing), settings=tuple(tags),
                     content=FreeText(''.join(added)),
                     fix=(AddElements(surface, tuple((each,) for each in added)),))


_LIBRARY = re.compile(r'(?:lib)?(?:gz-sim|ignition-gazebo)\d*-'
                      f'({"|".join(GAZEBO["systems"])})-system' r'(?:\.so)?')


def _class(system: str) -> str:
    """Return the name of the class of a system."""
    return str(GAZEBO['systems'][system]['class'])


@rule('gazebo-parameter-unknown', WARN)
def gazebo_parameter_unknown(description: Description) -> Iterator[Defect]:
    """
    Check that a system of Gazebo reads the parameters that are written for it.

    Reported are those of Gazebo Classic that have another name today, and typing errors, but none
    beside the correct one.

    Fails in a robot with two links:
        <gazebo><plugin filename="gz-sim-diff-drive-system" name="gz::sim::systems::DiffDrive">
        <wheel_diameter>0.2</wheel_diameter></plugin></gazebo>
    Passes:
        <gazebo><plugin filename="gz-sim-diff-drive-system" name="gz::sim::systems::DiffDrive">
        <wheel_radius>0.1</wheel_radius></plugin></gazebo>
    """
    for plugin in description.plugins:
        match = _LIBRARY.fullmatch(plugin.get('filename', ''))
        system = match[1] if match else ''
        known = GAZEBO['systems'].get(system, {}).get('reads', ())
        renamed = GAZEBO['renamed parameters'].get(system, {})
        found = {part: right for part in plugin if known and part.tag not in known
                 if (right := renamed.get(part.tag) or spelling_of(tuple(known)).near(part.tag))
                 and plugin.find(right) is None}
        for part in [*found][:1]:
            yield Defect(
                part, 'The system {system} does not read {tags:and}', system=FreeText(
                    _class(system)), tags=[f'<{each.tag}>' for each in found],
                rights=[f'<{each}>' for each in dict.fromkeys(found.values())],
                hint='Write {rights:and}' + (', half of the diameter' if any(
                    'iameter' in each.tag for each in found) else ''))


_KINDS = TABLES['elements that name parts']
"""What plugins and sensors of Gazebo call the links, joints and frames that they work with."""

_WORLD_FRAMES = frozenset(('map', 'odom', 'world'))


@rule('contact-unknown-collision', WARN)
def contact_unknown_collision(description: Description) -> Iterator[Defect]:
    """
    Check that every contact sensor names a collision of its link.

    Otherwise it reports no contact. Gazebo names them itself: LINK_collision, LINK_collision_1
    and so on, with another prefix if the collision has its own name or its link is lumped.

    Fails in a contact sensor: <collision>base_link</collision>
    Passes: <collision>base_link_collision</collision>
    """
    model = gazebo_model(description)
    # SDF keeps its names.
    named = [] if model is None or isinstance(description.document, ConvertedDocument) else [
        (model.bodies[link], element) for link, extensions in model.applied.items()
        if link in model.link_names for extension in extensions
        for sensor in extension.copied_elements if sensor.tag == 'sensor'
        for element in sensor.iterfind('contact/collision')]
    for body, element in named:
        collisions = [shape.name for shape in body.shapes['collision']]
        name = value_of(element)
        if name and '::' not in name and not is_expression(name) and name not in collisions:
            longer = (each for each in collisions if name in each)  # Lumping extends the name.
            yield Defect(element, 'A contact sensor refers to collision {collision} of link '
                         '{link}, which does not exist', collision=Name(name),
                         link=Name(body.name),
                         suggestion=next(longer, None) or closest(name, collisions))


@rule('plugin-unknown-name', WARN)
def plugin_unknown_name(description: Description) -> Iterator[Defect]:
    """
    Check that the links and joints named in Gazebo plugins, and the frames of sensors, exist.

    Gazebo runs the plugin without that part, or not at all. A frame, also of a sensor, may come
    from another program, and is only noted if its name is not almost that of a link, unless it is
    that of the base, or of a sensor in a package that starts robot_state_publisher, in whose
    launch files it is not. Names may be separated by commas or white space.

    Fails in a plugin of Gazebo: <body_name>bsae_link</body_name>
    Passes: <body_name>base_link</body_name>
    """
    if description.is_template or not description.links:
        return
    sensors = [each for extension in description.gazebo for each in extension.iter('sensor')]
    of_sensors = {each for sensor in sensors for each in sensor.iter()}
    launch = ' '.join(package_files(description).launch.values())
    named = {element: owner for owner in (*sensors, *description.plugins)
             for element in owner.iter() if element.tag in _KINDS}
    for element, owner in named.items():
        kind = _KINDS[element.tag]
        frames = _WORLD_FRAMES if kind == 'frame' else ()
        known, spelling = (description.joint_names, description.joint_spelling) if (
            kind == 'joint') else (description.link_names, description.link_spelling)
        text = value_of(element)
        for name in _names(text if text in known else text.lstrip('/'), known):
            is_base = element.tag in ('robotBaseFrame', 'robot_base_frame')
            if name not in known and name not in frames and not (
                    (is_base or 'frame_prefix' in launch) and name.rpartition('/')[2] in known):
                near = spelling.near(name) or closest(name, frames, 0.7) or (
                    part if (part := name.rstrip('_0123456789')) in known and frames else None)
                roots = [each for each in description.link_names
                         if is_base and not near and not description.topology.parent_joint(each)]
                yield Defect(
                    element, '{owner} names {kind} {name} in <{tag}>, which does not exist',
                    kind=kind, name=Name(name), owner=owner,
                    suggestion=near or (roots[0] if len(roots) == 1 else None),
                    severity=INFO if frames and near is None and not is_base and (
                        element not in of_sensors or 'robot_state_publisher' not in launch
                        or (end := name.rpartition('/')[2]) in known or end in launch) else None,
                    hint='Name a link of this robot, unless another program publishes the frame'
                    if frames and not roots else '')


def _names(text: str, known: Container[str]) -> Sequence[str]:
    """Return the names in a text, which some plugins split at commas and white space."""
    if not text or text in known or is_expression(text):
        return ()
    names = text.replace(',', ' ').split()
    return names if any(name in known for name in names) else (text,)


@rule('plugin-lost-name', WARN)
def plugin_lost_name(description: Description) -> Iterator[Defect]:
    """
    Check that the links and joints named in Gazebo plugins remain in Gazebo.

    Gazebo lumps links on fixed joints into their parents, and drops links without mass with all
    below them, so that the plugin does not find them. Only in <bodyName> it writes the parent. The
    plugin of a <sensor> works with the link that has the sensor, whatever it names.

    Fails in a plugin of Gazebo: <body_name>tip</body_name>
    Passes: <body_name>base_link</body_name>
    """
    named = [(plugin, element) for extension in description.gazebo
             for around in extension.iter() if around.tag != 'sensor'
             for plugin in around.findall_tag('plugin') for element in plugin.iter()
             if _KINDS.get(element.tag) in ('link', 'joint') and element.tag != 'bodyName']
    model = gazebo_model(description) if named else None
    if model is None or not model.link_names:
        return
    above = {name: None if body.joint is None else body.joint.element
             for name, body in model.bodies.items()}
    lost: dict[str, Mapping[str, Element | None]] = {
        'link': {name: above[name] for name in description.link_names
                 if name not in model.link_names},
        'joint': {name: joint for name, joint in description.joint_names.items()
                  if name not in model.joints}}
    for plugin, element in named:
        kind = _KINDS[element.tag]
        for name in value_of(element).lstrip('/').replace(',', ' ').split():
            if name in lost[kind]:
                joint = lost[kind][name]
                is_fixed = joint is not None and joint.get('type') == 'fixed'
                yield Defect(
                    element, '{plugin} names {kind} {name}, which Gazebo ' + (
                        'does not keep, because {joint} is fixed' if is_fixed else
                        'drops for lack of mass'), plugin=plugin, kind=kind, name=Name(name),
                    joint=joint)
