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

"""Propose the simplest collision shapes that look like the links."""

from __future__ import annotations

import argparse

from urdf_tools.cli.arguments import add_description
from urdf_tools.cli.arguments import add_format
from urdf_tools.cli.arguments import add_mesh_limits
from urdf_tools.cli.arguments import CommandError
from urdf_tools.cli.arguments import known
from urdf_tools.cli.arguments import make_robot
from urdf_tools.cli.arguments import names_in
from urdf_tools.cli.arguments import open_description
from urdf_tools.cli.arguments import positive_number
from urdf_tools.cli.arguments import resources_of
from urdf_tools.cli.arguments import set_completions
from urdf_tools.cli.changes import description_diff
from urdf_tools.cli.changes import require_file
from urdf_tools.cli.changes import require_urdf
from urdf_tools.cli.collide_report import print_shapes
from urdf_tools.cli.collide_report import shapes_as_data
from urdf_tools.cli.output import print_exact
from urdf_tools.cli.output import print_json
from urdf_tools.cli.output_files import write_file
from urdf_tools.cli.progress import progress
from urdf_tools.collision_shapes.collision_proposal import CollisionProposal
from urdf_tools.collision_shapes.collision_proposal import propose_shapes
from urdf_tools.collision_shapes.collision_proposal import Wishes
from urdf_tools.collision_shapes.collision_rewriting import rewrite_collisions
from urdf_tools.collision_shapes.shape_sets import KINDS
from urdf_tools.meshes.mesh_facts import set_mesh_limits
from urdf_tools.model.document import Document
from urdf_tools.model.document import read_document
from urdf_tools.model.messages import count
from urdf_tools.model.messages import printable
from urdf_tools.model.robot import Robot

_DEFAULT_KINDS = ('box', 'cylinder', 'sphere', 'hull')


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this verb."""
    add_description(parser)
    parser.add_argument(
        '--tolerance', metavar='M', type=positive_number,
        help='largest error in metres; default: 0.01, or 2%% of the size of a link if larger')
    goal = parser.add_mutually_exclusive_group()
    goal.add_argument(
        '--cover', dest='fit', action='store_false', default=False,
        help='every visual point is inside, or outside by at most the tolerance; the default')
    goal.add_argument(
        '--fit', action='store_true',
        help='the shapes are also not farther outside of the visuals than the tolerance')
    set_completions(parser.add_argument(
        '--shapes', metavar='SHAPE[,SHAPE]', type=names_in, default=list(_DEFAULT_KINDS),
        help=f'shapes to use, of {", ".join(KINDS)}; default: {",".join(_DEFAULT_KINDS)}'), KINDS)
    parser.add_argument(
        '--links', metavar='LINK[,LINK]', type=names_in,
        help='links to propose shapes for; default: all that have visuals')
    add_format(parser)
    add_mesh_limits(parser)
    output = parser.add_mutually_exclusive_group()
    output.add_argument(
        '--diff', action='store_true', help='print the change of the description')
    output.add_argument(
        '--write', action='store_true',
        help='write the shapes to the file, and hulls beside the visual meshes')


def run(arguments: argparse.Namespace) -> int:
    """Print the shapes, or write them."""
    for name in arguments.shapes:
        known(name, KINDS, 'shape')
    if arguments.write:
        require_file(arguments.file)
    set_mesh_limits(arguments.mesh_limits)
    document = open_description(arguments)
    if arguments.write:
        require_urdf(document)
    robot = make_robot(document)
    proposal = _proposal(arguments, robot)
    if arguments.diff:
        data = rewrite_collisions(document, proposal).data
        print_exact(description_diff(
            document, read_document(data, document.source), 'collision shapes'))
    elif arguments.write:
        _write(arguments.file, document, proposal)
    elif arguments.format == 'json':
        print_json(shapes_as_data(proposal))
    else:
        print_shapes(proposal)
    return int(any(each.reason for each in proposal.links))


def _proposal(arguments: argparse.Namespace, robot: Robot) -> CollisionProposal:
    for name in arguments.links or ():
        known(name, robot.links, 'link')
    try:
        import scipy  # noqa: F401
    except ImportError as error:
        raise CommandError(
            'Fitting shapes needs the Python package scipy, which is not installed; install it '
            'with "pip install scipy"') from error
    wishes = Wishes(arguments.tolerance, arguments.fit, arguments.shapes, arguments.links)
    file = printable(arguments.file)
    with progress(file) as line:
        def report(name: str) -> None:
            line.text = f'{file}: {printable(name)}'
        return propose_shapes(robot, resources_of(arguments).resolve, wishes, report)


def _write(file: str, document: Document, proposal: CollisionProposal) -> None:
    result = rewrite_collisions(document, proposal)
    for path in result.unclear:
        if path.read_bytes() != result.meshes[path]:
            raise CommandError(f'{str(path)!r} exists, where a hull is to be written; rename it')
    for path, data in result.meshes.items():
        if not (path.is_file() and path.read_bytes() == data):
            write_file(str(path), data)
    if result.data != document.data:
        write_file(file, result.data)
    number = sum(each.chosen is not None and not each.is_kept for each in proposal.links)
    print(f'Collisions of {count(number, "link")} written to {printable(file)}'
          if result.data != document.data else f'{printable(file)} has these collisions already')
    for each in proposal.links:
        if each.reason:
            print(printable(f'{each.link.name}: not written: {" ".join(each.reason.split())}'))
