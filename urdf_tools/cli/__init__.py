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

"""The command ``urdf-tools``: one verb a module."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
import os
import sys

import numpy as np

from urdf_tools.cli import check
from urdf_tools.cli import fk
from urdf_tools.cli import inertia
from urdf_tools.cli import tree
from urdf_tools.cli.description import CommandError
from urdf_tools.model.document import DescriptionError

VERBS = (check, tree, fk, inertia)
"""Modules with ``add_arguments(parser)`` and ``run(arguments) -> int``."""


def main(argv: Sequence[str] | None = None) -> int:
    """
    Run the command.

    :param argv: arguments without the name of the command; those of the process by default.
    :return: exit code: 0 when all is well, 1 when a verb says that it is not, 2 when it could
        not be run, 130 when it was interrupted.
    """
    arguments = _parser().parse_args(argv)
    sys.stdout.reconfigure(errors='backslashreplace')
    try:
        # Descriptions may hold numbers whose products are beyond all; these are shown as such.
        with np.errstate(over='ignore', invalid='ignore', divide='ignore'):
            code = arguments.run(arguments)
        sys.stdout.flush()
        return code
    except (CommandError, DescriptionError) as error:
        print(f'urdf-tools: {error}', file=sys.stderr)
        return 2
    except BrokenPipeError:
        # Python flushes standard output once more at its end, which would fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130


def _parser():
    parser = argparse.ArgumentParser(
        prog='urdf-tools', description='Look into robot descriptions.')
    verbs = parser.add_subparsers(metavar='VERB', required=True)
    for verb in VERBS:
        summary = verb.__doc__.strip().splitlines()[0]
        subparser = verbs.add_parser(
            verb.__name__.rpartition('.')[2], description=summary,
            help=summary[0].lower() + summary[1:].rstrip('.'))
        verb.add_arguments(subparser)
        subparser.set_defaults(run=verb.run)
    return parser
