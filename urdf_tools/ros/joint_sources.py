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

"""Where joint states come from when no hardware gives them: parameters and other topics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from collections.abc import Sequence
import time

from rclpy.node import Node

from urdf_tools.joint_source import Options
from urdf_tools.model.messages import name_list
from urdf_tools.model.robot import Mimic
from urdf_tools.ros.diagnostics import Level
from urdf_tools.ros.diagnostics import Status
from urdf_tools.ros.parameters import Parameters
from urdf_tools.ros.running import StartError
from urdf_tools.ros.tasks import Rate

SILENCE = 5.0
"""Seconds without a message after which a topic is reported as silent."""

REFUSALS = {
    'wrong length': 'Joint states have another number of values than of names, and are skipped',
    'non-finite': 'Joint states have values that are not finite, which are skipped'}
"""Why joint states are not merged, and what is said of it."""


def declare_options(node: Node, parameters: Parameters) -> Options:
    """
    Declare and read the parameters of joint_state_publisher, and ``sweep_period``.

    :param node: made with ``automatically_declare_parameters_from_overrides``.
    :raises StartError: one of them is refused.
    """
    def declare(name, default, description):
        return parameters.declare(name, default, description, read_only=True)

    try:
        return Options(
            defaults=(
                declare('publish_default_positions', True, 'Whether positions are published'),
                declare('publish_default_velocities', False, 'Whether velocities are published'),
                declare('publish_default_efforts', False, 'Whether efforts are published')),
            use_mimic_tags=declare('use_mimic_tags', True, 'Whether <mimic> is followed'),
            use_smallest_joint_limits=declare(
                'use_smallest_joint_limits', True, 'Whether soft limits narrow the ranges'),
            zeros=_zeros(node),
            dependent_joints=_dependent_joints(node),
            delta=declare(
                'delta', 0.0, 'How far each joint moves in a step (rad, m); 0 is not at all'),
            sweep_period=declare(
                'sweep_period', 0.0,
                'Seconds in which each joint swings through its range and back; 0 is not at all'))
    except ValueError as error:
        raise StartError(str(error)) from error


def _zeros(node):
    return {name: _number(parameter)
            for name, parameter in node.get_parameters_by_prefix('zeros').items()}


def _dependent_joints(node):
    given = {}
    for key, parameter in node.get_parameters_by_prefix('dependent_joints').items():
        joint, _, field = key.rpartition('.')
        given.setdefault(joint, {})[field] = parameter
    return {joint: _mimic(joint, fields) for joint, fields in given.items()}


def _mimic(joint, fields):
    unknown = fields.keys() - {'parent', 'factor', 'offset'}
    if unknown:
        raise ValueError(
            f'dependent_joints.{joint}.{min(unknown)} is not known; '
            'there are parent, factor and offset')
    if 'parent' not in fields or not isinstance(fields['parent'].value, str):
        raise ValueError(f'dependent_joints.{joint}.parent has to name the joint that leads')
    return Mimic(
        fields['parent'].value,
        **{attribute: _number(fields[field])
           for field, attribute in (('factor', 'multiplier'), ('offset', 'offset'))
           if field in fields})


def _number(parameter):
    if isinstance(parameter.value, bool) or not isinstance(parameter.value, (int, float)):
        raise ValueError(f'{parameter.name} has to be a number')
    return float(parameter.value)


class JointSourcesTask:
    """
    What goes into the joint states that are published, and how many there were.

    :param topics: the topics that joint states are merged from.
    :param refusals: what was not merged, counted by :data:`REFUSALS`; the owner counts.
    :ivar error: why the newest description is not served, or an empty string.
    :ivar published: messages sent; the owner counts.
    """

    name = 'Joint sources'

    def __init__(
            self, topics: Sequence[str], refusals: Counter[str],
            clock: Callable[[], float] = time.monotonic):
        self.error = ''
        self.published = 0
        self._refusals = refusals
        self._clock = clock
        self._last = dict.fromkeys(topics)
        self._rate = Rate(clock)
        self._seen = Counter()

    def received(self, topic: str) -> None:
        """Note that a topic is alive."""
        self._last[topic] = self._clock()

    def run(self) -> Status:
        """Return the status of the topics."""
        now = self._clock()
        values = {
            'Published': self.published,
            'Rate (Hz)': f'{self._rate(self.published):.2f}',
            **{f'Age of {topic} (s)': 'none' if last is None else f'{now - last:.3f}'
               for topic, last in self._last.items()},
            **{f'Skipped: {kind}': count for kind, count in sorted(self._refusals.items())}}
        fresh = self._refusals - self._seen
        self._seen = Counter(self._refusals)
        silent = tuple(
            topic for topic, last in self._last.items() if last is None or now - last > SILENCE)
        if self.error:
            return Status(Level.ERROR, self.error, values)
        if silent:
            return Status(Level.WARN, f'No joint states from {name_list(silent)}', values)
        if fresh:
            kind, count = fresh.most_common(1)[0]
            return Status(Level.WARN, f'{count} skipped: {kind}', values)
        return Status(Level.OK, 'Joint states are published', values)
