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

"""What a description cannot say of a model for MuJoCo, in a YAML file beside it."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field
from fnmatch import fnmatchcase
import os

from urdf_tools.model.pose import Pose
from urdf_tools.model.pose import rpy_of
from urdf_tools.model.robot import Robot
from urdf_tools.model.spelling import does_not_exist
from urdf_tools.model.yaml_file import YamlFile
import yaml

TIMESTEP = 0.002
"""MuJoCo's own time step in s."""

CONES = ('pyramidal', 'elliptic')

_OF_JOINT = ('armature', 'damping', 'frictionloss', 'kp', 'kv', 'dampratio')
_OF_SITE = ('link', 'xyz', 'rpy')

_HEADER = f"""\
# Settings for urdf-tools mjcf --settings FILE. Names of joints and links may be patterns.
# Joints may have {', '.join(_OF_JOINT)}; friction: is of collision shapes, by link.
"""


@dataclass(frozen=True)
class MjcfSettings:
    """
    What a description cannot say of a model.

    :ivar timestep: in s.
    :ivar cone: the friction cone of contacts, pyramidal or elliptic; None for what fits the robot.
    :ivar impratio: ratio of frictional to normal impedance of contacts, likewise.
    :ivar joints: name of each joint to its ``armature``, ``damping``, ``frictionloss``, and the
        ``kp`` and the ``kv``, or the ``dampratio``, of its actuator.
    :ivar friction: name of each link to the friction of its collision shapes: sliding, torsional,
        rolling, of which the last may be left out.
    :ivar sites: name of each site to its link and its pose there.
    :ivar keyframes: name of each keyframe to positions of joints in rad and m; others are at home.
    """

    timestep: float = TIMESTEP
    cone: str | None = None
    impratio: float | None = None
    joints: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    friction: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    sites: Mapping[str, tuple[str, Pose]] = field(default_factory=dict)
    keyframes: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    @classmethod
    def read(cls, robot: Robot, path: str | os.PathLike[str]) -> MjcfSettings:
        """
        Return the settings in a file; joints and links may be patterns such as ``*_finger``.

        Of several that a name matches, the last one counts.

        :raises DescriptionError: the file cannot be read, or something in it.
        """
        return _SettingsFile(robot, os.fsdecode(path)).settings()


def settings_text(settings: MjcfSettings) -> str:
    """Return a file of settings, to be edited."""
    option = {'timestep': settings.timestep, 'cone': settings.cone, 'impratio': settings.impratio}
    data = {
        'option': {name: value for name, value in option.items() if value is not None},
        'joints': {name: dict(own) for name, own in settings.joints.items()},
        'friction': {name: [*values] for name, values in settings.friction.items()},
        'sites': {name: {'link': link, **{
            key: [*values] for key, values in (
                ('xyz', origin.xyz), ('rpy', rpy_of(origin.rotation))) if any(values)}}
            for name, (link, origin) in settings.sites.items()},
        'keyframes': {name: dict(given) for name, given in settings.keyframes.items()}}
    text: str = yaml.safe_dump(
        {name: part for name, part in data.items() if part}, default_flow_style=None,
        sort_keys=False, allow_unicode=True, width=99)
    return _HEADER + text


class _SettingsFile(YamlFile):
    """
    The settings of a file.

    :raises DescriptionError: the file cannot be read.
    """

    def __init__(self, robot: Robot, path: str):
        super().__init__(path, 'Give the path of a YAML file of settings')
        self._robot = robot
        self._moving = {name for name, joint in robot.joints.items() if joint.type.dof == 1}

    def settings(self) -> MjcfSettings:
        """
        Return the settings.

        :raises DescriptionError: one of them cannot be read.
        """
        keys = {} if self.root is None else self.table(
            self.root, ('option', 'joints', 'friction', 'sites', 'keyframes'))
        option = self._part(keys, 'option', ('timestep', 'cone', 'impratio'))
        cone = self.name_in(option['cone'], CONES, 'cone') if 'cone' in option else None
        joints: dict[str, dict[str, float]] = {}
        for name, own in self._matching(keys, 'joints', self._moving, 'moving joint').items():
            joints[name] = {}
            for node in own:
                joints[name] |= {key: self._size(value, key not in ('kp', 'dampratio'))
                                 for key, value in self.table(node, _OF_JOINT).items()}
        return MjcfSettings(
            self._size(option['timestep'], False) if 'timestep' in option else TIMESTEP, cone,
            self._size(option['impratio'], False) if 'impratio' in option else None, joints,
            {name: self._sizes(nodes[-1]) for name, nodes in self._matching(
                keys, 'friction', self._robot.links, 'link').items()},
            {name: self._site(node) for name, node in self._part(keys, 'sites').items()},
            {name: {joint: self.number(value) for joint, value in self.table(
                node, self._moving, what='moving joint').items()}
             for name, node in self._part(keys, 'keyframes').items()})

    def _part(self, keys: Mapping[str, yaml.Node], name: str,
              known: Collection[str] | None = None) -> dict[str, yaml.Node]:
        return self.table(keys[name], known) if name in keys else {}

    def _matching(self, keys: Mapping[str, yaml.Node], part: str, names: Collection[str],
                  what: str) -> dict[str, list[yaml.Node]]:
        """Return each name to the values of the names and patterns that match it, in order."""
        found: dict[str, list[yaml.Node]] = {}
        for pattern, node in self._part(keys, part).items():
            matches = [pattern] if pattern in names else [
                name for name in names if fnmatchcase(name, pattern)]
            if not matches:
                raise self.error(node, does_not_exist(pattern, sorted(names), what))
            for name in matches:
                found.setdefault(name, []).append(node)
        return found

    def _site(self, node: yaml.Node) -> tuple[str, Pose]:
        table = self.table(node, _OF_SITE, 'link')
        return self.name_in(table['link'], self._robot.links, 'link'), self.pose(table)

    def _sizes(self, node: yaml.Node) -> tuple[float, ...]:
        """Return a number, or up to three, that are not negative."""
        if not isinstance(node, yaml.SequenceNode):
            return (self._size(node),)
        if not 1 <= len(node.value) <= 3:
            raise self.error(node, 'This is not a list of one to three numbers')
        return tuple(self._size(item) for item in node.value)

    def _size(self, node: yaml.Node, may_be_zero: bool = True) -> float:
        value = self.number(node)
        if value < 0 or value == 0 and not may_be_zero:
            raise self.error(node, f'{value:g} is negative' if value < 0 else 'This is zero')
        return value
