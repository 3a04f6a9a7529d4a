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

"""The parameters of the state publisher: robot_state_publisher's, and a few more."""

from __future__ import annotations

import re

from urdf_tools.ros.parameters import Check
from urdf_tools.ros.parameters import Parameters

NOW_IF_ZERO = 'now_if_zero'

NAMELESS = ''
"""The name of a robot that is the only one of its state publisher."""

LIMIT_PARAMETERS = frozenset((
    'ignore_timestamp', 'publish_frequency', 'publish_tf', 'stamp_policy'))
"""Parameters of which joint states are published."""

FRAME_PARAMETERS = frozenset(('frame_prefix', 'publish_tf', 'fix_multi_dof_joints'))
"""Parameters that change what is on ``/tf_static``."""

_OF_ONE_ROBOT = frozenset(('frame_prefix', 'robot_description'))

STAMP_POLICIES = ('message', NOW_IF_ZERO)


def declare_parameters(parameters: Parameters) -> list[str]:
    """
    Declare the parameters of the state publisher that hold for all its robots.

    :return: the names of the robots.
    :raises StartError: one of them is refused.
    """
    declare = parameters.declare
    declare('description_from_topic', False,
            'Whether the description comes from the topic robot_description, which is then not '
            'published, instead of the parameter', read_only=True)
    declare('publish_frequency', 20.0,
            'Most transforms a second for each joint; 0 is no limit', minimum=0.0, maximum=1000.0)
    declare('ignore_timestamp', False,
            'Whether every joint state is published, whatever its stamp and the frequency')
    declare('publish_tf', True, 'Whether /tf and /tf_static are published')
    declare('stamp_policy', STAMP_POLICIES[0],
            'What becomes of joint states with a zero stamp: message, they are not published; '
            'now_if_zero, they get the present time', check=_check_stamp_policy)
    declare('fix_multi_dof_joints', False,
            'Whether planar and floating joints are published as if they were fixed at rest')
    declare('static_period', 0.0,
            'Seconds after which /tf_static is published again, such as for a recording that is '
            'cut into files; 0 is never', minimum=0.0, maximum=86400.0)
    declare('joint_timeout', 5.0,
            'Age in seconds at which the diagnostics call a joint stale; 0 is never',
            minimum=0.0, maximum=86400.0)
    return declare('robots', [NAMELESS],
                   'Names of the robots, if there is not just one: each has its own topics in a '
                   'namespace, and its own parameters name.robot_description and '
                   'name.frame_prefix', read_only=True, check=_check_robots)


class RobotParameters:
    """
    The parameters of the state publisher as they hold for one of its robots.

    Its own are ``robot_description`` and ``frame_prefix``, behind the robot's name and a dot if
    it has a name.

    :param name: of the robot, or :data:`NAMELESS`.
    :param check_description: raises ValueError with the reason why a description is refused.
    :raises StartError: one of its own is refused.
    """

    def __init__(self, parameters: Parameters, name: str, check_description: Check):
        self._parameters = parameters
        self._beginning = f'{name}.' if name else ''
        if not parameters['description_from_topic']:
            parameters.declare(
                self.full_name('robot_description'), '', 'The text of the URDF',
                check=check_description)
        parameters.declare(
            self.full_name('frame_prefix'), f'{name}/' if name else '',
            'Put before the names of all frames as it is')

    def __getitem__(self, name: str):
        return self._parameters[self.full_name(name)]

    def full_name(self, name: str) -> str:
        """Return the name that a parameter has for the node."""
        return self._beginning + name if name in _OF_ONE_ROBOT else name


def _check_stamp_policy(value):
    if value not in STAMP_POLICIES:
        raise ValueError(f'stamp_policy is one of {", ".join(STAMP_POLICIES)}, not {value!r}')


def _check_robots(names):
    if names == [NAMELESS]:
        return
    for name in names:
        if not re.fullmatch('[A-Za-z][A-Za-z0-9_]*', name):
            raise ValueError(
                f'{name!r} is no name of a robot, which takes letters, digits and underscores')
        if names.count(name) > 1:
            raise ValueError(f'{name!r} is named more than once')
