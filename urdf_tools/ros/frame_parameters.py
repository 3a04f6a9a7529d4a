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

from urdf_tools.ros.parameters import Check
from urdf_tools.ros.parameters import Parameters

NOW_IF_ZERO = 'now_if_zero'

LIMIT_PARAMETERS = frozenset((
    'ignore_timestamp', 'publish_frequency', 'publish_tf', 'stamp_policy'))
"""Parameters of which joint states are published."""

FRAME_PARAMETERS = frozenset(('frame_prefix', 'publish_tf', 'fix_multi_dof_joints'))
"""Parameters that change what is on ``/tf_static``."""

STAMP_POLICIES = ('message', NOW_IF_ZERO)


def declare_parameters(parameters: Parameters, check_description: Check) -> None:
    """
    Declare the parameters of the state publisher.

    :param check_description: raises ValueError with the reason why a description is refused.
    :raises StartError: one of them is refused.
    """
    declare = parameters.declare
    declare('description_from_topic', False,
            'Whether the description comes from the topic robot_description, which is then not '
            'published, instead of the parameter', read_only=True)
    if not parameters['description_from_topic']:
        declare('robot_description', '', 'The text of the URDF', check=check_description)
    declare('publish_frequency', 20.0,
            'Most transforms a second for each joint; 0 is no limit', minimum=0.0, maximum=1000.0)
    declare('ignore_timestamp', False,
            'Whether every joint state is published, whatever its stamp and the frequency')
    declare('frame_prefix', '', 'Put before the names of all frames as it is')
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


def _check_stamp_policy(value):
    if value not in STAMP_POLICIES:
        raise ValueError(f'stamp_policy is one of {", ".join(STAMP_POLICIES)}, not {value!r}')
