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

"""A rod that breaks while its passive joint is measured, over DDS."""

from diagnostic_msgs.msg import DiagnosticStatus
import pytest
from sensor_msgs.msg import JointState
from support.mechanisms import four_bar
from support.mechanisms import four_bar_parts
from support.mechanisms import robot
from urdf_tools.kinematics import Mechanism
from urdf_tools.model.loader import text_of

LENGTHS = (0.1, 0.35, 0.3, 0.4)
BROKEN = "The measured joints leave loop 'r_pin' open by "
INITIAL = {'a': 0.5, 'b': 0.4, 'c': 1.5}


def test_a_broken_rod_is_diagnosed_with_its_place(own_nodes, own_client, tmp_path):
    loops = tmp_path / 'loops.yaml'
    initial = {f'{side}_{name}': value for side in 'lr' for name, value in INITIAL.items()}
    loops.write_text(f'initial: {initial}')
    own_nodes.start('state_publisher', {
        'robot_description': text_of(robot(
            *four_bar_parts(*LENGTHS, prefix='l_'),
            *four_bar_parts(*LENGTHS, prefix='r_', x=2))).decode(),
        'loops_file': str(loops), 'diagnostic_updater.period': 0.05})
    b, c = Mechanism(four_bar(*LENGTHS), INITIAL).close([0.5, 0, 0]).positions[1:].tolist()
    sound = {'l_a': 0.5, 'r_a': 0.5, 'l_c': c, 'r_c': c}
    sent = dict(sound)
    publisher = own_client.node.create_publisher(JointState, '/joint_states', 10)

    def publish():
        message = JointState(name=list(sent), position=list(sent.values()))
        message.header.stamp = own_client.node.get_clock().now().to_msg()
        publisher.publish(message)

    own_client.node.create_timer(0.05, publish)

    def status(holds):
        return own_client.status('state_publisher: Transforms', holds)

    def closing_errors(status):
        return {value.key: value.value for value in status.values
                if value.key.startswith('Closing error')}

    well = status(lambda status: len(closing_errors(status)) == 2)
    assert BROKEN not in well.message
    sent['r_c'] = c + 0.1
    broken = status(lambda status: BROKEN in status.message)
    assert broken.level != DiagnosticStatus.OK
    errors = closing_errors(broken)
    assert float(errors['Closing error of l_pin'].split()[0]) < 1e-6
    assert float(errors['Closing error of r_pin'].split()[0]) == pytest.approx(
        float(broken.message.partition(BROKEN)[2].split()[0]))
    sent.update(sound)
    status(lambda status: BROKEN not in status.message)
