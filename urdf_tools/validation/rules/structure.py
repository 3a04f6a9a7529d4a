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

"""Rules about the kinematic tree: joints connect all links to one root."""

from __future__ import annotations

from collections.abc import Iterator

from urdf_tools.findings.finding import Severity
from urdf_tools.model.messages import name_list
from urdf_tools.model.spelling import did_you_mean
from urdf_tools.validation.indexed_description import child
from urdf_tools.validation.indexed_description import Description
from urdf_tools.validation.registry import in_category
from urdf_tools.validation.registry import LegacyDefect as Defect
from urdf_tools.validation.schema import misspelling_hint
from urdf_tools.validation.schema import ROBOT
from urdf_tools.validation.topology import attached_link
from urdf_tools.validation.topology import depths
from urdf_tools.validation.wording import describe
from urdf_tools.validation.wording import subject

ERROR, WARN, INFO = Severity.ERROR, Severity.WARN, Severity.INFO
rule = in_category('structure')

_REFUSES = {'urdfdom': 'refuses the whole description'}
_MAX_DEPTH = 50


@rule('no-links', ERROR, hint='Write at least <link name="base_link"/>', consumers={
    **_REFUSES, 'pybullet': 'refuses the description'})
def no_links(description: Description) -> Iterator[Defect]:
    """Check that the robot has at least one link."""
    if not description.links and not description.is_template:
        yield Defect(description.robot, 'The robot has no links',
                     'Check the file that includes this one, as it probably defines macros only'
                     if description.is_part else '')


@rule('no-joints', INFO, consumers={'tesseract': 'refuses the description'})
def no_joints(description: Description) -> Iterator[Defect]:
    """Check that the robot has at least one joint."""
    if len(description.links) == 1 and not description.joints and not description.is_template:
        yield Defect(description.robot, 'The robot has a single link and no joints')


@rule('joint-no-parent', ERROR, hint='Write <parent link="..."/>', consumers=_REFUSES)
def joint_no_parent(description: Description) -> Iterator[Defect]:
    """Check that every joint names its parent link."""
    yield from _without_link(description, 'parent')


@rule('joint-no-child', ERROR, hint='Write <child link="..."/>', consumers=_REFUSES)
def joint_no_child(description: Description) -> Iterator[Defect]:
    """Check that every joint names its child link."""
    yield from _without_link(description, 'child')


def _without_link(description: Description, tag: str) -> Iterator[Defect]:
    for joint in description.joints:
        element = child(joint, tag)
        if element is None:
            yield Defect(joint, f'{subject(joint)} has no <{tag}>',
                         misspelling_hint(joint, ROBOT.descendant('joint'), tag))
        elif not element.get('link'):
            yield Defect(element, f'The <{tag}> of {describe(joint)} names no link',
                         misspelling_hint(element, ROBOT.descendant('joint', tag), 'link'))


@rule('parent-link-missing', ERROR, hint='Define the link, or correct the name',
      consumers=_REFUSES)
def parent_link_missing(description: Description) -> Iterator[Defect]:
    """Check that the parent link of every joint exists."""
    yield from _undefined(description, 'parent')


@rule('child-link-missing', ERROR, hint='Define the link, or correct the name',
      consumers=_REFUSES)
def child_link_missing(description: Description) -> Iterator[Defect]:
    """Check that the child link of every joint exists."""
    yield from _undefined(description, 'child')


def _undefined(description: Description, tag: str) -> Iterator[Defect]:
    links = description.link_names
    if not links or description.is_template:
        return
    for joint in description.joints:
        element = child(joint, tag)
        name = attached_link(joint, tag)
        if element is not None and name is not None and name not in links:
            yield Defect(
                element, f'The {tag} link {name!r} of {describe(joint)} does not exist',
                did_you_mean(name, description.link_spelling))


@rule('parent-is-child', ERROR, hint='Name two different links', consumers={
    'urdfdom': 'refuses the whole description, or recurses endlessly',
    'gazebo': 'refuses the joint',
    'drake': 'refuses the description', 'mujoco': 'refuses the description',
    'pybullet': 'crashes', 'pinocchio': 'refuses the description'})
def parent_is_child(description: Description) -> Iterator[Defect]:
    """Check that the parent and the child of a joint are different links."""
    for joint in description.topology.self_loops:
        yield Defect(
            joint, f'{subject(joint)} connects link {attached_link(joint, "child")!r} to itself')


@rule('multiple-roots', ERROR,
      hint='Connect them with joints, so that every link but one is the child of a joint',
      consumers={**_REFUSES, 'pybullet': 'crashes'})
def multiple_roots(description: Description) -> Iterator[Defect]:
    """
    Check that exactly one link, the root, is not the child of any joint.

    Several roots, each with links of its own, are several robots.
    """
    topology = description.topology
    roots = [root for root in topology.roots if topology.child_joints[root]]
    if len(roots) > 1 + len(topology.incomplete_joints) and not description.is_template:
        yield Defect(
            description.link_names[roots[1]],
            f'The robot has {len(roots)} root links: {name_list([*map(repr, roots)])}')


@rule('disconnected', ERROR, hint='Connect it to the robot with a joint, or remove it', consumers={
    **_REFUSES, 'pybullet': 'crashes', 'idyntree': 'drops it'})
def disconnected(description: Description) -> Iterator[Defect]:
    """Check that every link is connected to a joint."""
    topology = description.topology
    orphans = topology.orphans
    if len(orphans) == len(topology.roots):
        orphans = orphans[1:]
    if len(orphans) <= len(topology.incomplete_joints) or description.is_template:
        return
    for link in orphans:
        element = description.link_names[link]
        yield Defect(element, f'{subject(element)} is not connected to any joint')


@rule('multiple-parents', ERROR,
      hint='Remove all but one of the joints, or write a separate link for each',
      consumers={
          'urdfdom': 'accepts it, and uses the last joint',
          'robot_state_publisher': 'publishes both joints, so the frame jumps between them',
          'mujoco': 'refuses the description', 'tesseract': 'refuses the description',
          'drake': 'refuses the loop', 'isaac': 'refuses the description',
          'pybullet': 'crashes'})
def multiple_parents(description: Description) -> Iterator[Defect]:
    """
    Check that no link is the child of several joints.

    A URDF robot is a tree. A closed kinematic chain needs an extension of the simulator.
    """
    topology = description.topology
    for link, joints in topology.parent_joints.items():
        names = {joint.get('name') for joint in joints}
        if len(names) > 1 and not topology.closing.intersection(joints):
            listed = name_list([describe(joint) for joint in joints])
            element = child(joints[1], 'child')
            yield Defect(joints[1] if element is None else element,
                         f'Link {link!r} is the child of {len(joints)} joints: {listed}')


@rule('cycle', ERROR, hint='Remove one of the joints of the cycle', consumers={
    'urdfdom': 'refuses the whole description, or recurses endlessly',
    'tesseract': 'refuses the description',
    'drake': 'refuses the loop', 'mujoco': 'refuses the description',
    'isaac': 'refuses the description', 'pinocchio': 'refuses the description',
    'pybullet': 'crashes'})
def cycle(description: Description) -> Iterator[Defect]:
    """
    Check that no link is its own ancestor.

    If this leaves no link without a parent, the robot has no root either.
    """
    topology = description.topology
    rootless = '' if topology.roots else ', and the robot has no root link'
    for closed in topology.cycles:
        yield Defect(closed.joint, f'Links form a cycle: {closed}{rootless}')


@rule('root-has-inertia', WARN,
      hint='Add a root link without inertia, and connect this one to it with a fixed joint',
      consumers={
          'kdl': 'drops the inertia', 'robot_state_publisher': 'logs a warning at every start'})
def root_has_inertia(description: Description) -> Iterator[Defect]:
    """Check that the root link has no inertia, because KDL does not support it."""
    for root in description.topology.roots[:1]:
        inertial = child(description.link_names[root], 'inertial')
        if inertial is not None and description.topology.child_joints[root]:
            yield Defect(inertial, f'The root link {root!r} has an inertia, which KDL drops')


@rule('deep-chain', INFO, consumers={'drake': 'becomes slow and less accurate'})
def deep_chain(description: Description) -> Iterator[Defect]:
    """Check that no more than 50 joints are between a link and its root."""
    depth = depths(description.topology)
    deepest = max(depth, key=lambda link: depth[link], default=None)
    if deepest is not None and depth[deepest] > _MAX_DEPTH:
        yield Defect(description.link_names[deepest],
                     f'Link {deepest!r} is {depth[deepest]} joints away from its root')
