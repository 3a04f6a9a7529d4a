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

"""
Propose the simplest collision shapes that fit the links.

For example:
  urdf-tools collide robot.urdf --diff
  urdf-tools collide robot.urdf --matrix robot.srdf
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable
from collections.abc import Iterator
from functools import partial
import os
from pathlib import Path
from pathlib import PurePosixPath
import sys
from typing import Any

from urdf_tools.check.validator import validates
from urdf_tools.check.workspace.descriptions import editable_path
from urdf_tools.cli.arguments import CommandError
from urdf_tools.cli.arguments import known
from urdf_tools.cli.arguments import make_robot
from urdf_tools.cli.arguments import open_description
from urdf_tools.cli.arguments import require_packages
from urdf_tools.cli.arguments import require_urdf
from urdf_tools.cli.arguments import resources_of
from urdf_tools.cli.collision_pairs import SAMPLES
from urdf_tools.cli.collision_pairs import update_pairs
from urdf_tools.cli.output import print_line
from urdf_tools.cli.output import print_lines
from urdf_tools.cli.output import print_result
from urdf_tools.cli.output_files import require_file
from urdf_tools.cli.output_files import write_change
from urdf_tools.cli.output_files import write_file
from urdf_tools.cli.progress import progress
from urdf_tools.collision.parts import KINDS
from urdf_tools.collision.proposal import CollisionProposal
from urdf_tools.collision.proposal import LinkShapes
from urdf_tools.collision.proposal import ProposalOptions
from urdf_tools.collision.proposal import propose_shapes
from urdf_tools.collision.rewriting import require_only_collisions
from urdf_tools.collision.rewriting import rewrite_collisions
from urdf_tools.collision.rewriting import rewrite_sources
from urdf_tools.collision.rewriting import Rewriting
from urdf_tools.collision.shape_sets import ShapeSet
from urdf_tools.collision.solids import angles_of
from urdf_tools.collision.solids import Hull
from urdf_tools.collision.solids import Solid
from urdf_tools.meshes.formats import mesh_writers
from urdf_tools.model.messages import count
from urdf_tools.model.messages import table
from urdf_tools.model.package_lookup import project_folder
from urdf_tools.model.records import Mesh
from urdf_tools.model.robot import Robot
from urdf_tools.model.xml.document import Document
from urdf_tools.model.xml.document import read_document
from urdf_tools.model.xml.document import read_file
from urdf_tools.programs.drake.reading import HULLS

_HEADER = ('link', 'shapes', 'today', 'faces', 'tolerance', 'outside', 'excess',
           'outside today', 'excess today')

OPTIONS = {
    '--shapes': {'complete': KINDS}, '--mesh-format': {'choices': mesh_writers()},
    '--samples': {'default': SAMPLES}}


def run(arguments: argparse.Namespace) -> int:
    """Print the shapes or write them, or update the pairs of an SRDF file."""
    if arguments.matrix is not None:
        return update_pairs(arguments)
    for name in arguments.shapes:
        known(name, KINDS, 'shape')
    if arguments.write:
        require_file(arguments.file)
    document = open_description(arguments)
    if arguments.diff or arguments.write:
        require_urdf(document)
    robot = make_robot(document)
    proposal = _proposal(arguments, robot)
    if arguments.diff or arguments.write:
        return _change(arguments, document, proposal, robot)
    print_result(arguments.format, partial(_shapes_as_data, proposal), _shape_lines(proposal))
    return int(any(each.reason for each in proposal.links))


def _proposal(arguments: argparse.Namespace, robot: Robot) -> CollisionProposal:
    for name in arguments.links or ():
        known(name, robot.links, 'link')
    require_packages('Fitting shapes', scipy='meshes', trimesh='meshes', coal='contacts')
    options = ProposalOptions(
        arguments.tolerance, arguments.fit, arguments.shapes, arguments.links)
    with progress(arguments.file) as line:
        return propose_shapes(robot, resources_of(arguments).resolve_for_use, options, line.step)


def _change(arguments: argparse.Namespace, document: Document, proposal: CollisionProposal,
            robot: Robot) -> int:
    """Print or write the change of a description; return 1 if something is left out."""
    suffixes = {PurePosixPath(shape.geometry.filename).suffix.lower()
                for link in robot.links.values() for shape in link.collisions
                if isinstance(shape.geometry, Mesh)}
    # OBJ is what Drake reads, too; a robot that has such collisions loads there.
    mesh_format = arguments.mesh_format or ('obj' if '.obj' in suffixes else 'stl')
    result, after = _rewriting(arguments, document, proposal, mesh_format)
    before = {name: document.data if document.xacro is None else read_file(name)
              for name in result.texts}
    left = [*result.left, *(
        f'{each.link.name}: not written: {" ".join(each.reason.split())}'
        for each in proposal.links if each.reason),
        *sorted({*_lost_names(after)} - {*_lost_names(document)})]
    notes = []
    if result.meshes and mesh_format == 'stl' and suffixes <= {*HULLS}:
        notes.append('Drake reads no STL collisions, and refuses the robot with them; '
                     '"--mesh-format obj" writes what it reads')
    if arguments.write:
        _write_meshes(result)
    changed = write_change(before, result.texts, 'collision shapes', arguments.diff)
    if arguments.write:
        print_line(f'Collisions of {count(result.links, "link")} written to {", ".join(changed)}'
                   if changed else f'{arguments.file} has these collisions already')
    print_lines(left + notes, sys.stderr if arguments.diff else None)
    return int(bool(left))


def _rewriting(arguments: argparse.Namespace, document: Document, proposal: CollisionProposal,
               mesh_format: str) -> tuple[Rewriting, Document]:
    """Return the change of a description, and the description after it."""
    if document.xacro is None:
        result = rewrite_collisions(document, proposal, mesh_format)
        return result, read_document(result.texts[document.source], document.source)
    folder = str(project_folder(Path(os.path.abspath(arguments.file)).parent))
    result = rewrite_sources(document, proposal, mesh_format,
                             lambda file: editable_path(file, [folder]) is not None)
    # Only changes of xacro files need it.
    from urdf_tools.xacro.expansion import expand_document
    expanded = expand_document(arguments.file, dict(arguments.mappings), {
        os.path.abspath(name): data.decode() for name, data in result.texts.items()},
        resources_of(arguments).lookup)
    require_only_collisions(document, expanded)
    return result, expanded


def _lost_names(document: Document) -> list[str]:
    """Return remarks on contact sensors that name collisions which Gazebo lacks."""
    report = validates(document, categories=['extensions'])
    return [each.text for each in report.findings if each.code == 'contact-unknown-collision']


def _write_meshes(result: Rewriting) -> None:
    for path in result.unclear:
        if not path.exists() or path.read_bytes() != result.meshes[path]:
            raise CommandError(f'{str(path)!r} exists, where a mesh is to be written; rename it')
    for path, data in result.meshes.items():
        if not (path.is_file() and path.read_bytes() == data):
            write_file(str(path), data)


def _shape_lines(proposal: CollisionProposal) -> Iterator[str]:
    """Yield a table of the links, with lengths in mm, and what is missing."""
    if not proposal.links:
        yield 'No link has visuals'
        return
    yield from table(_HEADER, map(_row, proposal.links), text_columns=3)
    yield from ('', 'Lengths in mm: "outside" is how far visual points are outside of the shapes, '
                '"excess" how', 'far the surface of the shapes is from the visuals, both measured')
    yield from (f'{each.link.name}: no shapes: {" ".join(each.reason.split())}'
                for each in proposal.links if each.reason)
    beyond = [each.link.name for each in proposal.links if not each.is_within]
    if beyond:
        yield f'Not within the tolerance: {", ".join(beyond)}'
    wide = [each.link.name for each in proposal.links if each.is_within and each.chosen
            and each.chosen.errors.excess > each.task.tolerance]
    if wide:
        yield f'Excess above the tolerance: {", ".join(wide)}; --fit bounds it, too'
    solids = sum(len(each.chosen.solids) for each in proposal.links if each.chosen)
    links = sum(each.chosen is not None for each in proposal.links)
    yield f'{count(solids, "shape")} for {count(links, "link")}'


def _shapes_as_data(proposal: CollisionProposal) -> dict[str, Any]:
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
    } for each in proposal.links]}


def _solid(solid: Solid) -> dict[str, Any]:
    shape = solid.shape
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
