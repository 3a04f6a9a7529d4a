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

"""References in ``<gazebo>`` elements to lumped links, which libsdformat moves to the parent."""

from __future__ import annotations

from urdf_tools.model.pose import Pose
from urdf_tools.model.values import parse_vector
from urdf_tools.programs.gazebo.extensions import Extension
from urdf_tools.programs.gazebo.extensions import Extensions
from urdf_tools.programs.gazebo.releases import Release
from urdf_tools.programs.gazebo.sdf_values import compose
from urdf_tools.programs.gazebo.sdf_values import short_numbers_text
from urdf_tools.programs.gazebo.traced_xml import Node
from urdf_tools.programs.gazebo.traced_xml import value_of
from urdf_tools.programs.importers import pose_from
from urdf_tools.programs.urdfdom.bodies import Body
from urdf_tools.programs.urdfdom.values import lenient_vector
from urdf_tools.programs.urdfdom.values import urdfdom_rpy

_MOVED = ('projector', 'sensor')
_ZERO_POSE = '0 0 0 0 0 0'
_STEPS_OF_MENTION = 4


def move_extensions(body: Body, parent: Body, extensions: Extensions, release: Release) -> None:
    """Move the extensions of a lumped body to its parent, and replace its name by the parent's."""
    moved = extensions.by_reference.pop(body.name, None)
    if moved is not None:
        for extension in moved:
            extensions.spend(1)
            extension.reduction = (
                compose(body.origin, extension.reduction) if release.is_12_3 else body.origin)
            for copy in extension.copies:
                if copy.tag in _MOVED or copy.tag == 'light' and not release.is_12_3:
                    _move_pose(copy, extension, release)
        extensions.by_reference.setdefault(parent.name, []).extend(moved)
    mentions = extensions.by_link_name.pop(body.name, [])
    extensions.spend(_STEPS_OF_MENTION * len(mentions))
    for extension, copy in mentions:
        _rename(copy, extension, body, parent, release)
    if mentions:
        extensions.by_link_name.setdefault(parent.name, []).extend(mentions)


def _move_pose(copy: Node, extension: Extension, release: Release) -> None:
    old = copy.first('pose')
    text = _ZERO_POSE
    if old is not None:
        if 'relative_to' in old.attrib:
            return
        text = (old.text or '').strip() or text
    if release.is_12_3:
        text = extension.original_poses.setdefault(copy, text)
    written = _pose(text)
    if written is None and not release.is_12_3:
        if old is not None:
            copy.remove(old)
        return
    pose = compose(extension.reduction, written or Pose())
    new = short_numbers_text((*pose.xyz, *urdfdom_rpy(pose.quaternion)))
    copy.put('pose', new, () if old is None else old.sources)


def _pose(text: str) -> Pose | None:
    """Return the pose of the first six numbers of a text, or None."""
    try:
        numbers = parse_vector(' '.join(text.split()[:6]), 6)
    except ValueError:
        return None
    return pose_from(numbers[:3], numbers[3:])


def _rename(
        copy: Node, extension: Extension, body: Body, parent: Body, release: Release) -> None:
    if copy.tag == 'plugin':
        for tag in ('bodyName', 'frameName'):
            _move_plugin(copy, tag, extension.reduction, body, parent, release)
    elif copy.tag == 'projector':
        link, slash, projector = value_of(copy).partition('/')
        if slash and link == body.name:
            copy.text = f'{parent.name}/{projector}'
            copy.attrib.clear()
            for child in list(copy):
                copy.remove(child)
    elif copy.tag == 'joint' and not release.is_12_3:
        for tag in ('parent', 'child'):
            _replace_name(copy, tag, body, parent)


def _replace_name(copy: Node, tag: str, body: Body, parent: Body) -> bool:
    child = copy.first(tag)
    if child is None or value_of(child) != body.name:
        return False
    copy.put(tag, parent.name, child.sources)
    return True


def _move_plugin(
        copy: Node, tag: str, reduction: Pose, body: Body, parent: Body, release: Release) -> None:
    """Change the body or frame of a plugin, and write its offset in the new link."""
    if not _replace_name(copy, tag, body, parent):
        return
    position, rotation = copy.first('xyzOffset'), copy.first('rpyOffset')
    if position is not None:
        reduction = Pose(lenient_vector(value_of(position)), reduction.quaternion)
    if rotation is not None:
        turned = pose_from((0.0, 0.0, 0.0), lenient_vector(value_of(rotation)))
        reduction = Pose(reduction.xyz, turned.quaternion)
    pose = compose(body.origin, reduction)
    mark = f'{"ignition" if release.is_12_3 else "gz"}::corrected_offsets'
    for tag, text, old in (
            ('xyzOffset', short_numbers_text(pose.xyz), position),
            ('rpyOffset', short_numbers_text(urdfdom_rpy(pose.quaternion)), rotation),
            (mark, '1', copy.first(mark))):
        if old is not None:
            copy.remove(old)
        copy.add(tag, text, () if old is None else old.sources)
