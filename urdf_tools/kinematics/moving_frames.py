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

"""The frames of a robot that move relative to each other, for one or many configurations."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import fields
from functools import cached_property
import math

import numpy as np

from urdf_tools.kinematics.multi_dof import variable_names
from urdf_tools.kinematics.multi_dof import velocity_names
from urdf_tools.kinematics.transforms import homogeneous
from urdf_tools.kinematics.transforms import pose_of
from urdf_tools.kinematics.transforms import quaternion_to_matrix
from urdf_tools.kinematics.transforms import rotation_from_z
from urdf_tools.kinematics.transforms import Scratch
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import JointType
from urdf_tools.model.robot import Mimic
from urdf_tools.model.robot import Robot
from urdf_tools.types import Array
from urdf_tools.types import Indices

CHUNK = 2500
"""Configurations per chunk, so that the data of a few frames stays in the cache."""

_CHUNK_OF_ALL = 1024
"""The same where all frames are kept."""

_BUFFER = 64
"""Numbers that fit in a buffer of numpy while chunks are computed, fewer than a row has."""

FIXED, TURNING, SLIDING, FLOATING = range(4)
"""Kinds of frames: the root, one turning about an axis of its own, sliding along it, floating."""

_FRAMES, _MOTIONS = Scratch(), Scratch()

PLANES = (slice(1, 3), slice(2, None, -2), slice(0, 2))
"""The axes that turn about x (y, z), y (z, x) and z (x, y)."""


@dataclass(frozen=True, eq=False)
class MovingFrames:
    """
    The frame of the root link and the frames that joints move, relative to the root link.

    A joint of one degree of freedom has one frame. If the axis of the joint is one of the axes of
    the child link, as of most robots, it is the frame of the child link; otherwise it has the same
    origin, and z along the axis. A planar joint has three, one for each variable. A floating joint
    has one, the frame of the child link. Every link is fixed to one of the frames. Parents come
    before their children.

    An array of frames has the shape (3, F, 4, B): rows of the homogeneous matrices first, the B
    configurations last. The same entry of all configurations is contiguous then, and a constant
    transform of a frame is a single matrix product.

    :ivar parents: index of each frame's parent; the parent of the root is the root, shape (F,).
    :ivar offsets: pose of each frame in its parent at position zero, shape (F, 4, 4).
    :ivar kinds: FIXED for the root, TURNING, SLIDING or FLOATING, shape (F,).
    :ivar axes: the axis of the frame that it turns about or slides along, 0 for x, shape (F,).
    :ivar variables: index of the variable, of the first one for floating frames, shape (F,).
    :ivar velocities: index of the velocity variable, likewise, shape (F,).
    :ivar multipliers: position of the joint per variable, shape (F,).
    :ivar shifts: position of the joint where the variable is zero, shape (F,).
    """

    parents: Indices
    offsets: Array
    kinds: Indices
    axes: Indices
    variables: Indices
    velocities: Indices
    multipliers: Array
    shifts: Array

    @property
    def count(self) -> int:
        """Number of frames, F."""
        return len(self.parents)

    def branch(self, tips: Indices) -> tuple[MovingFrames, Indices]:
        """
        Return some frames with all their ancestors.

        :param tips: indices of the frames, shape (T,).
        :return: the frames with their ancestors, and the new indices of the tips, shape (T,).
        """
        marks = bytearray(self.count)
        marks[0] = True
        for frame in tips.tolist():
            while not marks[frame]:
                marks[frame] = True
                frame = self._parents[frame]
        needed = np.frombuffer(marks, dtype=np.bool_)
        if needed.all():
            return self, tips
        kept = np.flatnonzero(needed)
        indices = np.cumsum(needed) - 1
        others = (getattr(self, field.name)[kept] for field in fields(self)[1:])
        return MovingFrames(indices[self.parents[kept]], *others), indices[tips]

    @cached_property
    def _parents(self) -> list[int]:
        return [int(parent) for parent in self.parents]

    def chunks(self, positions: Array, size: int = _CHUNK_OF_ALL) -> Iterator[tuple[slice, Array]]:
        """
        Yield the frames in chunks of configurations.

        :param positions: variables of the robot in radians and metres, shape (B, n).
        :param size: configurations of a chunk.
        :return: the slice of the configurations, and their frames, shape (3, F, 4, b). The array
            may be modified; the next chunk of any robot in the same thread overwrites it.
        """
        count = len(positions)
        if self.count == 1:
            yield slice(0, count), np.tile(np.eye(4)[:3, None, :, None], count)
            return
        if count == 1:
            yield slice(0, 1), self.evaluate_one(positions[0])
            return
        memory = _FRAMES.array(3, self.count, 4, min(count, size))
        for chunk in chunks_of(count, size):
            frames = memory[..., :chunk.stop - chunk.start]
            for _ in self.evaluate(positions[chunk], list(frames.swapaxes(0, 1))):
                pass
            yield chunk, frames

    def evaluate_one(self, positions: Array) -> Array:
        """
        Return the frames at one configuration, shape (3, F, 4, 1).

        The poses relative to the parents are computed all at once. Each further product doubles
        the length of the paths that the poses span, so a tree of depth d takes log2(d) of them.
        """
        if self.count == 1:  # Nothing moves, so that there is no variable.
            return np.eye(4)[:3, None, :, None]
        amounts = positions[self.variables] * self.multipliers + self.shifts
        amounts = amounts[:, None, None]
        rest, cosine, sine, slide = self._motions
        poses: Array = cosine * np.cos(amounts)
        poses += sine * np.sin(amounts)
        poses += rest
        if slide.size:
            poses += slide * amounts
        for frame in self.of_kinds[FLOATING]:
            poses[frame] = self.offsets[frame] @ pose_of(positions[self.variables[frame]:][:7])
        for ancestors in self.generations:
            poses = poses[ancestors] @ poses
        return poses[:, :3, :, None].swapaxes(0, 1)

    @cached_property
    def _motions(self) -> tuple[Array, Array, Array, Array]:
        """
        Terms of the poses in parents: a constant, and factors of functions of the amounts.

        :return: the constant, and the factors of the cosine, of the sine, and of the amount
            itself, which are empty if nothing slides, each of shape (F, 4, 4).
        """
        rest = self.offsets.copy()
        cosine, sine, slide = np.zeros((3, *rest.shape))
        _, turning, sliding, _ = self.of_kinds
        axes = self.axes[turning]
        first, second = (axes + 1) % 3, (axes + 2) % 3
        cosine[turning, :, first] = sine[turning, :, second] = rest[turning, :, first]
        cosine[turning, :, second] = rest[turning, :, second]
        sine[turning, :, first] = rest[turning, :, second]
        sine[turning, :, second] *= -1
        rest[turning, :, first] = rest[turning, :, second] = 0
        slide[sliding, :, 3] = rest[sliding, :, self.axes[sliding]]
        return rest, cosine, sine, slide if len(sliding) else slide[:0]

    @cached_property
    def of_kinds(self) -> list[Indices]:
        """Indices of the frames of each kind."""
        return [np.flatnonzero(self.kinds == kind) for kind in range(FLOATING + 1)]

    @cached_property
    def levels(self) -> Indices:
        """Number of ancestors of each frame, shape (F,)."""
        levels = np.zeros(self.count, dtype=np.intp)
        for frame, parent in enumerate(self._parents[1:], 1):
            levels[frame] = levels[parent] + 1
        return levels

    @cached_property
    def generations(self) -> list[Indices]:
        """Indices of the ancestors 1, 2, 4, ... generations up, the root's above the root."""
        generations = []
        ancestors = self.parents
        while ancestors.any():
            generations.append(ancestors)
            ancestors = ancestors[ancestors]
        return generations

    @cached_property
    def _steps(self) -> list[tuple[Array, int, int, int]]:
        """Offset, parent, kind and axis of each frame but the root."""
        return list(zip(
            self.offsets.swapaxes(1, 2), self.parents.tolist(), self.kinds.tolist(),
            self.axes.tolist()))[1:]

    def amounts(self, positions: Array, scratch: Scratch) -> tuple[Array, Array, Array]:
        """
        Return how far frames of one degree of freedom move from their offsets.

        :param positions: variables of the robot in radians and metres, shape (b, n).
        :param scratch: memory for the results.
        :return: of the S frames that slide, in their order, the distances, shape (S, b); of the R
            frames that turn, the cosines, shape (R, b), and plus and minus the sines, shape
            (R, 2, b).
        """
        (_, turning, sliding, _), (count, width) = self.of_kinds, positions.shape
        # The root alone has no variable, but takes the first one.
        values, tangents, cosines, sines = scratch.arrays(
            (max(width, 1), count), *[(len(turning), count)] * 2, (len(turning), 2, count))
        values[:width] = positions.T
        distances = values[self.variables[sliding]]
        distances *= self.multipliers[sliding, None]
        distances += self.shifts[sliding, None]
        # Both are rational functions of the tangent of half the angle, the only one of the three
        # functions that numpy computes with vector instructions in double precision.
        np.take(values, self.variables[turning], axis=0, out=tangents, mode='clip')
        tangents *= self.multipliers[turning, None] / 2
        tangents += self.shifts[turning, None] / 2
        np.tan(tangents, out=tangents)
        np.square(tangents, out=cosines)
        cosines += 1
        np.divide(2, cosines, out=cosines)
        np.multiply(cosines, tangents, out=sines[:, 0])
        np.negative(sines[:, 0], out=sines[:, 1])
        cosines -= 1
        return distances, cosines, sines

    def evaluate(self, positions: Array, frames: Sequence[Array]) -> Iterator[int]:
        """
        Compute the frames of many configurations, one frame after the other.

        :param positions: variables of the robot in radians and metres, shape (b, n).
        :param frames: for the result, an array of the shape (3, 4, b) for each frame.
        :return: the index of each frame when it is computed, and so in the cache.
        """
        distances, *both = self.amounts(positions, _MOTIONS)
        trigonometry, slides = zip(*both), iter(distances)
        crossed = np.empty((3, 2, len(positions)))
        frames[0][:] = np.eye(4)[:3, :, None]
        yield 0
        for number, (offset, parent, kind, axis) in enumerate(self._steps, 1):
            frame = frames[number]
            np.matmul(offset, frames[parent], out=frame)
            if kind == TURNING:
                cosines, sines = next(trigonometry)
                plane = frame[:, PLANES[axis]]
                np.multiply(plane[:, ::-1], sines, out=crossed)
                plane *= cosines
                plane += crossed
            elif kind == SLIDING:
                frame[:, 3] += next(slides) * frame[:, axis]
            else:
                _float(frame, positions[:, self.variables[number]:][:, :7])
            yield number


def chunks_of(count: int, maximum: int | None = None) -> Iterator[slice]:
    """
    Yield slices of at most so many configurations, to compute one after the other.

    :param maximum: :data:`CHUNK` by default.

    Meanwhile numpy has small buffers: it (1.26 to 2.4) copies rows of an array into them if
    several fit, which can take longer than the operation itself.
    """
    maximum = maximum or CHUNK
    size = np.setbufsize(_BUFFER)
    try:
        for start in range(0, count, maximum):
            yield slice(start, min(start + maximum, count))
    finally:
        np.setbufsize(size)


def moving_frames(
        robot: Robot, mimic: Mapping[str, Mimic], variable_index: Mapping[str, int],
        velocity_index: Mapping[str, int]) -> tuple[MovingFrames, dict[str, tuple[int, Array]]]:
    """
    Return the moving frames of a robot.

    :param mimic: what :func:`~urdf_tools.kinematics.joint_transforms.resolve_mimic` returns.
    :return: the frames, and the name of each link to the index of the frame that it is fixed to
        and its pose in that frame, shape (4, 4).
    """
    rows: list[tuple[int, Array, int, int, int, int, float, float]] = [
        (0, np.eye(4), FIXED, 2, 0, 0, 0.0, 0.0)]
    placements: dict[str, tuple[int, Array]] = {robot.root: (0, np.eye(4))}
    for joint in robot.tree:
        frame, pose = placements[joint.parent]
        pose = pose @ joint.origin.matrix
        follows = mimic.get(joint.name, Mimic(joint.name))
        leader = robot.joints[follows.joint]
        align, sign, motions = _motions(joint)
        for (kind, axis), variable, velocity in zip(
                motions, variable_names(leader), velocity_names(leader)):
            rows.append((
                frame, pose @ align, kind, axis, variable_index[variable],
                velocity_index[velocity], sign * follows.multiplier, sign * follows.offset))
            frame, pose = len(rows) - 1, align.T
        placements[joint.child] = (frame, pose)
    return MovingFrames(*(np.array(column) for column in zip(*rows))), placements


def _motions(joint: Joint) -> tuple[Array, float, list[tuple[int, int]]]:
    """
    Return how the frames of a joint move.

    :return: the orientation of the frames in the joint's own, shape (4, 4); 1, or -1 if they move
        against their axes; kinds and axes of the frames.
    """
    if joint.type is JointType.FLOATING:
        return np.eye(4), 1.0, [(FLOATING, 2)]
    if joint.type is JointType.FIXED or not any(joint.axis):
        return np.eye(4), 1.0, []
    if joint.type is JointType.PLANAR:
        return homogeneous(rotation_from_z(joint.axis)), 1.0, [
            (SLIDING, 0), (SLIDING, 1), (TURNING, 2)]
    kind = SLIDING if joint.type is JointType.PRISMATIC else TURNING
    components = [axis for axis in range(3) if joint.axis[axis]]
    if len(components) == 1:
        axis, = components
        return np.eye(4), math.copysign(1.0, joint.axis[axis]), [(kind, axis)]
    return homogeneous(rotation_from_z(joint.axis)), 1.0, [(kind, 2)]


def _float(frame: Array, pose: Array) -> None:
    """Move a frame, shape (3, 4, b), by the variables of a floating joint, shape (b, 7)."""
    rotation = np.moveaxis(quaternion_to_matrix(pose[:, 3:]), 0, -1)
    axes = frame[:, :3].copy()
    frame[:, 3] += np.einsum('ikb,bk->ib', axes, pose[:, :3])
    np.einsum('ikb,kjb->ijb', axes, rotation, out=frame[:, :3])


class MotionAxes:
    """
    The A axes about and along which frames move, first those of rotations.

    :param frames: the frames, all or a branch of those of a robot.
    :ivar rows: index of the frame of each axis, shape (A,).
    :ivar columns: which axis of that frame it is, 0 for x, shape (A,).
    :ivar rotations: number of axes of rotation.
    :ivar velocities: index of the velocity variable of each axis, shape (A,).
    :ivar multipliers: rate about or along the axis per velocity variable, shape (A,).
    :ivar variables: indices of the velocity variables that move any of the frames, ascending.
    """

    def __init__(self, frames: MovingFrames):
        _, turning, sliding, floating = frames.of_kinds
        # A floating joint moves along and about each axis of its frame.
        axes = np.tile([0, 1, 2], len(floating))
        floating = floating.repeat(3)
        self.rotations = len(turning) + len(floating)
        self.rows = np.concatenate([turning, floating, sliding, floating])
        self.columns = np.concatenate([frames.axes[turning], axes, frames.axes[sliding], axes])
        self.velocities = frames.velocities[self.rows]
        self.velocities[len(turning):self.rotations] += 3 + axes
        self.velocities[self.rotations + len(sliding):] += axes
        self.multipliers = frames.multipliers[self.rows]
        self.variables = np.unique(self.velocities)

    @cached_property
    def _runs(self) -> list[tuple[slice, slice, Array, bool]]:
        """
        Runs of consecutive axes with consecutive variables, all of rotations or none.

        :return: the axes, their variables, their multipliers, shape (k, 1), and whether axes
            before them have the variables, too.
        """
        is_shared = np.ones(len(self.velocities), dtype=bool)
        is_shared[np.unique(self.velocities, return_index=True)[1]] = False
        steps = list(zip(self.velocities.tolist(), is_shared.tolist()))
        runs: list[tuple[slice, slice, Array, bool]] = []
        start = 0
        for end in range(1, len(steps) + 1):
            variable, shared = steps[end - 1]
            if end in (len(steps), self.rotations) or steps[end] != (variable + 1, shared):
                runs.append((slice(start, end), slice(steps[start][0], variable + 1),
                             self.multipliers[start:end, None], shared))
                start = end
        return runs

    def rates(self, velocities: Array, out: Array) -> None:
        """
        Compute the rates about and along the axes.

        :param velocities: of the variables of the robot, shape (nv, b).
        :param out: for the result, shape (A, b).
        """
        for row, variable, multiplier in zip(out, self.velocities, self.multipliers):
            np.multiply(velocities[variable], multiplier, out=row)

    def combine(self, values: Array, out: Array) -> None:
        """
        Sum values of the axes by variable: a mimic joint shares that of its leader.

        :param values: of all axes or those of rotations, shape (..., A, b).
        :param out: zero, for the variables of the robot, shape (..., nv, b).
        """
        for axes, variables, multipliers, is_shared in self._runs:
            if axes.stop > values.shape[-2]:
                break
            if is_shared:
                out[..., variables, :] += values[..., axes, :] * multipliers
            else:
                np.multiply(values[..., axes, :], multipliers, out=out[..., variables, :])
