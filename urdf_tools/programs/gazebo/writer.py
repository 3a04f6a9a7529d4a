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

"""The SDFormat document of a model: its links, its joints, and the frames that lumping leaves."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from urdf_tools.model.loops import Loop
from urdf_tools.model.loops import LoopType
from urdf_tools.model.pose import Pose
from urdf_tools.model.pose import Vector3
from urdf_tools.model.records import INERTIA
from urdf_tools.model.records import Material
from urdf_tools.model.records import Mesh
from urdf_tools.model.robot import JointType
from urdf_tools.model.values import read_number
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.gazebo.document import compose
from urdf_tools.programs.gazebo.document import copied
from urdf_tools.programs.gazebo.document import gz_math_rpy
from urdf_tools.programs.gazebo.document import Node
from urdf_tools.programs.gazebo.document import number_text
from urdf_tools.programs.gazebo.document import numbers_text
from urdf_tools.programs.gazebo.document import short_numbers_text
from urdf_tools.programs.gazebo.extensions import Extension
from urdf_tools.programs.gazebo.extensions import LUMP_PREFIX
from urdf_tools.programs.gazebo.extensions import OPTIONS
from urdf_tools.programs.gazebo.extensions import Scope
from urdf_tools.programs.gazebo.extensions import Setting
from urdf_tools.programs.gazebo.model import GazeboModel
from urdf_tools.programs.gazebo.model import SDF_TYPES
from urdf_tools.programs.importers import pose_from
from urdf_tools.programs.importers import WORLD
from urdf_tools.programs.robot_parts import link_frames
from urdf_tools.programs.tables import TABLES
from urdf_tools.programs.urdfdom.bodies import attribute_items
from urdf_tools.programs.urdfdom.bodies import Body
from urdf_tools.programs.urdfdom.bodies import Item
from urdf_tools.programs.urdfdom.bodies import items_of
from urdf_tools.programs.urdfdom.bodies import lenient_vector
from urdf_tools.programs.urdfdom.bodies import Shape
from urdf_tools.programs.urdfdom.bodies import urdfdom_rpy

_SIZES = {'box': ('size',), 'cylinder': ('length', 'radius'), 'sphere': ('radius',)}

_BLACK = (0.0, 0.0, 0.0, 1.0)
"""The default color of a material in urdfdom."""

_SCRIPT_URI = 'file://media/materials/scripts/gazebo.material'

_COLLISION = {name: option.path.split('/') for name, option in OPTIONS.items()
              if option.scope is Scope.COLLISION}
"""Options to the path of what they set."""

_ODE = TABLES['settings of ODE']
"""Elements of ``<ode>`` to the options that set them."""

_LOOP_TYPES = {
    LoopType.BALL: 'ball', LoopType.UNIVERSAL: 'universal', LoopType.HINGE: 'revolute',
    LoopType.SLIDER: 'prismatic', LoopType.FIXED: 'fixed'}
"""Types of loops to those of joints."""


def write_model(model: GazeboModel) -> Node:
    """
    Return the ``<sdf>`` element of a model; only once, as the extensions are moved.

    :raises DescriptionError: libsdformat repeats too much of the description.
    """
    return _Writer(model).document()


class _Writer:
    """Writes a model."""

    def __init__(self, model: GazeboModel):
        self._model = model
        self._release = model.release
        self._extensions = model.extensions

    def document(self) -> Node:
        """Return the document."""
        for body in self._model.lumped:
            assert body.parent is not None, 'it is lumped into its parent'
            self._extensions.move(body, body.parent.name, self._release)
        document = Node('sdf', None, version=self._release.sdf_version)
        element = self._model.element
        node = document.add('model', None, items_of(element, 'name'), name=self._model.robot.name)
        for body in self._model.links:
            self._write_joint(node, body)
            node.append(self._link(body))
        for extension in self._of(''):
            if 'static' in extension.settings:
                _put(node, 'static', extension.settings['static'])
            elif self._release.is_12_3:
                node.put('static', 'false')
            node.extend(extension.copies)
        for name, loop in self._model.loop_joints.items():
            self._write_loop(node, name, loop)
        if not self._release.is_12_3:
            for body in self._model.lumped:
                self._write_frames(node, body)
        origin = element.find('origin')
        if origin is not None:
            pose = pose_from(lenient_vector(origin.get('xyz')), lenient_vector(origin.get('rpy')))
            node.put('pose', numbers_text((*pose.xyz, *urdfdom_rpy(pose.quaternion))),
                     items_of(origin, 'xyz', 'rpy'))
        return document

    def _of(self, reference: str) -> list[Extension]:
        """Return the extensions of a link or joint, or of the model for ''."""
        return self._extensions.by_reference.get(reference, [])

    def _link(self, body: Body) -> Node:
        """Return a link with the extensions of it and of links lumped into it."""
        link = Node('link', None, items_of(body.element, 'name'), name=body.name)
        if body.joint is not None:
            frame = body.joint.name
            # Of a name of spaces, libsdformat keeps nothing.
            link.add('pose', None, (), **({'relative_to': frame} if frame.strip() else {}))
        assert body.inertial is not None, 'links without mass are not written'
        inertial = link.add('inertial', None, body.inertial.sources)
        inertial.add('pose', _pose_text(body.inertial.origin))
        inertial.add('mass', number_text(body.inertial.mass))
        inertia = inertial.add('inertia')
        for name, value in zip(INERTIA, body.inertial.matrix[np.triu_indices(3)].tolist()):
            inertia.add(name, number_text(value))
        for tag, shapes in body.shapes.items():
            for shape in shapes:
                link.append(self._shape(tag, shape, body.name))
        for extension in self._of(body.name):
            settings = extension.settings
            _put(link, 'gravity', settings.get('turnGravityOff'))
            if 'dampingFactor' in settings:
                decay = link.add('velocity_decay', None, _items(settings['dampingFactor']))
                for tag in ('linear', 'angular'):
                    _put(decay, tag, settings['dampingFactor'])
            collide = settings.get('selfCollide')
            if collide is not None:
                link.put('self_collide', '1' if collide.text == 'true' else '0', _items(collide))
            link.extend(extension.copies)
        return link

    def _write_joint(self, model: Node, body: Body) -> None:
        """Append the parent joint of a body, unless libsdformat has no type for it."""
        joint, parent = body.joint, body.parent
        if joint is None or parent is None or joint.type not in SDF_TYPES:
            return
        element = body.joint_element
        kind = self._extensions.kept_joints.get(joint.name) if joint.type is JointType.FIXED else (
            SDF_TYPES[joint.type])
        node = model.add('joint', None, items_of(element, 'name', 'type'), name=joint.name,
                         type=kind or 'fixed')
        node.add('pose', _pose_text(body.origin), _origin_items(element),
                 relative_to='__model__' if parent.name == WORLD else parent.name)
        node.add('parent', parent.name, items_of(element.find('parent'), 'link'))
        node.add('child', body.name, items_of(element.find('child'), 'link'))
        if joint.type is not JointType.FIXED:
            self._write_axis(node.add('axis'), body)
        elif kind == 'revolute':
            axis = node.add('axis')
            for tag, names in ('limit', ('lower', 'upper')), ('dynamics', ('damping', 'friction')):
                part = axis.add(tag)
                for name in names:
                    part.add(name, '0')
        for extension in self._of(joint.name):
            source, settings = items_of(extension.element, 'reference'), extension.settings
            dynamics = node.require('axis', source).require('dynamics', source)
            _put(dynamics, 'spring_reference', settings.get('springReference'))
            _put(dynamics, 'spring_stiffness', settings.get('springStiffness'))
            physics = node.require('physics', source)
            _put(physics, 'provide_feedback', settings.get('provideFeedback'))
            ode = physics.require('ode', source)
            for tag, name in _ODE.items():
                _put(ode, tag, settings.get(name))
            limit = ode.require('limit', source)
            _put(limit, 'cfm', settings.get('stopCfm'))
            _put(limit, 'erp', settings.get('stopErp'))
            node.extend(extension.copies)

    def _write_axis(self, axis: Node, body: Body) -> None:
        element, joint = body.joint_element, body.joint
        source, limit = element.find('axis'), element.find('limit')
        axis.sources = items_of(source)
        axis.add('xyz', numbers_text(body.axis), items_of(source, 'xyz'))
        mimic = element.find('mimic') if self._release.has_mimic else None
        if mimic is not None:
            node = axis.add('mimic', None, items_of(mimic, 'joint'), joint=mimic.get('joint', ''))
            _write_numbers(node, mimic, multiplier=1.0, offset=0.0)
        node = axis.add('limit', None, items_of(limit))
        if limit is not None:
            if joint is not None and joint.type is not JointType.CONTINUOUS:
                ends = sorted(('lower', 'upper'), key=lambda name: _number(limit, name))
                for tag, name in zip(('lower', 'upper'), ends):
                    node.add(tag, number_text(_number(limit, name)), attribute_items(limit, name))
            _write_numbers(node, limit, effort=0.0, velocity=0.0)
        source = element.find('dynamics')
        node = axis.add('dynamics', None, items_of(source))
        if source is not None:
            _write_numbers(node, source, damping=0.0, friction=0.0)

    def _write_frames(self, model: Node, body: Body) -> None:
        """Append the frames that represent a lumped body and its joint."""
        joint, parent = body.joint, body.parent
        assert joint is not None and parent is not None, 'a lumped link has a joint'
        frame = model.add('frame', None, items_of(body.joint_element, 'name'), name=joint.name,
                          attached_to=parent.name)
        text = short_numbers_text if self._release.rounds_frames else numbers_text
        frame.add('pose', text((*body.origin.xyz, *gz_math_rpy(body.origin.quaternion))),
                  _origin_items(body.joint_element))
        model.add('frame', None, items_of(body.element, 'name'), name=body.name,
                  attached_to=joint.name).add('pose', numbers_text((0.0,) * 6))

    def _write_loop(self, model: Node, name: str, loop: Loop) -> None:
        """Append a joint that closes a loop, as it is where all positions are zero."""
        bodies, robot = self._model.bodies, self._model.robot
        if loop.type is LoopType.SLIDER:  # Both frames have one orientation, and one axis.
            loop = replace(loop, child_axis=loop.parent_axis)
        if self._model.end_name(loop.child) == WORLD:  # It cannot be a child in SDFormat.
            loop = replace(loop, parent=loop.child, child=loop.parent,
                           parent_origin=loop.child_origin, child_origin=loop.parent_origin,
                           parent_axis=loop.child_axis, child_axis=loop.parent_axis)
        pose, body, end = loop.child_origin, bodies[loop.child], bodies[loop.child].end
        while body is not end and body.parent is not None:
            pose, body = compose(body.origin, pose), body.parent
        # The joint has the orientation of the child's frame.
        axes: tuple[Vector3, ...] = () if loop.type in (LoopType.BALL, LoopType.FIXED) else (
            loop.child_axis,)
        if loop.type is LoopType.UNIVERSAL:
            frames = link_frames(robot)
            of_parent, of_child = (frames[link][:3, :3] @ origin.rotation for link, origin in (
                (loop.parent, loop.parent_origin), (loop.child, loop.child_origin)))
            x, y, z = (of_child.T @ of_parent @ loop.parent_axis).tolist()
            axes = (x, y, z), loop.child_axis
        written = [] if loop.element is None else list(loop.element.iter())
        node = model.add('joint', None, [
            (each, key) for each in written for key in (None, *each.attrib) if key != 'link'],
            name=name, type=_LOOP_TYPES[loop.type])
        node.add('pose', _pose_text(pose), relative_to=end.name)
        for tag, link in ('parent', loop.parent), ('child', loop.child):
            node.add(tag, self._model.end_name(link), [
                (each, 'link') for each in written if each.get('link') == link])
        for tag, vector in zip(('axis', 'axis2'), axes):
            node.add(tag).add('xyz', numbers_text(vector))

    def _shape(self, tag: str, shape: Shape, link: str) -> Node:
        """Return a visual or a collision of a link."""
        source = shape.element
        geometry = source.child('geometry')
        node = Node(tag, None, items_of(source, 'name') + items_of(geometry), name=shape.name)
        node.add('pose', numbers_text((*shape.origin.xyz, *urdfdom_rpy(shape.origin.quaternion))),
                 _origin_items(source))
        _write_geometry(node.add('geometry', None, items_of(geometry)), shape, geometry[0])
        extensions = self._applying(node, link)
        if tag == 'collision':
            self._extend_collision(node, extensions)
        else:
            _extend_visual(node, extensions)
        if shape.material is not None:
            _write_material(node, shape.material, shape.element)
        return node

    def _applying(self, shape: Node, link: str) -> Iterator[Extension]:
        """
        Yield the extensions of a link that apply to one of its shapes.

        libsdformat compares names, so that shapes with names of their own have no extensions.
        """
        name = shape.attrib['name']
        for extension in self._of(link):
            self._extensions.spend(1)
            lumped = f'{LUMP_PREFIX}{extension.written_for}_{shape.tag}'
            if LUMP_PREFIX not in name if extension.written_for == link else lumped in name:
                self._extensions.spend(sum(
                    1 for element in extension.shape_elements(shape.tag) for _ in element.iter()))
                yield extension

    def _extend_collision(self, collision: Node, extensions: Iterable[Extension]) -> None:
        """
        Insert extensions of a collision, as ``InsertSDFExtensionCollision`` does.

        libsdformat remembers the ``<ode>`` elements of the parts of a ``<surface>``. If a later
        ``<surface>`` replaces it and lacks a part, it goes on to use the ``<ode>`` that it has
        deleted.
        """
        odes: dict[str, Node] = {}
        surface: Element | None = None
        for extension in extensions:
            for element in extension.shape_elements('collision'):
                copy = copied(element)
                if element.tag == 'surface':
                    surface = element
                    collision.drop('surface')
                    for part in copy:
                        ode = part.first('ode')
                        odes.pop(part.tag, None)
                        if ode is not None:
                            odes[part.tag] = ode
                collision.append(copy)
            source = items_of(extension.element, 'reference')
            written = collision.require('surface', source)
            parts = {tag: written.require(tag, source) for tag in ('contact', 'friction')}
            for tag, part in parts.items():
                if tag not in odes:
                    odes[tag] = part.require('ode', source)
            for name, (*path, tag) in _COLLISION.items():
                setting = extension.settings.get(name)
                if setting is None:
                    continue
                if path and surface is not None and odes[path[1]] not in list(parts[path[1]]):
                    self._extensions.misplaced[setting.element] = surface
                elif setting.text or name != 'fdir1':
                    _put(odes[path[1]] if path else collision, tag, setting)


def _extend_visual(visual: Node, extensions: Iterable[Extension]) -> None:
    for extension in extensions:
        for element in extension.shape_elements('visual'):
            if element.tag == 'material':  # A later material replaces the one before.
                visual.drop('material')
            visual.append(copied(element))
        material = extension.settings.get('material')
        if material is not None and material.text:
            script = visual.require('material').require('script')
            _put(script, 'name', material)
            script.put('uri', _SCRIPT_URI)


def _write_geometry(node: Node, shape: Shape, source: Element) -> None:
    geometry = shape.source.geometry
    written = node.add(source.tag, None, items_of(source))
    if isinstance(geometry, Mesh):
        written.add('scale', short_numbers_text(geometry.scale), attribute_items(source, 'scale'))
        uri = geometry.filename.replace('package://', 'model://', 1)
        written.add('uri', uri, attribute_items(source, 'filename'))
    for name in _SIZES.get(source.tag, ()):
        written.add(name, numbers_text(np.atleast_1d(getattr(geometry, name))),
                    attribute_items(source, name))


def _write_material(visual: Node, material: Material, source: Element) -> None:
    node = visual.require('material')
    node.sources += items_of(material.element) + items_of(source.find('material'))
    if node.first('diffuse') is not None or node.first('ambient') is not None:
        return
    color = None if material.element is None else material.element.find('color')
    # urdfdom keeps colors in single precision.
    red, green, blue, alpha = np.array(material.rgba or _BLACK, np.float32).tolist()
    for tag, factor in (('diffuse', 1 / 0.8), ('ambient', 0.5 / 0.4)):
        rgb = (max(0.0, min(1.0, factor * value)) for value in (red, green, blue))
        node.add(tag, numbers_text((*rgb, alpha)), items_of(color, 'rgba'))


def _pose_text(pose: Pose) -> str:
    return numbers_text((*pose.xyz, *gz_math_rpy(pose.quaternion)))


def _origin_items(owner: Element) -> tuple[Item, ...]:
    return items_of(owner.find('origin'), 'xyz', 'rpy', 'quat_xyzw')


def _write_numbers(node: Node, source: Element, **defaults: float) -> None:
    """Append attributes of the source that are numbers as elements."""
    for name, default in defaults.items():
        node.add(name, number_text(_number(source, name, default)), attribute_items(source, name))


def _number(element: Element, name: str, default: float = 0.0) -> float:
    return read_number(element, name) if name in element.attrib else default


def _put(parent: Node, tag: str, setting: Setting | None) -> None:
    if setting is not None:
        parent.put(tag, setting.text, _items(setting))


def _items(setting: Setting) -> tuple[Item, ...]:
    return items_of(setting.element, 'value')
