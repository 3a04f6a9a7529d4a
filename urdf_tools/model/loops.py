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

"""Loop closures: constraints between links besides the joints of the tree."""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import field

from urdf_tools.model.pose import Pose
from urdf_tools.model.pose import Vector3
from urdf_tools.model.spelling import NamedEnum
from urdf_tools.model.xml.element import Element


LOOP_TAGS = ('constraint', 'loop_joint', 'loop', 'coupling')
"""Tags of elements of a robot that close loops, besides joints of Gazebo."""

IN_FILE = 'loops'
"""Tag of the parent of elements created for loops of a separate file."""

MAX_LOOPS = 40
"""Loops of a robot that are closed, and of a file of loops; each takes time at all positions."""


class LoopType(NamedEnum):
    """The type of constraint that closes a loop."""

    BALL = 'ball'
    UNIVERSAL = 'universal'
    HINGE = 'hinge'
    SLIDER = 'slider'
    FIXED = 'fixed'
    ROD = 'rod'
    GEAR = 'gear'

    @property
    def held(self) -> int:
        """Number of degrees of freedom that it constrains."""
        return {'ball': 3, 'universal': 4, 'hinge': 5, 'slider': 5, 'fixed': 6}.get(self.value, 1)


@dataclass(frozen=True)
class Loop:
    """
    A constraint between two links that closes a loop.

    It holds two frames, one fixed to each link. A ball holds their origins together; a hinge
    also their axes, a universal joint keeps these at a right angle; a slider lets the frame of
    the child translate along the axis of the parent; fixed holds all. A rod holds the
    distance between the origins. A gear holds ``position of the child's joint = ratio * position
    of the parent's joint + offset``, where a link's joint is the one whose child it is; with
    ``ancestor``, the positions of all joints from that link down to the link are summed.

    :param parent: name of a link.
    :param child: name of the other link.
    :param parent_origin: pose of the frame in the parent's, in metres.
    :param child_origin: pose of the frame in the child's.
    :param parent_axis: unit vector in the frame of the parent.
    :param child_axis: unit vector in the frame of the child.
    :param length: of a rod in metres.
    :param ratio: of a gear.
    :param offset: of a gear in radians or metres.
    :param ancestor: of a gear, the name of an ancestor of both links, or empty.
    :param element: where it is written; of a file beside the description, one made for it.
    """

    name: str
    type: LoopType
    parent: str
    child: str
    parent_origin: Pose = Pose()
    child_origin: Pose = Pose()
    parent_axis: Vector3 = (1.0, 0.0, 0.0)
    child_axis: Vector3 = (1.0, 0.0, 0.0)
    length: float = 0.0
    ratio: float = 1.0
    offset: float = 0.0
    ancestor: str = ''
    element: Element | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Convert a type given as text."""
        if type(self.type) is not LoopType:
            object.__setattr__(self, 'type', LoopType(self.type))


_COUPLINGS = ('gearbox', 'screw')
"""Types of joints in <gazebo> that couple motions, and close no loop."""


def loop_elements(robot: Element) -> list[Element]:
    """Return the elements of a description that close loops, in file order."""
    return [element for child in robot for element in (
        child.findall_tag('joint') if child.tag == 'gazebo' and not child.get('reference') else
        [child] if child.tag in LOOP_TAGS else ())
        if child is element or element.get('type') not in _COUPLINGS]
