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

"""Rules about how joints join links: a robot is one tree."""

from __future__ import annotations

from collections.abc import Iterator

from urdf_tools.model.spelling import did_you_mean
from urdf_tools.validation.finding import Severity
from urdf_tools.validation.indexed_description import child
from urdf_tools.validation.indexed_description import Description
from urdf_tools.validation.registry import Defect
from urdf_tools.validation.registry import in_category
from urdf_tools.validation.schema import misspelling_hint
from urdf_tools.validation.schema import ROBOT
from urdf_tools.validation.topology import attached_link
from urdf_tools.validation.topology import depths
from urdf_tools.validation.wording import describe
from urdf_tools.validation.wording import subject

ERROR, WARN, INFO = Severity.ERROR, Severity.WARN, Severity.INFO
rule = in_category('structure')

_REFUSES = {'urdfdom': 'refuses the whole description'}
_DEEP = 50
_SHOWN = 10


@rule('no-links', ERROR, hint='Write at least <link name="base_link"/>', consumers=_REFUSES)
def no_links(description: Description) -> Iterator[Defect]:
    """Check that there is a link."""
    if not description.links and not description.is_template:
        yield Defect(description.robot, 'The robot has no links')


@rule('no-joints', INFO, consumers={'tesseract': 'refuses the description'})
def no_joints(description: Description) -> Iterator[Defect]:
    """Check that there is a joint; a robot of a single link has none."""
    if len(description.links) == 1 and not description.joints and not description.is_template:
        yield Defect(description.robot, 'The robot is a single link without joints')


@rule('joint-no-parent', ERROR, hint='Write <parent link="..."/>', consumers=_REFUSES)
def joint_no_parent(description: Description) -> Iterator[Defect]:
    """Check that every joint names its parent link."""
    yield from _without_end(description, 'parent')


@rule('joint-no-child', ERROR, hint='Write <child link="..."/>', consumers=_REFUSES)
def joint_no_child(description: Description) -> Iterator[Defect]:
    """Check that every joint names its child link."""
    yield from _without_end(description, 'child')


def _without_end(description, tag):
    for joint in description.joints:
        element = child(joint, tag)
        if element is None:
            yield Defect(joint, f'{subject(joint)} has no <{tag}>',
                         misspelling_hint(joint, ROBOT.children['joint'], tag))
        elif not element.get('link'):
            yield Defect(element, f'The <{tag}> of {describe(joint)} names no link',
                         misspelling_hint(element, ROBOT.children['joint'].children[tag], 'link'))


@rule('parent-link-missing', ERROR, hint='Define the link, or mend the name', consumers=_REFUSES)
def parent_link_missing(description: Description) -> Iterator[Defect]:
    """Check that the parent link of every joint exists."""
    yield from _dangling(description, 'parent')


@rule('child-link-missing', ERROR, hint='Define the link, or mend the name', consumers=_REFUSES)
def child_link_missing(description: Description) -> Iterator[Defect]:
    """Check that the child link of every joint exists."""
    yield from _dangling(description, 'child')


def _dangling(description, tag):
    links = description.link_names
    if not links or description.is_template:
        return
    for joint in description.joints:
        name = attached_link(joint, tag)
        if name is not None and name not in links:
            yield Defect(
                child(joint, tag),
                f'The {tag} of {describe(joint)} is {name!r}, and there is no such link',
                did_you_mean(name, description.link_spelling))


@rule('parent-is-child', ERROR, hint='Name two different links', consumers={
    'urdfdom': 'finds no root, or recurses without end', 'gazebo': 'refuses the joint'})
def parent_is_child(description: Description) -> Iterator[Defect]:
    """Check that no joint joins a link to itself."""
    for joint in description.topology.self_loops:
        yield Defect(
            joint, f'{subject(joint)} joins link {attached_link(joint, "child")!r} to itself')


@rule('multiple-roots', ERROR, hint='Join them so that every link but one is the child of a joint',
      consumers={**_REFUSES, 'pybullet': 'takes the first', 'mujoco': 'accepts it',
                 'drake': 'accepts it'})
def multiple_roots(description: Description) -> Iterator[Defect]:
    """
    Check that one link only is no joint's child.

    Several such links, with the joints that each carries, are several robots.
    """
    topology = description.topology
    roots = [root for root in topology.roots if root not in topology.orphans]
    if len(roots) > 1 + len(topology.incomplete_joints) and not description.is_template:
        shown = ', '.join(map(repr, roots[:_SHOWN])) + (', ...' if len(roots) > _SHOWN else '')
        yield Defect(
            description.link_names[roots[1]],
            f'The robot falls into {len(roots)} parts, with the roots {shown}')


@rule('disconnected', ERROR, hint='Join it to the robot with a joint, or remove it', consumers={
    **_REFUSES, 'idyntree': 'drops it'})
def disconnected(description: Description) -> Iterator[Defect]:
    """Check that no link stands apart from every joint."""
    topology = description.topology
    orphans = topology.orphans
    if len(orphans) == len(topology.roots):
        orphans = orphans[1:]
    if len(orphans) <= len(topology.incomplete_joints) or description.is_template:
        return
    for link in orphans:
        element = description.link_names[link]
        yield Defect(element, f'{subject(element)} is joined to nothing')


@rule('multiple-parents', ERROR, hint='Remove one of the joints, or give the link a twin',
      consumers={
          'urdfdom': 'accepts it, and takes the last joint for the parent',
          'robot_state_publisher': 'publishes both joints, so the frame jumps between them',
          'mujoco': 'refuses the description', 'tesseract': 'refuses the description',
          'drake': 'refuses the loop'})
def multiple_parents(description: Description) -> Iterator[Defect]:
    """
    Check that no link is the child of two joints.

    A robot in URDF is a tree. Closed chains need an extension of the simulator at hand.
    """
    topology = description.topology
    for link, joints in topology.parent_joints.items():
        names = {joint.get('name') for joint in joints}
        if len(names) > 1 and not topology.closing.intersection(joints):
            shown = ' and '.join(describe(joint) for joint in joints[:2])
            more = f' and {len(joints) - 2} more' if len(joints) > 2 else ''
            yield Defect(child(joints[1], 'child'),
                         f'Link {link!r} has {len(joints)} parents, by {shown}{more}')


@rule('cycle', ERROR, hint='Remove one of the joints', consumers={
    'urdfdom': 'finds no root, or recurses without end', 'tesseract': 'refuses the description',
    'drake': 'refuses the loop', 'mujoco': 'refuses the description'})
def cycle(description: Description) -> Iterator[Defect]:
    """
    Check that no link carries itself by way of others.

    Where this leaves no link without a parent, the robot has no root either.
    """
    topology = description.topology
    rootless = '' if topology.roots else ', and no link is the root'
    for closed in topology.cycles:
        yield Defect(closed.joint, f'Links carry each other in a circle: {closed}{rootless}')


@rule('root-has-inertia', WARN,
      hint='Put a link without inertia above it, joined by a fixed joint', consumers={
          'kdl': 'drops the inertia', 'robot_state_publisher': 'warns at every start'})
def root_has_inertia(description: Description) -> Iterator[Defect]:
    """Check that the root link has no inertia, which KDL cannot hold."""
    for root in description.topology.roots[:1]:
        inertial = child(description.link_names[root], 'inertial')
        if inertial is not None and description.topology.child_joints[root]:
            yield Defect(inertial, f'The root link {root!r} has an inertia, which KDL drops')


@rule('deep-chain', INFO, consumers={'drake': 'gets slow and less exact'})
def deep_chain(description: Description) -> Iterator[Defect]:
    """Check that no link stands behind more than 50 joints."""
    depth = depths(description.topology)
    deepest = max(depth, key=depth.get, default=None)
    if deepest is not None and depth[deepest] > _DEEP:
        yield Defect(description.link_names[deepest],
                     f'Link {deepest!r} stands behind {depth[deepest]} joints')
