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

from collections import Counter
from collections.abc import Iterator
from collections.abc import Sequence
from typing import Any

from urdf_tools.check.bodies import bodies
from urdf_tools.check.indexed_description import child
from urdf_tools.check.indexed_description import Description
from urdf_tools.check.indexed_description import once
from urdf_tools.check.registry import Defect
from urdf_tools.check.registry import ERROR
from urdf_tools.check.registry import INFO
from urdf_tools.check.registry import lacking
from urdf_tools.check.registry import rows
from urdf_tools.check.registry import RULES
from urdf_tools.check.registry import WARN
from urdf_tools.check.rules.grammar import missed_calls
from urdf_tools.check.rules.names import is_conventional_root
from urdf_tools.check.schema import misspelling
from urdf_tools.check.topology import attached_link
from urdf_tools.check.topology import Topology
from urdf_tools.dynamics.spatial import NEGLIGIBLE
from urdf_tools.findings.message import describe
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Name
from urdf_tools.model.xml.editing import SetAttribute

rule = RULES.in_category('structure')


@rule('no-links', ERROR, affects='link structure')
def no_links(description: Description) -> Iterator[Defect]:
    """
    Check that the robot has at least one link.

    Fails in a file: <robot name="r"/>
    Passes: <robot name="r"><link name="base_link"/></robot>
    """
    is_for_webots = description.robot.find('webots') is not None
    if not (description.links or description.is_template or is_for_webots):
        calls = [FreeText(call.tag) for call in missed_calls(description)]
        yield Defect(description.robot, 'The robot has no links', call=(*calls, FreeText(''))[0],
                     hint='Write <xacro:{call} ...>' if calls else
                     'Check the file that includes this one, as it probably defines macros only'
                     if description.is_part else '')


def _without_link(description: Description, tag: str) -> Iterator[Defect]:
    """Yield joints that do not name their parent or child link."""
    for joint in description.joints:
        element = child(joint, tag)
        if element is None:
            yield Defect(joint, '{joint} has no <{tag}>', tag=tag, **misspelling(joint, tag))
        else:
            yield from lacking([element], 'link', 'The <{tag}> of {parent} names no link')


def _undefined(description: Description, tag: str) -> Iterator[Defect]:
    """Yield joints whose parent or child link does not exist."""
    links = description.link_names
    for joint in description.joints if links and not description.is_template else ():
        element, name = child(joint, tag), attached_link(joint, tag)
        if element is not None and name is not None and name not in links:
            meant = description.link_spelling.only(name)
            yield Defect(element, 'The {tag} link {link} of {joint} does not exist',
                         link=Name(name), suggestion=description.link_spelling.near(name),
                         fix=(SetAttribute(element, 'link', meant),) if meant else ())


rows('structure', {'no link': _without_link, 'unknown link': _undefined})


@rule('multiple-roots', ERROR, affects='structure', subject='robot')
def multiple_roots(description: Description) -> Iterator[Defect]:
    """
    Check that exactly one link, the root, is not the child of any joint.

    Several roots, each with links of its own, are several robots.

    Fails in a robot with a fixed joint:
        <link name="a"/><link name="b"/>
        <joint name="k" type="fixed"><parent link="a"/><child link="b"/></joint>
    Passes:
        <link name="a"/><link name="b"/>
        <joint name="k" type="fixed"><parent link="a"/><child link="b"/></joint>
        <joint name="l" type="fixed"><parent link="tip"/><child link="a"/></joint>
    """
    topology = description.topology
    roots = [root for root in topology.roots if topology.child_joints[root]]
    if len(roots) > 1 + len(topology.incomplete_joints) and not description.is_template:
        main = _main_root(topology, roots)
        other = next(root for root in roots if root != main)
        yield Defect(description.link_names[other], 'The robot has {number} root links: {roots}',
                     number=len(roots), roots=[*map(Name, roots)], **_swap_hint(description))


def _main_root(topology: Topology, roots: Sequence[str]) -> str:
    """Return the root with a conventional name, or else the one with the most links below it."""
    root_of: dict[str, str] = {}
    for link in topology.order:
        root_of[link] = root_of.get(topology.parent(link) or '', link)
    links = Counter(root_of.values())
    return max(roots, key=lambda root: (is_conventional_root(root), links[root]))


@rule('disconnected', ERROR, affects='structure', subject='robot')
def disconnected(description: Description) -> Iterator[Defect]:
    """
    Check that every link is connected to a joint.

    Fails in a robot with a fixed joint: <link name="alone"/>
    Passes:
        <link name="alone"/>
        <joint name="k" type="fixed"><parent link="tip"/><child link="alone"/></joint>
    """
    topology = description.topology
    orphans = [root for root in topology.roots if not topology.child_joints[root]]
    if len(orphans) == len(topology.roots):
        del orphans[:1]
    if len(orphans) > len(topology.incomplete_joints) and not description.is_template:
        for link in map(description.link_names.__getitem__, orphans):
            yield Defect(link, '{link} is not connected to any joint')


@rule('multiple-parents', ERROR, affects='structure', subject='joint')
def multiple_parents(description: Description) -> Iterator[Defect]:
    """
    Check that no link is the child of several joints.

    A URDF robot is a tree. A closed kinematic chain needs an extension of the simulator.

    Fails in a robot with a fixed joint:
        <link name="a"/>
        <joint name="i" type="fixed"><parent link="base_link"/><child link="a"/></joint>
        <joint name="k" type="fixed"><parent link="a"/><child link="tip"/></joint>
    Passes:
        <link name="a"/>
        <joint name="i" type="fixed"><parent link="base_link"/><child link="a"/></joint>
    """
    topology = description.topology
    for link, joints in topology.parent_joints.items():
        names = {joint.get('name') for joint in joints}
        if len(names) > 1 and not topology.closing.intersection(joints):
            yield Defect(joints[1].child('child'),
                         'Link {link} is the child of {number} joints: {joints}',
                         link=Name(link), number=len(joints), joints=[*map(describe, joints)],
                         **_swap_hint(description))


@once
def _swap_hint(description: Description) -> dict[str, Any]:
    """Return the hint to swap parent and child of a joint, if that makes the robot one tree."""
    topology = description.topology
    roots = [root for root in topology.roots if topology.child_joints[root]]
    several = [joints for joints in topology.parent_joints.values() if len(joints) > 1]
    if len(topology.roots) != 2 or len(roots) != 2 or [len(each) for each in several] != [2]:
        return {}
    main = _main_root(topology, roots)
    return next(({'hint': 'Swap <parent> and <child> of {swapped} if they are confused, or attach '
                          'one of the joints to another link', 'swapped': joint}
                 for joint in several[0]
                 if attached_link(joint, 'parent') in {*roots} - {main}), {})


@rule('cycle', ERROR, affects='structure', subject='robot')
def cycle(description: Description) -> Iterator[Defect]:
    """
    Check that no link is its own ancestor.

    If this leaves no link without a parent, the robot has no root either.

    Fails in a robot with a fixed joint:
        <joint name="k" type="fixed"><parent link="tip"/><child link="base_link"/></joint>
    Passes:
        <link name="a"/><joint name="k" type="fixed"><parent link="tip"/><child link="a"/></joint>
    """
    topology = description.topology
    rootless = '' if topology.roots else ', and the robot has no root link'
    for closed in topology.cycles:
        yield Defect(closed.joint, 'Links form a cycle: {links}' + rootless, links=str(closed))


@rule('root-has-inertia', WARN)
def root_has_inertia(description: Description) -> Iterator[Defect]:
    """
    Check that the root link has no inertia, because KDL does not support it.

    One of zero is not a loss, and world-link-has-inertia reports that of a link named world.

    Fails in a robot:
        <link name="base_link"><inertial><mass value="1"/>
        <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/></inertial></link>
        <link name="tip"/>
        <joint name="j" type="fixed"><parent link="base_link"/><child link="tip"/></joint>
    Passes with <link name="base_link"/>
    """
    massless = {body.link.name for body in bodies(description)
                if body.is_frame and body.largest <= NEGLIGIBLE}
    roots = description.topology.roots
    for root in roots if len(roots) == 1 else ():
        inertial = child(description.link_names[root], 'inertial')
        if (inertial is not None and description.topology.child_joints[root]
                and root not in massless and root != 'world'):
            yield Defect(inertial, 'The root {link} has an inertia, which KDL drops')


@rule('deep-chain', INFO)
def deep_chain(description: Description) -> Iterator[Defect]:
    """
    Check that no more than 50 joints are between a link and its root.

    Simulators become slow and less accurate.
    """
    depth: dict[str, int] = {}
    for name in description.topology.order:
        parent = description.topology.parent(name)
        depth[name] = 0 if parent is None else depth.get(parent, -1) + 1
    deepest = max(depth, key=lambda name: depth[name], default='')
    if depth.get(deepest, 0) > 50:
        yield Defect(description.link_names[deepest], '{link} is {depth} joints away from its '
                     'root', depth=depth[deepest])
