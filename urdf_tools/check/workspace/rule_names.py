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

"""The names of rules, categories and programs in settings."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Iterable

from urdf_tools.check.registry import CATEGORIES
from urdf_tools.check.registry import RENAMED
from urdf_tools.check.rules import RULES
from urdf_tools.check.validator import ALWAYS_APPLIED
from urdf_tools.findings.consumers import CONSUMERS
from urdf_tools.model.spelling import closest
from urdf_tools.model.spelling import does_not_exist


def unknown_name(names: Iterable[str], programs: Iterable[str]) -> str:
    """
    Return the message that a name is not known, or an empty string if all are.

    :param names: codes and categories of rules.
    """
    for name in names:
        if not any(name in known for known in (CATEGORIES, RULES, RENAMED)):
            near = CATEGORIES if closest(name, CATEGORIES) else RULES
            return does_not_exist(name, near, 'rule or category', (
                f'Categories: {", ".join(CATEGORIES)}; "urdf-tools check --explain" lists the '
                'rules'))
    for name in programs:
        if name not in CONSUMERS:
            return does_not_exist(name, CONSUMERS, 'program')
    return ''


def unwanted(select: Collection[str], ignore: Collection[str]) -> set[str]:
    """Return the codes of the rules that are not applied; see :class:`Settings`."""
    return {code for code in RULES.unwanted(select, ignore)
            if code not in ALWAYS_APPLIED or code in ignore}
