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
Print the masses and inertias of links, or compute them from shapes.

For example:
  urdf-tools inertia robot.urdf --compute missing --diff
  urdf-tools inertia robot.urdf --holding
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from collections.abc import Iterator
from collections.abc import Sequence
from functools import partial
import os
from pathlib import Path
import sys
from typing import Any

from urdf_tools.check.fixes import changed_sources
from urdf_tools.check.workspace.descriptions import editable_path
from urdf_tools.cli.arguments import CommandError
from urdf_tools.cli.arguments import joint_positions
from urdf_tools.cli.arguments import known
from urdf_tools.cli.arguments import make_robot
from urdf_tools.cli.arguments import open_description
from urdf_tools.cli.arguments import require_urdf
from urdf_tools.cli.arguments import resources_of
from urdf_tools.cli.output import print_exact
from urdf_tools.cli.output import print_line
from urdf_tools.cli.output import print_lines
from urdf_tools.cli.output import print_result
from urdf_tools.cli.output import unified_diff
from urdf_tools.cli.output_files import require_file
from urdf_tools.cli.output_files import write_change
from urdf_tools.cli.output_files import write_file
from urdf_tools.cli.progress import progress
from urdf_tools.cli.statics import Statics
from urdf_tools.dynamics.composite import CompositeInertia
from urdf_tools.dynamics.composite import link_inertia
from urdf_tools.dynamics.proposal import CHOICES
from urdf_tools.dynamics.proposal import inertial_changes
from urdf_tools.dynamics.proposal import MassError
from urdf_tools.dynamics.proposal import Masses
from urdf_tools.dynamics.proposal import NO_MASS
from urdf_tools.dynamics.proposal import Proposal
from urdf_tools.dynamics.proposal import propose
from urdf_tools.dynamics.proposal import rewrite
from urdf_tools.dynamics.shapes import link_shapes
from urdf_tools.dynamics.shapes import read_shapes
from urdf_tools.dynamics.shapes import shape_inertia
from urdf_tools.dynamics.shapes import ShapeError
from urdf_tools.dynamics.shapes import SOURCES
from urdf_tools.dynamics.spatial import SpatialInertia
from urdf_tools.model.messages import count
from urdf_tools.model.messages import name_list
from urdf_tools.model.messages import printable
from urdf_tools.model.messages import readable
from urdf_tools.model.messages import table
from urdf_tools.model.package_lookup import project_folder
from urdf_tools.model.robot import Link
from urdf_tools.model.robot import Robot
from urdf_tools.model.values import number_texts
from urdf_tools.model.xml.document import Document
from urdf_tools.model.xml.document import read_document
from urdf_tools.model.xml.document import read_file
from urdf_tools.model.xml.editing import changed
from urdf_tools.types import Array


_NOISE = 1e-12
"""Lengths below this in m are noise."""

_HEADER = (
    'link', 'verdict', 'mass', 'com x', 'y', 'z', 'I1', 'I2', 'I3', 'by shape I1', 'I2', 'I3')

OPTIONS = {'--from': {'choices': SOURCES}, '--compute': {'choices': CHOICES}}


def run(arguments: argparse.Namespace) -> int:
    """Print the masses and inertias of the robot, given or computed."""
    if arguments.compute is None:
        for option in ('mass', 'density', 'total-mass', 'diff', 'write'):
            if getattr(arguments, option.replace('-', '_')):
                raise CommandError(f'--{option} requires --compute')
    elif arguments.write:
        require_file(arguments.file)
    document = open_description(arguments)
    if arguments.write:
        require_urdf(document)
    robot = make_robot(document)
    resolve = resources_of(arguments).resolve_for_use
    failed = False
    if arguments.compute:
        proposal = _proposal(arguments, robot, resolve)
        failed = bool(proposal.failures)
        if document.xacro is not None and (arguments.diff or arguments.write):
            return _change_sources(arguments, document, proposal) or failed
        computed = read_document(rewrite(document, proposal.inertias), document.source)
        if arguments.diff:
            print_exact(unified_diff(document.source, document.data, computed.data, 'computed'))
            return failed
        if arguments.write:
            write_file(arguments.file, computed.data)
            print_line(f'{count(len(proposal.inertias), "link")} written to {arguments.file}')
            return failed
        robot = make_robot(computed)
    if arguments.holding:
        statics = Statics(robot)
        print_result(arguments.format, statics.data, statics.lines())
        return failed
    composite = CompositeInertia(robot)
    total = composite(composite.tree.configuration(joint_positions(arguments, robot)))
    with progress(arguments.file):
        read = read_shapes(robot.links.values(), resolve, arguments.source)
        links = [_link_report(link, read, arguments.source) for link in robot.links.values()]
    print_result(arguments.format, partial(_as_data, links, composite, total),
                 _lines(links, composite, total))
    return failed


def _change_sources(
        arguments: argparse.Namespace, document: Document, proposal: Proposal) -> bool:
    """
    Write new inertias into the xacro files where they have one source, or print how.

    :return: whether one cannot be written there; a diff shows it in the expanded description.
    """
    changes = inertial_changes(document, proposal.inertias)
    folder = str(project_folder(Path(os.path.abspath(arguments.file)).parent))
    texts, reasons = changed_sources(
        document, [[change] for change in changes], {},
        lambda file: editable_path(file, [folder]) is not None)
    write_change({file: read_file(file) for file in texts}, texts, 'computed', arguments.diff)
    left = [(change, reason) for change, reason in zip(changes, reasons) if reason]
    if arguments.diff and left:
        print_exact(unified_diff(
            f'{document.source} (expanded)', document.data,
            changed(document, (change for change, _ in left)), 'computed'))
    elif not arguments.diff:
        print_line(f'{count(len(changes) - len(left), "link")} written to '
                   f'{name_list([*texts]) if texts else document.source}')
    for change, reason in left:
        link = change.element if change.element.tag == 'link' else change.element.parent
        name = '' if link is None else printable(link.attrib['name'])
        print_line(f'{name}: not written to xacro, {reason}', sys.stderr)
    return bool(left)


def _proposal(
        arguments: argparse.Namespace, robot: Robot, resolve: Callable[[str], Path]) -> Proposal:
    masses = Masses(
        {known(name, robot.links, 'link'): mass for name, mass in arguments.mass},
        arguments.density, arguments.total_mass)
    try:
        with progress(arguments.file):
            proposal = propose(robot, arguments.compute, masses, resolve, arguments.source)
    except MassError as error:
        raise CommandError(f'{error}.') from error
    lines = [(link, remark) for link, remarks in proposal.remarks.items() for remark in remarks]
    lines += [(link, f'not computed: {why}' + (
        f'; give --mass {link}=KG, or --density or --total-mass' if why == NO_MASS else ''))
        for link, why in proposal.failures.items()]
    print_lines((f'{link}: {" ".join(line.split())}' for link, line in lines), sys.stderr)
    return proposal


def _link_report(link: Link, resolve: Callable[[str], Path], source: str | None) -> dict[str, Any]:
    """
    Compare the inertia of a link with that of its shapes.

    :param resolve: returns the file of the URI of a mesh.
    :param source: which shapes to use, one of :data:`~urdf_tools.dynamics.shapes.SOURCES`, or
        None for collision shapes, or visual shapes without them.
    :return: ``inertial``: the one in the description, in the link frame, with its ``verdict``,
        whether it is physically consistent, and ``margin``, by how much; ``by_shape``: that of
        the shapes with the given mass; ``volume`` of the shapes in m^3; ``remarks`` on them.
        None where there is none.
    """
    given = link_inertia(link)
    found: dict[str, Any] = {
        'link': link.name, 'inertial': given, 'verdict': 'no inertial', 'margin': None,
        'volume': None, 'by_shape': None, 'remarks': ()}
    if given is not None:
        consistency = given.consistency()
        found.update(verdict=consistency.verdict.value, margin=consistency.margin)
    shapes = link_shapes(link, source)
    if shapes:
        try:
            shape = shape_inertia(shapes, resolve)
            found.update(volume=shape.inertia.mass, remarks=shape.remarks)
            if given is not None and given.mass > 0:
                found.update(by_shape=shape.inertia.with_mass(given.mass))
        except ShapeError as error:
            found.update(remarks=(str(error),))
    return found


def _lines(links: Sequence[dict[str, Any]], composite: CompositeInertia, total: SpatialInertia
           ) -> Iterator[str]:
    """Yield a table of the links, if any has an inertial or a shape, and the robot's total."""
    if any(link['inertial'] or link['volume'] or link['remarks'] for link in links):
        yield from table(_HEADER, map(_row, links), text_columns=2)
        yield from (f'{link["link"]}: {" ".join(remark.split())}'
                    for link in links for remark in link['remarks'])
        yield ''
    without = len(composite.without_inertial)
    if without:
        yield (f'{without} of {count(len(links), "link")} {"has" if without == 1 else "have"} no '
               '<inertial>')
    yield 'The robot has no mass' if not total.mass else (
        f'Total {readable(total.mass, ".6g")} kg, centre of mass at '
        f'{" ".join(_texts(total.com, _NOISE))} m in {composite.tree.robot.root}, principal '
        f'moments {" ".join(_texts(total.principal().moments))} kg m^2')


def _as_data(links: Sequence[dict[str, Any]], composite: CompositeInertia, total: SpatialInertia
             ) -> dict[str, Any]:
    """Return the same for JSON, in kg, m and kg m^2."""
    return {
        'links': [{
            key: _inertia_as_data(value) if isinstance(value, SpatialInertia) else value
            for key, value in link.items()} for link in links],
        'total': {'frame': composite.tree.robot.root, **_inertia_as_data(total)},
        'without_inertial': composite.without_inertial}


def _inertia_as_data(inertia: SpatialInertia) -> dict[str, Any]:
    return {'mass': inertia.mass, 'com': inertia.com, 'inertia': inertia.rotational,
            'principal_moments': inertia.principal().moments}


def _row(link: dict[str, Any]) -> Sequence[str]:
    given, shape = link['inertial'], link['by_shape']
    inertial = ['-'] * 7 if given is None else [
        readable(given.mass, '.4g'), *_texts(given.com, _NOISE),
        *_texts(given.principal().moments)]
    by_shape = ['-'] * 3 if shape is None else _texts(shape.principal().moments)
    return (link['link'], link['verdict'], *inertial, *by_shape)


def _texts(vector: Array, minimum: float = 0.0) -> list[str]:
    return number_texts(vector.tolist(), 4, minimum)
