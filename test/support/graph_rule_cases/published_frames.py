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

"""Cases of the rules about the frames on ``tf`` and ``tf_static``."""

from functools import partial
from math import cos
from math import sin

import numpy as np
from pytest import approx
from support.graph_records import Case
from support.graph_records import GraphRecords
from support.graph_records import MODEL
from support.graph_records import robot
from support.graph_records import STRAIGHT
from support.graph_records import swinging
from support.graph_records import TIMES

from urdf_tools.doctor.graph import TF_MESSAGE
from urdf_tools.findings.finding import Severity

POINTS = 'sensor_msgs/msg/PointCloud2'
OTHERS = ('/other', '/state_publisher')
EARLY, LATE = TIMES[:20], TIMES[20:]
ARM = (0.1, 0.0, 0.0, 0.0, sin(0.15), 0.0, cos(0.15))
"""The frame of the arm at position zero."""

case = partial(Case, topic='/tf')


def with_other(parents, transforms=STRAIGHT, **options):
    return robot().frames('/other', parents, transforms, **options)


def turned(angle):
    """Return a robot whose frame of the arm is turned further than its joint reports."""
    return robot(tf_positions=lambda seconds: {
        **swinging(seconds), 'turn': swinging(seconds)['turn'] + angle})


def mounted(transform, parent='mount', child='lens', rpy='0 0 0'):
    """Return a robot with a lens, whose frame another node publishes."""
    return robot(MODEL.format(name='arm').replace(
        '</robot>', '<link name="lens"/><joint name="screw" type="fixed"><parent link="mount"/>'
        '<child link="lens"/><origin xyz="0.5 0 0" rpy="{rpy}"/></joint></robot>'.replace(
            '{rpy}', rpy))).frames(
            '/static', {child: parent}, transform, topic='/tf_static', times=TIMES[:1])


def prefixed(prefix, used=''):
    """Return a robot whose frames have a prefix, and odometry of a frame of its base."""
    records = robot(prefix=prefix).node('/state_publisher', frame_prefixes={
        'frame_prefix': prefix})
    return records.frames('/drive', {used: 'odom'}) if used else records


def slashless(**arguments):
    return {'robot': 'arm', 'frame': 'r0base', 'prefix': 'r0', 'with_slash': 'r0/', 'used': [],
            **arguments}


CASES = (
    case(
        'frame-prefix-without-slash', lambda: prefixed('r0'), lambda: prefixed('r0_'),
        "The frames of robot 'arm' are named 'r0base' and so on: the prefix 'r0' lacks a slash at "
        'its end', slashless(), nodes=('/state_publisher',),
        hint="Write frame_prefix: 'r0/'"),
    case(
        'frame-prefix-without-slash', lambda: prefixed('r0', 'r0/base'),
        lambda: prefixed('r0/', 'r0/base'),
        "The frames of robot 'arm' are named 'r0base' and so on: the prefix 'r0' lacks a slash at "
        "its end; others refer to 'r0/base'", slashless(used=['r0/base']),
        nodes=('/state_publisher',), severity=Severity.ERROR,
        hint="Write frame_prefix: 'r0/'"),
    case(
        'frame-two-publishers',
        lambda: with_other({'arm': 'mount'}, ARM),
        lambda: with_other({'lens': 'tool'}, times=EARLY).frames(
            '/restarted', {'lens': 'tool'}, times=LATE),
        '/other and /state_publisher publish the same 1 frame: arm',
        {'frames': ['arm'], 'number': 2}, OTHERS, also=('frame-contradicts-model',)),
    case(
        'frame-two-publishers',
        lambda: with_other({'lens': 'tool'}).frames('/other', {'lens': 'tool'}),
        lambda: with_other({'lens': 'tool', 'optical': 'lens'}),
        '/other publishes 1 frame from 2 publishers: lens', {'frames': ['lens'], 'number': 2},
        ('/other',)),
    case(
        'frame-two-parents',
        lambda: with_other({'arm': 'elsewhere'}),
        lambda: with_other({'elsewhere': 'arm'}),
        "Frame 'arm' has 2 parents: 'elsewhere' and 'mount', published by /other and "
        '/state_publisher', {'frame': 'arm', 'parents': ['elsewhere', 'mount']}, OTHERS,
        subject='arm'),
    case(
        'frame-loop',
        lambda: with_other({'b': 'a', 'c': 'b', 'a': 'c'}),
        lambda: with_other({'b': 'a', 'c': 'b', 'a': 'tool'}),
        '3 frames from /other form a loop: a, c, b', {'frames': ['a', 'c', 'b']}, ('/other',),
        subject='a', also=('frame-tree-in-pieces',)),
    case(
        'frame-static-and-moving',
        lambda: with_other({'tool': 'arm'}, topic='/tf_static', times=TIMES[:1]),
        lambda: with_other({'lens': 'tool'}, topic='/tf_static', times=TIMES[:1]),
        "Frame 'tool' is published on tf_static by /other, and on tf by /state_publisher",
        {'frame': 'tool', 'static': ['/other'], 'moving': ['/state_publisher']}, OTHERS,
        subject='tool', also=('frame-contradicts-model',)),
    case(
        'frame-missing',
        lambda: robot(left_out=('slide',)), robot,
        "Robot 'arm' has 1 frame that no node publishes: tool",
        {'frames': ['tool'], 'robot': 'arm', 'publishers': ['/state_publisher']}, ()),
    case(
        'frame-missing',
        lambda: GraphRecords().description('/state_publisher', MODEL.format(name='arm')).frames(
            '/other', {'base': 'odom'}).joint_states('/driver', swinging), robot,
        "No frame of robot 'arm' is published; /other only published other frames",
        {'frames': ['mount', 'arm', 'tool'], 'robot': 'arm', 'publishers': ['/other']}, ()),
    case(
        'frame-missing',
        lambda: GraphRecords().description('/state_publisher', MODEL.format(name='arm'))
        .joint_states('/driver', swinging), lambda: robot(prefix='left/'),
        "No frame of robot 'arm' is published",
        {'frames': ['mount', 'arm', 'tool'], 'robot': 'arm', 'publishers': []}, ()),
    case(
        'frame-missing',
        lambda: GraphRecords().description('/state_publisher', MODEL.format(name='arm')).publisher(
            '/state_publisher', '/tf', TF_MESSAGE).joint_states('/driver', swinging),
        lambda: robot().publisher('/drive', '/tf', TF_MESSAGE),
        "No frame of robot 'arm' is published; nothing arrived from /state_publisher",
        {'frames': ['mount', 'arm', 'tool'], 'robot': 'arm', 'publishers': []},
        ('/state_publisher',), hint='See what /state_publisher waits for: joint states, a '
        'description, or /clock if it has use_sim_time'),
    case(
        'frame-tree-in-pieces',
        lambda: with_other({'lens': 'camera', 'optical': 'lens'}),
        lambda: with_other({'lens': 'camera', 'camera': 'tool'}),
        "The tree of 3 frames below 'camera' from /other is not connected to 'base'",
        {'frames': ['camera', 'lens', 'optical'], 'root': 'camera', 'other': 'base', 'topics': []},
        ('/other',), subject='camera'),
    case(
        'frame-tree-in-pieces',
        lambda: with_other({'lens': 'camera'}).stamped(
            '/camera', '/points', POINTS, 'lens', users=('/costmap',)),
        lambda: with_other({'lens': 'camera', 'camera': 'tool'}).stamped(
            '/camera', '/points', POINTS, 'lens', users=('/costmap',)),
        "The tree of 2 frames below 'camera' from /other is not connected to 'base', so that data "
        'on /points cannot be transformed',
        {'frames': ['camera', 'lens'], 'root': 'camera', 'other': 'base', 'topics': ['/points']},
        ('/other',), subject='camera', severity=Severity.ERROR),
    case(
        'frame-tree-in-pieces',
        lambda: with_other({'bas': 'odom'}), lambda: with_other({'base': 'odom'}),
        "The tree of 2 frames below 'odom' from /other is not connected to 'base'",
        {'frames': ['bas', 'odom'], 'root': 'odom', 'other': 'base', 'topics': [],
         'wrong': 'bas', 'suggestion': 'base'},
        ('/other',), subject='odom', severity=Severity.ERROR,
        hint="Did you mean 'base' by 'bas'? Otherwise publish the transform that connects them"),
    case(
        'frame-tree-in-pieces',
        lambda: with_other({'odom': 'map'}).node(
            '/planner', frames={'global_frame': 'odom', 'robot_base_frame': 'base'}),
        lambda: with_other({'odom': 'map'}).frames('/driver', {'base': 'odom'}),
        "The tree of 2 frames below 'map' from /other is not connected to 'base'",
        {'frames': ['map', 'odom'], 'root': 'map', 'other': 'base', 'topics': [],
         'parent': 'odom', 'child': 'base', 'node': '/planner'},
        ('/other',), subject='map', severity=Severity.ERROR,
        hint="Publish the transform from 'odom' to 'base', which /planner waits for"),
    case(
        'frame-two-publishers',
        lambda: with_other({'mount': 'base'}, (0, 0, 0.6, 0, 0, 0, 1), topic='/tf_static'),
        # A static transform that is identical to that of the model does no harm.
        lambda: with_other({'mount': 'base'}, (0, 0, 0.5, 0, 0, 0, -1), topic='/tf_static'),
        '/other and /state_publisher publish the same 1 frame: mount',
        {'frames': ['mount'], 'number': 2}, OTHERS, topic='/tf_static',
        also=('frame-contradicts-model',)),
    case(
        'frame-contradicts-model',
        lambda: robot(MODEL.format(name='arm').replace('0 0 0.5', '0 0 0.75')), robot,
        "Frame 'mount' from /state_publisher is 0.25 m and 0 rad away from what joint 'screws' "
        'allows', {'frame': 'mount', 'joint': 'screws', 'distance': 0.25, 'angle': 0.0},
        ('/state_publisher',), topic='/tf_static', subject='mount'),
    case(
        'frame-contradicts-model',
        lambda: mounted((500.0, 0, 0, 0, 0, 0, 1)), lambda: mounted((0.5, 0, 0, 0, 0, 0, 1)),
        "Frame 'lens' from /static is 499.5 m and 0 rad away from what joint 'screw' allows",
        {'frame': 'lens', 'joint': 'screw', 'distance': 499.5, 'angle': 0.0}, ('/static',),
        topic='/tf_static', subject='lens',
        hint='The translation looks like millimetres; it must be in metres'),
    case(
        'frame-contradicts-model',
        *(lambda angle=angle: mounted(
            (0.5, 0, 0, 0, 0, np.sin(angle / 2), np.cos(angle / 2)), rpy='0 0 0.5')
          for angle in (np.degrees(0.5), 0.5)),
        "Frame 'lens' from /static is 0 m and 3.015 rad away from what joint 'screw' allows",
        {'frame': 'lens', 'joint': 'screw', 'distance': 0.0, 'angle': approx(3.015, abs=1e-3)},
        ('/static',), topic='/tf_static', subject='lens',
        hint='The rotation looks like degrees; it must be in radians'),
    case(
        'frame-contradicts-model',
        lambda: mounted((-0.5, 0, 0, 0, 0, 0, 1)), lambda: mounted((0.5, 0, 0, 0, 0, 0, 1)),
        "Frame 'lens' from /static is 1 m and 0 rad away from what joint 'screw' allows",
        {'frame': 'lens', 'joint': 'screw', 'distance': 1.0, 'angle': 0.0}, ('/static',),
        topic='/tf_static', subject='lens', hint='It is the inverse of what the model has: tf '
        'expects the pose of the child in its parent'),
    case(
        'frame-contradicts-model',
        lambda: mounted((-0.5, 0, 0, 0, 0, 0, 1), 'lens', 'mount'),
        lambda: mounted((0.5, 0, 0, 0, 0, 0, 1)),
        "Frame 'lens' from /static is the parent of 'mount', not its child",
        {'frame': 'lens', 'parent': 'mount'}, ('/static',), topic='/tf_static', subject='lens',
        hint='Interchange them, and publish the inverse transform: tf expects the pose of the '
        'child in its parent', also=('frame-missing', 'frame-two-parents')),
    case(
        'frame-contradicts-model',
        lambda: turned(0.2), lambda: turned(2 * np.pi),
        "Frame 'arm' from /state_publisher puts joint 'turn' at -0.07201 rad, but the joint state "
        'with the same stamp has -0.272 rad',
        {'frame': 'arm', 'joint': 'turn', 'unit': 'rad', 'position': approx(-0.072, abs=1e-4),
         'reported': approx(-0.272, abs=1e-4)}, ('/state_publisher',), subject='arm'),
    case(
        'frame-contradicts-model',
        lambda: robot(MODEL.format(name='arm').replace(
            '<parent link="mount"/>', '<parent link="base"/>').replace(
                '"0.1 0 0" rpy="0 0.3 0"', '"0 0 0"')), robot,
        "Frame 'arm' from /state_publisher has the parent 'mount' instead of 'base'",
        {'frame': 'arm', 'parent': 'mount', 'expected': 'base'}, ('/state_publisher',),
        subject='arm'))
