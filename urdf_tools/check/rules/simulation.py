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

from urdf_tools.check.bridges import Bridge
from urdf_tools.check.bridges import bridges
from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import is_expression
from urdf_tools.check.package_files import package_files
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import first_of
from urdf_tools.check.registry import RULES
from urdf_tools.check.registry import WARN
from urdf_tools.check.schema import TABLES
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Name
from urdf_tools.model.grouping import grouped
from urdf_tools.model.installed_files import is_installed
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
    of_folder = grouped((path.split('/')[0], element) for path, elements in
                        own_files(description).items() if '/' in path and 'catkin' not in cmake
                        and not is_installed(path, files.name or '', cmake, python)
                        for element in elements)
    for folder, elements in of_folder.items():
        if os.path.isdir(files.folder / folder):
            yield first_of(
                elements, '{file} does not install the folder {folder} of this file',
                folder=Name(folder), file=FreeText('CMakeLists.txt' if 'ament' in cmake else
                                                   'setup.py'),
                hint='Write install(DIRECTORY {folder} DESTINATION share/${{PROJECT_NAME}})'
                if 'ament' in cmake else 'Add the files of {folder} to data_files')


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
            re.search('RESOURCE_PATH|gazebo_model_path', text)
            for texts in (files.build, files.launch) for text in texts.values()):
        yield first_of([each for elements in meshes.values() for each in elements],
                       'Gazebo does not find this file of package {package}, as nothing sets '
                       'GZ_SIM_RESOURCE_PATH', package=Name(files.name or ''))


def sensors(description: Description) -> Iterator[tuple[str, Element]]:
    """Yield the link and the element of each sensor without a plugin of Gazebo Classic."""
    return ((extension.get('reference', ''), sensor) for extension in description.gazebo
            for sensor in extension.findall('sensor')
            if extension.get('reference') in description.link_names and not any(
                'libgazebo' in each.get('filename', '') for each in sensor.iter('plugin')))


_PUBLISHED = TABLES['messages of sensors']
"""The types of messages of Gazebo to the types of the sensors that publish them."""

_OF_RGBD = re.compile('(.+)/(?:image|depth_image|points|camera_info)')


def _text(bridge: Bridge, *names: str) -> str:
    """Return the first of some values of a bridge; empty if it has none."""
    return next((text for name in names if name in bridge and (text := bridge[name].text)), '')


@rule('bridge-topic-unpublished', WARN)
def bridge_topic_unpublished(description: Description) -> Iterator[Defect]:
    """
    Check that sensors publish on the topics in Gazebo that the package bridges to ROS.

    A sensor without a <topic> publishes on /world/W/model/M/link/L/sensor/S/... instead. Compared
    are IMUs, lidars, cameras and NavSat receivers with the bridges of their type of messages, and
    RGBD cameras with those of TOPIC/image, TOPIC/depth_image, TOPIC/points and TOPIC/camera_info.

    Example: <sensor name="s" type="imu"/>, and the bridge of gz_topic_name: imu
    """
    heard: dict[str, dict[str, Element]] = {}
    has_rgbd = any(sensor.get('type') in _PUBLISHED['RGBD'] for _, sensor in sensors(description))
    for bridge in bridges(description):
        topic = _text(bridge, 'gz_topic_name', 'topic_name', 'ros_topic_name').strip('/')
        kind, part = _text(bridge, 'gz_type_name').rpartition('.')[2], _OF_RGBD.fullmatch(topic)
        if has_rgbd and part:
            topic, kind = part[1], 'RGBD'
        if _text(bridge, 'direction') != 'ROS_TO_GZ':
            heard.setdefault(kind, {}).setdefault(topic, bridge['gz_type_name'])
    for kind, types in _PUBLISHED.items():
        found = [sensor for _, sensor in sensors(description) if sensor.get('type') in types]
        topics = {sensor: _topic(sensor) for sensor in found}
        listened = heard.get(kind, {})
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
