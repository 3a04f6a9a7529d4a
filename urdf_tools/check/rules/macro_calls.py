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

"""The rule about calls of xacro macros that xacro does not recognize."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping

from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import once
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import RULES
from urdf_tools.check.registry import WARN
from urdf_tools.findings.message import FreeText
from urdf_tools.model.xml.element import Element

rule = RULES.in_category('xml')


@once
def missed_calls(description: Description) -> Mapping[Element, str]:
    """Return elements that URDF does not define but a macro is named like, to its location."""
    macros = _macros(description)
    return {element: macros[element.tag] for parent, tag in description.grammar
            for element in parent
            if element.tag in macros and element.tag not in (*tag.children, 'robot')
            and (element.tag != 'include' or element.get('filename'))}


@once
def _macros(description: Description) -> Mapping[str, str]:
    """Return the name of each macro to its location, as the end of a sentence; and include."""
    sources = description.document.xacro
    found = {element.get('name', ''): element.position for element in description.robot
             if element.tag == 'xacro:macro'}
    for file in sources.files if sources is not None else ():
        found.update((tag.raw.get('name', ''), f'at {tag.location}') for tag in file.tags
                     if tag.name == 'xacro:macro')
    macros = {name.removeprefix('xacro:'): position for name, position in found.items()}
    return macros if sources is None else {**macros, 'include': ''}


@rule('macro-call-without-prefix', WARN)
def macro_call_without_prefix(description: Description) -> Iterator[Defect]:
    """
    Check that every call of a macro, and every inclusion of a file, has the prefix xacro:.

    Without it, xacro leaves the element as it is, and programs ignore it, so that what the macro
    makes is missing.

    Fails in a robot:
        <xacro:macro name="arm"><link name="arm"/></xacro:macro>
        <arm/>
    Passes:
        <xacro:macro name="arm"><link name="arm"/></xacro:macro>
        <xacro:arm/>
    """
    for element, position in missed_calls(description).items():
        yield Defect(element, 'xacro leaves <{tag}> as it is, because it has no prefix',
                     hint='Write <xacro:{tag} ...>' + (
                         position and ', which is defined {position}'),
                     position=FreeText(position))
