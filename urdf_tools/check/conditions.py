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

from urdf_tools.findings.consequences import Condition
from urdf_tools.findings.message import enclosing


IN_COLLISION = Condition('in a <collision>', lambda description, defect: (
    enclosing(defect.element, 'collision') is not None))


def of_joint_type(kind: str) -> Condition:
    """Return the condition that a defect is in a joint of a type."""
    return Condition(f'if the joint is {kind}', lambda description, defect: (
        defect.element.get('type') == kind))


def all_of(*conditions: Condition) -> Condition:
    """Return the condition that several conditions hold."""
    return Condition(
        ' '.join(condition.text for condition in conditions), lambda description, defect: all(
            condition.holds(description, defect) for condition in conditions))


def without(attribute: str) -> Condition:
    """Return the condition that an attribute is missing, rather than empty."""
    return Condition(f'if {attribute}= is missing', lambda description, defect: (
        attribute not in defect.element.attrib))
