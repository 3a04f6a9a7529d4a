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


"""Detect xacro files by name or text; a constant shared by the source tables."""

from __future__ import annotations

import os
import re

SUFFIX = '.xacro'

NONE = -1
"""The row number that means no row."""

COMMENT = re.compile(r'<!--.*?(?:-->|\Z)', re.DOTALL)

_OUTERMOST = re.compile(r'<[^\W\d][^<>]*>')
_NAMESPACE = re.compile(r'\sxmlns:xacro\s*=')
_TO_EXPAND = re.compile(r'<xacro:(?:macro|if|unless|element|attribute)\b|<[^<>]*\$[({]')
_INCLUDE = re.compile(r'<xacro:include\b[^<>]*>')
_CALL = re.compile(r'<xacro:(?!property\b|arg\b)')
_LINK = re.compile(r'<link\b[^<>]*?\sname\s*=\s*(?:"([^"]*)"|\'([^\']*)\')')
_END = re.compile(r'<(?:parent|child)\b[^<>]*?\slink\s*=\s*(?:"([^"]*)"|\'([^\']*)\')')


def is_xacro(path: str | os.PathLike[str], text: str | bytes) -> bool:
    """
    Return whether xacro has to expand a file.

    That is so if its name says it, or if it declares the namespace of xacro and has something to
    expand: what xacro has written may still have the namespace, a definition without use, or an
    include that was left over in a complete robot, which all programs ignore.

    :param text: what is in the file.
    """
    if os.fsdecode(path).lower().endswith((SUFFIX, '.xacro.urdf')):
        return True
    if isinstance(text, bytes):
        if b'xmlns:xacro' not in text:
            return False
        text = text.decode('utf-8', 'replace')
    if 'xmlns:xacro' not in text:
        return False
    text = COMMENT.sub('', text)
    outermost = _OUTERMOST.search(text)
    if outermost is None or _NAMESPACE.search(outermost[0]) is None:
        return False
    rest = _INCLUDE.sub('', text)
    return _TO_EXPAND.search(rest) is not None or rest != text and (
        _CALL.search(rest) is not None or not _is_complete(rest))


def _is_complete(text: str) -> bool:
    """Return whether a robot has a link, and all links that its joints name."""
    links, ends = ({''.join(names) for names in each.findall(text)} for each in (_LINK, _END))
    return bool(links) and ends <= links
