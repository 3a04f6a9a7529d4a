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

"""The pipeline from joint states to /tf, with a publisher whose subscribers can be chosen."""

from threading import Lock
from types import SimpleNamespace

from builtin_interfaces.msg import Time
import pytest
from rclpy.serialization import serialize_message
from sensor_msgs.msg import JointState
from support.chains import text
from urdf_tools import loads
from urdf_tools.nodes.state_publisher import tf_pipeline

SETTINGS = {
    'frame_prefix': '', 'publish_frequency': 20.0, 'ignore_timestamp': False, 'publish_tf': True,
    'stamp_policy': 'message', 'fix_multi_dof_joints': False, 'joint_timeout': 5.0}


class Publisher:
    """A publisher that keeps what is published."""

    def __init__(self):
        self.messages = []
        self.publish = self.messages.append
        self.subscribers = 0

    def advertise(self):
        """Do nothing."""


@pytest.fixture
def publisher():
    return Publisher()


@pytest.fixture
def send(publisher, monkeypatch):
    """Return what sends a joint state, given its stamp in seconds and more names."""
    callbacks = []
    monkeypatch.setattr(
        tf_pipeline, 'RawSubscription',
        lambda node, kind, topic, callback, *rest, **options: callbacks.append(callback))
    node = SimpleNamespace(
        create_subscription=lambda *arguments: None,
        get_logger=lambda: SimpleNamespace(warning=print))
    pipeline = tf_pipeline.TfPipeline(node, SETTINGS.__getitem__, publisher, Lock())
    pipeline.use(loads(text('turn continuous')), 0)
    pipeline.follow()

    def send_at(stamp, *names):
        message = JointState(name=['turn', *names], position=[0.0] * (1 + len(names)))
        message.header.stamp = Time(sec=int(stamp), nanosec=round(stamp % 1 * 1e9))
        callbacks[0](bytes(serialize_message(message)))

    return send_at


def test_first_repeated_stamp_is_dropped_where_nobody_came_since(publisher, send):
    publisher.subscribers = 2
    send(1)
    send(1)
    assert len(publisher.messages) == 1


def test_repeated_stamp_is_published_once_for_who_came_since(publisher, send):
    send(1)
    publisher.subscribers = 1
    send(1)
    send(1)
    assert len(publisher.messages) == 2


def test_names_that_are_no_joints_do_not_lift_the_limit(publisher, send):
    for step in range(100):
        send(1 + step / 100, f'ghost_{step}')
    assert 20 <= len(publisher.messages) <= 21
