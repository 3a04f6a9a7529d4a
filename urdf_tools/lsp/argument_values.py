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
"""The arguments that xacro files lack."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Mapping

from urdf_tools.formats.description_files import open_document
from urdf_tools.lsp.file_checks import SECONDS
from urdf_tools.lsp.project import Project
from urdf_tools.lsp.source_text import Source
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.errors import PLACEHOLDER
from urdf_tools.xacro.files import XacroBudget
from urdf_tools.xacro.files import XacroLimits


def arguments_of(project: Project, roots: Iterable[Source], given: Mapping[str, str]
                 ) -> dict[str, object]:
    """
    Return the arguments of xacro files, and those that they cannot be expanded without.

    Xacro evaluates expressions: call this for files that the user trusts.

    :param given: the arguments that have a value.
    :return: ``names`` of all, and ``lacking``: for each its ``name`` and ``values``, each with
        its ``source``, as the protocol has them.
    """
    names: set[str] = set()
    lacking: dict[str, str] = {}
    for root in roots:
        own = {use.name for part in project.closure(root) for use in part.names.all
               if use.kind == 'arg'}
        names |= own
        try:
            open_document(
                root.path, arguments={name: given[name] for name in own & given.keys()},
                resources=project.resolver(root), budget=XacroBudget(XacroLimits(
                    time=SECONDS)), buffers=project.texts())
        except DescriptionError as error:
            lacking.update(error.arguments)
    return {'names': sorted(names), 'lacking': [{'name': name, 'values': [
        {'value': value, 'source': 'proposed by urdf-tools'}] * (value != PLACEHOLDER)}
        for name, value in lacking.items()]}
