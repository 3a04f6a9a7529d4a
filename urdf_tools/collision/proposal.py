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

"""Proposed collision shapes for the links of a robot, and the existing ones."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Collection
from collections.abc import Mapping
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from dataclasses import replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from urdf_tools.collision.parts import Errors
from urdf_tools.collision.parts import errors_of
from urdf_tools.collision.parts import Task
from urdf_tools.collision.shape_sets import best_set
from urdf_tools.collision.shape_sets import closer_sets
from urdf_tools.collision.shape_sets import ShapeSet
from urdf_tools.collision.solids import LinkSurfaces
from urdf_tools.collision.solids import primitives
from urdf_tools.collision.solids import Shell
from urdf_tools.collision.solids import Solid
from urdf_tools.collision.solids import SurfaceError
from urdf_tools.collision.surface import Surface
from urdf_tools.model.messages import quote
from urdf_tools.model.records import Collision
from urdf_tools.model.records import Mesh
from urdf_tools.model.records import Visual
from urdf_tools.model.robot import Link
from urdf_tools.model.robot import Robot
from urdf_tools.types import Array

if TYPE_CHECKING:
    from urdf_tools.collision.contacts import NewContacts

TOLERANCE = 0.01
"""Tolerance in m by default."""

RELATIVE_TOLERANCE = 0.02
"""Default tolerance as a share of the size of a link, if that is more."""

SPARE = 0.02
"""Excess as a share of the size of a link that does not count, by default."""

_SPARE_OF_TOLERANCE = 0.3
"""Likewise as a share of the tolerance; the smaller one is taken."""

_AS_GOOD = 1.05
"""Factor on error and volume within which existing shapes are kept."""


@dataclass(frozen=True)
class ProposalOptions:
    """
    Requirements on the shapes.

    :ivar tolerance: in metres; None for the larger of the two defaults.
    :ivar fit: see :class:`~urdf_tools.collision.shape_sets.Task`.
    :ivar kinds: likewise.
    :ivar links: names of the links; None for all that have visuals.
    """

    tolerance: float | None
    fit: bool
    kinds: Collection[str]
    links: Collection[str] | None = None


@dataclass(eq=False)
class LinkShapes:
    """
    The shapes for a link.

    :ivar surface: its visual geometry; None if it cannot be read.
    :ivar task: the requirements on them.
    :ivar chosen: the proposed shapes, if there are some.
    :ivar existing: the collisions that the link has, which are kept if they are as good and are
        not meshes; None without any, or if one cannot be read.
    :ivar reason: why no shapes are proposed; empty if there are some.
    """

    link: Link
    task: Task
    surface: Surface | None = None
    chosen: ShapeSet | None = None
    existing: ShapeSet | None = None
    reason: str = ''

    @property
    def is_within(self) -> bool:
        """Whether the errors that count are within the tolerance."""
        return self.chosen is None or self.chosen.error(self.task) <= self.task.tolerance

    @property
    def is_kept(self) -> bool:
        """Whether the existing shapes are as good."""
        return self.chosen is not None and self.chosen is self.existing

    @cached_property
    def closer(self) -> list[ShapeSet]:
        """Shapes with ever less excess than the first chosen ones."""
        if self.surface is None or self.chosen is None or not self.chosen.errors.excess:
            return []
        return closer_sets(self.surface, self.task, self.chosen)

    @property
    def final(self) -> Sequence[Solid]:
        """The final shapes of the link, without the meshes that it keeps."""
        return primitives(self.link.collisions) if self.chosen is None else self.chosen.solids


@dataclass(frozen=True, eq=False)
class CollisionProposal:
    """
    The shapes for the links of a robot.

    :ivar files: the files of its meshes by URI.
    """

    links: tuple[LinkShapes, ...]
    files: Mapping[str, Path]


def propose_shapes(robot: Robot, resolve: Callable[[str], Path], options: ProposalOptions,
                   report: Callable[[str], None] = lambda step: None) -> CollisionProposal:
    """
    Return collision shapes for links that have visuals.

    No shapes are proposed that collide at zero where links do not touch by their visual geometry,
    unless they are joined. Closer ones are taken instead.

    :param resolve: takes the URI of a mesh to its file.
    :param report: is called with a few words before each step.
    """
    visible = [link for link in robot.links.values() if link.visuals]
    links = [link for link in visible if options.links is None or link.name in options.links]
    shapes: list[Visual | Collision] = []
    for link in visible:
        shapes += [*link.visuals, *link.collisions]
    surfaces = LinkSurfaces(shapes, resolve)
    proposed = {}
    same: dict[tuple[bytes, ...], ShapeSet] = {}
    for number, link in enumerate(links, 1):
        report(f'link {number} of {len(links)}, {link.name}')
        proposed[link.name] = _link_shapes(robot, link, surfaces, options, same)
    visuals = {name: each.surface for name, each in proposed.items() if each.surface is not None}
    for link in visible:
        if link.name not in proposed:
            with suppress(SurfaceError):
                visuals[link.name] = surfaces.surface(link.visuals)
    report('contacts at zero')
    # The library for contacts is imported late, as help and completion do without.
    from urdf_tools.collision.contacts import NewContacts
    _remove_contacts(robot, proposed, NewContacts(robot, visuals))
    return CollisionProposal(tuple(proposed.values()), surfaces.files)


def _link_shapes(robot: Robot, link: Link, surfaces: LinkSurfaces, options: ProposalOptions,
                 same: dict[tuple[bytes, ...], ShapeSet]) -> LinkShapes:
    """Return the shapes for a link; the choice is cached for links with the same surface."""
    try:
        surface = surfaces.surface(link.visuals)
    except SurfaceError as error:
        return LinkShapes(link, Task(TOLERANCE, options.fit, options.kinds), reason=str(error))
    tolerance = options.tolerance or max(TOLERANCE, RELATIVE_TOLERANCE * surface.size)
    task = Task(tolerance, options.fit, options.kinds, _axes(robot, link.name),
                options.tolerance or min(_SPARE_OF_TOLERANCE * tolerance, SPARE * surface.size))
    shapes = LinkShapes(link, task, surface)
    if not any(isinstance(visual.geometry, Mesh) for visual in link.visuals):
        shapes.chosen = ShapeSet(surfaces.solids(link.visuals), Errors(0.0, 0.0))
    else:
        key = sha256(surface.triangles.tobytes()).digest(), *(axis.tobytes() for axis in task.axes)
        if key not in same:
            same[key] = best_set(surface, task)
        shapes.chosen = same[key]
    if link.collisions:
        with suppress(SurfaceError):
            solids = surfaces.solids(link.collisions)
            shapes.existing = ShapeSet(solids, _existing_errors(link, surface, solids))
            if _is_as_good(shapes.existing, shapes.chosen, task):
                shapes.chosen = shapes.existing
    return shapes


def _existing_errors(link: Link, surface: Surface, solids: Sequence[Solid]) -> Errors:
    """Return the errors of the collisions of a link; those that are its visuals have none."""
    seen, touched = ([(each.geometry, each.origin) for each in shapes]
                     for shapes in (link.visuals, link.collisions))
    errors = errors_of(surface, solids, [each not in seen for each in touched])
    return replace(errors, outside=0.0) if all(each in touched for each in seen) else errors


def _is_as_good(existing: ShapeSet, proposed: ShapeSet, task: Task) -> bool:
    if any(isinstance(solid.shape, Shell) for solid in existing.solids) or (
            existing.errors.outside > max(task.tolerance, proposed.errors.outside)):
        return False
    if task.fit:
        return existing.cost <= proposed.cost and (
            existing.errors.largest <= _AS_GOOD * proposed.errors.largest + 1e-4)
    return (existing.volume <= _AS_GOOD * proposed.volume
            and existing.score(task)[0] <= proposed.score(task)[0] + 1)


def _axes(robot: Robot, name: str) -> list[Array]:
    """Return the axes of the joints above and below a link, in its frame."""
    above = robot.parent_joint.get(name)
    axes = [np.array(above.axis)] if above is not None and above.type.dof == 1 else []
    return axes + [joint.origin.rotation @ joint.axis for joint in robot.child_joints[name]
                   if joint.type.dof == 1]


def _remove_contacts(
        robot: Robot, proposed: Mapping[str, LinkShapes], contacts: NewContacts) -> None:
    """Take closer shapes, or none, where links touch without touching visually."""
    solids: dict[str, Sequence[Solid]] = {
        name: proposed[name].final if name in proposed else primitives(link.collisions)
        for name, link in robot.links.items()}
    pending = list(contacts.pairs(solids))
    while pending:
        changed = _step_back(pending[0], proposed)
        if not changed:
            pending.pop(0)
        solids |= {name: proposed[name].final for name in changed}
        pending = [pair for pair in pending if not {*pair} & {*changed}]
        for name in changed:
            pending += [pair for pair in contacts.pairs(solids, name) if pair not in pending]


def _step_back(pair: tuple[str, str], proposed: Mapping[str, LinkShapes]) -> list[str]:
    """
    Take the next closer shapes of one of a pair and of all links that look the same, or none.

    :return: the links that were changed, if any.
    """
    ordered = sorted(
        ((each, each.chosen) for each in map(proposed.get, pair)
         if each is not None and each.chosen is not None and not each.is_kept),
        key=lambda item: -item[1].errors.excess)
    for each, chosen in ordered:
        if each.closer:
            closer, *rest = each.closer
            alike = [name for name, other in proposed.items() if other.chosen is chosen]
            for name in alike:
                proposed[name].chosen, proposed[name].closer = closer, rest
            return alike
    for each, _ in ordered:
        name = each.link.name
        touched = pair[1] if name == pair[0] else pair[0]
        each.chosen = None
        each.reason = (f'all shapes found within the tolerance touch link {quote(touched)} at '
                       'zero, which it does not')
        return [name]
    return []
