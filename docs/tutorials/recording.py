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

"""A recording of the sample robot, made without ROS, in which not everything went well."""

from os.path import relpath
from pathlib import Path
import struct

from mcap.writer import Writer
import numpy as np

from urdf_tools import load
from urdf_tools.cli import main

ROBOT = Path(__file__).parents[2] / 'urdf' / 'mobile_manipulator.urdf.xacro'
BEGIN = 1_780_000_000 * 10**9
robot = load(ROBOT)
names = [joint.name for joint in robot.tree if joint.type.dof == 1 and joint.mimic is None]


def positions(time):
    """Return the positions of the joints while the robot drives and reaches for something."""
    q = dict.fromkeys(names, 0.0)
    for side, speed in ('left', 3.0), ('right', 2.7):
        q[f'{side}_wheel_joint'] = speed * time
    q['lift_joint'] = 0.15 - 0.15 * np.cos(time / 4)
    for row, part in enumerate(('shoulder_pan', 'shoulder_lift', 'elbow', 'wrist_1')):
        q[f'arm_{part}_joint'] = 0.9 * np.sin(time / (3 + row) + row)
    # Something pushes the wrist, whose limit is 2 rad.
    q['arm_wrist_2_joint'] = 2.15 * np.clip(min(time - 17, 23 - time), 0, 1)
    return q


def cdr(stamp, texts, numbers):
    """Return a JointState as ROS 2 serializes it: stamp, no frame, names and positions."""
    data = bytearray(struct.pack('<IiIIc3x', 0x100, *divmod(stamp, 10**9), 1, b'\0'))
    data += struct.pack('<I', len(texts))
    for text in texts:
        data += struct.pack('<I', len(text) + 1) + text.encode() + b'\0'
        data += bytes(-len(data) % 4)
    data += struct.pack('<I', len(numbers))
    data += bytes((4 - len(data)) % 8) + struct.pack(f'<{len(numbers)}d', *numbers)
    return bytes(data) + bytes(8)


with open('joints.mcap', 'wb') as file:
    writer = Writer(file)
    writer.start('ros2', 'tutorial')
    schema = writer.register_schema('sensor_msgs/msg/JointState', 'ros2msg', b'')
    joint_states = writer.register_channel('/joint_states', 'cdr', schema)
    for number in range(600):
        time = number / 20
        if not 8 < time < 12:  # A cable has a loose contact.
            stamp = BEGIN + round(time * 1e9)
            message = cdr(stamp, names, positions(time).values())
            writer.add_message(joint_states, stamp, message, stamp, number + 1)
    writer.finish()

main(['bag', 'frames', 'joints.mcap', '--model', relpath(ROBOT), '-o', 'drive.mcap'])
