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

"""The pairs of links that an SRDF file disables collision checks for, for the verb collide."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from collections.abc import Sequence
import os
from typing import Any

from urdf_tools.cli.arguments import CommandError
from urdf_tools.cli.arguments import make_robot
from urdf_tools.cli.arguments import open_description
from urdf_tools.cli.arguments import require_packages
from urdf_tools.cli.arguments import resources_of
from urdf_tools.cli.arguments import with_loops
from urdf_tools.cli.output import print_exact
from urdf_tools.cli.output import print_result
from urdf_tools.cli.output import unified_diff
from urdf_tools.cli.output_files import refuse_sources
from urdf_tools.cli.output_files import write_file
from urdf_tools.cli.progress import progress
from urdf_tools.collision.srdf_matrix import MatrixUpdate
from urdf_tools.collision.srdf_matrix import new_matrix
from urdf_tools.collision.srdf_matrix import Pair
from urdf_tools.collision.srdf_matrix import update_matrix
from urdf_tools.model.messages import count
from urdf_tools.model.messages import table
from urdf_tools.model.xml.document import Document
from urdf_tools.model.xml.document import read_document
from urdf_tools.model.xml.document import read_file
from urdf_tools.xacro.text import is_xacro

SAMPLES = 100_000


def update_pairs(arguments: argparse.Namespace) -> int:
    """Compare all pairs of links, update the SRDF, and print what has changed."""
    require_packages('Comparing pairs of links', coal='contacts')
    document = open_description(arguments)
    robot = with_loops(make_robot(document), arguments)
    srdf = _srdf(arguments.matrix, robot.name)
    target = arguments.output or arguments.matrix
    refuse_sources([target], document, arguments.file)
    # Imported late, as it needs coal.
    from urdf_tools.collision.pairs import compare_pairs
    with progress(arguments.file) as line:
        pairs = compare_pairs(robot, resources_of(arguments).resolve_for_use, arguments.samples,
                              arguments.seed, line.step)
    update = update_matrix(srdf, pairs, arguments.at_zero)
    if arguments.diff:
        before = srdf.data if os.path.exists(arguments.matrix) else b''
        print_exact(unified_diff(arguments.matrix, before, update.data, 'collision pairs'))
        return 0
    if update.data != srdf.data or arguments.output or not os.path.exists(arguments.matrix):
        write_file(target, update.data)
    if target == '-':
        return 0
    print_result(arguments.format, lambda: _as_data(pairs, update, arguments),
                 _lines(pairs, update, target))
    return 0


def _srdf(path: str, robot: str) -> Document:
    """Return the SRDF file, or an empty one if it does not exist."""
    data = read_file(path) if os.path.exists(path) else new_matrix(robot)
    if is_xacro(path, data):
        raise CommandError(
            f'{path!r} is a xacro file, in which pairs come from macros; name the SRDF file that '
            'xacro makes of it')
    document = read_document(data, path)
    if document.root.tag != 'robot' or document.malformed is not None:
        raise CommandError(f'{path!r} is not an SRDF file: it is not XML with the root <robot>')
    return document


def _lines(pairs: Sequence[Pair], update: MatrixUpdate, target: str) -> Iterator[str]:
    if update.changes:
        yield from table(
            ('', 'link', 'link', 'reason', 'before', 'evidence'),
            [(each.kind, each.pair.first, each.pair.second, each.after, each.before,
              _evidence(each.pair)) for each in update.changes], text_columns=6)
        yield ''
    loose = [pair for pair in pairs if pair.reason == 'Default']
    if loose:
        yield (f'{count(len(loose), "pair")} touch at zero, but not always; --at-zero leaves them '
               'out')
    reasons = Counter(pair.reason or 'to be checked' for pair in pairs)
    yield f'{count(len(pairs), "pair")}: ' + ', '.join(
        f'{number} {reason}' for reason, number in sorted(reasons.items()))
    yield f'{count(len(update.changes), "change")} of {target}'


def _evidence(pair: Pair) -> str:
    samples = f'{pair.samples:,} sample' + 's' * (pair.samples > 1)
    if pair.reason in ('Always', 'Default'):
        at_zero = 'at zero and ' if pair.reason == 'Default' else ''
        return f'touch {at_zero}in {pair.contacts:,} of {samples}'
    positions = ', '.join(f'{name}={value:.4g}' for name, value in pair.positions.items())
    at = f' at {positions}' if positions else ''
    if pair.distance <= 0:
        return f'touch{at}'
    return f'{1000 * pair.distance:.1f} mm{at} in {samples}'


def _as_data(pairs: Sequence[Pair], update: MatrixUpdate,
             arguments: argparse.Namespace) -> dict[str, Any]:
    """Return pairs and changes for JSON, in metres and radians."""
    return {
        'samples': arguments.samples, 'seed': arguments.seed,
        'pairs': [{
            'links': [pair.first, pair.second], 'reason': pair.reason,
            'distance': pair.distance, 'positions': dict(pair.positions),
            'samples': pair.samples, 'contacts': pair.contacts,
        } for pair in pairs],
        'changes': [{
            'kind': each.kind, 'links': [each.pair.first, each.pair.second],
            'before': each.before, 'after': each.after} for each in update.changes]}
