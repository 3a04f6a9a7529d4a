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
What urdf-usd-converter 0.3.4 makes of a robot, which importers of Newton and Isaac read.

Read in ``_impl/urdf_parser/parser.py`` (what it refuses), ``_impl/link_hierarchy.py`` (which links
become rigid bodies), ``_impl/link.py`` (masses and joints) and ``_impl/ros_package.py`` (files).
"""

from __future__ import annotations

from urdf_tools.programs.accounts import Account
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import Option
from urdf_tools.programs.robot_parts import parts_of
from urdf_tools.programs.source import Source
from urdf_tools.programs.usd.usd_model import UsdModel
from urdf_tools.programs.usd.usd_refusals import refusals

VERSION = '0.3.4'


def account(source: Source, context: Context) -> Account:
    """Return what becomes of a robot in USD, as the converter writes it."""
    robot = source.robot
    if robot is None:
        return Account('usd', VERSION, None)
    model = UsdModel(robot, context)
    return Account(
        'usd', VERSION, parts_of(robot), model.parts, tuple(refusals(robot)),
        'fixed' if model.is_fixed else 'free',
        robot.links.keys() - {link.name for link in model.bodies},
        tuple(model.losses()), (
            Option('--package NAME=PATH', 'says where the files of a package are'),))
