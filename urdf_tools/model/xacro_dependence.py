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

"""Which arguments of macros and of the command line a text of a xacro file depends on."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence
import re

from urdf_tools.model.xacro_sources import SourceTag

_EXPRESSION = re.compile(r'\$\{([^}]*)\}|\$\((?:arg|eval)\s+([^)]*)')
_NAME = re.compile(r'(?<![\w.\'"])[A-Za-z_]\w*')


def argument_of(text: str, tag: SourceTag, properties: Mapping[str, Sequence[SourceTag]]) -> str:
    """
    Return an argument that a text depends on, or nothing.

    :param tag: where it is written.
    :param properties: the tags that define a property, by its name, which may depend on some.
    """
    return _argument(text, tag, properties, set())


def _argument(text: str, tag: SourceTag, properties: Mapping[str, Sequence[SourceTag]],
              seen: set[str]) -> str:
    parameters = tag.parameters_around()
    for match in _EXPRESSION.finditer(text):
        if match[2]:
            return str(match[2]).strip()
        names: list[str] = _NAME.findall(match[1])
        for name in names:
            if name in parameters:
                return name
            if name in seen:
                continue
            seen.add(name)
            for definition in properties.get(name, ()):
                found = _argument(definition.raw.get('value', ''), definition, properties, seen)
                if found:
                    return found
    return ''
