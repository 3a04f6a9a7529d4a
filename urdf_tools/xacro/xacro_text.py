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

_COMMENT = re.compile(r'<!--.*?-->', re.DOTALL)
_OUTERMOST = re.compile(r'<[^\W\d][^<>]*>')
_NAMESPACE = re.compile(r'\sxmlns:xacro\s*=')
_TO_EXPAND = re.compile(
    r'<xacro:(?:include|macro|if|unless|element|attribute)\b|<[^<>]*\$[({]')


def is_xacro(path: str | os.PathLike[str], text: str | bytes) -> bool:
    """
    Return whether xacro has to expand a file.

    That is so if its name says it, or if it declares the namespace of xacro and has something to
    expand: what xacro has written may still have the namespace, or a definition without use.

    :param text: what is in the file.
    """
    if os.fsdecode(path).lower().endswith(SUFFIX):
        return True
    if isinstance(text, bytes):
        if b'xmlns:xacro' not in text:
            return False
        text = text.decode('utf-8', 'replace')
    if 'xmlns:xacro' not in text:
        return False
    text = _COMMENT.sub('', text)
    outermost = _OUTERMOST.search(text)
    return (outermost is not None and _NAMESPACE.search(outermost[0]) is not None
            and _TO_EXPAND.search(text) is not None)
