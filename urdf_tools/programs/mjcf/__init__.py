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
A robot as MJCF, MuJoCo's own format, which holds nearly all that a description says.

The links become ``bodies`` with shapes and ``assets``, what holds them together besides the tree
``constraints``, what drives and measures them ``devices``: actuators and sensors. ``proof``
compares the model that MuJoCo loads with ours.
"""

from __future__ import annotations

from urdf_tools.findings.losses import refusal
from urdf_tools.programs.accounts import Account
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import Source
from urdf_tools.programs.mjcf.conversion import convert
from urdf_tools.programs.mjcf.conversion import MjcfConversion
from urdf_tools.programs.mjcf.conversion import MjcfOptions
from urdf_tools.programs.mjcf.conversion import to_mjcf
from urdf_tools.programs.mjcf.conversion import VERSION

__all__ = ['account', 'convert', 'MjcfConversion', 'MjcfOptions', 'to_mjcf']


def account(source: Source, context: Context) -> Account:
    """Return what becomes of a robot in the MJCF model that is written by default."""
    if source.robot is None:
        return Account('mjcf', VERSION, None, causes=(
            refusal(source.root, 'The description cannot be loaded as a robot'),))
    return convert(source.robot, MjcfOptions(), context).account
