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
Expand xacro files, with a map from the elements to their sources.

For example:
  urdf-tools expand robot.urdf.xacro prefix:=left_
  urdf-tools expand robot.urdf.xacro -o made.urdf
"""

from __future__ import annotations

import argparse
import json
from typing import Any

from urdf_tools.cli.arguments import add_description
from urdf_tools.cli.arguments import CommandError
from urdf_tools.cli.arguments import open_description
from urdf_tools.cli.output_files import refuse_sources
from urdf_tools.cli.output_files import write_file
from urdf_tools.cli.output_files import write_text
from urdf_tools.model.xml.document import Document
from urdf_tools.model.xml.element import Element
from urdf_tools.model.xml.element_sources import ElementSource


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this verb."""
    add_description(parser)
    parser.add_argument(
        '-o', '--output', metavar='URDF', default='-', help='default: -, standard output')
    parser.add_argument(
        '--source-map', metavar='JSON', help='file to write the source of each element to')


def run(arguments: argparse.Namespace) -> int:
    """Print the URDF text that xacro makes, byte for byte but on a terminal."""
    document = None if arguments.file == '-' else open_description(arguments)
    if document is None or not document.is_expanded:
        raise CommandError(f'{arguments.file!r} is not a xacro file')
    refuse_sources([arguments.output, arguments.source_map], document, arguments.file)
    write_text(arguments.output, document.data)
    if arguments.source_map is not None:
        text = json.dumps(source_map(document), indent=1, ensure_ascii=False) + '\n'
        write_file(arguments.source_map, text.encode())
    return 0


def source_map(document: Document) -> dict[str, Any]:
    """
    Return the sources of the elements of an expanded description as data for JSON.

    Elements are in document order; lines and columns count from 1.
    """
    files = () if document.xacro is None else document.xacro.files
    return {
        'version': 1,
        'file': document.source,
        'files': list(dict.fromkeys(file.path for file in files)),
        'elements': [_element(element, element.origin) for element in document.root.iter()
                     if element.origin is not None]}


def _element(element: Element, origin: ElementSource) -> dict[str, Any]:
    attributes = {name: source for name in element.attrib
                  if (source := origin.attribute(name)) is not None and source.is_expression}
    return {
        'element': element.path,
        'line': element.line,
        'column': element.column,
        'source': origin.location._asdict(),
        'calls': [{'macro': call.macro, **call.tag.location._asdict()}
                  for call in origin.call_chain()],
        'includes': [include._asdict() for include in origin.includes],
        'attributes': {name: {'expression': source.raw, **source.location._asdict()}
                       for name, source in attributes.items()}}
