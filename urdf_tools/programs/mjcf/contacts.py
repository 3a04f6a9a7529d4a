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

"""Pairs of bodies that do not collide, and where the robot starts without overlaps."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element as Node

import numpy as np

from urdf_tools.collision.candidates import amid_ranges
from urdf_tools.collision.candidates import colliding_pairs
from urdf_tools.collision.srdf_matrix import excluded_pairs
from urdf_tools.dynamics.holding import posture
from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.losses import Losses
from urdf_tools.findings.message import Name
from urdf_tools.installation import needs
from urdf_tools.kinematics.kinematic_tree import KinematicTree
from urdf_tools.kinematics.loops.mechanism import Mechanism
from urdf_tools.kinematics.multi_dof import variable_names
from urdf_tools.model.messages import name_list
from urdf_tools.model.messages import quote
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import JointType
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.mjcf.assets import Assets
from urdf_tools.programs.mjcf.bodies import Bodies
from urdf_tools.programs.mjcf.bodies import FREE_BASE
from urdf_tools.programs.mjcf.limbs import balanced
from urdf_tools.programs.mjcf.limbs import Foot
from urdf_tools.programs.mjcf.limbs import steadiness
from urdf_tools.programs.mjcf.xml import add
from urdf_tools.types import Array

if TYPE_CHECKING:  # It needs coal, which is optional.
    from urdf_tools.collision.overlaps import Overlap
    from urdf_tools.collision.overlaps import Overlaps
    from urdf_tools.collision.pairs import Scene

_STEADY = 0.5
"""Share of the largest possible margin of the centre of mass from which on home stays."""

HOME = 'home'
"""The keyframe and the state where a robot starts."""


class Contacts:
    """
    Which pairs of bodies do not collide, and the configuration ``home``.

    :ivar tree: the kinematic tree of the robot with its base.
    :ivar home: a configuration without overlaps, if one was found.
    :ivar always: overlaps of pairs that are left out, as they are adjacent or always overlap.
    :ivar left: overlaps at home, which remain.
    :ivar unknown: why overlaps were not looked for; empty if they were.
    """

    def __init__(self, bodies: Bodies, assets: Assets, srdf: Element | None,
                 states: Mapping[str, Mapping[str, float]], standing: Sequence[Foot],
                 losses: Losses):
        """
        Decide both; what is left out becomes a loss.

        :param srdf: the outermost element of an SRDF file, whose pairs are left out.
        :param states: positions of joints by name of the state, for ``home``.
        :param standing: the feet that carry the robot.
        """
        self._bodies, self._assets = bodies, assets
        self.tree = KinematicTree(bodies.robot)
        self.always: list[Overlap] = []
        self.left: list[Overlap] = []
        self.unknown = self._obstacle()
        self._pairs: dict[frozenset[str], None] = {}
        for still, moved, joint in self._at_base():
            self._pairs[frozenset((still, moved))] = None
            losses.note('collision', Impact.CHANGES, joint.element, 'Links {still} and {moved} at '
                        '{joint} do not collide', is_harmless=True, still=Name(still),
                        moved=Name(moved))
        self._pairs |= dict.fromkeys(
            excluded_pairs(srdf, bodies.colliding) if srdf is not None else ())
        self.home, *others = self._candidates(states)
        self._first, self._is_given = self.home, HOME in states
        self._standing, self._why = standing, 'no links are inside each other'
        if bodies.colliding and assets.are_read and not self.unknown:
            self._find_home(others)
        for each in self.always:
            self._pairs[each.names] = None
            losses.note(
                'collision', Impact.CHANGES, bodies.robot.links[each.second].element,
                'Links {first} and {second} do not collide, as they are {depth:.1f} mm '
                'inside each other ' + (
                    'where joints join them' if each.is_adjacent else 'nearly always'),
                is_harmless=True, first=Name(each.first), second=Name(each.second),
                depth=1e3 * each.depth)
        for each in self.left:
            losses.note('collision', Impact.CHANGES, bodies.robot.links[each.second].element,
                        'Links {first} and {second} are {depth:.1f} mm inside each other at home, '
                        'and no posture near to it was found where no links are',
                        first=Name(each.first), second=Name(each.second),
                        depth=1e3 * each.depth)

    def _obstacle(self) -> str:
        """Return why overlaps cannot be looked for, or nothing."""
        for package, extra in (('coal', 'contacts'), ('scipy', 'meshes')):
            if find_spec(package) is None:
                return needs('Looking for overlaps', package, extra)
        groups = Mechanism(self.tree).groups if self.tree.robot.loops else ()
        return next((f'loop {quote(group.loops[0].name)} cannot be closed'
                     for group in groups if not group.is_closed), '')

    def lines(self) -> Iterator[str]:
        """Yield what was found, as text."""
        if self.unknown:
            yield f'  overlaps of links are unknown: {self.unknown}'
        if self.always:
            pairs = [f'{quote(each.first)} and {quote(each.second)} ({1e3 * each.depth:.1f} mm)'
                     for each in self.always]
            yield f'  left out of contacts, as they are inside each other: {name_list(pairs)}'
        if self.home is not self._first:
            yield f'  home, where {self._why}: {posture(self.tree, self.home)}'

    def _candidates(self, states: Mapping[str, Mapping[str, float]]) -> list[Array]:
        """Return configurations for home, the best one first, within limits, loops closed."""
        tree = self.tree
        mechanism = Mechanism(tree) if tree.robot.loops else None
        zero = tree.neutral().clip(tree.position_lower, tree.position_upper) if (
            mechanism is None) else mechanism.start.copy()
        lower, upper = tree.ranges()
        rest, middle = zero.copy(), amid_ranges(tree, zero)
        is_out = (tree.neutral() < lower) | (tree.neutral() > upper)
        rest[is_out] = middle[is_out]
        given = []
        for state in states.values():
            given.append(zero.copy())
            for name in state.keys() & tree.variable_index.keys():
                given[-1][tree.variable_index[name]] = state[name]
        others = [*given, rest, middle]
        if mechanism is not None:
            others = [*mechanism.close(np.array(others)).positions]
        first = [others.pop([*states].index(HOME))] if HOME in states else []
        return [*first, zero, *others]

    def _find_home(self, others: list[Array]) -> None:
        """Leave pairs out that always overlap, and find a configuration where no others do."""
        from urdf_tools.collision.overlaps import Overlaps
        from urdf_tools.collision.pairs import Scene
        bodies = self._bodies
        shapes = {name: self._assets.solids(each) for name, each in bodies.colliding.items()}
        shapes = {name: each for name, each in shapes.items() if each}
        scene = Scene(self.tree, shapes)
        links = tuple(shapes)
        pairs = colliding_pairs(bodies.robot, links)
        for first, second in np.argwhere(pairs).tolist():
            pairs[first, second] = frozenset((links[first], links[second])) not in self._pairs
        overlaps = Overlaps(scene, pairs)
        found = overlaps.at(self.home)
        always = overlaps.always(found)
        self.always = [each for each in found if each.is_adjacent or each.names in always]
        overlaps.leave_out(self.always)
        self.left = [each for each in found if each not in self.always]
        if self.left:
            self._move_home(overlaps, others)
        if bodies.robot.root == FREE_BASE:
            self._balance(scene, overlaps)
            self._stand(scene)

    def _move_home(self, overlaps: Overlaps, others: list[Array]) -> None:
        for other in others:
            if not overlaps.at(other):
                self.home, self.left = other, []
                return
        free = overlaps.nearest_free(self.home, self.left)
        if free is not None:
            self.home, self.left = free, []

    def _balance(self, scene: Scene, overlaps: Overlaps) -> None:
        """Move legs so that the centre of mass is above the feet, unless home was given."""
        tree, standing = self.tree, self._standing
        if not standing or self._is_given or self.left or tree.robot.loops:
            return
        before = steadiness(tree, standing, self.home)
        if before < _STEADY:
            legs = np.unique(np.concatenate([
                scene.variables((self._floating.child, foot.link)) for foot in standing]))
            found = balanced(tree, standing, self.home, legs)
            if steadiness(tree, standing, found) > before and not overlaps.at(found):
                self.home, self._why = found, (
                    self._why + ' and the centre of mass is above the feet')

    def _stand(self, scene: Scene) -> None:
        """Lift the free base so that the lowest shape touches the floor, at a height of zero."""
        poses = scene.poses(self.home[None])
        height = self.tree.variable_index[variable_names(self._floating)[2]]
        lowest = min(link.lowest(poses[name][0]) for name, link in scene.links.items())
        self.home[height] -= lowest if np.isfinite(lowest) else 0.0

    @property
    def _floating(self) -> Joint:
        return next(joint for joint in self.tree.robot.tree if joint.parent == FREE_BASE)

    def write(self, contact: Node) -> None:
        """Append the pairs of bodies that do not collide."""
        bodies = self._bodies
        for pair in self._pairs:
            first, second = sorted(pair, key=lambda name: (bodies.levels[name], name))
            add(contact, 'exclude', {
                'body1': bodies.names[first], 'body2': bodies.names[second]})

    def _at_base(self) -> Iterator[tuple[str, str, Joint]]:
        """
        Yield the pairs of links at a joint of the base that collide in MuJoCo, with the joint.

        It leaves out a body and its parent, but not if the parent is fixed to the world.
        """
        robot, welded, solid = self.tree.robot, self._bodies.welded, self._bodies.colliding
        for joint in robot.tree:
            if joint.type is JointType.FIXED or welded[joint.parent] != robot.root:
                continue
            above = (robot.root, *(each.child for each in robot.path(robot.root, joint.parent)))
            still = [link for link in above if link in solid][-1:]
            yield from ((name, link, joint) for name in still for link in robot.subtree(
                joint.child) if link in solid and welded[link] == joint.child)
