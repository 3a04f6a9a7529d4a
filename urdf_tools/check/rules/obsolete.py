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

"""Rules about obsolete elements and attributes of URDF."""

from __future__ import annotations

from collections.abc import Iterator

from urdf_tools.check.indexed_description import Description
from urdf_tools.check.joints import joints_with
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import first_of
from urdf_tools.check.registry import INFO
from urdf_tools.check.registry import RULES
from urdf_tools.check.registry import WARN
from urdf_tools.findings.fixes import Fix
from urdf_tools.findings.fixes import format_numbers
from urdf_tools.model.xml.editing import RemoveAttribute
from urdf_tools.model.xml.editing import SetAttribute
from urdf_tools.model.xml.element import Element

rule = RULES.in_category('xml')

FORMER = {
    ('joint', 'joint_properties'): 'Write <dynamics damping="..." friction="...">',
    ('joint', 'anchor'): 'Remove it; <origin> is the pose of the joint',
    ('inertial', 'com'): 'Write <origin xyz="...">',
    ('link', 'parent'): 'Name the parent link in the <joint>',
    ('link', 'joint'): 'Move the <joint> out of the <link>, directly below <robot>',
    ('link', 'origin'): 'Write the pose of the link in the <origin> of its joint',
    ('visual', 'map'): 'Remove it; <material> defines the colour and texture of the visual',
    ('robot', 'resource'): 'Remove it; write filename="package://NAME/PATH" in each <mesh>'}
"""An element of 2009 in its parent to what to write today."""

FORMER_ATTRIBUTES = {
    ('color', 'rgb'): 'Write rgba="r g b a" with numbers from 0 to 1',
    ('color', 'alpha'): 'Write rgba="r g b a" with numbers from 0 to 1',
    ('mesh', 'size'): 'Write scale="x y z" with scale factors; size was that of the whole mesh'}
"""An element and its attribute of 2009 to what to write today."""

_CHANGED = frozenset(tag for tag, _ in (*FORMER, *FORMER_ATTRIBUTES))
"""The elements that had other children or attributes in 2009."""

_PR2_ONLY = frozenset((
    'calibration', 'verbose', 'leftActuator', 'rightActuator', 'flexJoint',
    'rollJoint', 'gap_joint', 'passive_joint', 'use_simulated_gripper_joint'))


@rule('dialect-2009', WARN, fix='Write it in current URDF')
def dialect_2009(description: Description) -> Iterator[Defect]:
    """
    Check that the description does not use obsolete URDF from 2009.

    No current reader supports the elements and attributes of that time: <resource>, <com>,
    <anchor>, <joint_properties>, <map>, <parent> or <joint> inside <link>, rgb and alpha of
    <color>, size of <mesh>.

    Fails in a visual:
        <geometry><sphere radius="1"/></geometry>
        <material name="m"><color rgb="255 0 0" alpha="0.5"/></material>
    Passes with <color rgba="1 0 0 0.5"/>
    """
    for element, tag in description.grammar:
        if element.tag not in _CHANGED:
            continue
        for inner in element:
            hint = FORMER.get((element.tag, inner.tag))
            if hint and inner.tag not in tag.children:
                yield Defect(inner, '<{tag}> in <{parent}> is obsolete', parent=element.tag,
                             hint=hint, is_misplaced=True)
        for name in element.attrib:
            hint = FORMER_ATTRIBUTES.get((element.tag, name))
            if hint and name not in tag.attributes and not (
                    name == 'alpha' and 'rgb' in element.attrib):
                yield Defect(element, "Attribute '{attribute}' of <{tag}> is obsolete",
                             attribute=name, hint=hint, fix=_as_rgba(description, element, name))


def _as_rgba(description: Description, element: Element, name: str) -> Fix:
    """Return the fix that turns rgb and alpha into rgba, if they are in range."""
    rgb = description.vector(element, 'rgb', 3)
    alpha = description.vector(element, 'alpha', 1) if 'alpha' in element.attrib else (1.0,)
    if (name != 'rgb' or rgb is None or alpha is None or 'rgba' in element.attrib
            or min(rgb) < 0 or max(rgb) > 255):
        return ()
    scale = 255 if max(rgb) > 1 else 1
    rgba = format_numbers((*(value / scale for value in rgb), *alpha))
    dropped = [RemoveAttribute(element, 'alpha')] if 'alpha' in element.attrib else []
    return (SetAttribute(element, 'rgba', rgba, instead_of='rgb'), *dropped)


@rule('deprecated-tag', INFO)
def deprecated_tag(description: Description) -> Iterator[Defect]:
    """
    Check that the description contains nothing that only few programs use.

    Only the software of the PR2 uses <calibration>, <verbose>, the type of a link and the
    transmissions of pr2_mechanism_model. A <safety_controller> is to be kept: its soft limits are
    those of the joint for ros2_control, MoveIt, joint_state_publisher and Tesseract, and only
    simulators ignore it. Each is reported once.

    Fails in a revolute joint: <calibration rising="0.1"/>
    Passes: <dynamics damping="1"/>
    """
    found: dict[str, list[Element]] = {}
    for element in (*(element for element, _ in description.grammar), *(
            part for transmission in description.transmissions
            for part in (transmission, *transmission))):
        if element.tag in _PR2_ONLY:
            found.setdefault(f'<{element.tag}>', []).append(element)
        elif element.tag == 'link' and 'type' in element.attrib:
            found.setdefault("attribute 'type' of <link>", []).append(element)
        elif element.get('type', '').startswith('pr2_mechanism_model/'):
            found.setdefault('a pr2_mechanism_model transmission', []).append(element)
    for feature, elements in found.items():
        yield first_of(elements, 'Only the software of the PR2 uses {feature}', feature=feature,
                       attribute='type' if elements[0].tag == 'link' else '')
    safety = [element for _, element in joints_with(description, 'safety_controller')]
    if safety:
        yield first_of(
            safety, 'ros2_control, MoveIt and joint_state_publisher read <safety_controller>, '
                    'simulators ignore it', hint='Keep it if you use one of these programs')
