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
"""Cases of the rules about data that refer to frames."""

from functools import partial

from pytest import approx
from support.graph_records import Case
from support.graph_records import GraphRecords
from support.graph_records import nanoseconds
from support.graph_records import robot
from support.graph_records import TIMES

from urdf_tools.findings.finding import Severity

SCAN = 'sensor_msgs/msg/LaserScan'
COSTMAP = ('/costmap',)
STRAIGHT = (0.0, 0.0, 0.0, 1.0)
OPTICAL = (-0.5, 0.5, -0.5, 0.5)
"""Rotation with z forward and x to the right."""

case = partial(Case, topic='/scan', nodes=('/lidar',))


def scans(frame: str = 'tool', users=COSTMAP, **options) -> GraphRecords:
    return robot().stamped('/lidar', '/scan', SCAN, frame, users=users, **options)


def odometry(child: str) -> GraphRecords:
    return robot().frames('/ekf', {'base': 'odom'}).stamped(
        '/ekf', '/odom', 'nav_msgs/msg/Odometry', 'odom', child=child)


def images(frame: str, other: str = 'lens', rotation=STRAIGHT, optical=OPTICAL) -> GraphRecords:
    """Return a robot with a camera, of which one frame is turned to be optical."""
    frames = {'camera': ('base', rotation), 'camera_optical': ('camera', optical)}
    chosen = {name: each for name, each in frames.items() if name in (frame, other)}
    return robot().frames(
        '/camera', {name: parent for name, (parent, _) in chosen.items()},
        [(0, 0, 0, *turn) for _, turn in chosen.values()],
        topic='/tf_static', times=TIMES[:1]).stamped(
            '/camera', '/image_raw', 'sensor_msgs/msg/Image', frame)


def with_lidars(frame: str) -> GraphRecords:
    """Return a robot with two lidars, of which one names some frame."""
    return scans(frame).frames(
        '/state_publisher', {'lidar_front_link': 'base', 'lidar_rear_link': 'base'},
        topic='/tf_static', times=TIMES[:1])


def mounted(records: GraphRecords) -> GraphRecords:
    """Add a level plate and one that is turned as a camera, with names of no kind of sensor."""
    return records.frames(
        '/state_publisher', {'plate': 'base', 'front': 'base', 'imu': 'base'}, [
            (0, 0, 0, *turn) for turn in (STRAIGHT, OPTICAL, STRAIGHT)],
        topic='/tf_static', times=TIMES[:1])


def unplaced() -> GraphRecords:
    """Return a sensor whose user listens to frames, of which there are none."""
    return GraphRecords().stamped('/lidar', '/scan', SCAN, 'laser', users=COSTMAP)


def numbered(frame: str) -> GraphRecords:
    """Return a robot whose scans have frames that are made of their numbers."""
    records = robot()
    for number, time in enumerate(TIMES[:10]):
        records.stamped('/lidar', '/scan', SCAN, frame.format(number), users=COSTMAP,
                        times=TIMES[:1] + time)
    return records


def late(seconds: float) -> GraphRecords:
    return scans(stamps=lambda times: nanoseconds(times - seconds))


CASES = (
    case(
        'topic-name-differs',
        lambda: scans().subscriber('/nav/costmap', '/nav/scan', SCAN), scans,
        'No data reach /nav/costmap, as no node publishes them here, but some do on /scan',
        {'others': ['/scan']}, topic='/nav/scan', nodes=('/nav/costmap',)),
    case(
        'data-frame-unknown',
        lambda: scans('laser'), scans,
        "Messages from /lidar refer to the frame 'laser', which no node publishes, so that "
        '/costmap cannot transform them', {'frame': 'laser', 'users': ['/costmap']},
        subject='laser'),
    case(
        'data-frame-unknown',
        lambda: scans('arm_robot/tool/gpu_lidar'), lambda: scans('tool', users=()),
        "Messages from /lidar refer to the frame 'arm_robot/tool/gpu_lidar', which no node "
        'publishes, so that /costmap cannot transform them',
        {'frame': 'arm_robot/tool/gpu_lidar', 'users': ['/costmap'], 'suggestion': 'tool'},
        subject='arm_robot/tool/gpu_lidar',
        hint="Did you mean 'tool'? Set it as <gz_frame_id> of the sensor"),
    case(
        'data-frame-unknown', lambda: scans('laser', users=()), lambda: scans(users=()),
        "Messages from /lidar refer to the frame 'laser', which no node publishes",
        {'frame': 'laser', 'users': []}, subject='laser', severity=Severity.WARN),
    case(
        'data-frame-unknown',
        lambda: robot(prefix='left/').stamped('/lidar', '/scan', SCAN, 'tool', users=COSTMAP),
        lambda: robot(prefix='left/').stamped('/lidar', '/scan', SCAN, 'left/tool', users=COSTMAP),
        "Messages from /lidar refer to the frame 'tool', which no node publishes, so that "
        '/costmap cannot transform them',
        {'frame': 'tool', 'users': ['/costmap'], 'suggestion': 'left/tool'}, subject='tool',
        hint="Did you mean 'left/tool'?"),
    case(
        'data-frame-unknown', unplaced, lambda: unplaced().frames(
            '/mount', {'laser': 'base'}, topic='/tf_static', times=TIMES[:1]),
        "Messages from /lidar refer to the frame 'laser', which no node publishes, so that "
        '/costmap cannot transform them', {'frame': 'laser', 'users': ['/costmap']},
        subject='laser', also=('description-not-published',)),
    case(
        'data-frame-unknown', lambda: numbered('{}'), lambda: numbered('tool'),
        "Each message from /lidar refers to another frame, such as '0'", {'frame': '0'},
        hint='Let the node name one frame in all messages', also=('data-stopped',)),
    case(
        'data-frame-unknown', lambda: scans('/tool'), lambda: scans('tool'),
        "Messages from /lidar refer to the frame '/tool', which has a slash at its beginning, and "
        'tf2 refuses those, so that /costmap cannot transform them',
        {'frame': '/tool', 'users': ['/costmap'], 'suggestion': 'tool'}, subject='/tool',
        hint="Did you mean 'tool'?"),
    case(
        'data-frame-unknown',
        lambda: scans(''), lambda: robot().stamped(
            '/planner', '/plan', 'nav_msgs/msg/Path', '', users=COSTMAP),
        'Messages from /lidar have an empty frame_id, so that /costmap cannot transform them',
        {'users': ['/costmap']},
        hint='Set the frame in the parameters of the node that publishes them'),
    case(
        'data-frame-unknown',
        lambda: with_lidars('laser'), lambda: with_lidars('lidar_rear_link'),
        "Messages from /lidar refer to the frame 'laser', which no node publishes, so that "
        '/costmap cannot transform them', {'frame': 'laser', 'users': ['/costmap'], 'candidates': [
            'lidar_front_link', 'lidar_rear_link']}, subject='laser',
        hint="Did you mean one of 'lidar_front_link', 'lidar_rear_link'? Let the node name a "
        'frame that exists'),
    case(
        'data-frame-unknown',
        lambda: with_lidars('front_laser'), lambda: with_lidars('lidar_rear_link'),
        "Messages from /lidar refer to the frame 'front_laser', which no node publishes, so that "
        '/costmap cannot transform them',
        {'frame': 'front_laser', 'users': ['/costmap'], 'suggestion': 'lidar_front_link'},
        subject='front_laser', hint="Did you mean 'lidar_front_link'?"),
    case(
        'data-frame-unknown',
        lambda: mounted(scans('x1')), lambda: mounted(scans('plate')),
        "Messages from /lidar refer to the frame 'x1', which no node publishes, so that "
        '/costmap cannot transform them', {'frame': 'x1', 'users': ['/costmap'],
                                           'suggestion': 'plate'}, subject='x1',
        hint="Did you mean 'plate'?"),
    case(
        'data-child-frame-unknown',
        lambda: odometry('bas'), lambda: odometry('base'),
        "Messages from /ekf have the child_frame_id 'bas', which no node publishes",
        {'frame': 'bas', 'suggestion': 'base'}, nodes=('/ekf',), topic='/odom', subject='bas',
        hint="Did you mean 'base'?"),
    case(
        'image-frame-not-optical',
        lambda: images('camera', 'camera_optical'), lambda: images('camera_optical', 'camera'),
        "Images from /camera are stamped in the frame 'camera', which is not optical",
        {'frame': 'camera', 'suggestion': 'camera_optical'}, nodes=('/camera',),
        topic='/image_raw', subject='camera', hint="Did you mean 'camera_optical'?"),
    case(
        'image-frame-not-optical',
        lambda: images('camera'), lambda: images('camera', rotation=OPTICAL),
        "Images from /camera are stamped in the frame 'camera', which is not optical: its z axis "
        'points up', {'frame': 'camera'}, nodes=('/camera',), topic='/image_raw',
        subject='camera'),
    case(
        'image-frame-not-optical',
        lambda: images('camera', 'camera_optical', optical=STRAIGHT),
        lambda: images('camera', rotation=OPTICAL),
        "Images from /camera are stamped in the frame 'camera', which is not optical: its z axis "
        'points up', {'frame': 'camera', 'names': ['camera_optical']}, nodes=('/camera',),
        topic='/image_raw', subject='camera', hint="Turn 'camera_optical', whose z axis points "
        'up, too, by rpy="-1.5708 0 -1.5708", and let the driver name it'),
    case(
        'data-gap',
        lambda: scans(times=TIMES[(TIMES < 1.05) | (TIMES > 3.95)]),
        lambda: scans(times=TIMES[(TIMES < 1.05) | (TIMES > 2.95)]),
        'Messages from /lidar paused for 3.0 s, at a rate of 10 Hz otherwise',
        {'pause': approx(3.0), 'rate': approx(10.0)}, subject='tool'),
    case(
        'data-stamps-old',
        # In a recording that is played without its clock, frames are as old as the data.
        lambda: late(0.7), lambda: robot(tf_delay=1e8).stamped(
            '/lidar', '/scan', SCAN, 'tool', stamps=lambda times: nanoseconds(times - 1e8)),
        'Messages from /lidar are 0.7 s old when they arrive', {'age': approx(0.7)},
        subject='tool', also=('frame-stamps-old',)),
    case(
        'data-stamps-old',
        lambda: late(0.55), lambda: late(0.45),
        'Messages from /lidar are 0.55 s old when they arrive', {'age': approx(0.55)},
        subject='tool'),
    case(
        'data-stamps-old',
        lambda: late(1e9 - 40), lambda: robot().stamped(
            '/planner', '/plan', 'nav_msgs/msg/Path', 'base', stamps=lambda times: times * 0 + 1),
        'Messages from /lidar are 1e+09 s old when they arrive', {'age': approx(1e9)},
        subject='tool', severity=Severity.ERROR),
    case(
        'data-stamps-future',
        lambda: late(-2.0), lambda: late(-0.05),
        'Messages from /lidar are stamped 2 s in the future', {'ahead': approx(2.0)},
        subject='tool'),
    case(
        'data-stopped',
        lambda: scans(times=TIMES[:20]), lambda: scans(times=TIMES[9::20]),
        '/lidar stopped publishing 3.0 s ago', {'silence': approx(3.0)}, subject='tool'),
    case(
        'data-silent',
        lambda: silent(SCAN), lambda: silent('sensor_msgs/msg/PointCloud2'),
        '/lidar published nothing in 5.0 s for /costmap',
        {'users': ['/costmap'], 'seconds': 5.0}))


def silent(kind: str) -> GraphRecords:
    """Return a sensor that is there, and publishes nothing for the node that listens."""
    return robot().publisher('/lidar', '/scan', kind).subscriber(
        '/costmap', '/scan', kind).observed(silent={'/scan': 5.0})
