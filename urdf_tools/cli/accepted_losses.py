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

"""Losses of a conversion that the user accepts."""

from __future__ import annotations

import argparse
from collections.abc import Collection
from collections.abc import Iterable
import sys

from urdf_tools.cli.arguments import known
from urdf_tools.cli.output import print_line
from urdf_tools.findings.consequences import KINDS
from urdf_tools.findings.losses import Loss

ACCEPT = {'--accept': {'complete': KINDS}}
"""What the option for accepted losses is given."""


def accepted_losses(arguments: argparse.Namespace) -> frozenset[str]:
    """
    Return the kinds of losses with which a verb does not fail: all, unless the user asks for it.

    :raises CommandError: there is no such kind.
    """
    accepted = frozenset(known(name, KINDS, 'kind of loss') for name in arguments.accept)
    return accepted if accepted or arguments.strict else KINDS


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
