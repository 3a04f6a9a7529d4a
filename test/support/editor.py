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

"""What an editor has open, for the language server in the process of a test."""

from __future__ import annotations

import os

from lsprotocol import types
from pygls.workspace import Workspace

from urdf_tools.lsp.project import Project
from urdf_tools.lsp.source_text import Source
from urdf_tools.lsp.source_text import uri_of


def project_in(*folders: str | os.PathLike[str]) -> Project:
    """Return what the language server knows of a workspace with some folders."""
    return Project(Workspace(None, workspace_folders=[
        types.WorkspaceFolder(uri_of(os.fspath(folder)), '') for folder in folders]))


def put(project: Project, path: str | os.PathLike[str], text: str, version: int = 1) -> Source:
    """Open a buffer, or replace its text."""
    uri = uri_of(os.fspath(path))
    project.workspace.put_text_document(types.TextDocumentItem(uri, 'xml', version, text))
    project.update(uri)
    return project.open[os.fspath(path)]


def close(project: Project, path: str | os.PathLike[str]) -> None:
    """Close a buffer."""
    uri = uri_of(os.fspath(path))
    project.workspace.remove_text_document(uri)
    project.update(uri)
