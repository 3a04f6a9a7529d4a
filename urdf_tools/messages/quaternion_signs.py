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

"""Signs of the quaternions of rotating joints, continuous from one message to the next."""

from __future__ import annotations

from math import pi

import numpy as np

from urdf_tools.types import Array
from urdf_tools.types import Indices

NEAR = pi
"""Angle between two positions up to which the quaternions of a joint have the same sign."""


class QuaternionSigns:
    """
    Signs of the quaternions of rotating joints, continuous from one message to the next.

    A quaternion and its opposite are the same rotation, but not to those who plot, filter or
    interpolate its numbers. That of a joint is a continuous function of its position, of twice
    the period, so the sign jumps only where the position does: a wheel reported from -pi to pi
    jumps by a whole turn each time around.

    This is what the messages of different layouts have to know of each other. Layouts usually
    have different joints, such as those of two drivers, and nothing to share.

    :param count: number of joints of the robot.
    :ivar angles: the last position of each joint that turns (rad), shape (n,), NaN if unknown.
    :ivar negative: whether its quaternion was the opposite one, shape (n,).
    :ivar shared: whether a joint is in several layouts, so that the two arrays are kept.
    :ivar current: the layout of the last message, if they are.
    """

    def __init__(self, count: int):
        self.angles = np.full(count, np.nan)
        self.negative = np.zeros(count, dtype=bool)
        self.shared = False
        self.current: TurnSigns | None = None
        self._apart: list[TurnSigns] = []
        self._used = np.zeros(count, dtype=bool)

    def add(self, layout: TurnSigns) -> None:
        """Add a layout."""
        if self.shared:
            return
        if self._used[layout.rows].any():
            self.shared = True
            for other in self._apart:
                other.hand_over()
            self._apart.clear()
        elif len(layout.rows):
            self._used[layout.rows] = True
            self._apart.append(layout)


class TurnSigns:
    """
    The quaternion signs of the joints of one layout.

    :param signs: of all joints of the robot.
    :param rows: of the joints that turn, shape (t,).
    :ivar last: their positions in the last message (rad), to be set after each; None if the last
        message with any of the joints was not of this layout.
    """

    def __init__(self, signs: QuaternionSigns, rows: Indices):
        self.last: list[float] | Array | None = None
        self.rows = rows
        self._signs = signs
        self._negative = np.zeros(len(rows), dtype=bool)
        signs.add(self)

    def changes(self, angles: list[float] | Array) -> Indices:
        """
        Return the joints whose quaternion changes its sign with this message.

        There are none if :attr:`last` is known and no joint is further from it than
        :data:`NEAR`.
        """
        before, now = self._negative, np.asarray(angles)
        last = self._take_over(now) if self.last is None else np.asarray(self.last)
        # The scalar product of the quaternions before and after.
        opposite = np.cos(now / 2) * np.cos(last / 2) + np.sin(now / 2) * np.sin(last / 2) < 0
        self._negative = self._negative ^ opposite
        return np.flatnonzero(self._negative ^ before)

    def hand_over(self) -> None:
        """Make the layouts that share joints with this one continue from its last message."""
        if self.last is not None:
            self._signs.angles[self.rows] = self.last
            self._signs.negative[self.rows] = self._negative
            self.last = None

    def _take_over(self, angles: Array) -> Array:
        """Continue from the last message of another layout, and return the positions in it."""
        signs = self._signs
        if signs.shared:
            if signs.current is not None:
                signs.current.hand_over()
            signs.current = self
            self._negative = signs.negative[self.rows]
        known = signs.angles[self.rows]
        return np.where(np.isnan(known), angles, known)
