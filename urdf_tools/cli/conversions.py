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

"""Losses of a conversion: their report, and those that the user accepts."""

from __future__ import annotations

import argparse
from collections.abc import Collection
from collections.abc import Iterable
from collections.abc import Mapping
import sys
from typing import Any

from urdf_tools.cli.arguments import known
from urdf_tools.cli.output import print_json
from urdf_tools.cli.output import print_line
from urdf_tools.cli.output import print_lines
from urdf_tools.findings.consequences import KINDS
from urdf_tools.findings.losses import Loss
from urdf_tools.model.messages import count
from urdf_tools.model.messages import shortened
from urdf_tools.programs.accounts import Account
from urdf_tools.programs.summaries import lines_of

ACCEPT = {'--accept': {'complete': KINDS}}
"""What the option for accepted losses is given."""


def accepted_losses(arguments: argparse.Namespace) -> frozenset[str]:
    """
    Return the kinds of losses with which a verb does not fail: all, unless the user asks for it.

    :raises CommandError: there is no such kind.
    """
    accepted = frozenset(known(name, KINDS, 'kind of loss') for name in arguments.accept)
    return accepted if accepted or arguments.strict else KINDS


def print_account(
        arguments: argparse.Namespace, account: Account, source: str, headline: str,
        data: Mapping[str, Any], more: Iterable[str] = (), is_beside: bool = False) -> None:
    """
    Print what a conversion loses; on standard error if its result is on standard output.

    Without a file for the result, standard error says that there is none.

    :param headline: what is converted, in one line.
    :param data: what the report as JSON has beside the account.
    :param more: lines below the losses.
    :param is_beside: whether it is on standard error, whatever the file of the result is called.
    """
    file = sys.stderr if is_beside or arguments.output == '-' else sys.stdout
    if arguments.format == 'json':
        print_json({**data, **account.data(source)}, file)
        return
    lines = lines_of(account, source, rest=' (--format json has all)')
    print_lines((shortened(headline), *lines, *more), file)
    if arguments.output is None and not account.causes:
        sys.stdout.flush()
        number = len(data.get('files', ()))
        beside = f', and {count(number, "file")} beside it' if number else ''
        print_line(f'the model was not written; -o FILE writes it{beside}', sys.stderr)


def is_lost(losses: Iterable[Loss], causes: Collection[Loss], accepted: Collection[str],
            is_told: bool) -> bool:
    """
    Return whether there is no result, or something is lost that is not accepted.

    :param causes: why there is no result.
    :param is_told: whether what is not accepted is printed.
    """
    lost = sorted({each.of for each in losses if not each.is_harmless}.difference(accepted))
    if lost and not causes and is_told:
        print_line(f'Not accepted: {", ".join(lost)}. With --accept {",".join(lost)} they are',
                   sys.stderr)
    return bool(causes or lost)
