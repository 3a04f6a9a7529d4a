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

"""Robots as frozen records of a URDF description, with derived properties."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import fields
from dataclasses import replace
from functools import cached_property
import os
import sys
from typing import Any
from typing import NoReturn
from typing import TYPE_CHECKING

from urdf_tools.model.loops import Loop
from urdf_tools.model.messages import count
from urdf_tools.model.messages import quote
from urdf_tools.model.records import Calibration
from urdf_tools.model.records import Dynamics
from urdf_tools.model.records import Inertial
from urdf_tools.model.records import Joint
from urdf_tools.model.records import JointType
from urdf_tools.model.records import Limits
from urdf_tools.model.records import Link
from urdf_tools.model.records import Material
from urdf_tools.model.records import Mimic
from urdf_tools.model.records import Problem
from urdf_tools.model.records import Removed
from urdf_tools.model.records import RobotRecord
from urdf_tools.model.records import Safety
from urdf_tools.model.records import Transmission
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.model.spelling import NamedMapping
from urdf_tools.model.xml.document import Document
from urdf_tools.model.xml.element import Element

__all__ = [
    'Calibration', 'Document', 'Dynamics', 'Element', 'Inertial', 'Joint', 'JointType', 'Limits',
    'Link', 'Mimic', 'Problem', 'Removed', 'Robot', 'Safety', 'Transmission']


@dataclass(frozen=True)
class Robot(RobotRecord):
    """
    A robot: a tree of links joined by joints.

    Mappings are read-only and in the order of the description. If the description gives a link
    several parents, ``tree`` has only one of these joints, and ``joints`` has all.

    Robots can be copied, pickled with their source locations, and compared by their records;
    elements do not count.

    :param root: name of the link that is not the child of a joint.
    :param gazebo: the ``<gazebo>`` elements.
    :param extensions: all other elements below ``<robot>`` that URDF does not define.
    :param loops: constraints that close loops, besides the tree.
    :param initial: positions of joints near which the loops are assembled.
    :param problems: what the loader left out or repaired.
    :param source: the file or topic that it was loaded from, or an empty string.
    :param xacro_files: the files that xacro read for it, outermost first.
    :param document: the description with its text, which may have been edited.
    :param removed: what :meth:`without` removed for it.
    """

    def __getstate__(self) -> dict[str, Any]:
        """Return the fields for pickle and copy, without derived values."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __repr__(self) -> str:
        return (f'<Robot {quote(self.name)}: {count(len(self.links), "link")}, '
                f'{count(len(self.joints), "joint")}>')

    def __bool__(self) -> bool:
        return True

    if not TYPE_CHECKING:  # Type checkers say themselves that it has none.
        def __len__(self) -> NoReturn:
            """Raise the error for what has several lengths."""
            raise TypeError(
                'A Robot has no length. Did you mean len(robot.links) or len(robot.joints)?')

        def __getitem__(self, name: object) -> NoReturn:
            """Raise the error for what has several kinds of items."""
            kind = 'joints' if name in self.joints else 'links'
            raise TypeError(f'A Robot has no items. Did you mean robot.{kind}[{name!r:.80}]?')

    @cached_property
    def parent_joint(self) -> Mapping[str, Joint]:
        """Name of a link to the joint whose child it is; the root is not in it."""
        return NamedMapping(
            {joint.child: joint for joint in self.joints.values()}, 'link with a parent')

    @cached_property
    def child_joints(self) -> Mapping[str, tuple[Joint, ...]]:
        """Name of a link to the joints of the tree whose parent it is, in file order."""
        children: dict[str, list[Joint]] = {link: [] for link in self.links}
        for joint in self.joints.values():
            if self.parent_joint[joint.child] is joint:
                children[joint.parent].append(joint)
        return NamedMapping({link: tuple(joints) for link, joints in children.items()}, 'link')

    @cached_property
    def tree(self) -> tuple[Joint, ...]:
        """All joints of the tree, depth first: each after the joint above it."""
        return tuple(self._descend(self.root))

    @cached_property
    def actuated_joints(self) -> tuple[Joint, ...]:
        """The joints of the tree that are neither fixed nor mimic another joint."""
        return tuple(joint for joint in self.tree if joint.type.dof and not joint.mimic)

    @property
    def link_names(self) -> tuple[str, ...]:
        """Names of the links, in the order of the description."""
        return tuple(self.links)

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Names of all joints, in the order of the description."""
        return tuple(self.joints)

    @property
    def actuated_joint_names(self) -> tuple[str, ...]:
        """Names of :attr:`actuated_joints`, in the order of the tree."""
        return tuple(joint.name for joint in self.actuated_joints)

    @cached_property
    def kinematics(self) -> Any:
        """The :class:`~urdf_tools.KinematicTree` of the robot, built once."""
        return _library().KinematicTree(self)

    @property
    def nq(self) -> int:
        """Number of variables of a configuration, ``kinematics.variable_names``."""
        return len(self.kinematics.variable_names)

    @property
    def nv(self) -> int:
        """Number of velocity variables, ``kinematics.velocity_names``."""
        return len(self.kinematics.velocity_names)

    @property
    def mass(self) -> float:
        """Mass of all links in kg; those without ``<inertial>`` are massless."""
        return float(_library().CompositeInertia(self.kinematics).mass)

    def fk(self, q: Any = {}, *, degrees: bool = False) -> NamedMapping[Any]:
        """
        Return the poses of all links in the frame of the root link, by name and by index.

        :param q: name of a variable to its value, the others neutral; or one configuration of
            shape (n,) or a batch (B, n).
        :param degrees: whether its angles are in degrees instead of radians.
        :return: arrays of shape (4, 4) or (B, 4, 4).
        :raises KeyError: a name is not one of the variables; a mimic joint has none.
        :raises ValueError: the configuration has another shape.
        """
        positions = self.kinematics.configuration(q, degrees=degrees)
        poses = _library().ForwardKinematics(self.kinematics)(positions)
        return NamedMapping(
            {link: poses[..., i, :, :] for i, link in enumerate(self.links)}, 'link')

    def get_transform(self, frame_to: str, frame_from: str | None = None, q: Any = {}, *,
                      degrees: bool = False) -> Any:
        """
        Return the pose of one link in the frame of another, as yourdfpy does.

        :param frame_to: the link whose pose is returned.
        :param frame_from: the link in whose frame the pose is expressed; the root by default.
        :param q: configuration, as of :meth:`fk`.
        :param degrees: whether its angles are in degrees instead of radians.
        :return: matrices that take coordinates in the frame of ``frame_to`` to that of
            ``frame_from``, shape (4, 4) or (B, 4, 4).
        :raises KeyError: a link or variable does not exist.
        """
        tree = self.kinematics
        return _library().ForwardKinematics(tree, frame_to).transform(
            frame_to, frame_from or self.root, tree.configuration(q, degrees=degrees))

    @classmethod
    def from_xml_file(cls, path: str | os.PathLike[str], **options: Any) -> Robot:
        """Load a robot, as :func:`urdf_tools.load` does."""
        robot: Robot = _library().load(path, **options)
        return robot

    @classmethod
    def from_xml_string(cls, text: str | bytes, **options: Any) -> Robot:
        """Load a robot from a text, as :func:`urdf_tools.loads` does."""
        robot: Robot = _library().loads(text, **options)
        return robot

    def show(self, configuration: Any = {}, **options: Any) -> Any:
        """Show the robot in a browser or notebook, as :func:`urdf_tools.show` does."""
        return _library().show(self, configuration, **options)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the robot as a URDF file, as :func:`urdf_tools.save` does."""
        _library().save(self, path)

    def to_xml(self) -> str:
        """
        Return the robot as URDF; what was not changed keeps its text.

        :raises DescriptionError: the robot cannot be written.
        """
        # Imported late: few robots are written.
        from urdf_tools.model.replacement import document_of
        from urdf_tools.model.replacement import rewritten
        from urdf_tools.model.xml.editing import encoding_of
        data = document_of(rewritten(self)).data
        return data.decode(encoding_of(data), 'replace')

    def to_mjcf(self, path: str | os.PathLike[str], **options: Any) -> Any:
        """Write the robot for MuJoCo, as :func:`urdf_tools.to_mjcf` does."""
        return _library().to_mjcf(self, path, **options)

    def replace(self, *records: Link | Joint | Material, remove_links: Iterable[str] = (),
                remove_joints: Iterable[str] = (), name: str | None = None) -> Robot:
        """
        Return the robot with links, joints and materials replaced, added and removed.

        Only what changes is rewritten in its text, which :func:`urdf_tools.save` writes. What
        other programs read, such as a transmission of a joint that is removed, stays;
        :meth:`without` removes it.

        :param records: each replaces the one of its name, or is added.
        :param remove_links: names, such as ``robot.subtree('gripper')``; the joints to them are
            removed as well.
        :param remove_joints: names.
        :param name: another name of the robot.
        :raises KeyError: what is to be removed does not exist.
        :raises DescriptionError: the result is not one tree of links, or cannot be written.
        """
        # Imported late: few robots are edited.
        from urdf_tools.model.replacement import replaced
        return replaced(self, records, remove_links, remove_joints, name)

    def without(self, *links: str) -> Robot:
        """
        Return the robot without links, all links below them, and all that refers to these.

        That are joints, ``<mimic>`` of joints that are left, transmissions, parts of ros2_control,
        sensors, and elements and plugins of Gazebo. The rest keeps its text.

        :return: the robot that is left; its ``removed`` lists the links and joints that are gone,
            and what referred to them.
        :raises KeyError: a link does not exist.
        :raises DescriptionError: it is the root, or the rest is not a robot or cannot be written.
        """
        from urdf_tools.model.composition import without_links
        gone = [name for link in links for name in self.subtree(self.links[link].name)]
        made, removed = without_links(self, [*dict.fromkeys(gone)])
        return replace(made, removed=removed)

    def meshes(self, resources: ResourceResolver | None = None) -> tuple[Any, ...]:
        """Return the meshes of all links, as :meth:`urdf_tools.RobotMesh.of` does."""
        meshes: tuple[Any, ...] = _library().RobotMesh.of(self, resources)
        return meshes

    def subtree(self, link: str) -> tuple[str, ...]:
        """
        Return the names of a link and all links below it, parents first.

        :raises KeyError: the link does not exist.
        """
        return (link, *(joint.child for joint in self._descend(link)))

    def path(self, from_link: str, to_link: str) -> tuple[Joint, ...]:
        """
        Return the joints between two links: up to their closest common ancestor, then down.

        :raises KeyError: a link does not exist.
        """
        up = self._ascend(from_link)
        down = self._ascend(to_link)
        while up and down and up[-1] is down[-1]:
            up.pop()
            down.pop()
        return (*up, *reversed(down))

    def geared(self, loop: Loop, link: str) -> tuple[Joint, ...]:
        """Return the joints whose positions a gear counts for one of its links."""
        joints = self.path(loop.ancestor, link) if loop.ancestor else (self.parent_joint[link],)
        return tuple(joint for joint in joints if joint.type.dof)

    def _descend(self, link: str) -> Iterator[Joint]:
        pending = list(reversed(self.child_joints[link]))
        while pending:
            joint = pending.pop()
            yield joint
            pending.extend(reversed(self.child_joints[joint.child]))

    def _ascend(self, link: str) -> list[Joint]:
        joints = []
        link = self.links[link].name
        while link != self.root:
            joints.append(self.parent_joint[link])
            link = joints[-1].parent
        return joints


def _library() -> Any:
    """Return the package, of which most stands on the model, which must not import it."""
    return sys.modules['urdf_tools']


def welded(robot: Robot) -> dict[str, str]:
    """Return each link with the highest one that it is fixed to: the root, or one that moves."""
    found = {robot.root: robot.root}
    for joint in robot.tree:
        found[joint.child] = joint.child if joint.type.dof else found[joint.parent]
    return found
