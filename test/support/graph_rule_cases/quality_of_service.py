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

"""Cases of the rules about the quality of service of publishers and subscribers."""

from support.graph_records import BEST_EFFORT
from support.graph_records import Case
from support.graph_records import GraphRecords
from support.graph_records import LATCHED
from support.graph_records import robot
from support.graph_records import TIMES

from urdf_tools.doctor.graph import JOINT_STATE
from urdf_tools.doctor.graph import Qos
from urdf_tools.doctor.graph import TF_MESSAGE


def deaf(offered: Qos, requested: Qos) -> GraphRecords:
    """Return a robot with a controller that subscribes to its joint states."""
    return robot(qos=offered).subscriber('/controller', '/joint_states', JOINT_STATE, requested)


def mismatch(policy: str, offered: Qos, requested: Qos, one: str, other: str) -> Case:
    return Case(
        'qos-mismatch', lambda: deaf(offered, requested), lambda: deaf(requested, offered),
        f'No message from /driver reaches /controller: the {policy} offered is {one}, the one '
        f'requested {other}',
        {'publisher': '/driver', 'subscribers': ['/controller'], 'policy': policy,
         'offered': one, 'requested': other}, ('/driver', '/controller'))


def static_frames(qos: Qos, **listeners: Qos) -> GraphRecords:
    """Return a robot with another publisher of static frames, and listeners to them."""
    records = robot().frames('/lidar', {'lidar': 'base'}, topic='/tf_static', times=TIMES[:1],
                             qos=qos)
    for name, requested in listeners.items():
        records.subscriber(f'/{name}', '/tf_static', TF_MESSAGE, requested)
    return records


def multiplexed(topic: str) -> GraphRecords:
    """Return a robot that is driven by one of two nodes, over a topic."""
    kind, records = 'geometry_msgs/msg/Twist', robot()
    for name in ('plan', 'teleop'):
        records.publisher(f'/{name}', f'/in/{name}', kind).subscriber('/mux', f'/in/{name}', kind)
    records.subscriber('/mux', '/in/other', kind).publisher('/mux', topic, kind)
    return records.subscriber('/drive', '/drive/cmd', kind)


CASES = (
    Case(
        'topic-name-differs', lambda: robot().publisher(
            '/teleop', '/cmd_vel', 'geometry_msgs/msg/Twist').subscriber(
                '/drive', '/drive/cmd_vel', 'geometry_msgs/msg/Twist'),
        lambda: robot().publisher('/teleop', '/cmd_vel', 'geometry_msgs/msg/Twist').subscriber(
            '/drive', '/cmd_vel', 'geometry_msgs/msg/Twist').subscriber(
                '/drive', '/drive/cmd_vel', 'geometry_msgs/msg/Twist').publisher(
                    '/drive', '/cmd_vel_out', 'geometry_msgs/msg/Twist'),
        "/teleop publishes what nobody receives, and /drive listens to '/drive/cmd_vel', which "
        'nobody publishes', {'users': ['/drive'], 'other': '/drive/cmd_vel'}, ('/teleop',),
        '/cmd_vel'),
    Case(
        'topic-name-differs', lambda: multiplexed('/cmd_vel'), lambda: multiplexed('/drive/cmd'),
        "/mux publishes what nobody receives, and /drive listens to '/drive/cmd', which nobody "
        'publishes', {'users': ['/drive'], 'other': '/drive/cmd'}, ('/mux',), '/cmd_vel'),
    Case(
        'topic-types-differ', lambda: robot().publisher(
            '/teleop', '/cmd_vel', 'geometry_msgs/msg/Twist').subscriber(
                '/drive', '/cmd_vel', 'geometry_msgs/msg/TwistStamped'),
        lambda: robot().publisher('/teleop', '/cmd_vel', 'geometry_msgs/msg/Twist').subscriber(
            '/drive', '/cmd_vel', 'geometry_msgs/msg/Twist').subscriber(
                '/drive', '/cmd_vel', 'geometry_msgs/msg/TwistStamped'),
        'No message from /teleop reaches /drive: it is published as geometry_msgs/msg/Twist, and '
        'expected as geometry_msgs/msg/TwistStamped',
        {'publisher': '/teleop', 'subscribers': ['/drive'], 'kind': 'geometry_msgs/msg/Twist',
         'expected': 'geometry_msgs/msg/TwistStamped'}, ('/teleop', '/drive'), '/cmd_vel'),
    Case(
        'tf-static-volatile', lambda: static_frames(Qos(), rviz=LATCHED),
        lambda: static_frames(LATCHED, rviz=LATCHED),
        '/lidar publishes static transforms with volatile durability; /rviz will never receive '
        'them', {'subscribers': ['/rviz']}, ('/lidar',), '/tf_static'),
    Case(
        'tf-static-volatile', lambda: static_frames(Qos()).observed(recorded=True),
        lambda: static_frames(Qos(transient_local=None)).observed(recorded=True),
        '/lidar publishes static transforms with volatile durability', {'subscribers': []},
        ('/lidar',), '/tf_static', hint='Publish them transient local; when the recording is '
        'played, override the durability of /tf_static in the file that ros2 bag play takes with '
        '--qos-profile-overrides-path'),
    Case(
        'message-unreadable',
        lambda: robot().observed(unreadable={'/joint_states': 3}), robot,
        '3 messages from /driver cannot be read', {'messages': 3}),
    Case(
        'names-too-many', lambda: robot().observed(crowded={'/joint_states': 100}), robot,
        'More than 100 names of joints or frames from /driver are too many to be evaluated',
        {'maximum': 100}),
    mismatch('reliability', BEST_EFFORT, Qos(), 'best effort', 'reliable'),
    mismatch('durability', Qos(), LATCHED, 'volatile', 'transient local'),
    mismatch('liveliness', Qos(), Qos(manual=True), 'automatic', 'manual by topic'),
    mismatch('deadline', Qos(deadline=2.0), Qos(deadline=0.5), '2 s', '0.5 s'),
    mismatch('liveliness lease', Qos(), Qos(lease=0.5), 'infinite', '0.5 s'))
