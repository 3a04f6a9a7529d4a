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
How urdf-usd-converter 0.3.4 converts a robot for the importers of Newton and Isaac.

usd_reading has what its parser keeps and refuses, usd_model which links become rigid bodies, with
their masses and joints, usd_files where it looks for files.
"""

from __future__ import annotations

from urdf_tools.programs.accounts import Account
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import options_of
from urdf_tools.programs.source import Source
from urdf_tools.programs.usd.losses import losses
from urdf_tools.programs.usd.model import UsdModel

VERSION = '0.3.4'


def account(source: Source, context: Context) -> Account:
    """Return what becomes of a robot in USD, as the converter writes it."""
    model = UsdModel(source, context)
    return Account('usd', VERSION, source.parts, model.parts, tuple(model.refusals),
                   'fixed' if model.is_fixed else 'free', model.links.keys() - model.bodies.keys(),
                   tuple(losses(model)), options_of('usd'))
