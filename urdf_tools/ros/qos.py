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

"""Quality of service of the topics that nodes share."""

from __future__ import annotations

from copy import copy
from typing import Any

from rclpy.node import Node
from rclpy.publisher import Publisher
from rclpy.qos import DurabilityPolicy
from rclpy.qos import qos_profile_sensor_data
from rclpy.qos import QoSPolicyKind
from rclpy.qos import QoSProfile
from rclpy.qos_overriding_options import _declare_qos_parameters
from rclpy.qos_overriding_options import QoSOverridingOptions
from rclpy.subscription import Subscription

LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
"""Reliable and transient local: late subscribers receive the last message."""

ROBOT_DESCRIPTION = LATCHED
TF_STATIC = LATCHED
TF = QoSProfile(depth=100)
JOINT_STATES = qos_profile_sensor_data
"""Best effort with depth 5: compatible with every publisher, and keeps only fresh messages."""

JOINT_STATES_OVERRIDES = QoSOverridingOptions.with_default_policies()
"""Policies of joint_states that parameters may override."""

TF_OVERRIDES = QoSOverridingOptions((
    QoSPolicyKind.DEPTH, QoSPolicyKind.DURABILITY, QoSPolicyKind.HISTORY,
    QoSPolicyKind.RELIABILITY))
"""Policies of /tf that parameters may override, as in tf2_ros."""

TF_STATIC_OVERRIDES = QoSOverridingOptions((
    QoSPolicyKind.DEPTH, QoSPolicyKind.HISTORY, QoSPolicyKind.RELIABILITY))
"""Policies of /tf_static that parameters may override, as in tf2_ros."""

DIAGNOSTICS = QoSProfile(depth=1)


def declare_overrides(
        node: Node, kind: type[Publisher[Any]] | type[Subscription[Any]], topic: str,
        profile: QoSProfile, options: QoSOverridingOptions) -> None:
    """
    Declare the parameters that override the QoS of a topic, long before it is used.

    :raises RuntimeError: one of them is refused.
    """
    overridden = copy(profile)
    _declare_qos_parameters(kind, node, node.resolve_topic_name(topic), overridden, options)
    if not 0 <= overridden.depth < 2**31:
        # The middleware would refuse it with a traceback.
        raise RuntimeError(f'Unexpected QoS override for policy `depth`: `{overridden.depth}`')
