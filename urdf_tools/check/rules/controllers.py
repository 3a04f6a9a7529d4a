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

"""Rules about the YAML files of MoveIt and ros2_control: solvers, controllers, positions."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Iterator
from itertools import chain
import os
from pathlib import Path
import re
from typing import Any

from urdf_tools.check.file_lookup import package_folder
from urdf_tools.check.file_lookup import package_texts
from urdf_tools.check.indexed_description import AXIS_TYPES
from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import INTERFACES
from urdf_tools.check.moveit_files import controller_name
from urdf_tools.check.moveit_files import CONTROLLERS
from urdf_tools.check.moveit_files import entries_in
from urdf_tools.check.moveit_files import entry_of
from urdf_tools.check.moveit_files import JOINTS
from urdf_tools.check.moveit_files import moveit_files
from urdf_tools.check.moveit_files import value_of
from urdf_tools.check.moveit_files import WHEELS
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import ERROR
from urdf_tools.check.registry import RULES
from urdf_tools.check.registry import WARN
from urdf_tools.findings.consequences import changes
from urdf_tools.findings.message import Name
from urdf_tools.model.spelling import closest
from urdf_tools.model.spelling import Spelling
from urdf_tools.model.xml.element import Element

rule = RULES.in_category('assets')

_NOT_ACTIVATED = changes('ros2_control', of='joint', how='does not activate the controller')


@rule('moveit-controller-unknown-joint', ERROR)
def moveit_controller_unknown_joint(description: Description) -> Iterator[Defect]:
    """
    Check that the joints of controllers exist, and move.

    They are those in moveit_controllers.yaml, ros2_controllers.yaml and their older names, in
    files that plugins of Gazebo, or launch files with this description alone, name as parameters,
    and left and right wheels in the only YAML file of the package with wheels. In other files of
    the package, names that are almost those of others are reported, and those that only lack a
    prefix. A controller without any joint of this robot is a warning: it may be of another
    variant.

    Fails in moveit_controllers.yaml:
        moveit_simple_controller_manager:
          arm:
            type: FollowJointTrajectory
            joints: [shoulder, wirst]
    Passes:
        moveit_simple_controller_manager:
          arm:
            type: FollowJointTrajectory
            joints: [shoulder, wrist]
    """
    files, done = moveit_files(description), set()
    xacro = description.document.xacro
    has_arguments = any('<xacro:arg' in file.text for file in (xacro.files if xacro else ()))
    known = files.joints | {
        part.get('name', '') for system in description.ros2_control for part in system}
    controllers = [(*each, True) for each in _controllers(description)]
    for file, controller, joints, is_loaded in (*controllers, *(
            (*each, False) for each in _misspelt(description))):
        names = [joint.text or '' for joint in joints]
        prefix = _prefix(known, names)
        of_controller: dict[str, Any] = {
            'controller': Name(controller_name(controller)), 'file': file}
        path, *place = controller.location('')
        if (where := (os.path.abspath(path), *place)) in done:
            continue
        done.add(where)
        of_moveit = files.groups or not file.startswith(('controllers', 'ros'))
        consequences = None if file in CONTROLLERS and of_moveit else _NOT_ACTIVATED
        listed = entry_of(controller, 'joints')
        if listed is not None and listed.text and _is_plain(listed.text):
            yield Defect(listed, 'The joints of controller {controller} in {file} are a text, not '
                         'a list', **of_controller)
        if known.isdisjoint(names) and any(
                all(f'"{name}"' in text for name in names) for text in package_texts(
                    description, 'urdf', 'xacro', beside='urdf').values()):
            continue  # It is the controller of another robot.
        if prefix and any('.dump(' in text and 'prefix' in text for text in package_texts(
                description, 'py', beside='launch').values()):
            continue  # Code of a launch file may write them with it into another file.
        if prefix:
            yield Defect(joints[0], 'Controller {controller} in {file} has {names}, in the '
                         'description {known}', **of_controller, names=[*map(Name, names)],
                         known=[Name(prefix + name) for name in names], prefix=Name(prefix),
                         severity=None if is_loaded else WARN,
                         consequences=consequences)
            continue
        if has_arguments and _prefix(names, [
                each for each in known if any(name.endswith(each) for name in names)]):
            continue  # An argument gives the prefix that these have.
        for joint in joints:
            of_robot = description.joint_names.get(name := joint.text or '')
            near = None if name in known else closest(name, known, 0.8)
            is_variant = near is None and known.isdisjoint(each.text for each in joints)
            if of_robot is not None and of_robot.get('type') == 'fixed':
                yield Defect(joint, 'Controller {controller} in {file} has joint {name}, which is '
                             'fixed', **of_controller, name=Name(name), severity=WARN)
            elif name not in known and not (
                    is_variant and (files.stray or _has_namespace(controller))):
                yield Defect(
                    joint, 'Controller {controller} in {file} has joint {name}, which does not '
                    'exist', **of_controller, name=Name(name), suggestion=near,
                    severity=WARN if is_variant else None,
                    consequences=consequences)


@rule('controller-interface-missing', ERROR)
def controller_interface_missing(description: Description) -> Iterator[Defect]:
    """
    Check that <ros2_control> has the interfaces that controllers in ros2_controllers.yaml use.

    A controller without any joint in <ros2_control> may be of another variant, unless nothing in
    the package has one. Joints that no <ros2_control> has are a warning.

    Fails in ros2_controllers.yaml:
        arm:
          ros__parameters:
            joints: [shoulder]
            command_interfaces: [effort]
    Passes:
        arm:
          ros__parameters:
            joints: [shoulder]
            command_interfaces: [position]
    """
    offered: dict[str, set[tuple[str, str | None]]] = {}
    for joint in description.robot.iterfind('ros2_control/joint'):
        offered.setdefault(joint.get('name', ''), set()).update(
            (interface.tag, interface.get('name')) for interface in joint)
    for file, controller, joints in _controllers(description):
        used = {joint.text or '' for joint in joints} & description.joint_names.keys()
        is_moveit = file in CONTROLLERS and not file.startswith('ros2_')
        for tag in () if is_moveit else INTERFACES:
            for interface in entries_in(controller, f'{tag}s'):
                lacking = [Name(name) for name in sorted(used & offered.keys())
                           if (tag, interface.text) not in offered[name]]
                if lacking and _is_plain(interface.text or ''):
                    yield Defect(
                        interface, 'Controller {controller} uses the {kind} {interface}, which '
                        '<ros2_control> has not for {joints}', joints=lacking,
                        controller=Name(controller_name(controller)), kind=tag.replace('_', ' '),
                        interface=Name(interface.text or ''))
    files = moveit_files(description)
    typed = {*_types(chain.from_iterable(files.parameters)), *(
        controller_name(entry) for file, entry in files.controllers if file.startswith('ros2_'))}
    is_known = offered or 'ros2_control' not in ''.join(package_texts(
        description, 'urdf', 'xacro', beside='urdf').values())
    for _, controller in files.likely if is_known and not description.is_template else ():
        listed = {each.text or '': each for each in _joints(controller, _listed(controller))}
        missing = sorted(joint for joint in listed.keys() - offered.keys()
                         if joint in description.joint_names
                         and description.joint_names[joint].get('type') in AXIS_TYPES)
        owner = controller_name(controller).rpartition('/')[2]
        if missing and controller.get('name') == _TABLE and owner in typed and (
                listed.keys() <= description.joint_names.keys()
                and (not offered or listed.keys() & offered.keys())):
            yield Defect(
                min((listed[each] for each in missing), key=lambda each: each.line), 'No '
                '<ros2_control> has {joints} of controller {controller}', severity=WARN,
                controller=Name(owner), joints=tuple(map(Name, missing)))


def _controllers(description: Description) -> Iterator[tuple[str, Element, list[Element]]]:
    """Yield the file of each controller, its entry, and those of its joints."""
    files = moveit_files(description)
    for file, controller in () if description.is_template else (*files.controllers, *files.drives):
        yield file, controller, _joints(controller, entries_in(controller, 'joints'))
    for file, controller in () if description.is_template else files.loaded:
        if joints := _joints(controller, _listed(controller)):
            yield file, controller, joints


def _misspelt(description: Description) -> Iterator[tuple[str, Element, list[Element]]]:
    """
    Yield the same of files that may be of another robot.

    The joints are those that are misspelt, or all of them if each only lacks the same prefix.
    """
    known, own = description.joint_names.keys(), package_folder(description)
    for file, controller in () if description.is_template else moveit_files(description).likely:
        joints = _joints(controller, _listed(controller))
        is_own = own in Path(os.path.abspath(controller.location('')[0])).parents
        names = {value_of(controller, 'joints'), *(joint.text or '' for joint in joints)}
        if not known.isdisjoint(names):
            others = Spelling(known - names)
            yield file, controller, [joint for joint in joints if joint.text not in known
                                     and others.near(joint.text or '')]
        elif is_own and _prefix(known, {joint.text or '' for joint in joints}) and not any(
                f'"{joint.text}"' in text for joint in joints for text in package_texts(
                    description, 'urdf', 'xacro').values()):
            yield file, controller, joints


def _listed(controller: Element) -> list[Element]:
    """Return the entries that name the joints of a controller."""
    found = [entry for name in (*JOINTS, *WHEELS)
             if (entry := entry_of(controller, name)) is not None]
    return [each for entry in found for each in (entry if len(entry) else [entry] * (
        entry.get('name') == 'joint'))]


def _prefix(known: Collection[str], names: Collection[str]) -> str:
    """Return what all of the names lack at the beginning to be known; empty if nothing."""
    prefixes = [{each.removesuffix(name) for each in known if each.endswith(name)}
                for name in names if name]
    common = {*()}.union(*prefixes).intersection(*prefixes) if prefixes else set()
    return '' if '' in common else min(
        (each for each in common if each.endswith(('_', '/', '-'))), default='')


def _has_namespace(entry: Element | None) -> bool:
    """Return whether an entry is for nodes in a namespace, such as those of another robot."""
    return entry is not None and (re.match('/[^*]', entry.get('name', '')) is not None
                                  or _has_namespace(entry.parent))


def _joints(controller: Element, listed: list[Element]) -> list[Element]:
    """Return the joints of a controller, or its wheels, but not what launch files replace."""
    joints = listed or [each for each in controller if each.tag in ('left_joint', 'right_joint')]
    # A name with a slash is that of an interface of another controller in a chain.
    return [joint for joint in joints if _is_plain(joint.text or '')
            and '/' not in (joint.text or '')]


def _is_plain(name: str) -> bool:
    """Return whether a name is not an expression that a launch file replaces."""
    return bool(name) and not any(sign in name for sign in '${}()')


_TABLE = 'ros__parameters'


def _types(entries: Iterable[Element]) -> dict[str, str]:
    """Return the names of controllers to their types, as far as they are there."""
    return {controller_name(entry): kind for entry in entries if '/' in (
        kind := value_of(entry, 'type'))}
