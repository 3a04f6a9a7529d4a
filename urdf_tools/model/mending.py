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
Well-formed XML from the faulty sort that urdfdom reads.

Its parser minds neither encodings nor what stands in declarations and comments, so robots run
with descriptions that are no XML.
"""

from __future__ import annotations

import re

_DECLARATION = re.compile(rb'(?:\xef\xbb\xbf)?[ \t\r\n]*<\?xml[ \t\r\n][^<>]*\?>')
_BLANK = bytes(byte if byte in b'\r\n' else ord(' ') for byte in range(256))


def mend(data: bytes) -> bytes:
    """
    Return a description without such faults, every other byte in its old place.

    What is not ASCII compatible is returned as it is.
    """
    if b'\0' in data:
        return data
    mended = bytearray(data)
    declaration = _DECLARATION.match(data)
    if declaration:
        mended[:declaration.end()] = declaration[0].translate(_BLANK)
    _mend_comments(mended)
    # Each byte that is no part of a character goes through a surrogate to a question mark.
    return mended.decode('utf-8', 'surrogateescape').encode('utf-8', 'replace')


def _mend_comments(data: bytearray) -> None:
    start = data.find(b'<!--')
    while start >= 0:
        end = data.find(b'-->', start + 4)
        if end < 0:
            break
        if data.find(b'--', start + 4, end + 1) >= 0:
            data[start + 4:end] = data[start + 4:end].replace(b'-', b'_')
        start = data.find(b'<!--', end)
