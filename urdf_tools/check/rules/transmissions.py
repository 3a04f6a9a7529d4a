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

"""Rules about <transmission> elements."""

from __future__ import annotations

from collections.abc import Iterator

from urdf_tools.check.indexed_description import Description
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import ERROR
from urdf_tools.check.registry import lacking
from urdf_tools.check.registry import on_element
from urdf_tools.check.registry import rows
from urdf_tools.check.registry import RULES
from urdf_tools.check.schema import misspelling
from urdf_tools.check.schema import TABLES
from urdf_tools.findings.consequences import refuses
from urdf_tools.model.xml.element import Element

rule = RULES.in_category('extensions')

_NO_TYPE = on_element('if it is missing', lambda transmission: (
    transmission.find('type') is None and not transmission.get('type')))


def _type(transmission: Element) -> str:
    """Return the type of a transmission, given as an attribute or a child, or an empty string."""
    return (transmission.get('type') or transmission.findtext('type') or '').strip()


@rule('transmission-no-type', ERROR, refuses('urdf_parser_py', when=_NO_TYPE),
      affects='transmission', subject='type')
def transmission_no_type(description: Description) -> Iterator[Defect]:
    """
    Check that every transmission has a type.

    Fails in a transmission: <joint name="j"/>
    Passes: <type>SimpleTransmission</type><joint name="j"/>
    """
    for transmission in description.transmissions:
        if not _type(transmission):
            yield Defect(transmission, '{transmission} has no type',
                         **misspelling(transmission, 'type'))


def _without_part(description: Description, tag: str) -> Iterator[Defect]:
    """Yield the transmissions without a part, except those of the PR2 in their other format."""
    for transmission in description.transmissions:
        package, _, name = _type(transmission).replace('::', '/').rpartition('/')
        if package != 'pr2_mechanism_model':
            parts = transmission.findall(tag)
            if not parts and name in TABLES['types of transmissions']:
                yield Defect(transmission, '{transmission} has no <{tag}>', tag=tag,
                             **misspelling(transmission, tag))
            yield from lacking(parts, 'name', 'The <{tag}> of {parent} has no name')


rows('transmissions', {'no part': _without_part})
