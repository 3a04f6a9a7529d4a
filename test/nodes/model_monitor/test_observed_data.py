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
"""
What is observed of sensors, of parameters that name frames, and of states in a real graph.

Every case is a robot in a namespace of its own, as in test_observed_graph.py.
"""

from __future__ import annotations

import time

from geometry_msgs.msg import Vector3
from nav_msgs.msg import OccupancyGrid
from nav_msgs.msg import Odometry
import pytest
from rclpy.lifecycle import LifecycleNode
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import Image
from sensor_msgs.msg import Imu
from sensor_msgs.msg import LaserScan
from sensor_msgs.msg import PointCloud2
from std_msgs.msg import String
from support.graph_cases import GraphCases
from support.graph_peers import PeerRobot
from support.graph_peers import Peers
from support.graph_peers import static_frame
from tf2_msgs.msg import TFMessage
from urdf_tools.ros.conversions import to_time
from urdf_tools.ros.topics import LATCHED
from urdf_tools.ros.topics import NoExecutor

pytestmark = pytest.mark.slow

CASES = GraphCases()
case = CASES.case

TICKS = 60
"""Messages after which a sensor stops; they take longer than a turn."""


def listening(peers: Peers, space: str, **topics: type) -> None:
    """Add a node that listens to frames and to some topics."""
    node = peers.node('costmap', f'/{space}')
    for topic, kind in {'tf': TFMessage, 'tf_static': TFMessage, **topics}.items():
        node.create_subscription(
            kind, topic, print, qos_profile_sensor_data, callback_group=NoExecutor())


def sensor(peers: Peers, space: str, kind: type, frame: str, *, age: float = 0.0,
           ticks: float = float('inf')) -> None:
    """Add a robot with a sensor, and a node that listens to it."""
    PeerRobot(peers, space)
    listening(peers, space, data=kind)
    publisher = peers.node('sensor', f'/{space}').create_publisher(
        kind, 'data', qos_profile_sensor_data)

    def publish(number: int) -> None:
        if number < ticks:
            message = LaserScan(range_max=9.0, ranges=[1.0]) if kind is LaserScan else kind()
            message.header.frame_id = frame
            message.header.stamp = to_time(time.time_ns() - round(age * 1e9))
            publisher.publish(message)

    peers.ticks.append(publish)


@case()
def scanning(peers):
    sensor(peers, 'scanning', LaserScan, 'tool')


@case(data_frame_unknown="^Messages from /unknown/sensor refer to the frame 'unknown/tool/lidar', "
                         'which no node publishes, so that /unknown/costmap cannot')
def unknown(peers):
    sensor(peers, 'unknown', PointCloud2, 'unknown/tool/lidar')


@case(data_stamps_future=r'^Messages from /ahead/sensor are stamped (2|1\.9\d*) s in the future$')
def ahead(peers):
    sensor(peers, 'ahead', LaserScan, 'tool', age=-2.0)


@case(data_stopped='^/stopped/sensor stopped publishing')
def stopped(peers):
    sensor(peers, 'stopped', LaserScan, 'tool', ticks=TICKS)


@case(imu_mounting="^At rest, the acceleration that /tipped/imu measures in 'imu' points "
                   'along -z')
def tipped(peers):
    """Read the numbers of an IMU."""
    peers.node('state_publisher', '/tipped').create_publisher(
        String, 'robot_description', LATCHED).publish(String(
            data='<robot name="tipped"><link name="base"/><link name="imu"/><joint name="screws" '
                 'type="fixed"><parent link="base"/><child link="imu"/></joint></robot>'))
    static_frame(peers, 'tipped', 'base', 'imu')

    def message(number: int) -> Imu:
        imu = Imu(linear_acceleration=Vector3(x=0.01 * (number % 2), z=-9.81))
        imu.header.frame_id = 'imu'
        imu.header.stamp = to_time(time.time_ns())
        return imu

    peers.every_tick(peers.node('imu', '/tipped'), Imu, 'data', message)


@case(data_child_frame_unknown="^Messages from /misled/odometry have the child_frame_id 'bas'")
def misled(peers):
    PeerRobot(peers, 'misled')

    def message(number: int) -> Odometry:
        odometry = Odometry(child_frame_id='bas')
        odometry.header.frame_id = 'base'
        odometry.header.stamp = to_time(time.time_ns())
        return odometry

    peers.every_tick(peers.node('odometry', '/misled'), Odometry, 'odom', message)


@case(data_silent='^/mute/sensor published nothing in .* for /mute/costmap')
def mute(peers):
    sensor(peers, 'mute', LaserScan, 'tool', ticks=0)


@case()
def lazy(peers):
    """Do not wake a node that computes images only while somebody listens."""
    PeerRobot(peers, 'lazy')
    publisher = peers.node('camera', '/lazy').create_publisher(Image, 'image', 10)

    def publish(number: int) -> None:
        assert publisher.get_subscription_count() == 0

    peers.ticks.append(publish)


@case(data_frame_unknown="^Messages from /kept/map_server refer to the frame 'map'")
def kept(peers):
    """Hear a map that was published once."""
    PeerRobot(peers, 'kept')
    grid = OccupancyGrid()
    grid.header.frame_id = 'map'
    peers.node('map_server', '/kept').create_publisher(
        OccupancyGrid, 'map', LATCHED).publish(grid)
    listening(peers, 'kept', map=OccupancyGrid)


@case(frame_awaited=r"^/awaited/planner waits for the frame 'map' \(global_frame\), which no node "
                    'publishes; /awaited/amcl should, but is unconfigured$')
def awaited(peers):
    PeerRobot(peers, 'awaited')
    node = peers.node('planner', '/awaited', global_frame='map')
    node.create_subscription(TFMessage, 'tf', print, 10, callback_group=NoExecutor())
    amcl = peers.add(LifecycleNode(
        'amcl', namespace='/awaited', context=peers.context, enable_rosout=False))
    amcl.declare_parameter('global_frame_id', 'map')
    amcl.create_subscription(TFMessage, 'tf', print, 10, callback_group=NoExecutor())
    # A publisher without a life cycle, so that it is there from the beginning.
    super(LifecycleNode, amcl).create_publisher(TFMessage, 'tf', 10)


@pytest.fixture(scope='module')
def found(domain) -> dict[str, list]:
    return CASES.observe(domain)


@pytest.mark.parametrize('name', CASES.expected)
def test_each_defect_is_found_and_no_other(found, name):
    CASES.check(found[name], name)
