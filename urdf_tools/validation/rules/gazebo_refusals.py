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

"""Rules about robots that Gazebo refuses once sdformat has converted them."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from typing import Any

from urdf_tools.findings.consequences import refuses
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.message import Name
from urdf_tools.findings.message import Words
from urdf_tools.model.element import Element
from urdf_tools.programs.gazebo.refusals import Fault
from urdf_tools.validation.conditions import around
from urdf_tools.validation.indexed_description import Description
from urdf_tools.validation.indexed_description import is_expression
from urdf_tools.validation.loaded_robot import empties_gazebo
from urdf_tools.validation.loaded_robot import in_gazebo
from urdf_tools.validation.registry import Defect
from urdf_tools.validation.registry import RULES

WARN = Severity.WARN
rule = RULES.in_category('extensions')

REPORTED_BY: Mapping[Fault, tuple[str, ...]] = {
    Fault.REFUSED: (
        'version-recent', 'duplicate-material-name', 'material-no-name', 'multiple-parents',
        'limit-missing', 'limit-no-effort', 'limit-no-velocity', 'safety-no-k-velocity',
        'mimic-no-joint', 'dynamics-empty', 'number-not-parsable', 'vector-wrong-length',
        'number-not-finite', 'number-locale-comma', 'number-spacing', 'gazebo-value-malformed',
        'xacro-unexpanded'),
    Fault.EMPTY: ('inertial-missing', 'mass-zero', 'mass-negative', 'sdf-dropped-link'),
    Fault.FRAME: ('inertial-missing', 'mass-zero', 'sdf-dropped-link'),
    Fault.NAME: (
        'reserved-name', 'name-bad-characters', 'link-joint-same-name', 'gazebo-name-scoped'),
    Fault.JOINT_TYPE: ('type-poor-support',),
    Fault.AXIS: ('axis-zero', 'axis-no-xyz'),
    Fault.MIMIC: ('mimic-self', 'mimic-unknown-joint', 'mimic-dof-mismatch'),
    Fault.INERTIA: (
        'inertia-diagonal-not-positive', 'inertia-offdiag-too-large', 'inertia-not-pd',
        'inertia-triangle'),
    Fault.MESH: ('mesh-no-filename',),
}
"""The rules that report what is wrong with a robot as well, at the same element."""


@rule('gazebo-model-refused', WARN, refuses('gazebo'), hint='Give the link a mass',
      evidence='run (sdformat 14.9; attributes 12.3); sdformat `parser_urdf.cc:430, 801`')
def gazebo_model_refused(description: Description) -> Iterator[Defect]:
    """
    Check that Gazebo loads the model.

    Gazebo refuses a model of which no link is left, a joint or a frame of lumping that is attached
    to a dropped link, names that are not unique, and inertias that are inconsistent beyond
    rounding. It also refuses the centre of mass of two links without mass, which is not a number,
    if further links with mass are lumped into them; a link that has no <inertial> does no harm
    there. In <gazebo>, a <sensor> needs a name and a type, and a <plugin> a name and a filename.
    What another rule reports about the same element is not repeated, nor that no link is left
    where another rule reports a link without mass. The answer is that of urdf-tools sdf for
    sdformat 14; before 12.7, lumping leaves no frames.
    """
    conversion = in_gazebo(description)
    if conversion is None or description.is_template:
        return
    reported = _reported(description, {error.fault for error in conversion.load_errors})
    for error in conversion.load_errors:
        if (error.fault, _subject(error.fault, error.element)) not in reported:
            more: dict[str, Any] = {'wrong': Name(error.wrong)} if error.near else {}
            yield Defect(
                error.element, '{error}', error=Words(error.message), suggestion=error.near,
                fault=error.fault.name.lower(), hint='{remedy}', remedy=Words(error.hint), **more)


def _reported(
        description: Description, faults: Iterable[Fault]) -> set[tuple[Fault, Element | None]]:
    """Return the elements of which another rule reports a fault; None for that of no link left."""
    found = {(fault, defect.element) for fault in faults for code in REPORTED_BY.get(fault, ())
             if (check := RULES[code].check) is not None for defect in check(description)}
    return {(fault, _subject(fault, element)) for fault, element in found
            if fault is not Fault.EMPTY or empties_gazebo(description, element)}


def _subject(fault: Fault, element: Element) -> Element | None:
    """Return what tells a fault from others of its kind: the link, if it is one without mass."""
    if fault is Fault.EMPTY:
        return None
    return around(element, 'link') if fault is Fault.FRAME else element


@rule('gazebo-name-scoped', WARN, refuses('gazebo'), hint='Write another separator, such as "_"',
      evidence='run (sdformat 14.9); sdformat `parser.cc:2528`')
def gazebo_name_scoped(description: Description) -> Iterator[Defect]:
    """
    Check that no name contains "::", which separates scopes in SDFormat.

    Those of links and joints are reported by name-bad-characters, and those in a <plugin> are its
    own.
    """
    shapes = (owner for owner, _ in description.shapes)
    for element in (description.robot, *shapes, *_extended(description)):
        name = element.get('name', '')
        if '::' in name and not is_expression(name):
            yield Defect(
                element, 'The name of {named} contains "::", which separates scopes in SDF',
                named=element)


def _extended(description: Description) -> Iterator[Element]:
    """Yield what <gazebo> elements contain, but not what plugins do."""
    waiting = [element for extension in description.gazebo for element in extension]
    waiting.reverse()
    while waiting:
        element = waiting.pop()
        if element.tag != 'plugin' and ':' not in element.tag:
            yield element
            waiting.extend(reversed(element))
