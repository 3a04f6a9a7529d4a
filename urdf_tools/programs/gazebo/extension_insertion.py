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

"""Extensions in the document: settings and copied elements below links, shapes and joints."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator

from urdf_tools.model.xml.element import Element
from urdf_tools.programs.gazebo.extensions import Extension
from urdf_tools.programs.gazebo.extensions import Extensions
from urdf_tools.programs.gazebo.extensions import LUMP_PREFIX
from urdf_tools.programs.gazebo.extensions import OPTIONS
from urdf_tools.programs.gazebo.extensions import Scope
from urdf_tools.programs.gazebo.extensions import Setting
from urdf_tools.programs.gazebo.releases import Release
from urdf_tools.programs.gazebo.traced_xml import copied
from urdf_tools.programs.gazebo.traced_xml import Node
from urdf_tools.programs.urdfdom.bodies import Item
from urdf_tools.programs.urdfdom.bodies import items_of

_SCRIPT_URI = 'file://media/materials/scripts/gazebo.material'

_COLLISION = {name: option.path.split('/') for name, option in OPTIONS.items()
              if option.scope is Scope.COLLISION}
"""Options to the path of what they set."""

_ODE = {'provide_feedback': 'provideFeedback', 'implicit_spring_damper': 'implicitSpringDamper',
        'cfm_damping': 'implicitSpringDamper', 'fudge_factor': 'fudgeFactor'}


def extend_model(model: Node, extensions: Extensions, release: Release) -> None:
    """Insert the extensions without reference."""
    for extension in extensions.of(''):
        static = extension.settings.get('static')
        if static is not None:
            model.put('static', static.text, _items(static))
        elif release.is_12_3:
            model.put('static', 'false')
        model.extend(map(copied, extension.copies))


def extend_link(link: Node, extensions: Extensions) -> None:
    """Insert the extensions of a link, and of links lumped into it."""
    for extension in extensions.of(link.attrib['name']):
        settings = extension.settings
        _put(link, 'gravity', settings.get('turnGravityOff'))
        damping = settings.get('dampingFactor')
        if damping is not None:
            decay = link.add('velocity_decay', None, _items(damping))
            for tag in ('linear', 'angular'):
                _put(decay, tag, damping)
        collide = settings.get('selfCollide')
        if collide is not None:
            link.put('self_collide', '1' if collide.text == 'true' else '0', _items(collide))
        link.extend(map(copied, extension.copies))


def extend_joint(joint: Node, extensions: Extensions) -> None:
    """Insert the extensions of a joint."""
    for extension in extensions.of(joint.attrib['name']):
        settings = extension.settings
        source = items_of(extension.element, 'reference')
        dynamics = joint.require('axis', source).require('dynamics', source)
        physics = _first_or_new(joint, 'physics', source)
        ode = _first_or_new(physics, 'ode', source)
        limit = _first_or_new(ode, 'limit', source)
        _put(limit, 'cfm', settings.get('stopCfm'))
        _put(limit, 'erp', settings.get('stopErp'))
        _put(dynamics, 'spring_reference', settings.get('springReference'))
        _put(dynamics, 'spring_stiffness', settings.get('springStiffness'))
        _put(physics, 'provide_feedback', settings.get('provideFeedback'))
        for tag, name in _ODE.items():
            _put(ode, tag, settings.get(name))
        # libsdformat appends new elements after the settings in it.
        for parent, child in ((ode, limit), (physics, ode), (joint, physics)):
            if child not in list(parent):
                parent.append(child)
        joint.extend(map(copied, extension.copies))


def _first_or_new(parent: Node, tag: str, source: Iterable[Item]) -> Node:
    """Return the first child with a tag, or a new one that is not yet appended."""
    child = parent.first(tag)
    return Node(tag, None, source) if child is None else child


def extend_collision(collision: Node, link: str, extensions: Extensions) -> None:
    """Insert the extensions of a link that apply to one of its collisions."""
    surface = _Surface(collision)
    for extension in _applying(extensions, collision, link):
        surface.copy_over(extension)
        source = items_of(extension.element, 'reference')
        odes = {part: surface.ode_of(part, source) for part in ('contact', 'friction')}
        for name, (*path, tag) in _COLLISION.items():
            setting = extension.settings.get(name)
            parent = odes[path[1]] if path else collision
            if setting is not None and parent is None:
                extensions.misplaced[setting.element] = surface.sources[0]
            elif setting is not None and parent is not None and (setting.text or name != 'fdir1'):
                _put(parent, tag, setting)


class _Surface:
    """
    The ``<surface>`` of a collision, as ``InsertSDFExtensionCollision`` fills it in.

    libsdformat remembers the ``<ode>`` elements of its parts. If a later ``<surface>`` replaces
    it and lacks a part, it goes on to use the ``<ode>`` that it has deleted.
    """

    def __init__(self, collision: Node):
        self._collision = collision
        self._odes: dict[str, Node] = {}
        self.sources: list[Element] = []

    def copy_over(self, extension: Extension) -> None:
        """Copy what an extension has for the collision; a surface replaces the one before."""
        for element in extension.shape_elements('collision'):
            copy = copied(element)
            if element.tag == 'surface':
                old = self._collision.first('surface')
                if old is not None:
                    self._collision.remove(old)
                self.sources = [element]
                for tag in ('contact', 'friction'):
                    part = copy.first(tag)
                    ode = None if part is None else part.first('ode')
                    if ode is not None:
                        self._odes[tag] = ode
                    elif part is not None:
                        self._odes.pop(tag, None)
            self._collision.append(copy)

    def ode_of(self, tag: str, source: Iterable[Item]) -> Node | None:
        """Return the ``<ode>`` of a part, which is added, or None if it was deleted."""
        part = self._collision.require('surface', source).require(tag, source)
        ode = self._odes.get(tag)
        if ode is None:
            ode = self._odes[tag] = part.require('ode', source)
        return ode if ode in list(part) else None


def extend_visual(visual: Node, link: str, extensions: Extensions) -> None:
    """Insert the extensions of a link that apply to one of its visuals."""
    for extension in _applying(extensions, visual, link):
        for element in extension.shape_elements('visual'):
            old = visual.first('material') if element.tag == 'material' else None
            if old is not None:  # A later material replaces the one before.
                visual.remove(old)
            visual.append(copied(element))
        material = extension.settings.get('material')
        if material is not None and material.text:
            script = visual.require('material').require('script')
            script.put('name', material.text, _items(material))
            script.put('uri', _SCRIPT_URI)


def _applying(extensions: Extensions, shape: Node, link: str) -> Iterator[Extension]:
    """
    Yield the extensions of a link that apply to one of its shapes.

    libsdformat compares names, so that shapes with names of their own have no extensions.
    """
    name = shape.attrib['name']
    for extension in extensions.of(link):
        extensions.spend(1)
        lumped = f'{LUMP_PREFIX}{extension.written_for}_{shape.tag}'
        if LUMP_PREFIX not in name if extension.written_for == link else lumped in name:
            extensions.spend(sum(
                1 for element in extension.shape_elements(shape.tag) for _ in element.iter()))
            yield extension


def _put(parent: Node, tag: str, setting: Setting | None) -> None:
    if setting is not None:
        parent.put(tag, setting.text, _items(setting))


def _items(setting: Setting) -> tuple[Item, ...]:
    return items_of(setting.element, 'value')
