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

"""The frames that a recording gets are those that the running node publishes."""

import pytest
from rclpy.qos import QoSProfile
from sensor_msgs.msg import JointState
from support.recordings import KINDS
from support.recordings import write_mcap
from support.republishing import joint_messages
from support.republishing import ROBOT
from support.tf_bytes import without_padding
from tf2_msgs.msg import TFMessage
from urdf_tools.doctor.recordings.recorded import Recorded
from urdf_tools.doctor.recordings.recording import Recording
from urdf_tools.doctor.recordings.republished_frames import FrameOptions
from urdf_tools.doctor.recordings.republished_frames import RepublishedFrames
from urdf_tools.formats.loader import loads

pytest.importorskip('mcap', reason='mcap is not installed')
QOS = QoSProfile(depth=1000)


@pytest.mark.slow
@pytest.mark.parametrize('prefix', ['', 'left/'])
def test_the_frames_are_those_of_the_node(prefix, own_nodes, own_client, tmp_path):
    own_nodes.start('state_publisher', {
        'robot_description': ROBOT, 'frame_prefix': prefix, **{
            f'qos_overrides./joint_states.subscription.{name}': value
            for name, value in (('reliability', 'reliable'), ('depth', 1000))}})
    received = []
    own_client.node.create_subscription(TFMessage, '/tf', received.append, QOS, raw=True)
    publisher = own_client.node.create_publisher(JointState, '/joint_states', QOS)
    own_client.wait_for(publisher.get_subscription_count, 'the state publisher')
    path = write_mcap(tmp_path / 'run.mcap', joint_messages(150), {
        '/joint_states': KINDS['/joint_states']})
    frames = RepublishedFrames(loads(ROBOT), ROBOT, FrameOptions(prefix))
    expected = []
    count = 0
    for record in frames.records(Recording(path).records()):
        if not isinstance(record, Recorded):
            continue
        if record.topic.name == '/joint_states':
            publisher.publish(record.data)
        elif record.topic.name == '/tf':
            expected.append(without_padding(record.data))
            count = len(expected)
            own_client.wait_for(lambda: len(received) >= count, 'transforms')
    assert 50 < len(expected)
    assert [without_padding(bytes(data)) for data in received] == expected
