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

"""Proposed collision shapes as a table or as data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from collections.abc import Mapping
from typing import Any

from urdf_tools.cli.output import print_lines
from urdf_tools.cli.output import print_table
from urdf_tools.collision.proposal import CollisionProposal
from urdf_tools.collision.proposal import LinkShapes
from urdf_tools.collision.shape_sets import ShapeSet
from urdf_tools.collision.solids import angles_of
from urdf_tools.collision.solids import Hull
from urdf_tools.collision.solids import Shell
from urdf_tools.collision.solids import Solid
from urdf_tools.model.messages import count
from urdf_tools.model.messages import printable

_HEADER = ('link', 'shapes', 'today', 'faces', 'tolerance', 'outside', 'excess',
           'outside today', 'excess today')


def print_shapes(proposal: CollisionProposal) -> None:
    """Print a table of the links, with lengths in mm, and what is missing."""
    if not proposal.links:
        print('No link has visuals')
        return
    print_table(_HEADER, map(_row, proposal.links), text_columns=3)
    print()
    print('Lengths in mm: "outside" is how far visual points are outside of the shapes, "excess" '
          'how\nfar the surface of the shapes is from the visuals, both measured')
    print_lines(f'{each.link.name}: no shapes: {" ".join(each.reason.split())}'
                for each in proposal.links if each.reason)
    beyond = [each.link.name for each in proposal.links if not each.is_within]
    if beyond:
        print(printable(f'Not within the tolerance: {", ".join(beyond)}'))
    solids = sum(len(each.chosen.solids) for each in proposal.links if each.chosen)
    links = sum(each.chosen is not None for each in proposal.links)
    print(f'{count(solids, "shape")} for {count(links, "link")}')


def print_contacts(contacts: Mapping[tuple[str, str], int], number: int) -> None:
    """Print the pairs of links that touch by their shapes, but not by their visual geometry."""
    if not number:
        return
    print(f'At {count(number, "random configuration")}, {count(len(contacts), "pair")} of links '
          f'{"touches" if len(contacts) == 1 else "touch"} by shapes, but not by visual geometry'
          f'{":" if contacts else ""}')
    print_lines(f'  {" and ".join(links)}, at {times}' for links, times in contacts.items())


def shapes_as_data(
        proposal: CollisionProposal, contacts: Mapping[tuple[str, str], int]) -> dict[str, Any]:
    """Return a proposal as data for JSON, in metres and radians, in the frames of the links."""
    return {'links': [{
        'link': each.link.name,
        'faces': None if each.surface is None else len(each.surface.triangles),
        'tolerance': each.task.tolerance,
        'shapes': [] if each.chosen is None else [_solid(solid) for solid in each.chosen.solids],
        'errors': None if each.chosen is None else vars(each.chosen.errors),
        'within_tolerance': each.chosen is not None and each.is_within,
        'kept': each.is_kept,
        'collisions_today': len(each.link.collisions),
        'errors_today': None if each.existing is None else vars(each.existing.errors),
        'reason': each.reason,
    } for each in proposal.links], 'new_contacts': [
        {'links': links, 'configurations': times} for links, times in contacts.items()]}


def _solid(solid: Solid) -> dict[str, Any]:
    shape = solid.shape
    if isinstance(shape, Shell):
        return {'type': 'mesh', 'faces': len(shape.surface.triangles)}
    if isinstance(shape, Hull):
        return {'type': 'hull', 'vertices': shape.vertices, 'faces': shape.faces.tolist()}
    return {'type': solid.kind, **vars(shape), 'xyz': solid.centre, 'rpy': angles_of(solid)}


def _row(each: LinkShapes) -> list[str]:
    chosen = each.chosen
    return [
        each.link.name,
        '-' if chosen is None else _kinds(solid.kind for solid in chosen.solids) + (
            ', kept' if each.is_kept else ''),
        _kinds(type(shape.geometry).__name__.lower() for shape in each.link.collisions),
        '-' if each.surface is None else str(len(each.surface.triangles)),
        '-' if each.surface is None else _millimetres(each.task.tolerance),
        *_columns(chosen), *_columns(each.existing)]


def _columns(shapes: ShapeSet | None) -> list[str]:
    return ['-', '-'] if shapes is None else [
        _millimetres(shapes.errors.outside), _millimetres(shapes.errors.excess)]


def _millimetres(length: float) -> str:
    return f'{1000 * length:.1f}'


def _kinds(kinds: Iterable[str]) -> str:
    found = Counter(kinds)
    return ', '.join(kind if number == 1 else f'{number} {kind}'
                     for kind, number in found.items()) or '-'
