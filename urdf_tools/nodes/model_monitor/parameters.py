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


"""The parameters of the model monitor."""

from __future__ import annotations

from collections.abc import Sequence

from urdf_tools.model.messages import quote
from urdf_tools.model.spelling import did_you_mean
from urdf_tools.monitoring.graph_rules import CATEGORIES
from urdf_tools.monitoring.rules import GRAPH_RULES
from urdf_tools.ros.parameters import Parameters


def declare_parameters(parameters: Parameters) -> None:
    """
    Declare all parameters.

    :raises StartError: a value given at start-up is refused.
    """
    parameters.declare(
        'period', 5.0, 'Seconds that are observed before they are judged', minimum=1.0,
        maximum=3600.0)
    parameters.declare(
        'select', [''], 'Rules and categories of rules to apply; all if it is empty',
        check=_check)
    parameters.declare(
        'ignore', [''], 'Rules and categories of rules that are not applied', check=_check)


def _check(names: Sequence[str]) -> None:
    known = (*CATEGORIES, *GRAPH_RULES)
    for name in filter(None, names):
        if name not in known:
            raise ValueError(' '.join(filter(None, (
                f'rule or category {quote(name)} does not exist.', did_you_mean(name, known)))))
