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

"""YAML files of a few keys, read as nodes of PyYAML, which know their lines."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Mapping
from contextlib import suppress
import re

from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.messages import quote
from urdf_tools.model.pose import Pose
from urdf_tools.model.pose import quaternion_from_rpy
from urdf_tools.model.pose import Vector3
from urdf_tools.model.spelling import does_not_exist
from urdf_tools.model.values import parse_number
from urdf_tools.model.xml.document import read_file
from urdf_tools.model.xml.element_sources import SourceFile
from urdf_tools.model.xml.element_sources import text_of
import yaml

NOT_IN_XML = re.compile('[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]')

MAX_BYTES = 1_000_000
"""Maximum size of a file in bytes."""

_OPEN = 'while (scanning a (simple key|quoted scalar)|parsing a flow)'
"""The contexts of errors that begin at what is to be closed."""

_MAX_DEPTH = 400
"""Nesting depth up to which the parser in C is used, which does not guard its stack."""


def _composed(text: str) -> yaml.Node | None:
    """
    Return the outermost node of a text.

    The parser in C is ten times faster; that in Python says what is wrong.
    """
    deepest = max(map(len, text.split('\n'))) + text.count('[') + text.count('{')
    if deepest < _MAX_DEPTH and yaml.__with_libyaml__:
        with suppress(yaml.YAMLError):
            return yaml.compose(text, Loader=yaml.CSafeLoader)
    return yaml.compose(text, Loader=yaml.SafeLoader)


class YamlFile:
    """
    A file of YAML; its methods raise errors at the line of a node.

    Aliases are not expanded, and nothing is constructed.

    :param hint: what to give in place of a file that cannot be read.
    :param data: what is in the file, if it has been read.
    :param max_bytes: maximum size of the file in bytes.
    :ivar root: the outermost node, or None if the file is empty.
    :raises DescriptionError: it cannot be read.
    """

    def __init__(self, path: str, hint: str = '', data: bytes | None = None,
                 max_bytes: int = MAX_BYTES):
        self._path = path
        try:
            data = read_file(path) if data is None else data
        except DescriptionError as error:
            error.hint = hint
            raise
        self.file = SourceFile(path, text_of(data[:max_bytes]), None)
        if len(data) > max_bytes:
            raise self.error(None, f'It has more than {max_bytes} bytes')
        try:
            self.root = _composed(self.file.text)
        except yaml.YAMLError as error:
            # What is not closed shows only where something else comes instead, or the end.
            is_open = re.match(_OPEN, getattr(error, 'context', None) or '')
            raise self.error(
                getattr(error, 'context_mark' if is_open else 'problem_mark', None),
                f'It is not YAML: {getattr(error, "problem", None) or error}') from None
        except RecursionError:
            raise self.error(None, 'It is nested too deeply') from None

    def table(self, node: yaml.Node, known: Collection[str] | None = None, *required: str,
              what: str = 'key') -> dict[str, yaml.Node]:
        """
        Return the values of a mapping by their keys.

        :param known: the keys that it may have; None for any.
        :param required: the keys that it must have.
        """
        if not isinstance(node, yaml.MappingNode):
            raise self.error(node, 'This is not a mapping of keys and values')
        table: dict[str, yaml.Node] = {}
        for key, value in node.value:
            name = self.scalar(key)
            if known is not None and name not in known:
                raise self.error(key, does_not_exist(name, sorted(known), what))
            if name in table:
                raise self.error(key, f'There is another {what} {quote(name)}')
            table[name] = value
        for name in required:
            if name not in table:
                raise self.error(node, f'There is no {name}')
        return table

    def pose(self, table: Mapping[str, yaml.Node]) -> Pose:
        """Return the pose that a table has in its keys xyz and rpy."""
        xyz, rpy = (self.vector(table[key]) if key in table else (0.0, 0.0, 0.0)
                    for key in ('xyz', 'rpy'))
        return Pose(xyz, quaternion_from_rpy(*rpy))

    def vector(self, node: yaml.Node) -> Vector3:
        """Return three numbers."""
        if not isinstance(node, yaml.SequenceNode) or len(node.value) != 3:
            raise self.error(node, 'This is not a list of three numbers')
        x, y, z = map(self.number, node.value)
        return x, y, z

    def name_in(self, node: yaml.Node, names: Collection[str], what: str) -> str:
        """Return a text that is one of some names."""
        name = self.scalar(node)
        if name not in names:
            raise self.error(node, does_not_exist(name, names, what))
        return name

    def number(self, node: yaml.Node) -> float:
        """Return a number."""
        text = self.scalar(node, 'This is not a number')
        try:
            return parse_number(text)
        except ValueError as error:
            raise self.error(node, str(error)) from None

    def scalar(self, node: yaml.Node, otherwise: str = 'This is not a text') -> str:
        """Return a text."""
        if not isinstance(node, yaml.ScalarNode):
            raise self.error(node, otherwise)
        text = str(node.value)
        if NOT_IN_XML.search(text):
            raise self.error(node, 'This text has a character that XML cannot have')
        return text

    def error(self, at: yaml.Node | yaml.Mark | None, message: str) -> DescriptionError:
        """Return an exception at a location in the file, or for the whole file."""
        mark = at.start_mark if isinstance(at, yaml.Node) else at
        line, column = (1, 1) if mark is None else (mark.line + 1, mark.column + 1)
        return DescriptionError(message, source=self._path, line=line, column=column,
                                text=self.file.excerpt(line))
