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

"""Whether a description and a file in another format are of the same robot."""

from __future__ import annotations

from collections.abc import Iterator
import os

from urdf_tools.check.indexed_description import Description
from urdf_tools.check.loaded_robot import robot
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import ERROR
from urdf_tools.check.registry import RULES
from urdf_tools.equivalence.differences import compare_robots
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Name
from urdf_tools.formats.description_files import open_document
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.loader import build_robot
from urdf_tools.model.messages import location
from urdf_tools.model.resources import ResourceResolver

rule = RULES.in_category('assets')


@rule('robots-differ', ERROR)
def robots_differ(description: Description) -> Iterator[Defect]:
    """
    Check that the file that the settings name as the same robot, such as its MJCF, is that.

    Each difference is a finding, as ``urdf-tools diff --same`` prints it.
    """
    own = robot(description)
    if description.same is None or own is None:
        return
    (file, tolerances), own_files = description.same, description.context.resolver
    resources = ResourceResolver(os.path.dirname(file), packages=own_files.lookup.packages,
                                 trust=own_files.lookup.trust)
    try:
        other = build_robot(open_document(file, resources=resources))
    except DescriptionError as error:
        yield Defect(description.robot, 'What is to be the same robot cannot be read: {error}',
                     error=FreeText(str(error)))
        return
    found = compare_robots(own, other, [own_files.resolve_for_use, resources.resolve_for_use], {},
                           tolerances)
    for each in found.differences:
        element, counterpart = each.elements
        path, line, _ = (file, None, None) if counterpart is None else counterpart.location(file)
        path = os.path.relpath(path, os.path.dirname(description.document.source) or '.')
        yield Defect(description.robot if element is None else element, '{difference}; the second '
                     'robot is {other:300}', difference=each.message,
                     other=Name(location(path, line)))
