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
How Drake loads a robot with ``Parser(plant).AddModels(path)`` and a SceneGraph.

A description is read (drake_attributes, drake_shapes, drake_model) as
``multibody/parsing/detail_urdf_parser.cc`` and ``detail_urdf_geometry.cc`` do;
``detail_common.cc`` has the inertia. The packages that the resolver finds are taken to be in the
package map of the parser.
"""

from __future__ import annotations

from collections.abc import Iterator

from urdf_tools.findings.message import Name
from urdf_tools.programs.accounts import Account
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import Loss
from urdf_tools.programs.accounts import options_of
from urdf_tools.programs.accounts import refusal
from urdf_tools.programs.drake.losses import losses
from urdf_tools.programs.drake.model import DrakeModel
from urdf_tools.programs.importers import WORLD
from urdf_tools.programs.source import Source

VERSION = '1.51.1'


def account(source: Source, context: Context) -> Account:
    """Return what becomes of a robot in Drake."""
    model = DrakeModel(source.root, context)
    return Account(
        'drake', VERSION, source.parts, model.parts, (*_name_of_file(context), *model.refusals),
        'fixed' if model.is_fixed else 'free', merged=frozenset((WORLD,)) & model.links.keys(),
        losses=tuple(losses(model, source.robot)), options=options_of('drake'))


def _name_of_file(context: Context) -> Iterator[Loss]:
    """Yield why Drake detects another file format (``detail_select_parser.cc``)."""
    # Xacro is expanded into a file of another name.
    suffix = '.urdf' if context.file is None else context.file.suffix.lower()
    if context.file is not None and suffix not in ('.urdf', '.xacro'):
        yield refusal(
            None, 'Drake reads {file} as a MuJoCo model' if suffix == '.xml' else
            'Drake does not know the format of {file}', file=Name(context.file.name),
            brief='name of the file not .urdf', hint='Give the file a name that ends in .urdf')
