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

"""Descriptions of any format as URDF that ROS reads, with their meshes, and what is lost."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
import os
from pathlib import Path
from pathlib import PurePosixPath
import re
from typing import NamedTuple

from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.losses import Losses
from urdf_tools.findings.message import FreeText
from urdf_tools.findings.message import Name
from urdf_tools.formats.converted_document import ConvertedDocument
from urdf_tools.formats.converted_document import losses_of
from urdf_tools.formats.urdf_tree import text_of_value
from urdf_tools.meshes.facts import read_vertices
from urdf_tools.meshes.formats.stl import write_stl
from urdf_tools.model.files import read_regular_file
from urdf_tools.model.resources import resolve_beside
from urdf_tools.model.resources import ResourceError
from urdf_tools.model.robot import Joint
from urdf_tools.model.robot import Robot
from urdf_tools.model.xml.document import Document
from urdf_tools.model.xml.editing import AddElements
from urdf_tools.model.xml.editing import AnyChange
from urdf_tools.model.xml.editing import changed
from urdf_tools.model.xml.editing import SetAttribute
from urdf_tools.model.xml.editing import Tag
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.accounts import Account
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import Source
from urdf_tools.programs.mjcf.devices import commands_of
from urdf_tools.programs.tables import TABLES
from urdf_tools.programs.urdfdom import account as account_of_urdfdom

HARDWARE = 'mock_components/GenericSystem'
"""The plugin of ros2_control that needs no hardware: every joint is where it is commanded."""

_SCHEME = re.compile(r'[A-Za-z][A-Za-z0-9+.-]+:/*')

_FILES_IN = {
    '.obj': re.compile(rb'^\s*mtllib\s+(.+?)\s*$', re.MULTILINE),
    '.mtl': re.compile(rb'^\s*(?:map_\w+|bump|disp|decal)\s(?:.*\s)?(\S+)\s*$', re.MULTILINE),
    '.dae': re.compile(rb'<init_from>\s*(?:<ref>)?\s*([^<]+?)\s*<'),
    '.gltf': re.compile(rb'"uri"\s*:\s*"(?!data:)([^"]+)"')}
"""Formats of meshes and materials to how they name other files."""

ONLY_MUJOCO = '.msh'
"""The format of meshes that no other program reads."""

MAX_BYTES = 2**28
"""Size of the largest file that is copied."""

_PLUGINS = TABLES['plugins that command joints']
"""Parts of the names of plugins of Gazebo to what they command."""

_STATES = ('position', 'velocity', 'effort')


class UrdfOptions(NamedTuple):
    """
    What the author of a URDF decides.

    :ivar output: the file; None if it is not known, so that relative paths stay as they are.
    :ivar meshes: the folder that meshes and textures are copied to, beside it; empty for none.
    :ivar uri: what refers to that folder, such as ``package://robot/meshes``; by default its
        path relative to the file.
    :ivar controls: whether joints that actuators move get a ``<ros2_control>``.
    """

    output: Path | None = None
    meshes: str = ''
    uri: str = ''
    controls: bool = False


class UrdfConversion:
    """
    A robot as URDF.

    :ivar robot: the robot.
    :ivar files: path of each file in the folder of the meshes to the one that is copied there.
    """

    def __init__(self, robot: Robot, options: UrdfOptions, context: Context):
        """
        Convert a robot.

        :raises ValueError: it was not loaded from a description.
        """
        if robot.document is None:
            raise ValueError('The robot was not loaded from a description')
        self.robot, self.options, self._context = robot, options, context
        self._document: Document = robot.document
        self.files: dict[str, Path] = {}
        self._losses = Losses()
        self._changes: list[AnyChange] = []
        for element in self._document.root.iter():
            if element.tag in ('mesh', 'texture') and element.get('filename'):
                self._refer(element)
        if options.controls:
            self._add_controls()

    @cached_property
    def text(self) -> bytes:
        """
        The URDF.

        :raises DescriptionError: it is in an encoding that is not based on ASCII.
        """
        return changed(self._document, self._changes)

    @property
    def account(self) -> Account:
        """What becomes of the robot, with what urdfdom makes of its URDF."""
        found = account_of_urdfdom(Source.of_robot(self.robot), self._context)
        return replace(found, losses=(*losses_of(self.robot), *self._losses, *found.losses))

    def _refer(self, element: Element) -> None:
        """Let an element name its file as it is found from the URDF, and copy the file."""
        uri = element.attrib['filename']
        scheme = _SCHEME.match(uri)
        written = uri
        if self.options.meshes:
            try:
                written = self._copied(uri)
            except ResourceError as error:
                self._losses.note('mesh', Impact.DROPS, element, 'The file {uri} is not copied: '
                                  '{reason}', uri=Name(uri), reason=FreeText(error.message))
        elif scheme is None and self.options.output is not None:
            beside = os.path.join(os.path.abspath(self.robot.folder), uri)
            written = os.path.relpath(beside, os.path.abspath(self.options.output.parent))
        elif scheme is not None and scheme[0].startswith('model:'):
            self._losses.note('mesh', Impact.CHANGES, element, 'ROS does not find {uri}',
                              uri=Name(uri))
        elif scheme is not None and scheme[0].startswith('http'):
            self._losses.note('mesh', Impact.CHANGES, element, 'Only Gazebo and RViz fetch {uri}',
                              uri=Name(uri))
        if written != uri:
            self._changes.append(SetAttribute(element, 'filename', written))

    def _copied(self, uri: str) -> str:
        """
        Return the URI of a file that is copied, with those that it names.

        :raises ResourceError: it is not found, or may not be read.
        """
        path = self._context.resolver.resolve_for_use(uri)
        parts = PurePosixPath(_SCHEME.sub('', uri)).parts
        name = '/'.join(part for part in parts if part not in ('/', '..'))
        if path.suffix.lower() == ONLY_MUJOCO:
            name = f'{os.path.splitext(name)[0]}.stl'
        while self.files.setdefault(name, path) != path:
            name = f'_/{name}'
        self._copy_named(name, path)
        return f'{self.options.uri.rstrip("/") or self.options.meshes}/{name}'

    def _copy_named(self, name: str, path: Path) -> None:
        """Copy the files that a mesh or its materials name, to the same folders beside it."""
        pattern = _FILES_IN.get(path.suffix.lower())
        if pattern is None:
            return
        for match in pattern.finditer(read_regular_file(path, MAX_BYTES)):
            uri = match[1].decode('utf-8', 'replace')
            beside = os.path.normpath(os.path.join(os.path.dirname(name), uri))
            if beside in self.files or beside.startswith(('..', '/')):
                continue
            try:
                self.files[beside] = resolve_beside(path, uri)
            except ResourceError:
                continue  # As where the mesh is now.
            self._copy_named(beside, self.files[beside])

    def _add_controls(self) -> None:
        """Add a ``<ros2_control>`` with the interfaces that actuators stand for."""
        root = self._document.root
        if root.find('ros2_control') is not None:
            return
        commands = interfaces_of(self.robot)
        joints = [_control(joint, commands[joint.name]) for joint in self.robot.tree
                  if joint.type.dof == 1 and joint.name in commands]
        if not joints:
            self._losses.note('interface', Impact.DROPS, root, 'There is no <ros2_control>, as '
                              'no actuator moves a joint')
            return
        self._changes.append(AddElements(root, (Tag(
            'ros2_control', {'name': self.robot.name, 'type': 'system'},
            (Tag('hardware', {}, (Tag('plugin', text=HARDWARE),)), *joints)),)))


def content_of(path: Path) -> bytes:
    """
    Return the content of the copy of a file; a mesh that only MuJoCo reads becomes STL.

    :raises OSError: it cannot be read.
    :raises MeshError: it is no such mesh.
    """
    if path.suffix.lower() != ONLY_MUJOCO:
        return read_regular_file(path, MAX_BYTES)
    vertices, faces = read_vertices(path)
    return write_stl(vertices[faces])


def interfaces_of(robot: Robot) -> Mapping[str, Sequence[str]]:
    """Return joints to what actuators, transmissions or plugins of Gazebo command of them."""
    if isinstance(robot.document, ConvertedDocument) and robot.document.commands:
        return robot.document.commands
    return {joint: (kind,) for joint, (kind, _) in (*_of_plugins(robot), *commands_of(robot))}


def _of_plugins(robot: Robot) -> Iterator[tuple[str, tuple[str, Element]]]:
    for plugin in (each for gazebo in robot.gazebo for each in gazebo.findall_tag('plugin')):
        kind = next((kind for part, kind in _PLUGINS.items()
                     if part in plugin.get('filename', '').lower()), '')
        for element in plugin if kind else ():
            if element.tag in ('joint_name', 'left_joint', 'right_joint'):
                yield (element.text or '').strip(), (kind, element)


def _control(joint: Joint, commands: Sequence[str]) -> Tag:
    """Return the interfaces of a joint, with the limits of its positions."""
    bounds: tuple[Tag, ...] = ()
    if joint.limits is not None and joint.type.value != 'continuous':
        bounds = tuple(Tag('param', {'name': name}, text=text_of_value(value)) for name, value in (
            ('min', joint.limits.lower), ('max', joint.limits.upper)))
    return Tag('joint', {'name': joint.name}, (
        *(Tag('command_interface', {'name': kind}, bounds if kind == 'position' else ())
          for kind in commands),
        *(Tag('state_interface', {'name': kind}) for kind in _STATES)))
