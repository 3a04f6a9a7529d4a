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
Expand xacro files to URDF.

For example:
  urdf-tools expand robot.urdf.xacro prefix:=left_
  urdf-tools expand robot.urdf.xacro -o made.urdf
"""

from __future__ import annotations

import argparse

from urdf_tools.cli.arguments import CommandError
from urdf_tools.cli.arguments import open_description
from urdf_tools.cli.output_files import refuse_sources
from urdf_tools.cli.output_files import write_output
from urdf_tools.formats.converted_document import ConvertedDocument


def run(arguments: argparse.Namespace) -> int:
    """Print the URDF text that xacro makes, byte for byte but on a terminal."""
    document = open_description(arguments)
    if document.xacro is None or isinstance(document, ConvertedDocument):
        raise CommandError('Standard input is not expanded; name the xacro file' if (
            arguments.file == '-') else f'{arguments.file!r} is not a xacro file')
    if document.malformed is not None:
        raise document.malformed
    refuse_sources([arguments.output], document, arguments.file)
    write_output(arguments.output, document.data)
    return 0
