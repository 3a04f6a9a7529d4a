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

"""Models of MJCF: their files, the settings of their compiler, default classes and assets."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Collection
from collections.abc import Iterator
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field
import math
import os
import re

import numpy as np

from urdf_tools.formats.urdf_tree import place
from urdf_tools.formats.urdf_tree import TABLES
from urdf_tools.formats.urdf_tree import Work
from urdf_tools.kinematics.transforms import homogeneous
from urdf_tools.kinematics.transforms import quaternion_to_matrix
from urdf_tools.kinematics.transforms import rotation_from_z
from urdf_tools.model.errors import ErrorKind
from urdf_tools.model.messages import quote
from urdf_tools.model.pose import normalized
from urdf_tools.model.resources import ResourceError
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.model.values import parse_number
from urdf_tools.model.xml.document import Document
from urdf_tools.model.xml.element import Element
from urdf_tools.model.xml.element_sources import SourceFile
from urdf_tools.model.xml.xml_parser import MAX_DEPTH
from urdf_tools.types import Array

MAX_FILES = 32
"""Maximum depth of files that include or attach each other."""

ACTUATORS: Collection[str] = TABLES['actuators of MJCF']
"""Elements of ``<actuator>``, which share one set of defaults."""

ORIENTATIONS = ('axisangle', 'euler', 'xyaxes', 'zaxis')
"""The attributes of an orientation besides ``quat``."""

_AXES = np.eye(3)

_Classes = dict[str, dict[str, str]]


@dataclass(eq=False)
class Part:
    """
    An element with the values that its default class gives it.

    :ivar element: where it is written.
    :ivar values: its attributes, with those of its class that it does not have.
    :ivar model: the model that it is part of.
    :ivar frame: the pose of the frame around it in its body, shape (4, 4).
    :ivar name: its name with prefixes and suffixes; empty if it has none.
    """

    element: Element
    values: Mapping[str, str]
    model: Model
    frame: Array = field(default_factory=lambda: np.eye(4))
    name: str = ''

    def numbers(self, name: str, default: tuple[float, ...] = (), count: int | None = None
                ) -> tuple[float, ...]:
        """
        Return the numbers in an attribute.

        :param default: the numbers if it is not there; missing ones at its end are taken from it.
        :param count: how many there have to be; by default any number.
        :raises DescriptionError: they are not such numbers.
        """
        text = self.values.get(name)
        if text is None:
            return default
        try:
            found = tuple(map(parse_number, text.split()))
        except ValueError as reason:
            raise self.element.error(f'{quote(name)} cannot be read: {reason}') from None
        if count is not None and len(found) != count:
            raise self.element.error(f'{quote(name)} has {len(found)} numbers, not {count}')
        return found + default[len(found):]

    def number(self, name: str, default: float) -> float:
        """Return the first number in an attribute."""
        return (*self.numbers(name), default)[0]

    def is_limited(self, name: str, of: str) -> bool:
        """
        Return whether a range holds, given what ``limited`` or the like says.

        :raises DescriptionError: nothing says it, and ``autolimits`` is off.
        """
        text, given = self.values.get(name, 'auto'), any(self.numbers(of))
        if text == 'auto' and given and self.model.settings.get('autolimits') == 'false':
            raise self.element.error(f'{quote(of)} needs {quote(name)}, as autolimits is false')
        return text == 'true' or text == 'auto' and given

    def pose(self) -> Array:
        """Return its pose in its body, from ``pos`` and its orientation."""
        placed: Array = self.frame @ homogeneous(
            self.rotation(), self.numbers('pos', (0.0, 0.0, 0.0), 3))
        return placed

    def rotation(self) -> Array:
        """
        Return the rotation matrix that it writes in one of six ways.

        :raises DescriptionError: an axis has no length.
        """
        own = self.element.attrib
        kind = next((name for name in ORIENTATIONS if name in own), None)
        if kind is None and 'quat' not in own:
            kind = next((name for name in ORIENTATIONS if name in self.values), None)
        unit = self.model.angle
        if kind is None:
            return self.turned('quat')
        if kind == 'euler':
            return self.model.euler(self.numbers(kind, (), 3), self.element)
        values = self.numbers(kind, (), {'axisangle': 4, 'xyaxes': 6}.get(kind, 3))
        self._require(values[:3], kind)
        x, y, z = values[:3]
        first = np.array(normalized((x, y, z)))
        if kind == 'axisangle':
            return turn(first, values[3] * unit)
        if kind == 'zaxis':
            return from_z(first)
        second = np.array(values[3:])
        second -= first * (first @ second)
        self._require(tuple(second), kind)
        second /= np.linalg.norm(second)
        return np.stack([first, second, np.cross(first, second)], axis=1)

    def turned(self, name: str) -> Array:
        """Return the rotation matrix of the quaternion in an attribute, by default identity."""
        w, x, y, z = self.numbers(name, (1.0, 0.0, 0.0, 0.0), 4)
        self._require((w, x, y, z), name)
        return quaternion_to_matrix((x, y, z, w))

    def _require(self, vector: tuple[float, ...], name: str) -> None:
        if not any(vector):
            raise self.element.error(f'{quote(name)} has no length')


@dataclass(eq=False)
class Model:
    """
    A model in a file, with those that it includes.

    :ivar root: its ``<mujoco>``.
    :ivar folder: its folder as the description can write it; empty for that of the description.
    :ivar children: the elements below an element, included ones in place of their ``<include>``.
    :ivar places: the root of each included file to its folder.
    :ivar settings: the attributes of its ``<compiler>``.
    :ivar elements: the number of elements of one that is attached.
    """

    root: Element
    folder: str
    included: dict[Element, list[Element]] = field(default_factory=dict)
    places: dict[Element, str] = field(default_factory=dict)
    settings: dict[str, str] = field(default_factory=dict)
    classes: dict[str, _Classes] = field(default_factory=lambda: {'main': {}})
    elements: int = 0

    def children(self, element: Element) -> Iterator[Element]:
        """Yield the elements below an element, included ones instead of their ``<include>``."""
        for child in element:
            if child.tag == 'include':
                yield from self.included[child]
            else:
                yield child

    def sections(self, tag: str) -> Iterator[Element]:
        """Yield the elements in all sections with a tag."""
        for section in self.children(self.root):
            if section.tag == tag:
                yield from self.children(section)

    @property
    def angle(self) -> float:
        """Radians in the unit of its angles."""
        return 1.0 if self.settings.get('angle') == 'radian' else math.pi / 180

    def euler(self, angles: tuple[float, ...], element: Element) -> Array:
        """
        Return the rotation matrix of three angles, as ``eulerseq`` says.

        :raises DescriptionError: ``eulerseq`` is not three axes.
        """
        sequence = self.settings.get('eulerseq', 'xyz')
        if not re.fullmatch('[xyzXYZ]{3}', sequence):
            raise element.error(f'eulerseq {quote(sequence)} is not three of x, y, z, X, Y and Z')
        rotation = np.eye(3)
        for letter, angle in zip(sequence, angles):
            step = turn(_AXES['xyz'.index(letter.lower())], angle * self.angle)
            rotation = rotation @ step if letter.islower() else step @ rotation
        return rotation

    def part(self, element: Element, kind: str = '', childclass: str = '',
             frame: Array | None = None, name: str = '') -> Part:
        """
        Return an element with the values of its default class.

        :param kind: what its defaults are written as, by default its tag.
        :param childclass: the class that a body or frame around it names.
        :raises DescriptionError: it names an unknown class.
        """
        chosen = element.get('class') or childclass or 'main'
        if chosen not in self.classes:
            raise element.error(f'Default class {quote(chosen)} does not exist')
        # No copy: there may be many elements, and many defaults.
        values = ChainMap(element.attrib, self.classes[chosen].get(kind or element.tag, {}))
        return Part(element, values, self, np.eye(4) if frame is None else frame, name)

    def asset(self, tag: str, name: str) -> Part | None:
        """Return an asset by its name, which by default is that of its file; None without it."""
        return self._assets.get((tag, name))

    def read(self, work: Work) -> None:
        """Read the settings, default classes and assets from all sections."""
        for section in self.children(self.root):
            if section.tag == 'compiler':
                self.settings.update(section.attrib)
        for section in self.children(self.root):
            if section.tag == 'default':
                name = section.get('class', 'main')
                self._read_class(section, name, self.classes['main'], 0, work)
        self._assets = {}
        for element in self.sections('asset'):
            part = self.part(element)
            name = part.values.get('name') or os.path.splitext(
                os.path.basename(part.values.get('file', '')))[0]
            self._assets.setdefault((element.tag, name), part)

    _assets: dict[tuple[str, str], Part] = field(default_factory=dict)

    def _read_class(self, element: Element, name: str, inherited: _Classes, depth: int,
                    work: Work) -> None:
        require_depth(element, depth)
        if name in self.classes and (depth or name != 'main'):
            raise element.error(f'Default class {quote(name)} is repeated')
        values = dict(inherited)
        for child in self.children(element):
            if child.tag != 'default':
                kind = 'actuator' if child.tag in ACTUATORS else child.tag
                values[kind] = {**values.get(kind, {}), **child.attrib}
                work.add(child, len(values[kind]), 0)
        work.add(element, len(values), 0)
        self.classes[name] = values
        for child in self.children(element):
            if child.tag == 'default':
                if not child.get('class'):
                    raise child.error('A <default> in another one has no class')
                self._read_class(child, child.attrib['class'], values, depth + 1, work)

    def files(self, element: Element, name: str, folder: str) -> tuple[str, str]:
        """
        Return the path of an asset as the description can write it, and where it is otherwise.

        MuJoCo looks in the folder of the model, then beside an included file that names it.

        :param folder: the setting that has its folder, such as ``meshdir``.
        """
        if self.settings.get('strippath') == 'true':
            name = re.split(r'[/\\]', name)[-1]
        inside = self.settings.get(folder, self.settings.get('assetdir', ''))
        name = name.replace('\\', '/')
        path = os.path.normpath(os.path.join(self.folder, inside, name))
        place = self.places.get([*element.with_ancestors()][-1])
        return path, path if place is None else os.path.normpath(os.path.join(place, name))


class ModelReader:
    """
    Reads the models of a description, with the files that they include.

    :param resources: finds the files.
    :ivar files: the files that were read, the outermost first.
    """

    def __init__(self, document: Document, resources: ResourceResolver):
        self._document = document
        self._resources = resources
        self.files: list[SourceFile] = list(place(document))
        self.work = Work(document.source)
        self.work.add(document.root, sum(1 for _ in document.root.iter()), len(document.data))

    def read(self) -> Model:
        """
        Return the model of the description.

        :raises DescriptionError: it, or a file that it includes, cannot be read.
        """
        return self._model(self._document.root, '', [])

    def attached(self, part: Part) -> Model:
        """Return the model of a file that a ``<model>`` names."""
        name = part.values.get('file', '')
        path = os.path.normpath(os.path.join(part.model.folder, name))
        before = self.work.elements
        root, read = self._read(path, part.element)
        if root.tag != 'mujoco':
            raise part.element.error(f'{quote(path, 200)} is not MJCF, but a <{root.tag}>')
        model = self._model(root, os.path.dirname(path), [read])
        model.elements = self.work.elements - before
        return model

    def _model(self, root: Element, folder: str, opened: list[str]) -> Model:
        model = Model(root, folder)
        self._include(model, root, folder, opened)
        model.read(self.work)
        if model.settings.get('coordinate') == 'global':
            raise root.error('Global coordinates are not supported, as in MuJoCo since 2.3.4',
                             'Load and save it with an older MuJoCo')
        return model

    def _include(self, model: Model, root: Element, folder: str, opened: list[str]) -> None:
        for element in root.iter('include'):
            name = element.get('file', '')
            if not name:
                raise element.error('An <include> has no file')
            # MuJoCo looks beside the file that includes it, then beside the model.
            paths = dict.fromkeys(os.path.normpath(os.path.join(where, name))
                                  for where in (folder, model.folder))
            found = self._first(paths, element)
            included, read = self._read(found, element)
            if read in opened:
                raise element.error(f'{quote(found, 200)} includes itself')
            if len(opened) >= MAX_FILES:
                raise element.error(f'Files include each other deeper than {MAX_FILES}')
            self._include(model, included, os.path.dirname(found), [*opened, read])
            model.included[element] = list(model.children(included))
            model.places[included] = os.path.dirname(found)

    def _first(self, paths: Mapping[str, None], element: Element) -> str:
        for path in paths:
            try:
                self._resources.resolve(path)
                return path
            except ResourceError as error:
                reason = error
        raise element.error(reason.message, reason.hint)

    def _read(self, path: str, element: Element) -> tuple[Element, str]:
        """Return the root of a file, and its absolute path."""
        try:
            found = self._resources.resolve(path)
        except ResourceError as error:
            raise element.error(error.message, error.hint) from error
        document = self.work.read(found, element)
        self.files += place(document, element, self._resources.lookup.trust.is_full)
        return document.root, str(found)


def require_depth(element: Element, depth: int) -> None:
    """
    Check how deeply elements are nested, over all files.

    :raises DescriptionError: too deeply.
    """
    if depth > MAX_DEPTH:
        error = element.error(f'Elements are nested deeper than {MAX_DEPTH}')
        error.kind = ErrorKind.TOO_LARGE
        raise error


def turn(axis: Array, angle: float) -> Array:
    """Return the rotation matrix of a turn about a unit vector by an angle in rad."""
    sine = math.sin(angle / 2)
    x, y, z = (axis * sine).tolist()
    return quaternion_to_matrix((x, y, z, math.cos(angle / 2)))


def from_z(vector: Array) -> Array:
    """Return the rotation matrix that takes z to the direction of a vector."""
    x, y, z = normalized(tuple(vector.tolist()))
    return rotation_from_z((x, y, z))
