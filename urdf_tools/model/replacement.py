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

"""Replace, add and remove links, joints and materials, in the text of the description."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import fields
from dataclasses import is_dataclass
from dataclasses import replace
from itertools import zip_longest
import math
from math import isclose
from typing import Any

from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.errors import ErrorKind
from urdf_tools.model.messages import quote
from urdf_tools.model.pose import Pose
from urdf_tools.model.pose import rpy_of
from urdf_tools.model.records import Collision
from urdf_tools.model.records import element_of
from urdf_tools.model.records import Geometry
from urdf_tools.model.records import INERTIA
from urdf_tools.model.records import Inertial
from urdf_tools.model.records import Joint
from urdf_tools.model.records import JointType
from urdf_tools.model.records import Link
from urdf_tools.model.records import Material
from urdf_tools.model.records import Mesh
from urdf_tools.model.records import Problem
from urdf_tools.model.records import RobotRecord
from urdf_tools.model.records import Transmission
from urdf_tools.model.records import Visual
from urdf_tools.model.robot_reader import read_robot
from urdf_tools.model.robot_reader import RobotT
from urdf_tools.model.xml.document import Document
from urdf_tools.model.xml.document import read_document
from urdf_tools.model.xml.editing import AddElements
from urdf_tools.model.xml.editing import AnyChange
from urdf_tools.model.xml.editing import changed
from urdf_tools.model.xml.editing import RemoveAttribute
from urdf_tools.model.xml.editing import RemoveElement
from urdf_tools.model.xml.editing import ReplaceElement
from urdf_tools.model.xml.editing import SetAttribute
from urdf_tools.model.xml.editing import Tag
from urdf_tools.model.xml.element import Element


_NOISE = 1e-15
"""Angles up to this are written as zero, in rad."""


def link_tag(link: Link) -> Tag:
    """Return a link; named materials are references unless they are defined inline."""
    return Tag('link', {'name': link.name}, (
        *_optional(_inertial_tag, link.inertial),
        *(_visual_tag(visual) for visual in link.visuals),
        *(_shape_tag('collision', collision) for collision in link.collisions)))


def joint_tag(joint: Joint) -> Tag:
    """Return the element of a joint."""
    turns = joint.type not in (JointType.FIXED, JointType.FLOATING)
    return Tag('joint', {'name': joint.name, 'type': joint.type.value}, (
        *_origin_tag(joint.origin),
        Tag('parent', {'link': joint.parent}),
        Tag('child', {'link': joint.child}),
        *([Tag('axis', {'xyz': _numbers(joint.axis)})] if turns else []),
        *(Tag(tag, _given(record)) for tag, record in (
            ('limit', joint.limits), ('mimic', joint.mimic), ('dynamics', joint.dynamics),
            ('safety_controller', joint.safety), ('calibration', joint.calibration))
          if record is not None)))


def material_tag(material: Material) -> Tag:
    """Return the definition of a material."""
    return Tag('material', {'name': material.name} if material.name else {}, (
        *_optional(lambda rgba: Tag('color', {'rgba': _numbers(rgba)}), material.rgba),
        *_optional(lambda texture: Tag('texture', {'filename': texture}), material.texture)))


def robot_tag(robot: RobotRecord) -> Tag:
    """Return a robot without extensions for other programs."""
    version = {} if robot.version == '1.0' else {'version': robot.version}
    return Tag('robot', {'name': robot.name, **version}, (
        *map(material_tag, robot.materials.values()),
        *map(link_tag, robot.links.values()),
        *map(joint_tag, robot.joints.values()),
        *map(_transmission_tag, robot.transmissions)))


def number(value: float) -> str:
    """Return a number as the shortest text that is read as the same number."""
    return repr(float(value) + 0.0).removesuffix('.0')


def _inertial_tag(inertial: Inertial) -> Tag:
    return Tag('inertial', {}, (
        *_origin_tag(inertial.origin),
        Tag('mass', {'value': number(inertial.mass)}),
        Tag('inertia', {name: number(getattr(inertial, name)) for name in INERTIA})))


def _visual_tag(visual: Visual) -> Tag:
    material = visual.material
    if material is None:
        return _shape_tag('visual', visual)
    is_here = material.element is not None and material.element.parent is visual.element
    return _shape_tag('visual', visual, (
        material_tag(material) if is_here or not material.name
        else Tag('material', {'name': material.name}),))


def _shape_tag(tag: str, shape: Visual | Collision, more: Iterable[Tag] = ()) -> Tag:
    return Tag(tag, {'name': shape.name} if shape.name else {}, (
        *_origin_tag(shape.origin), Tag('geometry', {}, (_geometry_tag(shape.geometry),)),
        *more), shape.element)


def _geometry_tag(geometry: Geometry) -> Tag:
    name = type(geometry).__name__.lower()
    if isinstance(geometry, Mesh):
        scale = {} if geometry.scale == Mesh.scale else {'scale': _numbers(geometry.scale)}
        return Tag(name, {'filename': geometry.filename, **scale})
    return Tag(name, {key: _numbers(value if isinstance(value, tuple) else (value,))
                      for key, value in vars(geometry).items()})


def _origin_tag(origin: Pose) -> list[Tag]:
    # The last digit of an angle that comes from a quaternion is noise.
    angles = [0.0 if abs(angle) < _NOISE else float(f'{angle:.15g}')
              for angle in rpy_of(origin.rotation)]
    if not any(origin.xyz) and not any(angles):
        return []
    return [Tag('origin', {'xyz': _numbers(origin.xyz), 'rpy': _numbers(angles)})]


def _transmission_tag(transmission: Transmission) -> Tag:
    return Tag('transmission', {'name': transmission.name}, (
        Tag('type', {}, text=transmission.type),
        *(Tag('joint', {'name': joint}) for joint in transmission.joints),
        *(Tag('actuator', {'name': actuator}) for actuator in transmission.actuators)))


def _given(record: object) -> Mapping[str, str]:
    """Return the values of a record that URDF needs to have written."""
    defaults = {'multiplier': 1.0, 'offset': 0.0}
    texts = {}
    for name, value in vars(record).items():
        attribute = f'{name}_limit' if name.startswith('soft_') else name
        if isinstance(value, str):
            texts[attribute] = value
        elif value is not None and math.isfinite(value) and value != defaults.get(name):
            texts[attribute] = number(value)
    return texts


def _numbers(values: Iterable[float]) -> str:
    return ' '.join(map(number, values))


def _optional(make: Callable[[Any], Tag], record: object) -> list[Tag]:
    return [] if record is None else [make(record)]


_PRECISION = 1e-12
"""Largest difference by rounding, in m and of rotation matrices, or as a share of a number."""

_SEVERAL = ('visual', 'collision')


def replaced(
        robot: RobotT, records: Iterable[Link | Joint | Material], remove_links: Iterable[str],
        remove_joints: Iterable[str], name: str | None) -> RobotT:
    """Return a robot with other records; see :meth:`Robot.replace`."""
    links, materials = dict(robot.links), dict[str, Material]()
    for link in _names(remove_links):
        links.pop(robot.links[link].name)
    gone = {robot.joints[joint].name for joint in _names(remove_joints)}
    joints = {name: joint for name, joint in robot.joints.items()
              if joint.child in links and name not in gone}
    parts: dict[type, dict[str, Any]] = {Link: links, Joint: joints, Material: materials}
    for record in records:
        if type(record) not in parts:
            raise TypeError(
                f'A Link, Joint or Material replaces that of its name, not {record!r:.80}')
        parts[type(record)][record.name] = record
    if materials:
        links = {name: _with_materials(link, materials) for name, link in links.items()}
    return rewritten(replace(robot, name=robot.name if name is None else name, links=links,
                             joints=joints, materials={**robot.materials, **materials}))


def rewritten(wanted: RobotT) -> RobotT:
    """
    Return a robot whose text matches its records, with as few changes as possible.

    :raises DescriptionError: the records do not describe a robot, or cannot be written.
    """
    document = document_of(wanted)
    base = read_robot(document, type(wanted))
    if all(getattr(base, part) == getattr(wanted, part) for part in (
            'name', 'links', 'joints', 'materials', 'transmissions')):
        return wanted if wanted.document is document else base
    try:
        made = build(document, _changes(base, wanted), type(wanted))
        undefined = _undefined_materials(wanted, made)
        if undefined:
            made = build(document, _changes(base, wanted, undefined), type(wanted))
        refuse_problems(base.problems, made)
        _verify(base, wanted, made)
    except DescriptionError as error:
        error.line = error.column = None  # They refer to a text that the user has not seen.
        error.source = ''
        raise
    return with_origin(made, wanted)


def build(document: Document, changes: Iterable[AnyChange], kind: type[RobotT]) -> RobotT:
    """Build a robot of a class from a description with changes applied."""
    source = document.source if document.xacro is None else f'{document.source} (expanded)'
    return read_robot(read_document(changed(document, changes), source), kind)


def with_origin(robot: RobotT, origin: RobotT) -> RobotT:
    """Return a robot with the source of another one."""
    return replace(robot, source=origin.source, xacro_files=origin.xacro_files)


def refuse_problems(before: Iterable[Problem], after: RobotRecord) -> None:
    """
    Check that a robot has no new problems.

    A loop of links that are removed stays in what other programs read, open.

    :raises DescriptionError: it has one, which is the message.
    """
    old = Counter(problem.message for problem in before)
    for message in Counter(
            problem.message for problem in after.problems
            if problem.kind is not ErrorKind.LOOP) - old:
        raise DescriptionError(message)


def document_of(robot: RobotRecord) -> Document:
    """Return the description that a robot was read from, or a new one."""
    if robot.document is not None:
        return robot.document
    if robot.gazebo or robot.extensions:
        raise DescriptionError(
            'The robot has elements of other programs, and no description to find them in')
    return read_document('\n'.join(('<?xml version="1.0"?>', *robot_tag(robot).lines(), '')))


def _with_materials(link: Link, materials: Mapping[str, Material]) -> Link:
    return replace(link, visuals=tuple(
        visual if visual.material is None or visual.material.name not in materials
        else replace(visual, material=materials[visual.material.name])
        for visual in link.visuals))


def _names(names: Iterable[str]) -> Iterable[str]:
    return (names,) if isinstance(names, str) else names


def _changes(
        base: RobotRecord, wanted: RobotRecord, added: Sequence[Tag] = ()) -> Iterator[AnyChange]:
    root = element_of(base)
    contents = list(added)
    if wanted.name != base.name:
        yield SetAttribute(root, 'name', wanted.name)
    for name, material in wanted.materials.items():
        old = base.materials.get(name)
        if old is not None and is_global(old):
            yield from _merged(element_of(old), material_tag(old), material_tag(material))
        elif material != old:
            contents.append(material_tag(material))
    parts: tuple[tuple[Mapping[str, Any], Mapping[str, Any], Callable[[Any], Tag]], ...] = (
        (base.links, wanted.links, link_tag), (base.joints, wanted.joints, joint_tag))
    for before, after, tag in parts:
        for name, record in before.items():
            if name not in after:
                yield RemoveElement(element_of(record))
            elif record != after[name]:
                yield from _merged(element_of(record), tag(record), tag(after[name]))
        contents += [tag(record) for name, record in after.items() if name not in before]
    if contents:
        yield AddElements(root, tuple(contents))


def _merged(element: Element, old: Tag, new: Tag) -> Iterator[AnyChange]:
    """Yield the changes of an element that turn its old content into the new one."""
    for name, value in new.attributes.items():
        if old.attributes.get(name) != value:
            is_quaternion = name == 'rpy' and name not in element.attrib
            instead = 'quat_xyzw' if is_quaternion and 'quat_xyzw' in element.attrib else ''
            yield SetAttribute(element, name, value, instead)
    for name in old.attributes:
        if name not in new.attributes and name in element.attrib:
            yield RemoveAttribute(element, name)
    added: list[Tag] = []
    for before, after in _pairs(old.children, new.children):
        if before == after:
            continue
        there = _counterpart(element, before, after)
        if there is None:
            added += [after] if after else []
        elif after is None:
            yield RemoveElement(there)
        elif before is None:
            yield ReplaceElement(there, after)
        else:
            yield from _merged(there, before, after)
    if added:
        yield AddElements(element, tuple(added))


def _counterpart(element: Element, old: Tag | None, new: Tag | None) -> Element | None:
    """Return the child that an old tag was read from, or that a new one goes next to."""
    if old is not None and old.element is not None:
        return old.element
    name = (old or new or Tag('')).name
    return None if name in _SEVERAL else element.find_tag(name)


def _pairs(old: Iterable[Tag], new: Iterable[Tag]) -> Iterator[tuple[Tag | None, Tag | None]]:
    """Yield each old tag with its replacement, and each added tag."""
    old, new = list(old), list(new)
    for name in dict.fromkeys(tag.name for tag in (*old, *new)):
        was, now = ([tag for tag in tags if tag.name == name] for tags in (old, new))
        others = iter([tag for tag in now if tag not in was])
        becomes: list[Tag | None] = [tag if tag in now else next(others, None) for tag in was]
        becomes += others
        in_order = [tag for tag in becomes if tag is not None] == now
        yield from zip_longest(was, becomes if in_order else now)


def _undefined_materials(wanted: RobotRecord, made: RobotRecord) -> list[Tag]:
    """Return the materials that are new, or whose definition was removed or replaced."""
    used = {visual.material.name: visual.material
            for link in wanted.links.values() for visual in link.visuals
            if visual.material is not None and visual.material.name}
    return [
        material_tag(material) for name, material in used.items()
        if (material.rgba is not None or material.texture is not None)
        and made.materials.get(name) != material
        and not (name in made.materials and is_global(made.materials[name]))]


def is_global(material: Material) -> bool:
    """Return whether a material is defined outside of links."""
    parent = None if material.element is None else material.element.parent
    return parent is not None and parent.parent is None


def _verify(base: RobotRecord, wanted: RobotRecord, made: RobotRecord) -> None:
    """Check that everything is read back as given, up to rounding."""
    materials = {name: material for name, material in wanted.materials.items()
                 if material != base.materials.get(name)}
    parts: tuple[tuple[Mapping[str, Any], Mapping[str, Any]], ...] = (
        (wanted.links, made.links), (wanted.joints, made.joints), (materials, made.materials))
    for records, results in parts:
        for name, record in records.items():
            result = results[name]
            if record != result and (path := _difference(record, result)):
                raise DescriptionError(
                    f'{type(result).__name__} {quote(name)} cannot be written: its {path[1:]} '
                    'would be read as another one',
                    hint='Materials of the same name are one' if 'material' in path else '')
    if wanted.transmissions != made.transmissions:
        raise DescriptionError('Transmissions cannot be replaced')


def _difference(wanted: Any, made: Any, path: str = '') -> str:
    """Return the path of the first value that differs beyond rounding, or an empty string."""
    if isinstance(wanted, Pose) and isinstance(made, Pose):
        wanted, made = (tuple(pose.matrix.ravel().tolist()) for pose in (wanted, made))
    if is_dataclass(wanted) and type(wanted) is type(made):
        parts = [(getattr(wanted, each.name), getattr(made, each.name), f'{path}.{each.name}')
                 for each in fields(wanted) if each.compare]
    elif isinstance(wanted, Sequence) and isinstance(made, tuple) and len(wanted) == len(made):
        parts = [(one, other, path if isinstance(one, (int, float)) else f'{path}[{index}]')
                 for index, (one, other) in enumerate(zip(wanted, made))]
    elif isinstance(wanted, (int, float)) and isinstance(made, (int, float)):
        is_close = isclose(wanted, made, rel_tol=_PRECISION, abs_tol=_PRECISION)
        return '' if is_close else path
    else:
        return '' if wanted == made else path or '.type'
    return next(filter(None, (_difference(*part) for part in parts)), '')
