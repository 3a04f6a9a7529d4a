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
"""The conditions of consequences: what about an instance of a defect decides what programs do."""

from __future__ import annotations

from collections.abc import Callable

from urdf_tools.findings.consequences import Condition
from urdf_tools.model.element import Element
from urdf_tools.validation.indexed_description import degrees_of_freedom
from urdf_tools.validation.registry import Defect


def of_joint_type(kind: str) -> Condition:
    """Return the condition that a defect is in a joint of a type."""
    return Condition(f'if the joint is {kind}', lambda description, defect: (
        _joint(defect).get('type') == kind))


def inside(tag: str) -> Condition:
    """Return the condition that a defect is in an element with a tag, or is that element."""
    return Condition(f'in a <{tag}>', lambda description, defect: (
        around(defect.element, tag) is not None))


def _of_version(text: str, holds: Callable[[tuple[int, int]], bool]) -> Condition:
    return Condition(text, lambda description, defect: holds(description.version))


def _joint(defect: Defect) -> Element:
    """Return the joint that a defect is in, or what it is in instead of one."""
    joint = around(defect.element, 'joint')
    return defect.element if joint is None else joint


def around(element: Element, tag: str) -> Element | None:
    """Return an element or the nearest one around it that has a tag; None if none has."""
    owner: Element | None = element
    while owner is not None and owner.tag != tag:
        owner = owner.parent
    return owner


PLANAR = of_joint_type('planar')
FLOATING = of_joint_type('floating')
IN_COLLISION = inside('collision')
IN_VISUAL = inside('visual')
IN_URDF_1_2 = _of_version('in URDF 1.2', lambda version: version >= (1, 2))


def all_of(*conditions: Condition) -> Condition:
    """Return the condition that several conditions hold."""
    return Condition(
        ' '.join(condition.text for condition in conditions), lambda description, defect: all(
            condition.holds(description, defect) for condition in conditions))


def without(attribute: str) -> Condition:
    """Return the condition that an attribute is missing, rather than empty."""
    return Condition(f'if {attribute}= is missing', lambda description, defect: (
        attribute not in defect.element.attrib))


IN_ROBOT = Condition('directly in <robot>', lambda description, defect: (
    defect.element.parent is description.robot))
ONE_DEGREE_OF_FREEDOM = Condition(
    'if the joint has one degree of freedom', lambda description, defect: (
        degrees_of_freedom(_joint(defect)) == 1))
