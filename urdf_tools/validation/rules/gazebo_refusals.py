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

from collections.abc import Iterator

from urdf_tools.findings.finding import Severity
from urdf_tools.model.element import Element
from urdf_tools.model.messages import count
from urdf_tools.model.messages import quote
from urdf_tools.validation.fixed_joint_lumping import FixedJointLumping
from urdf_tools.validation.indexed_description import child
from urdf_tools.validation.indexed_description import Description
from urdf_tools.validation.indexed_description import is_expression
from urdf_tools.validation.registry import in_category
from urdf_tools.validation.registry import LegacyDefect as Defect
from urdf_tools.validation.topology import attached_link
from urdf_tools.validation.wording import describe
from urdf_tools.validation.wording import subject

WARN, INFO = Severity.WARN, Severity.INFO
rule = in_category('extensions')

_REFUSED = {'gazebo': 'refuses the model'}


@rule('gazebo-model-refused', WARN, hint='Give the link a mass', consumers=_REFUSED)
def gazebo_model_refused(description: Description) -> Iterator[Defect]:
    """
    Check that the links without mass leave a model that Gazebo loads.

    Gazebo refuses a model of which no link is left, or which has the frame of a link that a fixed
    joint attaches to a dropped one. It also refuses the centre of mass of two links without mass,
    which is not a number, if further links with mass are lumped into them; a link that has no
    <inertial> does no harm there. A robot without any <inertial> is only noted here, as
    inertial-missing reports it. sdformat before 12.7 knows no such frames.
    """
    has_inertials = any(child(link, 'inertial') is not None for link in description.links)
    if (description.is_template or len(description.topology.roots) != 1
            or not has_inertials and not description.shapes):
        return
    lumping = description.cached(FixedJointLumping)
    if lumping.loses_all:
        first = description.link_names[next(iter(lumping.dropped_links()))]
        yield Defect(first, f'{subject(first)} has no mass, and Gazebo drops it with all links '
                            'below it, so that none is left',
                     severity=None if has_inertials else INFO)
        return
    yield from _frames_of_dropped_links(description, lumping)
    for name, into in lumping.massless_pairs.items():
        if lumping.masses[lumping.body(into)] > 0 and lumping.body(into) not in lumping.lost_links:
            link = description.link_names[name]
            yield Defect(
                link, f'{subject(link)} has an <inertial> without mass and is lumped into link '
                      f'{quote(into, 80)}, which has no mass either, so that their centre of mass '
                      'is not a number', 'Remove the <inertial> of the frame, or give it a mass')


def _frames_of_dropped_links(
        description: Description, lumping: FixedJointLumping) -> Iterator[Defect]:
    attached: dict[str, list[str]] = {}
    for name in lumping.lost_links:
        joint = description.topology.parent_joint(name)
        parent = None if joint is None else attached_link(joint, 'parent')
        if lumping.body(name) != name and parent is not None and lumping.body(parent) == parent:
            attached.setdefault(parent, []).append(name)
    for parent, names in attached.items():
        link = description.link_names[parent]
        others = f' and {count(len(names) - 1, "other link")}' if len(names) > 1 else ''
        yield Defect(link, f'Gazebo drops {describe(link)}, but keeps the frame of link '
                           f'{quote(names[0], 80)}{others}, which is attached to it')


@rule('gazebo-name-scoped', WARN, hint='Write another separator, such as "_"', consumers=_REFUSED)
def gazebo_name_scoped(description: Description) -> Iterator[Defect]:
    """
    Check that no name that SDFormat gets contains "::", which separates its scopes.

    Those of links and joints are reported by name-bad-characters, and those in a <plugin> are its
    own.
    """
    shapes = (owner for owner, _ in description.shapes)
    for element in (description.robot, *shapes, *_extended(description)):
        name = element.get('name', '')
        if '::' in name and not is_expression(name):
            yield Defect(element, f'The name of {describe(element)} contains "::", which '
                                  'separates scopes in SDF')


def _extended(description: Description) -> Iterator[Element]:
    """Yield what <gazebo> elements contain, but not what plugins do."""
    waiting = [element for extension in description.gazebo for element in extension]
    waiting.reverse()
    while waiting:
        element = waiting.pop()
        if element.tag != 'plugin' and ':' not in element.tag:
            yield element
            waiting.extend(reversed(element))
