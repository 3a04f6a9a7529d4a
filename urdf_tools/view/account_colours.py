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
"""The colours of links by what becomes of them in a program."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from urdf_tools.findings.consequences import Impact
from urdf_tools.model.element import Element
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.model.robot import Robot
from urdf_tools.programs.accounts import account_of
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import Loss
from urdf_tools.programs.accounts import NEWEST
from urdf_tools.view.shape_nodes import Rgb

LOSSES = {f'lost in {program}': program for program in NEWEST}
"""What a user chooses, to the program."""

DROPPED: Rgb = (220, 40, 40)
CHANGED_MASS: Rgb = (240, 150, 20)
MERGED: Rgb = (60, 130, 220)
KEPT: Rgb = (110, 170, 110)

_ORDER = (KEPT, MERGED, CHANGED_MASS, DROPPED)
"""The colours, the worst last."""


def loss_colours(choice: str, robot: Robot, source: str) -> Mapping[str, Rgb]:
    """
    Return the colour of each link by what becomes of it in a program.

    It is dropped if the program drops the link, its mass, or one of its shapes, or refuses the
    robot because of it.

    :param choice: of :data:`LOSSES`; with another one, no link has a colour.
    :param source: the file or topic of the description.
    """
    if choice not in LOSSES:
        return {}
    path = Path(source)
    context = Context(ResourceResolver(path.parent), path) if path.is_file() else Context()
    account = account_of(LOSSES[choice], robot, context)
    links = {link.element: link.name for link in robot.links.values()}
    colours = dict.fromkeys(robot.links, KEPT)
    for loss in (*account.losses, *account.causes):
        name = links.get(_link_around(loss.element))
        if name is not None:
            colours[name] = max(colours[name], _colour(loss), key=_ORDER.index)
    return colours


def _colour(loss: Loss) -> Rgb:
    if loss.impact >= Impact.DROPS and not loss.is_harmless:
        is_merged = loss.of == 'link' and 'owner' in loss.message.arguments
        return MERGED if is_merged else DROPPED
    return CHANGED_MASS if loss.mass or loss.of in ('mass', 'inertia') else KEPT


def _link_around(element: Element | None) -> Element | None:
    while element is not None and element.tag != 'link':
        element = element.parent
    return element
