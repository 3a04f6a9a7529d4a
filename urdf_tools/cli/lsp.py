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
Run the language server: diagnostics, completion, definitions and fixes in an editor.

An editor starts this and talks to it in the Language Server Protocol over standard input and
output; docs/editors.md describes how to set it up.

For example:
  urdf-tools lsp
  urdf-tools lsp --trust src
"""

from __future__ import annotations

import argparse
import os
import signal

from urdf_tools.cli.arguments import CommandError
from urdf_tools.cli.arguments import require_packages


def run(arguments: argparse.Namespace) -> int:
    """Serve until the editor leaves."""
    require_packages('The language server', pygls='lsp')
    from urdf_tools.lsp.check_cycle import Preferences
    from urdf_tools.lsp.language_server import Session
    # An editor starts this without a shell.
    trusted = tuple(os.path.abspath(os.path.expanduser(folder)) for folder in arguments.trust)
    for folder in trusted:
        if not os.path.isdir(folder):
            raise CommandError(f'{folder!r} is not a folder')
    # The thread that reads standard input would outlive an exception.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, _frame: os._exit(128 + number))
    try:
        Session(Preferences(trusted=trusted)).start()
    except (MemoryError, OverflowError, ValueError) as error:
        raise CommandError(f'The header of a message is not valid: {error}') from error
    return 0
