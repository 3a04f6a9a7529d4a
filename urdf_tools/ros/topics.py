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

"""Topics: their quality of service, and serialized messages at minimum cost."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from functools import partial
import sys
from threading import Thread
from typing import Any

from rclpy.callback_groups import MutuallyExclusiveCallbackGroup
from rclpy.guard_condition import GuardCondition
from rclpy.impl.implementation_singleton import rclpy_implementation
from rclpy.node import Node
from rclpy.publisher import Publisher
from rclpy.qos import DurabilityPolicy
from rclpy.qos import qos_profile_sensor_data
from rclpy.qos import QoSPolicyKind
from rclpy.qos import QoSProfile
from rclpy.qos_overriding_options import _declare_qos_parameters
from rclpy.qos_overriding_options import QoSOverridingOptions
from rclpy.subscription import Subscription

from urdf_tools.ros.base_node import BaseNode

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

TF_STATIC_OVERRIDES = QoSOverridingOptions.with_default_policies()
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


SWITCH_INTERVAL = 0.0005
"""Seconds a thread may hold Python's global lock while another, such as this one, waits."""


class RawSubscription:
    """
    Calls back with the serialized messages of a topic, in a thread of its own.

    The executor collects all entities of a node again for each message, which takes several times
    as long as the message itself. This thread waits for the topic alone.

    :param kind: type of the messages.
    :param callback: called with the bytes of each message.
    :param options: further arguments of ``create_subscription``.
    """

    def __init__(self, node: BaseNode, kind: type, topic: str, callback: Callable[[bytes], None],
                 qos: QoSProfile, **options: Any):
        self._callback = callback
        self._node = node
        self._ended = False
        context: Any = node.context.handle
        with context:  # One subscription and one guard condition.
            self._wait_set: Any = rclpy_implementation.WaitSet(1, 1, 0, 0, 0, 0, context)
        # Overrides by parameters are written into the profile, which others use, too.
        self._subscription = node.create_subscription(
            kind, topic, callback, copy(qos), raw=True, callback_group=NoExecutor(), **options)
        sys.setswitchinterval(SWITCH_INTERVAL)
        self._end = GuardCondition(callback=None, callback_group=None, context=node.context)
        self._thread = Thread(target=self._run, name=topic, daemon=True)
        self._thread.start()
        node.at_end(self.end)

    @property
    def publishers(self) -> int:
        """Number of publishers matched with the subscription."""
        return int(self._subscription.get_publisher_count())

    def end(self) -> None:
        """Stop calling back, as the node does at its end."""
        self._ended = True
        self._end.trigger()
        self._thread.join()

    def _run(self) -> None:
        try:
            with self._subscription.handle, self._end.handle:
                self._take_messages(self._subscription.handle, self._end.handle)
        except Exception as error:
            # Once the context is shut down, whatever uses it raises some exception.
            if self._node.context.ok():
                self._node.faults.add(error)

    def _take_messages(self, subscription: Any, end: Any) -> None:
        kind, callback = self._subscription.msg_type, self._callback
        # Looked up once: what a message costs is above all the memory that it touches, which has
        # left the caches since the last one.
        clear, wait = self._wait_set.clear_entities, self._wait_set.wait
        add_subscription = self._wait_set.add_subscription
        add_guard_condition = self._wait_set.add_guard_condition
        take = subscription.take_message
        while not self._ended:
            clear()
            add_subscription(subscription)
            add_guard_condition(end)
            wait(-1)
            taken = take(kind, True)
            if taken is not None:
                try:
                    callback(taken[0])
                except Exception as error:
                    self._node.faults.add(error)


class RawPublisher:
    """
    Publishes serialized messages.

    rclpy's own publish() checks the type of each message and guards against the destruction of
    the publisher. This one must not be used during or after the destruction of the node. It falls
    back to rclpy's where rclpy lacks the underlying function.

    :param kind: type of the messages.
    :param options: further arguments of ``create_publisher``.
    :ivar publish: called with the bytes of a message, once the topic is advertised.
    :ivar advertised: whether it is.
    """

    publish: Callable[[bytes], None]

    def __init__(self, node: Node, kind: type, topic: str, qos: QoSProfile, **options: Any):
        self.advertised = False
        self._create = partial(node.create_publisher, kind, topic, copy(qos), **options)

    def advertise(self) -> RawPublisher:
        """Advertise the topic unless it is, and return the publisher."""
        if not self.advertised:
            self._publisher: Publisher[Any] = self._create()
            self.publish = getattr(self._publisher.handle, 'publish_raw', self._publisher.publish)
            self.advertised = True
        return self

    @property
    def subscribers(self) -> int:
        """Number of subscriptions matched with the publisher."""
        return int(self._publisher.get_subscription_count())


class NoExecutor(MutuallyExclusiveCallbackGroup):
    """A callback group that the executor never runs."""

    def can_execute(self, entity: Any) -> bool:
        return False
