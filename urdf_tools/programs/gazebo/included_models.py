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

"""Models that ``<gazebo>`` elements include, where libsdformat looks for them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from urdf_tools.model.element import Element
from urdf_tools.model.messages import quote
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import Loss
from urdf_tools.programs.accounts import refusal
from urdf_tools.programs.gazebo.gazebo_model import GazeboModel

_PATHS = ('GZ_SIM_RESOURCE_PATH', 'IGN_GAZEBO_RESOURCE_PATH', 'SDF_PATH')
"""Environment variables with the folders that ``sdf::findFile`` looks in, as Gazebo sets it up."""

_MANIFESTS = ('model.config', 'manifest.xml')
"""What a folder has that is a model (``getModelFilePath`` in ``parser.cc``)."""


def included_models(model: GazeboModel) -> Iterator[tuple[Element, str]]:
    """Yield each ``<include>`` that reaches the model, with the URI of what it includes."""
    for extensions in model.applied.values():
        for extension in extensions:
            for element in extension.copied_elements:
                if element.tag == 'include':
                    yield element, element.findtext('uri', '').strip()


def absent_models(model: GazeboModel, context: Context) -> Iterator[Loss]:
    """Yield which included models Gazebo does not find; those of a server are taken to exist."""
    for element, uri in included_models(model):
        if uri and not uri.startswith(('http://', 'https://')) and not _exists(uri, context):
            yield refusal(
                element, f'The model of an <include>, {quote(uri, 200)}, does not exist in a '
                         f'folder of {_PATHS[0]}',
                hint=f'Add the folder that has it to {_PATHS[0]}', of='model')


def _exists(uri: str, context: Context) -> bool:
    path = uri.partition('://')[2] or uri
    folders = [folder for name in _PATHS for folder in context.resolver.lookup.paths(name)]
    for found in (folder / path for folder in (*folders, Path('/'))):
        if context.finds(found) or any(context.finds(found / name) for name in _MANIFESTS):
            return True
    return False
