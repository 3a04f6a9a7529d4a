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
Repair of descriptions that urdfdom reads although they are not well-formed XML.

Its parser ignores encodings and the content of declarations and comments.
"""

from __future__ import annotations

import re

_DECLARATION = re.compile(rb'(?:\xef\xbb\xbf)?[ \t\r\n]*<\?xml[ \t\r\n][^<>]*\?>')
_BLANK = bytes(byte if byte in b'\r\n' else ord(' ') for byte in range(256))


def repair_xml(data: bytes) -> bytes:
    """
    Return a description with such errors overwritten; every other byte keeps its offset.

    A description in an encoding that is not compatible with ASCII is returned unchanged.
    """
    if b'\0' in data:
        return data
    repaired = bytearray(data)
    declaration = _DECLARATION.match(data)
    if declaration:
        repaired[:declaration.end()] = declaration[0].translate(_BLANK)
    _repair_comments(repaired)
    # Bytes that are not UTF-8 are decoded to surrogates, which are encoded as question marks.
    return repaired.decode('utf-8', 'surrogateescape').encode('utf-8', 'replace')


def _repair_comments(data: bytearray) -> None:
    start = data.find(b'<!--')
    while start >= 0:
        end = data.find(b'-->', start + 4)
        if end < 0:
            break
        if data.find(b'--', start + 4, end + 1) >= 0:
            data[start + 4:end] = data[start + 4:end].replace(b'-', b'_')
        start = data.find(b'<!--', end)
