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

"""What becomes of a robot in a program: one kind of account for all of them."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping
from collections.abc import Sequence
from collections.abc import Set
from dataclasses import dataclass
from dataclasses import field
from functools import cache
import json
from operator import attrgetter
import os
from pathlib import Path
from typing import Any
from typing import Literal
from typing import NamedTuple

import numpy as np

from urdf_tools.dynamics.spatial import SpatialInertia
from urdf_tools.findings.losses import Loss
from urdf_tools.formats.converted_document import ConvertedDocument
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.resources import ResourceError
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.model.robot import Robot
from urdf_tools.model.xml.document import Document
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.robot_parts import COUNTS
from urdf_tools.programs.robot_parts import Parts
from urdf_tools.programs.robot_parts import parts_of
from urdf_tools.types import Array


@dataclass(frozen=True)
class Context:
    """
    What the model of a program needs besides the robot.

    :param resolver: finds the files of meshes and textures.
    :param file: the description, beside which programs look for files; None if it is not a file.
    :param reads_files: whether files may be looked at; otherwise each is taken to exist and to
        be readable, and what depends on its content is unknown.
    """

    resolver: ResourceResolver = field(default_factory=ResourceResolver)
    file: Path | None = None
    reads_files: bool = True

    def finds(self, path: str | Path) -> bool:
        """Return whether a file exists, for a program with its own way to find files."""
        if not self.reads_files:
            return True
        # An untrusted description must not find out whether another file exists.
        return os.path.isfile(path) and (
            self.resolver.lookup.trust.is_full or self.resolves(str(path)))

    def resolves(self, uri: str) -> bool:
        """Return whether a URI refers to a file that the description may read."""
        if not self.reads_files:
            return True
        try:
            self.resolver.resolve(uri)
        except ResourceError:
            return False
        return True


@dataclass(frozen=True)
class Account:
    """
    What becomes of a robot in a program.

    :param program: its key in :data:`~urdf_tools.programs.models.MODELS`.
    :param version: the release that the model was written for and compared with.
    :param source: the parts of the description; None if our loader refuses it, so that it cannot
        be counted.
    :param kept: what the program has; nothing if it refuses the description, None where unknown.
    :param causes: why it refuses the description; empty if it loads it.
    :param base: whether the root link is fixed to the world.
    :param merged: the names of links that are parts of other links, or of the world; like what is
        kept, it is left out without a source.
    :param losses: what is lost or changed, also in a description that is refused, where known.
    :param options: what changes the result, see :func:`options_of`, with what it does.
    :param joint_orders: the names of joints in different orders, where a program has its own.
    """

    program: str
    version: str
    source: Parts | None
    kept: Parts | None = None
    causes: tuple[Loss, ...] = ()
    base: Literal['fixed', 'free'] = 'fixed'
    merged: Set[str] = frozenset()
    losses: tuple[Loss, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    joint_orders: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.source is None:
            object.__setattr__(self, 'kept', None)
            object.__setattr__(self, 'merged', frozenset())
        elif self.causes:
            object.__setattr__(self, 'kept', Parts())

    @property
    def loads(self) -> bool:
        """Return whether the program loads the description."""
        return not self.causes

    @property
    def worst_first(self) -> tuple[Loss, ...]:
        """The losses: first of the base, then by mass and impact; harmless ones last."""
        return tuple(sorted(self.losses, key=lambda each: (
            each.is_harmless, each.of != 'base', -abs(each.mass), -each.impact)))

    def kept_of(self, name: str) -> str:
        """Return a number of the parts in the program and in the description, as words."""
        return f'{getattr(self.kept, name, None)} of {getattr(self.source, name, None)}'

    def data(self, source: str) -> dict[str, Any]:
        """
        Return it as data for JSON.

        :param source: the file of the description.
        """
        numbers = {name: self._both(attrgetter(name)) for name in COUNTS}
        return {
            'version': self.version, 'loads': self.loads,
            'cause': self.causes[0].data(source) if self.causes else None,
            'causes': [each.data(source) for each in self.causes],
            'base': self.base if self.loads and self.kept else None, 'merged': len(self.merged),
            **{name: numbers[name] for name in COUNTS[:4]},
            'mass': self._both(lambda parts: parts.body.mass),
            'centre_of_mass': self._both(lambda parts: _known(parts.body, parts.body.com)),
            'inertia': self._both(lambda parts: _known(parts.body, parts.body.rotational)),
            'limits': {name.removesuffix('_limits'): numbers[name] for name in COUNTS[4:7]},
            **{name: numbers[name] for name in COUNTS[7:]},
            'visuals': self._shapes('visuals'), 'collisions': self._shapes('collisions'),
            'losses': [each.data(source) for each in self.worst_first],
            'options': dict(self.options),
            **({'joint_orders': dict(self.joint_orders)} if self.joint_orders else {})}

    def _both(self, read: Callable[[Parts], Any]) -> dict[str, Any]:
        """Return what is read of the parts of the description and of the program, as data."""
        return {name: None if parts is None else read(parts)
                for name, parts in (('in', self.source), ('out', self.kept))}

    def _shapes(self, name: str) -> dict[str, Any]:
        counts = self._both(attrgetter(name))
        suffixes = () if None in counts.values() else sorted({*counts['in'], *counts['out']})
        return {**self._both(lambda parts: sum(getattr(parts, name).values())), 'by_format': {
            suffix: {side: of.get(suffix, 0) for side, of in counts.items()}
            for suffix in suffixes}}


@cache
def options_of(program: str) -> Mapping[str, str]:
    """Return what a program offers, or a description can ask for, to change the result."""
    options: dict[str, dict[str, str]] = json.loads(
        Path(__file__).with_name('options.json').read_bytes())
    return options[program]


def _known(body: SpatialInertia, values: Array) -> Array | None:
    """Return an array of a body, such as its centre of mass; None without mass, or if unknown."""
    return values if body.mass and np.isfinite(values).all() else None


class Source(NamedTuple):
    """
    A description as input of programs.

    :param root: the outermost element.
    :param robot: the robot as our loader reads it; None if it refuses the description.
    :param malformed: why the text is not well-formed XML, if it had to be repaired to be read.
    :param format: what it was converted from, such as ``SDF``; empty if it was not.
    """

    root: Element
    robot: Robot | None = None
    malformed: DescriptionError | None = None
    format: str = ''

    @property
    def parts(self) -> Parts | None:
        """The parts of the description; None if our loader refuses it."""
        return None if self.robot is None else parts_of(self.robot)

    @classmethod
    def of_robot(cls, robot: Robot) -> Source:
        """
        Return the description of a robot.

        :raises ValueError: the robot was not loaded from a description.
        """
        if robot.element is None:
            raise ValueError('The robot was not loaded from a description')
        document = robot.document
        return cls(robot.element, robot) if document is None else cls.of_document(document, robot)

    @classmethod
    def of_document(cls, document: Document, robot: Robot | None) -> Source:
        """Return a parsed description, with the robot as the loader reads it, if it does."""
        return cls(document.root, robot, document.malformed, document.format if isinstance(
            document, ConvertedDocument) else '')
