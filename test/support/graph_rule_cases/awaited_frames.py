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
"""Cases of the rules about frames that nodes wait for, and where they listen to them."""

from functools import partial

from support.graph_records import Case
from support.graph_records import GraphRecords
from support.graph_records import robot
from support.graph_records import TIMES

from urdf_tools.doctor.graph import TF_MESSAGE
from urdf_tools.findings.finding import Severity

case = partial(Case, topic='/tf')


def planner(records: GraphRecords, topic: str = '/tf', **frames: str) -> GraphRecords:
    frames = frames or {'global_frame': 'map', 'robot_base_frame': 'base'}
    return records.node('/planner', frames=frames).subscriber('/planner', topic, TF_MESSAGE)


def amcl(records: GraphRecords, state: str = 'active') -> GraphRecords:
    """Add a localisation that publishes nothing."""
    return records.node('/amcl', frames={'global_frame_id': 'map'}).publisher(
        '/amcl', '/tf', TF_MESSAGE).subscriber('/amcl', '/tf', TF_MESSAGE).observed(
            states={'/amcl': state})


def localised() -> GraphRecords:
    return robot().frames('/amcl', {'odom': 'map'}).frames('/base', {'base': 'odom'})


def awaited(parameter: str = 'global_frame', sources=(), state='', waiting=('/planner',), **more):
    return {'frame': 'map', 'waiting': [*waiting], 'sources': [*sources],
            'source': ''.join(sources), 'parameter': parameter, 'state': state, **more}


def slam(**frames: str) -> GraphRecords:
    return planner(localised(), base_frame='base', **frames)


def slam_of(**odometry: object) -> GraphRecords:
    """Return a robot with a mapping node, and odometry that is published in some way."""
    return planner(robot().frames('/base', {'base': 'odom'}, **odometry), base_frame='base',
                   odom_frame='odom')


CASES = (
    case(
        'frame-parameters-equal', lambda: slam(odom_frame='base'),
        lambda: slam(odom_frame='odom'), "odom_frame of /planner is 'base', as is its base_frame",
        {'frame': 'base', 'one': 'odom_frame', 'other': 'base_frame'}, ('/planner',),
        subject='base'),
    case(
        'frame-parameters-equal', lambda: slam_of(topic='/tf_static', times=TIMES[:1]), slam_of,
        "Static transforms fix 'base' to 'odom', so that the robot never moves for /planner, "
        'which has them as base_frame and odom_frame',
        {'base': 'base', 'frame': 'odom', 'node': '/planner', 'one': 'odom_frame',
         'other': 'base_frame'}, ('/base',), topic='/tf_static', subject='base',
        hint="Let the odometry publish 'odom' -> 'base' in place of the static transform"),
    case(
        'frame-awaited',
        lambda: planner(robot()), lambda: planner(localised()),
        "/planner waits for the frame 'map' (global_frame), which no node publishes", awaited(),
        ('/planner',), subject='map',
        hint='Start a localisation (amcl, slam_toolbox), or correct the parameter'),
    case(
        'frame-awaited',
        lambda: amcl(planner(robot())), lambda: planner(localised()),
        "/planner waits for the frame 'map' (global_frame), which no node publishes; /amcl should",
        awaited(sources=('/amcl',)), ('/planner',), subject='map',
        hint='See what /amcl waits for: an initial pose, a map, or data of its sensors, in frames '
             'that exist'),
    case(
        'frame-awaited',
        lambda: amcl(planner(robot()), 'inactive'), lambda: planner(localised()),
        "/planner waits for the frame 'map' (global_frame), which no node publishes; /amcl "
        'should, but is inactive', awaited(sources=('/amcl',), state='inactive'), ('/planner',),
        subject='map',
        hint='Activate it, for example with "ros2 lifecycle set /amcl activate"'),
    case(
        'frame-awaited',
        lambda: amcl(robot(), 'unconfigured'), lambda: planner(localised()),
        "No node publishes the frame 'map' (global_frame_id); /amcl should, but is unconfigured",
        awaited('global_frame_id', ('/amcl',), 'unconfigured', ()), ('/amcl',), subject='map',
        hint='Configure and activate it, for example with "ros2 lifecycle set /amcl configure"; '
             'see why its lifecycle manager did not', severity=Severity.WARN),
    case(
        'frame-awaited',
        lambda: planner(robot(), robot_base_frame='bse'),
        # The map frame of robot_localization counts only if it is the world.
        lambda: planner(robot().frames('/base', {'base': 'odom'}), world_frame='odom',
                        map_frame='map', odom_frame='odom', base_link_frame='base'),
        "/planner waits for the frame 'bse' (robot_base_frame), which no node publishes",
        awaited('robot_base_frame', frame='bse', suggestion='base'), ('/planner',), subject='bse',
        hint="Did you mean 'base'?"),
    case(
        'frame-other-topic',
        lambda: robot(namespace='/a200').frames('/a200/ekf', {'base': 'odom'}),
        lambda: robot(namespace='/a200').frames('/a200/ekf', {'base': 'odom'}, topic='/a200/tf'),
        "/a200/ekf publishes frame 'base' of robot 'arm' on /tf, but the other frames of the "
        'robot are on /a200/tf', {'frame': 'base', 'robot': 'arm', 'published': '/a200/tf'},
        ('/a200/ekf',), subject='base', hint='Start /a200/ekf with -r /tf:=/a200/tf'),
    case(
        'frame-other-topic',
        lambda: steered(), lambda: steered().frames('/ekf', {'base': 'odom'}),
        "/ackermann publishes frame 'base' of robot 'arm' on /ackermann/tf_odometry, but the "
        'other frames of the robot are on /tf',
        {'frame': 'base', 'robot': 'arm', 'published': '/tf'},
        ('/ackermann',), topic='/ackermann/tf_odometry', subject='base',
        hint='Start /ackermann with -r /ackermann/tf_odometry:=/tf'),
    case(
        'frame-other-namespace',
        lambda: robot(namespace='/a200').subscriber('/viewer', '/tf', TF_MESSAGE).subscriber(
            '/viewer', '/tf_static', TF_MESSAGE),
        lambda: robot(namespace='/a200').subscriber('/viewer', '/a200/tf', TF_MESSAGE).subscriber(
            '/foxglove_bridge', '/tf', TF_MESSAGE),
        'No frames arrive on /tf for /viewer; 3 frames are on /a200/tf',
        {'frames': ['arm', 'mount', 'tool'], 'published': '/a200/tf',
         'remappings': '-r /tf:=/a200/tf -r /tf_static:=/a200/tf_static'}, ('/viewer',),
        hint='Start them with -r /tf:=/a200/tf -r /tf_static:=/a200/tf_static'))


def steered():
    """Return a robot whose controller publishes its odometry on its own topic."""
    return robot().frames('/ackermann', {'base': 'odom'}, topic='/ackermann/tf_odometry')
