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

"""Rules about what a package needs so that its robot works in Gazebo: meshes, frames, topics."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
import json
import os
from pathlib import Path
import re
from typing import Any

from urdf_tools.check.file_lookup import package_texts
from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import is_expression
from urdf_tools.check.indexed_description import once
from urdf_tools.check.moveit_files import moveit_files
from urdf_tools.check.package_files import element_in
from urdf_tools.check.package_files import package_files
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import first_of
from urdf_tools.check.registry import INFO
from urdf_tools.check.registry import RULES
from urdf_tools.check.registry import WARN
from urdf_tools.check.topology import attached_link
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Name
from urdf_tools.model.grouping import grouped
from urdf_tools.model.spelling import closest
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.gazebo.document import value_of

rule = RULES.in_category('assets')

GAZEBO: Mapping[str, Mapping[str, Any]] = json.loads(
    Path(__file__).with_name('gazebo.json').read_bytes())
"""
What Gazebo has, by release 11 of gz-sim and earlier ones, and ros_gz_bridge.

Of ``systems`` the class, and the parameters that all releases together read; of ``sensors`` the
system that makes their data; of ``without data`` the type that has some; of ``classic`` plugins
the system that took their place; of ``renamed parameters`` their names in a system; of types that
are ``bridged`` those in Gazebo.
"""

_FOUND = re.compile(r'RESOURCE_PATH|gazebo_model_path')
_OF_GAZEBO = re.compile('(?:gz|ign)_ros2_control')
_INSTALL = re.compile(
    r'install\s*\(\s*DIRECTORY\s([^()]*?)\sDESTINATION\b|INSTALL_TO_SHARE\s([^()]*)',
    re.IGNORECASE)


def own_files(description: Description) -> dict[str, list[Element]]:
    """Return the paths in the package of a description that it refers to, with the elements."""
    start = f'package://{package_files(description).name}/'
    named = ((each.get('filename', ''), each) for tag in ('mesh', 'texture')
             for each in description.robot.iter(tag))
    return grouped((path.removeprefix(start), each) for path, each in named
                   if path.startswith(start) and not is_expression(path))


@rule('package-files-not-installed', WARN)
def package_files_not_installed(description: Description) -> Iterator[Defect]:
    """
    Check that the package of a description installs the folders of its meshes.

    In the source they are found, and after colcon build they are not. Only packages whose
    CMakeLists.txt or setup.py lists folders by their names are checked.

    Example: <mesh filename="package://arm/meshes/a.stl"/>, and CMakeLists.txt installs urdf only
    """
    files = package_files(description)
    cmake, python = files.own('CMakeLists.txt'), files.own('setup.py')
    text = cmake if 'ament' in cmake else python
    if not text:
        return
    if text is cmake:
        plain = re.sub('#[^\n]*', '', text)
        names = {name.strip('"\'').removeprefix('${CMAKE_CURRENT_SOURCE_DIR}/').removeprefix('./')
                 for match in _INSTALL.findall(plain) for part in match for name in part.split()}
        is_listed = not any('$' in name or '*' in name for name in names) and 'GLOB' not in plain
        tops = {name.split('/')[0] for name in names}
    else:
        is_listed = not re.search(r'\bwalk\(|\*\*|rglob|iterdir|listdir', text)
        tops = {*re.findall(r'[\w-]+', text)}
    of_folder = grouped((path.split('/')[0], element) for path, elements in
                        own_files(description).items() if '/' in path for element in elements)
    for folder, elements in of_folder.items() if is_listed else ():
        if folder not in tops and '.' not in tops and os.path.isdir(files.folder / folder):
            yield first_of(
                elements, '{file} does not install the folder {folder} of this file',
                folder=Name(folder), file=FreeText('CMakeLists.txt' if text is cmake else
                                                   'setup.py'),
                hint='Write install(DIRECTORY {folder} DESTINATION share/${{PROJECT_NAME}})'
                if text is cmake else 'Add the files of {folder} to data_files')


@rule('gazebo-resource-path', WARN)
def gazebo_resource_path(description: Description) -> Iterator[Defect]:
    """
    Check that Gazebo can find the meshes of a package that is simulated.

    Gazebo takes package:// for model://, and looks in GZ_SIM_RESOURCE_PATH, which has no packages
    of ROS. Neither this package nor one beside it sets it, in an export, a hook or a launch file.

    Example: <mesh filename="package://arm/meshes/a.stl"/>, and a launch file with ros_gz_sim
    """
    files, meshes = package_files(description), own_files(description)
    if meshes and files.is_simulated and not any(
            _FOUND.search(text) for texts in (files.build, files.launch)
            for text in texts.values()):
        yield first_of([each for elements in meshes.values() for each in elements],
                       'Gazebo does not find this file of package {package}, as nothing sets '
                       'GZ_SIM_RESOURCE_PATH', package=Name(files.name or ''))


@once
def is_for_gazebo(description: Description) -> bool:
    """Return whether a description is for Gazebo (gz-sim) with ROS, as far as it shows."""
    return package_files(description).is_simulated or any(
        _OF_GAZEBO.search(plugin.get('filename', '')) for plugin in description.plugins) or any(
            sensor.get('type') == 'gpu_lidar' or sensor.find('topic') is not None
            for _, sensor in sensors(description))


_CAMERAS = 'camera', 'depth', 'depth_camera', 'rgbd', 'rgbd_camera'
_FRAMED = *_CAMERAS, 'gpu_lidar', 'gpu_ray', 'imu', 'lidar', 'navsat', 'ray'


def sensors(description: Description) -> Iterator[tuple[str, Element]]:
    """Yield the link and the element of each sensor without a plugin of Gazebo Classic."""
    return ((extension.get('reference', ''), sensor) for extension in description.gazebo
            for sensor in extension.findall('sensor')
            if extension.get('reference') in description.link_names and not any(
                'libgazebo' in each.get('filename', '') for each in sensor.iter('plugin')))


@rule('sensor-frame-missing', WARN)
def sensor_frame_missing(description: Description) -> Iterator[Defect]:
    """
    Check that each sensor for Gazebo has a <gz_frame_id>.

    Without it the frame of its messages is MODEL/LINK/SENSOR, which is not in TF, so that RViz
    and Nav2 drop them. It is noted where nothing shows that the robot is for Gazebo. Sensors in
    <ros2_control>, whose broadcasters name the frame, are left out. <ignition_frame_id> is read up
    to Fortress only.

    Fails in a robot with two links:
        <gazebo reference="tip"><sensor name="s" type="gpu_lidar"/></gazebo>
    Passes:
        <gazebo reference="tip"><sensor name="s" type="gpu_lidar">
        <gz_frame_id>tip</gz_frame_id></sensor></gazebo>
    """
    texts = package_files(description).launch.values()
    broadcast = {each.get('name') for each in description.robot.iterfind('ros2_control/sensor')}
    is_old = any('ign' in plugin.get('filename', '') for plugin in description.plugins)
    for link, sensor in sensors(description):
        name, old = sensor.get('name', ''), sensor.find('ignition_frame_id')
        if old is not None and sensor.find('gz_frame_id') is None and not is_old and (
                is_for_gazebo(description)):
            yield Defect(old, 'Releases of Gazebo from Garden on do not read <ignition_frame_id>',
                         suggestion='gz_frame_id')
        if name in broadcast or sensor.get('type') not in _FRAMED or any(
                each.tag.endswith('frame_id') for each in sensor.iter()) or any(
                    name and re.search(rf'/{re.escape(name)}\b', text) for text in texts):
            continue
        optical = sensor.get('type') == 'camera' and _optical(description, link) or link
        yield Defect(sensor, '{sensor} has no <gz_frame_id>, and the frame of its messages is not '
                     'in TF', frame=FreeText(optical), sensor=sensor,
                     severity=None if is_for_gazebo(description) else INFO)


def _optical(description: Description, link: str) -> str:
    """Return the optical frame that is fixed to a link; empty if there is none."""
    below = (attached_link(joint, 'child') or '' for joint in description.joints
             if attached_link(joint, 'parent') == link and joint.get('type') == 'fixed')
    return next((each for each in below if 'optical' in each), '')


@rule('sensor-frame-not-optical', WARN)
def sensor_frame_not_optical(description: Description) -> Iterator[Defect]:
    """
    Check that the images of a camera in Gazebo are stamped in its optical frame, if it has one.

    Whatever is seen is displaced by a quarter turn otherwise. A cloud of points from Gazebo itself
    has x ahead in any frame, and one of a plugin of Gazebo Classic has z ahead.

    Example: <gz_frame_id>camera_link</gz_frame_id>, and camera_optical_frame is fixed to that link
    """
    for gazebo in description.gazebo:
        for frame in gazebo.iterfind('sensor/plugin/frame_name'):
            if value_of(frame) == gazebo.get('reference') and 'camera' in (
                    frame.parent or frame).get('filename', ''):
                yield Defect(frame, 'The images and points are stamped in {frame}, where x points '
                             'ahead; z does in an optical frame', frame=Name(value_of(frame)))
    for _, sensor in sensors(description):
        frames = [each for each in sensor.iter() if each.tag.endswith('frame_id')]
        if sensor.get('type') in _CAMERAS and len(frames) == 1 and (
                frames[0].tag != 'optical_frame_id') and 'optical' not in value_of(frames[0]) and (
                    optical := _optical(description, value_of(frames[0]))):
            yield Defect(frames[0], 'The images of {sensor} are stamped in {frame}, where x '
                         'points ahead; the frame of images is {optical}', sensor=sensor,
                         plain=FreeText(optical), frame=Name(value_of(frames[0])),
                         optical=Name(optical))


_PUBLISHED = {'IMU': ('imu',), 'NavSat': ('navsat',), 'Image': ('camera',),
              'LaserScan': ('gpu_lidar', 'gpu_ray', 'lidar', 'ray'),
              'RGBD': ('rgbd', 'rgbd_camera')}
"""The types of messages of Gazebo to the types of the sensors that publish them."""

_OF_RGBD = re.compile('(.+)/(?:image|depth_image|points|camera_info)')
_IN_LAUNCH = re.compile(r'(?<=["\'])([\w/.-]+)@([\w/]+)([@\[\]])(\w+\.[\w.]+)')
_DIRECTIONS = {'[': 'GZ_TO_ROS', ']': 'ROS_TO_GZ', '@': 'BIDIRECTIONAL'}

Bridge = Mapping[str, Element]
"""What is written about a topic that ros_gz_bridge bridges, by the names in its YAML files."""


@once
def _bridges(description: Description) -> list[Bridge]:
    """Return the topics that the package, or a launch file of the robot, bridges."""
    files, found = package_files(description), list[Bridge]()
    for path, text in files.launch.items():
        if path in files.launching or files.folder in Path(path).parents:
            for match in _IN_LAUNCH.finditer(text):
                bridge = {name: element_in(path, text, match.start(group), 'bridge')
                          for name, group in (('topic_name', 1), ('ros_type_name', 2),
                                              ('direction', 3), ('gz_type_name', 4))}
                for element, value in zip(bridge.values(), match.groups()):
                    element.text = _DIRECTIONS.get(value, value)
                found.append(bridge)
    for path, text in package_texts(description, 'yaml', beside='config').items():
        is_named = any(os.path.basename(path) in other for other in files.launching.values())
        if '_topic_name' in text and (is_named or files.folder in Path(path).parents):
            for entry in moveit_files(description).entries_in_file(path):
                bridge = {re.sub('^ign_', 'gz_', each.get('name', '')): each for each in entry}
                if 'gz_type_name' in bridge:
                    found.append({'ros_type_name': bridge['gz_type_name'], **bridge, **(
                        {'table': entry} if entry.parent is None else {})})
    return found


def _text(bridge: Bridge, *names: str) -> str:
    """Return the first of some values of a bridge; empty if it has none."""
    return next((text for name in names if name in bridge and (text := bridge[name].text)), '')


@rule('bridge-refused', WARN)
def bridge_refused(description: Description) -> Iterator[Defect]:
    """
    Check that ros_gz_bridge makes the bridges of the package.

    Their YAML file is a list, topics have names that ROS allows, and the types are a pair that it
    knows. Types are reported if their names are almost those of others, or others belong together.

    Example: ros_type_name: std_msgs/msg/float64
    """
    known = GAZEBO['bridged']
    others = {other for each in known.values() for other in each}
    lower = {each.lower(): each for each in (*known, *others)}
    for bridge in _bridges(description):
        topic, ros, gz, direction = (_text(bridge, *names) for names in (
            ('ros_topic_name', 'topic_name', 'gz_topic_name'), ('ros_type_name',),
            ('gz_type_name',), ('direction',)))
        package, _, own = gz.rpartition('.')
        at = bridge['ros_type_name']
        if any(sign in topic + ros + gz for sign in '$<{') or ros == gz:
            continue
        if 'table' in bridge:
            yield Defect(bridge['table'], 'ros_gz_bridge reads a list of bridges, and this file '
                         'is a table')
        if re.search(r'(?:^|/)\d|[^\w/~]', topic):
            yield Defect(bridge.get('topic_name', at), 'ROS has no topic {topic}: names have '
                         'letters, digits and underscores, and no part begins with a digit',
                         topic=Name(topic))
        if (right := lower.get(ros.lower()) or closest(ros, known, 0.9)) and ros not in known:
            yield Defect(at, 'ros_gz_bridge knows no type {type}', type=Name(ros),
                         suggestion=right)
        elif package not in ('gz.msgs', 'ignition.msgs') or own not in others:
            if own in others or (own := lower.get(own.lower(), '')) in others:
                yield Defect(bridge['gz_type_name'], 'Gazebo has no type {type}', type=Name(gz),
                             suggestion=f'gz.msgs.{own}')
        elif own not in known.get(ros, (own,)):
            yield Defect(bridge['gz_type_name'], 'ros_gz_bridge does not bridge {type} to {ros}',
                         type=Name(gz), ros=FreeText(ros), suggestion=f'gz.msgs.{known[ros][0]}')
        if direction not in ('', *_DIRECTIONS.values()):
            yield Defect(bridge['direction'], 'ros_gz_bridge knows no direction {direction}',
                         direction=Name(direction),
                         suggestion=closest(direction.upper(), _DIRECTIONS.values()))


@rule('bridge-clock-missing', WARN)
def bridge_clock_missing(description: Description) -> Iterator[Defect]:
    """
    Check that a package that bridges topics of a simulation bridges its clock, too.

    Nodes with use_sim_time wait for it. Packages beside it may bridge it as well.

    Example: use_sim_time is true, and bridge.yaml has the topic scan alone
    """
    files, bridges = package_files(description), _bridges(description)
    texts = (*files.launch.values(), *package_texts(
        description, 'yaml', beside='config').values())
    if bridges and _SIM_TIME.search(''.join(files.launch.values())) and not any(
            re.search(r'\bclock\b|Clock\b', text) for text in texts):
        yield Defect(bridges[0]['ros_type_name'], 'Nodes have use_sim_time, and nothing bridges '
                     '/clock')


_SIM_TIME = re.compile(r'use_sim_time["\']?\s*(?::=|[:,=])\s*["\']?(?:True|true)')


@rule('bridge-topic-unpublished', WARN)
def bridge_topic_unpublished(description: Description) -> Iterator[Defect]:
    """
    Check that sensors publish on the topics in Gazebo that the package bridges to ROS.

    A sensor without a <topic> publishes on /world/W/model/M/link/L/sensor/S/... instead. Compared
    are IMUs, lidars, cameras and NavSat receivers with the bridges of their type of messages, and
    RGBD cameras with those of TOPIC/image, TOPIC/depth_image, TOPIC/points and TOPIC/camera_info.

    Example: <sensor name="s" type="imu"/>, and the bridge of gz_topic_name: imu
    """
    bridges: dict[str, dict[str, Element]] = {}
    has_rgbd = any(sensor.get('type') in _PUBLISHED['RGBD'] for _, sensor in sensors(description))
    for bridge in _bridges(description):
        topic = _text(bridge, 'gz_topic_name', 'topic_name', 'ros_topic_name').strip('/')
        kind, part = _text(bridge, 'gz_type_name').rpartition('.')[2], _OF_RGBD.fullmatch(topic)
        if has_rgbd and part:
            topic, kind = part[1], 'RGBD'
        if _text(bridge, 'direction') != 'ROS_TO_GZ':
            bridges.setdefault(kind, {}).setdefault(topic, bridge['gz_type_name'])
    for kind, types in _PUBLISHED.items():
        found = [sensor for _, sensor in sensors(description) if sensor.get('type') in types]
        topics = {sensor: _topic(sensor) for sensor in found}
        listened = bridges.get(kind, {})
        free = [topic for topic in listened if topic not in topics.values()
                and '/sensor/' not in topic]
        if any(re.search('[$<{]', topic) for topic in (*listened, *topics.values())):
            continue
        silent = [sensor for sensor in found if not topics[sensor] and not any(
            f'/sensor/{sensor.get("name")}/' in topic for topic in listened)]
        for sensor, topic in zip(silent, free):
            yield Defect(sensor, '{sensor} has no <topic>, and does not publish on {topic}, which '
                         '{file} bridges', sensor=sensor, topic=Name(topic),
                         file=FreeText(os.path.basename(listened[topic].location('')[0])),
                         plain=FreeText(topic))
        if not silent and len(found) == len(listened) == len(free) == 1 and kind != 'Image':
            yield Defect(listened[free[0]],
                         'The bridge listens to {topic}, and {sensor} publishes on {other}',
                         topic=Name(free[0]), sensor=found[0], other=Name(topics[found[0]]))


def _topic(sensor: Element) -> str:
    """Return the topic in a sensor without slashes around it; empty if there is none."""
    return next((value_of(each).strip('/') for tag in ('topic', 'ignition_topic', 'gz_topic')
                 for each in sensor.findall(tag)), '')
