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

"""Rules about <gazebo> elements, and about what Gazebo drops from a description."""

from __future__ import annotations

from collections.abc import Iterator
import re

from urdf_tools.model.element import Element
from urdf_tools.model.messages import count
from urdf_tools.model.messages import quote
from urdf_tools.model.spelling import did_you_mean
from urdf_tools.validation.finding import Severity
from urdf_tools.validation.fixed_joint_lumping import FixedJointLumping
from urdf_tools.validation.indexed_description import child
from urdf_tools.validation.indexed_description import Description
from urdf_tools.validation.indexed_description import is_expression
from urdf_tools.validation.registry import Defect
from urdf_tools.validation.registry import in_category
from urdf_tools.validation.topology import attached_link
from urdf_tools.validation.wording import describe

WARN, INFO = Severity.WARN, Severity.INFO
rule = in_category('extensions')


def _references(description: Description) -> Iterator[tuple[Element, str]]:
    """Yield every <gazebo> that refers to a link or joint, with the name of that."""
    for element in description.gazebo:
        reference = element.get('reference')
        if reference and not is_expression(reference):
            yield element, reference


@rule('gazebo-unknown-reference', WARN, hint='Name a link or joint of this robot', consumers={
    'gazebo': 'silently ignores the content of the element'})
def gazebo_unknown_reference(description: Description) -> Iterator[Defect]:
    """Check that every <gazebo reference> names a link or joint."""
    for element, reference in _references(description):
        if (reference not in description.link_names and reference not in description.joint_names
                and not description.is_template):
            yield Defect(
                element,
                f'<gazebo> refers to {quote(reference, 80)}, which is neither a link nor a joint',
                did_you_mean(reference, description.link_spelling)
                or did_you_mean(reference, description.joint_spelling))


@rule('gazebo-reference-lumped', INFO,
      hint='To keep the link, add <gazebo reference="JOINT"><preserveFixedJoint>true'
           '</preserveFixedJoint></gazebo>', consumers={
               'gazebo': 'applies the element to the parent link'})
def gazebo_reference_lumped(description: Description) -> Iterator[Defect]:
    """Check that no <gazebo reference> names a link that is lumped into another link."""
    lumping = description.cached(FixedJointLumping)
    for element, reference in _references(description):
        if reference not in description.link_names or reference in description.joint_names:
            continue
        joint = description.topology.parent_joint(reference)
        if joint is not None and lumping.is_lumped(joint):
            parent = attached_link(joint, 'parent') or ''
            yield Defect(element, f'Gazebo lumps link {quote(reference, 80)} into link '
                                  f'{quote(parent, 80)}, because {describe(joint)} is fixed')


@rule('gazebo-ros1-plugin', INFO,
      hint='Use gz_ros2_control, or a gz-sim system with a ros_gz bridge', consumers={
          'gazebo': 'cannot load the plugin (Gazebo Classic reached its end of life in January '
                    '2025)'})
def gazebo_ros1_plugin(description: Description) -> Iterator[Defect]:
    """Check that no plugin is made for Gazebo Classic."""
    for element in description.gazebo:
        for plugin in element.iter('plugin'):
            filename = plugin.get('filename', '')
            if re.match(r'(?:lib)?(?:gazebo_ros|gazebo_plugins|gazebo_mimic)', filename):
                yield Defect(plugin, f'{quote(filename, 80)} is a plugin for Gazebo Classic')


@rule('sdf-dropped-link', WARN,
      hint='Give the link a mass, or attach it to one that has a mass with a fixed joint',
      consumers={'gazebo': 'drops the link, its joint and all its descendants'})
def sdf_dropped_link(description: Description) -> Iterator[Defect]:
    """
    Check that Gazebo keeps every plain frame.

    Gazebo drops a link without mass unless a fixed joint lumps it into another link. A link
    without mass that has a shape or is moved by a joint is reported by inertial-missing, and a
    mass that is not positive by mass-zero or mass-negative.
    """
    inertials = [child(link, 'inertial') for link in description.links]
    if description.shapes and not any(inertial is not None for inertial in inertials):
        return
    for name, lost in description.cached(FixedJointLumping).dropped_links().items():
        link = description.link_names[name]
        joint = description.topology.parent_joint(name)
        if (any(child(link, tag) is not None for tag in ('visual', 'collision', 'inertial'))
                or joint is not None and joint.get('type') != 'fixed'):
            continue
        descendants = f' and its {count(lost, "descendant")}' if lost else ''
        yield Defect(link, f'Gazebo drops {describe(link)}{descendants}, because it has no mass')
