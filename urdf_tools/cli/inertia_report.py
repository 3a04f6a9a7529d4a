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

"""The masses and inertias of a robot as a table or as data."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from urdf_tools.cli.description import print_table
from urdf_tools.inertia.composite import CompositeInertia
from urdf_tools.inertia.composite import link_inertia
from urdf_tools.inertia.shapes import link_shapes
from urdf_tools.inertia.shapes import shape_inertia
from urdf_tools.inertia.shapes import ShapeError
from urdf_tools.inertia.spatial import SpatialInertia
from urdf_tools.model.robot import Link
from urdf_tools.model.robot import Robot

_HEADER = (
    'link', 'verdict', 'mass', 'com x', 'y', 'z', 'I1', 'I2', 'I3', 'by shape I1', 'I2', 'I3')


@dataclass(frozen=True, eq=False)
class LinkReport:
    """
    What the description says of a link and what its shapes would give it.

    :ivar given: in the frame of the link; None where the description says nothing.
    :ivar verdict: whether a body can have it.
    :ivar margin: by how much, see :class:`~urdf_tools.inertia.spatial.Consistency`.
    :ivar volume: of the shapes, in m^3; None where they have none.
    :ivar by_shape: of the shapes with the given mass; None without either.
    :ivar remarks: what is to be known of the shapes.
    """

    name: str
    given: SpatialInertia | None
    verdict: str
    margin: float | None
    volume: float | None
    by_shape: SpatialInertia | None
    remarks: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class RobotReport:
    """
    The links, and all of them as one body.

    :ivar total: in the frame of the root link.
    :ivar without_inertial: names of the links of which the description says nothing.
    """

    links: tuple[LinkReport, ...]
    root: str
    total: SpatialInertia
    without_inertial: tuple[str, ...]


def robot_report(
        robot: Robot, positions: Mapping[str, float], resolve: Callable[[str], Path],
        source: str | None) -> RobotReport:
    """
    Look into the masses of a robot.

    :param positions: of variables by name; others stand at zero.
    :param resolve: URI of a mesh to its file.
    :param source: which shapes to weigh, one of :data:`~urdf_tools.inertia.shapes.SOURCES`.
    """
    composite = CompositeInertia(robot)
    return RobotReport(
        tuple(_link_report(link, resolve, source) for link in robot.links.values()),
        robot.root, composite(composite.configuration(positions)), composite.without_inertial)


def _link_report(link: Link, resolve, source) -> LinkReport:
    given = link_inertia(link)
    consistency = None if given is None else given.consistency()
    shape, remarks = None, ()
    if link_shapes(link, source):
        try:
            shape = shape_inertia(link_shapes(link, source), resolve)
            remarks = shape.remarks
        except ShapeError as error:
            remarks = (str(error),)
    weighed = shape is not None and given is not None and given.mass > 0
    return LinkReport(
        name=link.name,
        given=given,
        verdict='no inertial' if consistency is None else consistency.verdict.value,
        margin=None if consistency is None else consistency.margin,
        volume=None if shape is None else shape.inertia.mass,
        by_shape=shape.inertia.with_mass(given.mass) if weighed else None,
        remarks=remarks)


def print_report(report: RobotReport) -> None:
    """Print a table of the links, and a line on the whole robot."""
    print_table(_HEADER, (_row(link) for link in report.links), left=2)
    for link in report.links:
        for remark in link.remarks:
            print(f'{link.name}: {remark}')
    total = report.total
    print(f'\nTotal {total.mass:.6g} kg, ', end='')
    print(f'centre of mass at {_spaced(total.com)} m in {report.root}, '
          f'principal moments {_spaced(total.principal().moments)} kg m^2')


def report_as_data(report: RobotReport) -> dict:
    """Return a report as dictionaries and lists for JSON; kg, m and kg m^2."""
    return {
        'links': [
            {
                'link': link.name,
                'inertial': _inertia_as_data(link.given),
                'verdict': link.verdict,
                'margin': link.margin,
                'volume': link.volume,
                'by_shape': _inertia_as_data(link.by_shape),
                'remarks': link.remarks,
            }
            for link in report.links],
        'total': {'frame': report.root, **_inertia_as_data(report.total)},
        'without_inertial': report.without_inertial,
    }


def _inertia_as_data(inertia):
    if inertia is None:
        return None
    return {
        'mass': inertia.mass,
        'com': inertia.com,
        'inertia': inertia.rotational,
        'principal_moments': inertia.principal().moments,
    }


def _row(link: LinkReport) -> Iterable[str]:
    given = ['-'] * 7 if link.given is None else _texts(
        [link.given.mass, *link.given.com, *link.given.principal().moments])
    by_shape = ['-'] * 3 if link.by_shape is None else _texts(link.by_shape.principal().moments)
    return (link.name, link.verdict, *given, *by_shape)


def _texts(numbers):
    return [f'{number + 0.0:.4g}' for number in numbers]


def _spaced(numbers):
    return ' '.join(_texts(numbers))
