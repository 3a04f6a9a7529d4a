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

"""The command ``urdf-tools``, with one module per verb."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
import io
import os
import sys

import numpy as np

from urdf_tools.cli import check
from urdf_tools.cli import fk
from urdf_tools.cli import inertia
from urdf_tools.cli import tree
from urdf_tools.cli.arguments import CommandError
from urdf_tools.model.errors import DescriptionError

VERBS = (check, tree, fk, inertia)
"""Modules with ``add_arguments(parser)`` and ``run(arguments) -> int``."""


def main(argv: Sequence[str] | None = None) -> int:
    """
    Run the command.

    :param argv: arguments without the name of the command; by default those of the process.
    :return: exit code: 0 for success, 1 if the verb found errors, 2 if it could not be run, 130
        if it was interrupted.
    """
    arguments = _parser().parse_args(argv)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors='backslashreplace')
    try:
        # Products of large numbers in a description overflow to infinity, and are shown so.
        with np.errstate(over='ignore', invalid='ignore', divide='ignore'):
            code: int = arguments.run(arguments)
        sys.stdout.flush()
        return code
    except (CommandError, DescriptionError) as error:
        print(f'urdf-tools: {error}', file=sys.stderr)
        return 2
    except BrokenPipeError:
        # Python flushes standard output again at exit, which would fail the same way.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog='urdf-tools', description='Check and inspect robot descriptions.')
    verbs = parser.add_subparsers(metavar='VERB', required=True)
    for verb in VERBS:
        summary = (verb.__doc__ or '').strip().splitlines()[0]
        subparser = verbs.add_parser(
            verb.__name__.rpartition('.')[2], description=summary,
            help=summary[0].lower() + summary[1:].rstrip('.'))
        verb.add_arguments(subparser)
        subparser.set_defaults(run=verb.run)
    return parser
