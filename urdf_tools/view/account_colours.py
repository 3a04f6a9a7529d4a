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
"""The colours of links by what a program drops of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from urdf_tools.findings.consequences import Impact
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.model.robot import Robot
from urdf_tools.model.xml.element import Element
from urdf_tools.programs.accounts import Account
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import Loss
from urdf_tools.programs.accounts import Source
from urdf_tools.programs.models import account_of
from urdf_tools.programs.models import WITH_MJCF
from urdf_tools.view.link_data import links_by_element
from urdf_tools.view.shape_nodes import Rgb

LOSSES = {f'lost in {program}': program for program in WITH_MJCF}
"""The label that a user chooses, to the program."""

DROPPED: Rgb = (220, 40, 40)
CHANGED_MASS: Rgb = (240, 130, 20)
MERGED: Rgb = (60, 130, 220)
REDUCED: Rgb = (230, 210, 60)
KEPT: Rgb = (110, 170, 110)

MEANINGS: Mapping[Rgb, str] = {
    KEPT: 'kept', REDUCED: 'without a shape or limit', MERGED: 'part of another link',
    CHANGED_MASS: 'other mass or inertia', DROPPED: 'dropped or refused'}
"""The colours of links and what each means, the worst last."""

_ORDER = tuple(MEANINGS)

_WHOLE = frozenset(('base', 'description', 'inertia', 'joint', 'link', 'mass'))
"""Kinds of elements that a link cannot do without."""


def account_for(choice: str, robot: Robot, resources: ResourceResolver) -> Account:
    """
    Return what becomes of a robot in a program.

    :param choice: one of :data:`LOSSES`.
    :param resources: finds the meshes of the robot.
    :raises DescriptionError: the conversion repeats too much of the description.
    """
    path = Path(robot.source)
    context = Context(resources, path if path.is_file() else None)
    return account_of(LOSSES[choice], Source.of_robot(robot), context)


def loss_colours(account: Account, robot: Robot) -> Mapping[str, Rgb]:
    """
    Return the colour of each link by what a program drops of it.

    It is dropped if the program drops the link, its mass or its joint, or refuses the robot
    because of one of them, and reduced if it drops one of its shapes, or a limit of its joint.
    """
    links = links_by_element(robot)
    colours = {name: MERGED if name in account.merged else KEPT for name in robot.links}
    for loss in (*account.losses, *account.causes):
        about = [_link_around(element, links) for element in (loss.element, *loss.others)]
        is_merging = loss.of == 'link' and about[0] in account.merged
        for name in () if is_merging else filter(None, about):
            colours[name] = max(colours[name], _colour(loss), key=_ORDER.index)
    return colours


def _colour(loss: Loss) -> Rgb:
    if loss.impact >= Impact.DROPS and not loss.is_harmless:
        return DROPPED if loss.of in _WHOLE else REDUCED
    return CHANGED_MASS if loss.mass or loss.of in ('mass', 'inertia') else KEPT


def _link_around(element: Element | None, links: Mapping[Element, str]) -> str:
    """Return the link that an element belongs to, or an empty text."""
    while element is not None and element not in links:
        element = element.parent
    return '' if element is None else links[element]
