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

"""The parameters of the state publisher: those of robot_state_publisher, and a few more."""

from __future__ import annotations

from collections.abc import Set
import re
from typing import Any

from urdf_tools.ros.parameters import Check
from urdf_tools.ros.parameters import Parameters

NOW_IF_ZERO = 'now_if_zero'

NAMELESS = ''
"""Name of a robot that is the only one of its state publisher."""

FILTER_PARAMETERS = frozenset((
    'ignore_timestamp', 'publish_frequency', 'publish_tf', 'stamp_policy'))
"""Parameters that decide which joint states are published."""

FRAME_PARAMETERS = frozenset(('frame_prefix', 'publish_tf', 'fix_multi_dof_joints'))
"""Parameters that decide which frames there are, and which of them are static."""

_OF_ONE_ROBOT = frozenset(('frame_prefix', 'robot_description'))

STAMP_POLICIES = ('message', NOW_IF_ZERO)


def declare_parameters(parameters: Parameters) -> list[str]:
    """
    Declare the parameters of the state publisher that all its robots share.

    :return: the names of the robots.
    :raises StartError: one of them is refused.
    """
    declare = parameters.declare
    declare('description_from_topic', False,
            'Whether to take the description from the topic robot_description, which is then not '
            'published, instead of the parameter', read_only=True)
    declare('publish_frequency', 20.0,
            'Maximum publish rate of each joint (Hz); 0 is no limit', minimum=0.0, maximum=1000.0)
    declare('ignore_timestamp', False,
            'Whether to publish every joint state, regardless of its stamp and the maximum rate')
    declare('publish_tf', True, 'Whether to publish /tf and /tf_static')
    declare('stamp_policy', STAMP_POLICIES[0],
            'What to do with joint states that have a zero stamp: message, drop them; '
            'now_if_zero, stamp them with the current time', check=_check_stamp_policy)
    declare('fix_multi_dof_joints', False,
            'Whether to publish planar and floating joints as fixed, at their zero position')
    declare('static_period', 0.0,
            'Period (s) at which /tf_static is published again, for example for a recording that '
            'is split into files; 0 is never', minimum=0.0, maximum=86400.0)
    declare('joint_timeout', 5.0,
            'Age (s) above which diagnostics call a joint stale; 0 is never',
            minimum=0.0, maximum=86400.0)
    names: list[str] = declare(
        'robots', [NAMELESS],
        'Names of the robots if there are several: each has its topics in a namespace of that '
        'name and its own parameters name.robot_description and name.frame_prefix',
        read_only=True, check=_check_robots)
    return names


class RobotParameters:
    """
    The parameters of the state publisher as they apply to one of its robots.

    Its own are ``robot_description`` and ``frame_prefix``; if the robot has a name, they begin
    with the name and a dot.

    :param name: of the robot, or :data:`NAMELESS`.
    :param check_description: raises ValueError with the reason if a description is refused.
    :param description: the default of ``robot_description``.
    :raises StartError: one of its own is refused.
    """

    def __init__(
            self, parameters: Parameters, name: str, check_description: Check,
            description: str = ''):
        self._parameters = parameters
        self._beginning = f'{name}.' if name else ''
        if not parameters['description_from_topic']:
            parameters.declare(
                self._full_name('robot_description'), description,
                'Text of the robot description (URDF)', check=check_description)
        parameters.declare(
            self._full_name('frame_prefix'), f'{name}/' if name else '',
            'Prefix prepended to every frame ID')

    @property
    def description_name(self) -> str:
        """Name of the parameter with the description."""
        return self._full_name('robot_description')

    def __getitem__(self, name: str) -> Any:
        return self._parameters[self._full_name(name)]

    def any_of(self, names: Set[str], changed: Set[str]) -> bool:
        """Tell whether one of some parameters of this robot is among those that changed."""
        return not changed.isdisjoint(map(self._full_name, names))

    def _full_name(self, name: str) -> str:
        return self._beginning + name if name in _OF_ONE_ROBOT else name


def _check_stamp_policy(value: str) -> None:
    if value not in STAMP_POLICIES:
        raise ValueError(f'stamp_policy is one of {", ".join(STAMP_POLICIES)}, not {value!r}')


def _check_robots(names: list[str]) -> None:
    if names == [NAMELESS]:
        return
    for name in names:
        if not re.fullmatch('[A-Za-z][A-Za-z0-9_]*', name):
            raise ValueError(
                f'{name!r} is not a valid robot name: use letters, digits and underscores')
        if names.count(name) > 1:
            raise ValueError(f'{name!r} is named more than once')
