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
from functools import cache
import re

from urdf_tools.check.file_lookup import package_texts
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
from urdf_tools.check.rules.grammar import missed_calls
from urdf_tools.check.rules.simulation import GAZEBO
from urdf_tools.check.rules.simulation import is_for_gazebo
from urdf_tools.check.rules.simulation import sensors
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Name
from urdf_tools.model.spelling import closest
from urdf_tools.model.spelling import Spelling
from urdf_tools.model.xml.editing import AddElements
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.gazebo.document import value_of
from urdf_tools.programs.gazebo.extensions import DRIVES
from urdf_tools.programs.gazebo.extensions import INTEGER
from urdf_tools.programs.gazebo.extensions import Kind
from urdf_tools.programs.gazebo.extensions import NUMBER
from urdf_tools.programs.gazebo.extensions import OPTIONS
from urdf_tools.programs.gazebo.extensions import Scope
from urdf_tools.programs.gazebo.extensions import setting_text

rule = RULES.in_category('extensions')


_TRUTH = ('true', 'yes', '1', 'false', 'no', '0')


def _references(description: Description) -> Iterator[tuple[Element, str]]:
    """Yield every <gazebo> that refers to a link or joint, with the name of that link or joint."""
    for element in description.gazebo:
        reference = element.get('reference')
        if reference and not is_expression(reference):
            yield element, reference


_SYSTEM = re.compile(r'(?:gz-sim|ignition-gazebo)-([a-z-]+)-system')

_SYSTEMS: Mapping[str, str] = GAZEBO['sensors']


@rule('gazebo-unknown-reference', WARN, affects='element')
def gazebo_unknown_reference(description: Description) -> Iterator[Defect]:
    """
    Check that every <gazebo reference> names a link or joint.

    Fails in a robot with two links: <gazebo reference="tp"/>
    Passes with reference="tip"
    """
    for element, reference in _references(description):
        if (reference not in description.link_names and reference not in description.joint_names
                and not description.is_template and not missed_calls(description)):
            yield Defect(
                element, '<gazebo> refers to {reference}, which is neither a link nor a joint',
                reference=Name(reference), attribute='reference',
                suggestion=description.link_spelling.near(reference)
                or description.joint_spelling.near(reference))


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
    for element, reference in _references(description):
        body = None if model is None or reference in description.joint_names else (
            model.bodies.get(reference))
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
    for extension in description.gazebo:
        around = extension.findall_tag('sensor') + [extension] * (not extension.get('reference'))
        for plugin in (each for part in around for each in part.findall_tag('plugin')):
            if not plugin.get('filename'):
                yield Defect(plugin, '{plugin} has no filename')
        for element in extension:
            text, option = value_of(element), OPTIONS.get(element.tag)
            if option is None or is_expression(text):
                continue
            if option.kind in (Kind.NUMBER, Kind.INTEGER):
                yield from _malformed_number(element, text)
            elif option.kind in (Kind.IS_TRUE, Kind.IS_NOT_FALSE) and text.lower() not in _TRUTH:
                result = 'true' if element.tag == 'turnGravityOff' else 'false'
                yield Defect(element, '{value} in <{option}> is neither true nor false, and '
                             'Gazebo takes it for {result}', value=Name(text), option=element.tag,
                             result=result, severity=WARN)


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


_SPELLING = Spelling((*OPTIONS, 'plugin', 'sensor', 'static'))
_LIBRARIES = Spelling(GAZEBO['classic'])
_OF_SENSORS = (
    'always_on', 'enable_metrics', 'topic', 'update_rate', 'visualize', 'frame_id', 'gz_frame_id',
    'camera', 'contact', 'force_torque', 'imu', 'lidar', 'ray', 'logical_camera', 'plugin')
_SENSOR_SPELLING = Spelling(_OF_SENSORS)
_OF_SDF = frozenset((
    *_OF_SENSORS, 'self_collide', 'gps', 'sonar', 'pose', 'navsat', 'altimeter', 'magnetometer'))
"""Elements that resemble others, and have a meaning of their own."""


@rule('gazebo-misspelt-element', WARN)
def gazebo_misspelt_element(description: Description) -> Iterator[Defect]:
    """
    Check that no element in <gazebo> or <sensor> differs from one that Gazebo reads by a slip.

    Case counts, and so does the underscore: it is maxVel in <gazebo>, and update_rate in <sensor>.
    Other elements that Gazebo does not know may be meant for another program, and those beside
    the correct one, too.

    Fails in a robot with two links: <gazebo reference="tip"><maxvel>1</maxvel></gazebo>
    Passes: <gazebo reference="tip"><maxVel>1</maxVel><self_collide>1</self_collide></gazebo>
    """
    for extension in description.gazebo:
        for place, known in ((extension, _SPELLING),
                             *((sensor, _SENSOR_SPELLING) for sensor in extension.iter('sensor'))):
            for element in place:
                near = known.near(element.tag)
                if near and near != element.tag and element.tag not in _OF_SDF and (
                        place.find(near) is None):
                    yield Defect(element, 'Gazebo knows no <{tag}> in <{parent}>',
                                 parent=place.tag, suggestion=near)


_APPLIES_TO = {
    Scope.MODEL: 'the model', Scope.LINK: 'a link', Scope.COLLISION: 'a link',
    Scope.VISUAL: 'a link', Scope.JOINT: 'a joint', Scope.LUMPING: 'a joint'}


@rule('gazebo-option-misplaced', WARN, affects='any')
def gazebo_option_misplaced(description: Description) -> Iterator[Defect]:
    """
    Check that each option in <gazebo> applies to what the <gazebo> refers to.

    Friction, contacts, colours, gravity and sensors, except of forces and torques, are those of
    links, feedback is that of joints.

    Fails in a robot with a fixed joint: <gazebo reference="j"><mu1>0.3</mu1></gazebo>
    Passes with reference="tip"
    """
    for extension in description.gazebo:
        reference = extension.get('reference')
        kinds = {'the model'} if reference is None else {
            kind for kind, names in (('a link', description.link_names),
                                     ('a joint', description.joint_names)) if reference in names}
        for element in extension if len(kinds) == 1 else ():
            option = OPTIONS.get(element.tag)
            scope = '' if option is None else _APPLIES_TO.get(option.scope, '')
            if element.tag == 'sensor' and element.get('type') != 'force_torque':
                scope = 'a link'
            if scope and scope not in kinds:
                yield Defect(element,
                             '<{tag}> applies to {scope}, but its <gazebo> refers to {kind}',
                             scope=scope, kind=min(kinds),
                             hint='Remove the reference' if scope == 'the model' else
                             'Write it in a <gazebo> that refers to {scope}')


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


@rule('gazebo-ros1-plugin', INFO)
def gazebo_ros1_plugin(description: Description) -> Iterator[Defect]:
    """
    Check that no plugin is made for Gazebo Classic.

    It reached its end of life in January 2025, and Gazebo does not load its plugins. It is a
    warning in a ROS 2 package, as is a name that is almost that of a plugin.

    Fails in a robot with two links:
        <gazebo><plugin filename="libgazebo_ros_control.so" name="c"/></gazebo>
    Passes:
        <gazebo><plugin filename="gz_ros2_control-system"
        name="gz_ros2_control::GazeboSimROS2ControlPlugin"/></gazebo>
    """
    for plugin in description.plugins:
        filename = plugin.get('filename', '')
        near = _LIBRARIES.near(filename)
        if near and filename not in GAZEBO['classic']:
            yield Defect(plugin, '{plugin} is not known to Gazebo Classic', plugin=Name(filename),
                         severity=WARN, suggestion=near)
        elif re.match(r'(?:lib)?(?:gazebo_ros|gazebo_plugins|gazebo_mimic)', filename):
            is_ros_2 = 'ament' in package_files(description).own('package.xml')
            system = GAZEBO['classic'].get(filename)
            yield Defect(plugin, '{plugin} is a plugin for Gazebo Classic', plugin=Name(filename),
                         severity=WARN if is_ros_2 else None, system=FreeText(system or ''),
                         name=FreeText(_class(system) if system else ''),
                         hint='Use gz-sim-{system}-system, gz::sim::systems::{name}, with a '
                         'ros_gz bridge' if system else '')


_LIBRARY = re.compile(
    r'(?:lib)?(?:((?:gz|ign)_ros2_control)|(gz-sim|ignition-gazebo)\d*-'
    f'({"|".join(GAZEBO["systems"])}))-system' r'(?:\.so)?')
_CONTROL = {'gz_ros2_control': 'gz_ros2_control::GazeboSimROS2ControlPlugin',
            'ign_ros2_control': 'ign_ros2_control::IgnitionROS2ControlPlugin'}
_CLASS = re.compile(r'(gz::sim|ignition::gazebo)(?:::v\d+)?::systems::\w+')


@rule('gazebo-plugin-class', ERROR)
def gazebo_plugin_class(description: Description) -> Iterator[Defect]:
    """
    Check that the name of a plugin is a class of its library.

    Gazebo loads the class that the name says, while Gazebo Classic allows any name. Checked are
    gz_ros2_control and the systems of Gazebo for models and sensors.

    Fails in a robot with two links:
        <gazebo><plugin filename="gz-sim-imu-system" name="imu"/></gazebo>
    Passes with name="gz::sim::systems::Imu"
    """
    depends = package_files(description).own('package.xml')
    for plugin in description.plugins:
        library, name = plugin.get('filename', ''), plugin.get('name', '')
        match, kind = _LIBRARY.fullmatch(library), _CLASS.fullmatch(name)
        if match is None:
            if _INVENTED.match(library) and (near := closest(
                    _INVENTED.sub('', library).replace('_', '-'), GAZEBO['systems'], 0.7)):
                yield Defect(plugin, 'Gazebo has no library {library}', library=Name(library),
                             suggestion=f'gz-sim-{near}-system', attribute='filename')
        elif name and not is_expression(name) and not (
                name in _CONTROL.values() if match[1] else kind):
            yield Defect(
                plugin, 'The library {library} has no class {name}, and Gazebo does not load it',
                library=Name(library), name=Name(name), attribute='name',
                suggestion=_CONTROL[match[1]] if match[1] else
                f'gz::sim::systems::{_class(match[3])}')
        elif kind and (match[2] == 'gz-sim') != (kind[1] == 'gz::sim'):
            yield Defect(plugin, 'The library {library} is named as in one release, and its class '
                         '{name} as in another one, and before Garden it is not loaded',
                         severity=WARN, library=Name(library), name=Name(name),
                         system=FreeText(match[3]), right=FreeText(_class(match[3])))
        elif match[1] == 'ign_ros2_control' and 'gz_ros2_control' in depends and (
                'ign_ros2_control' not in depends):
            yield Defect(
                plugin, 'From Jazzy on gz_ros2_control, on which the package depends, has no '
                'library {library}', library=Name(library), suggestion='gz_ros2_control-system',
                attribute='filename', severity=WARN)


_INVENTED = re.compile(r'(?:lib)?ros_gz(?:_sim)?_|-?_?system(?:\.so)?$')
"""What is around the name of a system in the names of libraries that never were."""


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
        system = '' if match is None or match[1] else match[3]
        known = GAZEBO['systems'].get(system, {}).get('reads', ())
        renamed = GAZEBO['renamed parameters'].get(system, {})
        found = {part: right for part in plugin if known and part.tag not in known
                 if (right := renamed.get(part.tag) or _spelling(tuple(known)).near(part.tag))
                 and plugin.find(right) is None}
        for part in [*found][:1]:
            yield Defect(
                part, 'The system {system} does not read {tags:and}', system=FreeText(
                    _class(system)), tags=[f'<{each.tag}>' for each in found],
                rights=[f'<{each}>' for each in dict.fromkeys(found.values())],
                hint='Write {rights:and}' + (
                    ', of which the radius is half the diameter' if any(
                        'iameter' in each.tag for each in found) else ''))


_spelling = cache(Spelling)


@rule('gazebo-joints-undriven', INFO, affects='interface transmission')
def gazebo_joints_undriven(description: Description) -> Iterator[Defect]:
    """
    Check that a robot with transmissions or <ros2_control> has a plugin that reads them in Gazebo.

    Gazebo reads neither by itself, so that nothing drives the joints there.

    Fails in a robot with joints:
        <ros2_control name="s" type="system">
        <hardware><plugin>a/B</plugin></hardware></ros2_control>
    Passes:
        <ros2_control name="s" type="system">
        <hardware><plugin>a/B</plugin></hardware></ros2_control>
        <gazebo><plugin filename="gz_ros2_control-system"
        name="gz_ros2_control::GazeboSimROS2ControlPlugin"/></gazebo>
    """
    described = [*description.ros2_control, *description.transmissions]
    if described and description.links and not description.is_template and not any(
            DRIVES.search(plugin.get('filename', '')) for plugin in description.plugins):
        yield Defect(described[0], 'No plugin in <gazebo> drives what {part} describes',
                     part=described[0])


@RULES.in_category('assets')('sensor-without-system', WARN)
def sensor_without_system(description: Description) -> Iterator[Defect]:
    """
    Check that a world of the package, or the robot, loads the system of Gazebo for each sensor.

    Without it the sensor has no data, as one of a type that no system is for. Packages without a
    world that loads systems are skipped, as are sensors with a plugin of Gazebo Classic.
    """
    for _, sensor in sensors(description) if is_for_gazebo(description) else ():
        if right := GAZEBO['without data'].get(sensor.get('type', '')):
            yield Defect(sensor, 'Up to release 10 no system of Gazebo makes data of {sensor} of '
                         'type {type}', sensor=sensor, type=sensor.get('type'), suggestion=right)
    found = [(sensor, system) for extension in description.gazebo
             for sensor in extension.iter('sensor')
             if (system := _SYSTEMS.get(sensor.get('type', ''))) and not any(
                 'libgazebo' in plugin.get('filename', '') for plugin in sensor.iter('plugin'))]
    texts = package_texts(description, 'sdf', 'world') if found else {}
    worlds = [systems for text in texts.values() if (systems := {*_SYSTEM.findall(text)})]
    loaded = {system for plugin in description.plugins
              for system in _SYSTEM.findall(plugin.get('filename', ''))}.union(*worlds)
    for sensor, system in found if worlds else ():
        if system not in loaded:
            yield Defect(sensor, '{sensor} is of type {type}, but none of {worlds} worlds of the '
                         'package loads gz-sim-{system}-system', worlds=len(worlds),
                         type=sensor.get('type'), system=FreeText(system),
                         name=FreeText(_class(system)))


_BASES = 'robotBaseFrame', 'robot_base_frame'
_KINDS = {
    **dict.fromkeys(('bodyName', 'body_name', 'linkName', 'link_name'), 'link'),
    **dict.fromkeys(('jointName', 'joint_name', 'leftJoint', 'left_joint', 'mimicJoint',
                     'rightJoint', 'right_joint'), 'joint'),
    **dict.fromkeys(('frameName', 'frame_name', 'gz_frame_id', 'ignition_frame_id',
                     'optical_frame_id', *_BASES), 'frame')}
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
    named = [] if model is None else [
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
    that of the base. Names may be separated by commas or white space.

    Fails in a plugin of Gazebo: <body_name>bsae_link</body_name>
    Passes: <body_name>base_link</body_name>
    """
    if description.is_template or not description.links:
        return
    sensors = [each for extension in description.gazebo for each in extension.iter('sensor')]
    named = {element: owner for owner in (*sensors, *description.plugins)
             for element in owner.iter() if element.tag in _KINDS}
    for element, owner in named.items():
        kind = _KINDS[element.tag]
        frames = _WORLD_FRAMES if kind == 'frame' else ()
        known, spelling = (description.joint_names, description.joint_spelling) if (
            kind == 'joint') else (description.link_names, description.link_spelling)
        for name in _names(value_of(element).lstrip('/'), known):
            is_base = element.tag in _BASES
            if name not in known and name not in frames and not (
                    is_base and name.rpartition('/')[2] in known):
                near = spelling.near(name) or closest(name, frames, 0.7) or (
                    part if (part := name.rstrip('_0123456789')) in known and frames else None)
                roots = [each for each in description.link_names
                         if is_base and not near and not description.topology.parent_joint(each)]
                yield Defect(
                    element, '{owner} names {kind} {name} in <{tag}>, which does not exist',
                    kind=kind, name=Name(name), owner=owner,
                    suggestion=near or (roots[0] if len(roots) == 1 else None),
                    severity=INFO if frames and near is None and not is_base else None,
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
