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
Draw docs/inertia_markers.png: the sample robot, and the markers of the inertia publisher on it.

The nodes run; the poses are those of /tf and the markers those of ~/markers. This needs
matplotlib, which nothing else here does: pip install matplotlib.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Sequence
import os
from pathlib import Path
import time

from geometry_msgs.msg import PointStamped
from matplotlib import pyplot
from matplotlib.patches import Patch
from mpl_toolkits.mplot3d.art3d import Poly3DCollection
from node_processes import NodeProcesses
from node_processes import reserved_domain
import numpy as np
import rclpy
from sensor_msgs.msg import JointState
from tf2_msgs.msg import TFMessage

from urdf_tools.kinematics.transforms import quaternion_to_matrix
from urdf_tools.model.loader import build_robot
from urdf_tools.model.records import Box
from urdf_tools.model.robot import Robot
from urdf_tools.ros.topics import LATCHED
from urdf_tools.ros.topics import TF
from urdf_tools.ros.topics import TF_STATIC
from urdf_tools.xacro.description_files import open_document
from visualization_msgs.msg import Marker
from visualization_msgs.msg import MarkerArray

ROOT = Path(__file__).resolve().parents[1]
MODEL = ROOT / 'urdf' / 'mobile_manipulator.urdf.xacro'
PICTURE = ROOT / 'docs' / 'inertia_markers.png'

POSE = {
    'lift_joint': 0.3, 'arm_shoulder_lift_joint': 0.7, 'arm_elbow_joint': 1.1,
    'arm_wrist_2_joint': 0.6, 'arm_left_finger_joint': 0.04}
"""Joint positions other than zero."""

LEGEND = {
    'links/center_of_mass': 'centre of mass of a link',
    'links/inertia': 'box of the same mass and inertia',
    'robot/center_of_mass': 'centre of mass of the robot',
    'robot/inertia': 'box of the same mass and inertia'}

VIEW = {'xlim': (-0.45, 1.15), 'ylim': (-0.5, 0.5), 'zlim': (-0.2, 1.45)}
"""Visible range in metres."""

PATIENCE = 60.0
"""Seconds after which an expected message counts as missing."""

LIGHT = np.array([0.35, -0.65, 0.7])
"""Direction towards the light."""

Faces = tuple[np.ndarray, Sequence[float]]
"""Corners of quadrangles in metres, shape (k, 4, 3), and their red, green, blue and opacity."""


def main() -> None:
    """Draw the picture."""
    document = open_document(MODEL)
    robot = build_robot(document)
    with reserved_domain() as domain:
        os.environ.update(
            ROS_DOMAIN_ID=str(domain), ROS_AUTOMATIC_DISCOVERY_RANGE='LOCALHOST')
        frames, markers = listen(robot, document.data.decode('utf-8'))
    figure = pyplot.figure(figsize=(10, 5.2), dpi=180)
    for left, solids in ((0.0, visual_faces(robot, frames)), (0.5, marker_faces(markers, frames))):
        show(figure.add_axes(
            (left, 0.06, 0.5, 0.94), projection='3d', computed_zorder=False), solids)
    colors = {marker.ns: rgba(marker.color) for marker in markers}
    figure.legend(
        [Patch(facecolor=colors[name], edgecolor=colors[name][:3]) for name in LEGEND],
        LEGEND.values(),
        loc='lower center', ncols=len(LEGEND), frameon=False, fontsize=9)
    figure.savefig(PICTURE)
    print(f'{PICTURE.relative_to(ROOT)}: {len(markers)} markers in {len(frames)} frames')


def listen(robot: Robot, description: str) -> tuple[dict[str, np.ndarray], list[Marker]]:
    """Run the nodes, and return the pose of every frame in the root frame, and all markers."""
    with NodeProcesses() as nodes:
        nodes.start('state_publisher', {'robot_description': description})
        nodes.start('inertia_publisher')
        rclpy.init()
        spectator = Spectator(robot)
        frames = spectator.frames()
        markers = spectator.markers()
        rclpy.shutdown()
    return frames, markers


class Spectator:
    """A node that moves the robot to its pose and receives its frames and markers."""

    def __init__(self, robot: Robot):
        self._robot = robot
        self._node = rclpy.create_node('draw_markers')
        self._publisher = self._node.create_publisher(JointState, 'joint_states', 10)
        self._state = JointState(name=[
            joint.name for joint in robot.tree if joint.type.dof == 1 and joint.mimic is None])
        self._state.position = [POSE.get(name, 0.0) for name in self._state.name]

    def frames(self) -> dict[str, np.ndarray]:
        """Return the pose of every frame in the root frame."""
        stamped = {}

        def receive(message):
            stamped.update((each.child_frame_id, each) for each in message.transforms)

        self._node.create_subscription(TFMessage, '/tf', receive, TF)
        self._node.create_subscription(TFMessage, '/tf_static', receive, TF_STATIC)
        self._wait(lambda: len(stamped) == len(self._robot.tree), 'frames')
        poses = {self._robot.root: np.eye(4)}
        for joint in self._robot.tree:
            transform = stamped[joint.child].transform
            poses[joint.child] = poses[stamped[joint.child].header.frame_id] @ matrix(
                transform.translation, transform.rotation)
        return poses

    def markers(self) -> list[Marker]:
        """Return the markers of the robot in its pose."""
        centers, pictures = [], []
        listen = self._node.create_subscription
        listen(PointStamped, '/inertia_publisher/center_of_mass', centers.append, LATCHED)
        # Before the publisher knows where the joints are, the stamp is zero.
        self._wait(lambda: centers and centers[-1].header.stamp.sec, 'a centre of mass')
        listen(MarkerArray, '/inertia_publisher/markers', pictures.append, LATCHED)
        self._wait(lambda: pictures, 'markers')
        return pictures[-1].markers

    def _wait(self, condition: Callable[[], object], what: str):
        end = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > end:
                raise SystemExit(f'waited {PATIENCE:.0f} s for {what}')
            self._state.header.stamp = self._node.get_clock().now().to_msg()
            self._publisher.publish(self._state)
            rclpy.spin_once(self._node, timeout_sec=0.1)


def visual_faces(robot: Robot, frames: dict[str, np.ndarray]) -> Iterator[Faces]:
    """Yield the visual shapes of a robot, of which all are boxes or cylinders."""
    for link in robot.links.values():
        for visual in link.visuals:
            shape = visual.geometry
            if isinstance(shape, Box):
                faces, size = BOX, shape.size
            else:
                faces, size = CYLINDER, (2 * shape.radius, 2 * shape.radius, shape.length)
            pose = frames[link.name] @ visual.origin.matrix
            yield placed(faces * size, pose), visual.material.rgba


def marker_faces(markers: Iterable[Marker], frames: dict[str, np.ndarray]) -> Iterator[Faces]:
    """Yield markers, of which all are boxes or ellipsoids."""
    for marker in markers:
        pose = frames[marker.header.frame_id] @ matrix(
            marker.pose.position, marker.pose.orientation)
        faces = PLAIN_BOX if marker.type == Marker.CUBE else SPHERE
        scale = marker.scale
        yield placed(faces * [scale.x, scale.y, scale.z], pose), rgba(marker.color)


def show(axes, solids: Iterable[Faces]) -> None:
    """Draw solids, those that are opaque over the others."""
    solids = list(solids)
    for opaque in (False, True):
        add(axes, [solid for solid in solids if (solid[1][3] == 1) == opaque], opaque)
    axes.set(**VIEW)
    axes.set_box_aspect([np.ptp(limits) for limits in VIEW.values()], zoom=1.35)
    axes.view_init(elev=15, azim=-60)
    axes.set_axis_off()


def add(axes, solids: Iterable[Faces], opaque: bool) -> None:
    """Add solids as one collection: in it, what is near covers what is far."""
    corners, colors, edges = [np.empty((0, 4, 3))], [np.empty((0, 4))], []
    for faces, (*rgb, opacity) in solids:
        normals = np.cross(faces[:, 2] - faces[:, 0], faces[:, 3] - faces[:, 1])
        normals /= np.linalg.norm(normals, axis=1, keepdims=True)
        light = 0.6 + 0.4 * normals @ (LIGHT / np.linalg.norm(LIGHT))
        corners.append(faces)
        colors.append(np.column_stack([np.outer(light, rgb), np.full(len(faces), opacity)]))
        edges += [(*rgb, 0.7)] * len(faces)
    axes.add_collection3d(Poly3DCollection(
        np.concatenate(corners), facecolors=np.concatenate(colors), antialiased=False,
        edgecolors='none' if opaque else edges, linewidth=0.5, zorder=opaque))


def grid(x, y, z) -> np.ndarray:
    """Return the quadrangles between points on a surface, shape (k, 4, 3)."""
    points = np.stack(np.broadcast_arrays(x, y, z), axis=-1)
    return np.stack([
        points[:-1, :-1], points[1:, :-1], points[1:, 1:], points[:-1, 1:]],
        axis=2).reshape(-1, 4, 3)


def box(parts: int) -> np.ndarray:
    """Return the surface of a box of size one; what is in many parts is better covered."""
    u, v = np.meshgrid(*[np.linspace(-0.5, 0.5, parts + 1)] * 2, indexing='ij')
    top = grid(u, v, 0.5)
    sides = [np.roll(top, axis, axis=2) for axis in range(3)]
    return np.concatenate([*sides, *(-side[:, ::-1] for side in sides)])


def cylinder() -> np.ndarray:
    """Return the surface of a cylinder of diameter and length one."""
    angle = np.linspace(0, 2 * np.pi, 49)
    height, radius = np.linspace(-0.5, 0.5, 13)[:, None], np.linspace(0, 0.5, 4)[:, None]
    x, y = np.cos(angle), np.sin(angle)
    side = grid(x / 2, y / 2, height)[:, ::-1]
    top = grid(radius * x, radius * y, 0.5)
    return np.concatenate([side, top, -top[:, ::-1]])


def sphere() -> np.ndarray:
    """Return the surface of a sphere of diameter one."""
    angle = np.linspace(0, 2 * np.pi, 33)
    latitude = np.linspace(-np.pi / 2, np.pi / 2, 17)[:, None]
    return grid(np.cos(latitude) * np.cos(angle) / 2, np.cos(latitude) * np.sin(angle) / 2,
                np.sin(latitude) / 2)[:, ::-1]


BOX, PLAIN_BOX, CYLINDER, SPHERE = box(8), box(1), cylinder(), sphere()


def placed(faces: np.ndarray, pose: np.ndarray) -> np.ndarray:
    """Return quadrangles at a pose."""
    return faces @ pose[:3, :3].T + pose[:3, 3]


def matrix(translation, rotation) -> np.ndarray:
    """Return the homogeneous matrix of messages, shape (4, 4)."""
    pose = np.eye(4)
    pose[:3, :3] = quaternion_to_matrix([rotation.x, rotation.y, rotation.z, rotation.w])
    pose[:3, 3] = translation.x, translation.y, translation.z
    return pose


def rgba(color) -> tuple[float, float, float, float]:
    """Return the numbers of a message."""
    return color.r, color.g, color.b, color.a


if __name__ == '__main__':
    main()
