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

Its parser checks neither encodings nor declarations nor dashes in comments, so robots run with
descriptions that are no XML.
"""

from __future__ import annotations

import codecs
import re

_DECLARATION = re.compile(rb'(?:\xef\xbb\xbf)?[ \t\r\n]*<\?xml[ \t\r\n][^<>]*\?>')


def mend(data: bytes) -> bytes:
    """
    Return a description without such faults, every other byte in its old place.

    What is not ASCII compatible is returned as it is.
    """
    if b'\0' in data:
        return data
    declaration = _DECLARATION.match(data)
    if declaration:
        data = re.sub(rb'[^\r\n]', b' ', declaration[0]) + data[declaration.end():]
    data = b''.join(_comments_mended(data))
    return data.decode('utf-8', _QUESTION_MARKS).encode()


def _comments_mended(data):
    """Generate the data in pieces, without dashes in the comments that XML does not allow."""
    position = 0
    while (start := data.find(b'<!--', position)) >= 0 <= (end := data.find(b'-->', start + 4)):
        comment = data[start + 4:end]
        yield data[position:start + 4]
        yield comment.replace(b'-', b'_') if b'--' in comment + b'-' else comment
        position = end
    yield data[position:]


def _question_marks(error):
    return '?' * (error.end - error.start), error.end


_QUESTION_MARKS = 'urdf_tools.question_marks'
codecs.register_error(_QUESTION_MARKS, _question_marks)
