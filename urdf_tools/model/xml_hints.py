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

"""Hints on why a description is not well-formed XML."""

from __future__ import annotations

import re

_SEEN = 2**16

_NAMESPACES = {
    'drake': 'http://drake.mit.edu', 'xacro': 'http://www.ros.org/wiki/xacro',
    'xi': 'http://www.w3.org/2001/XInclude'}

_AFTER_ELEMENT = re.compile(
    rb'(?:/>|</[^<>]*>)\s*(?:<!--(?:[^-]|-(?!->))*-->\s*)*\Z')

_OTHER_TEXTS = (
    (rb'version https://git-lfs',
     'This is a Git LFS pointer: fetch the file with "git lfs pull"'),
    (rb'[{\[]', 'This is JSON, not a robot description in XML'),
    (rb'---\s|%YAML|[\w-]+:\s', 'This is YAML, not a robot description in XML'),
    (rb'(?:[a-z]+:/)?/?[^\s<]+\.(?:urdf|xacro|xml|sdf)\s*\Z',
     'This is the path of a file: pass its content, or call the function for files, such as '
     'load()'),
    (rb'solid\b', 'This is an STL mesh, not a robot description'),
)


def namespace_of(prefix: str) -> str:
    """Return the namespace that a prefix usually stands for."""
    return _NAMESPACES.get(prefix, f'http://example.org/{prefix}')


def tag_name(data: bytes, offset: int) -> str:
    """Return the name of the tag that begins at an offset."""
    match = re.compile(rb'[^\s/>]*').match(data, offset)
    return match[0].decode('utf-8', 'replace') if match else ''


def ends_itself(data: bytes, offset: int) -> bool:
    """Return whether the tag that begins at an offset ends its element, as in ``<link/>``."""
    match = re.compile(rb'<(?:"[^"]*"|\'[^\']*\'|[^"\'>])*>').match(data, offset)
    return match is not None and match[0].endswith(b'/>')


def likely_cause(data: bytes, offset: int) -> str:
    """
    Return a hint on the likely cause and its fix, or an empty string.

    :param data: a description that is not well-formed.
    :param offset: offset of the byte at which the parser stopped.
    """
    start = data[:_SEEN].lstrip(b'\xef\xbb\xbf \t\r\n')
    near = data[max(offset - _SEEN, 0):offset]
    here = data[offset:offset + _SEEN]
    line = data[data.rfind(b'\n', 0, offset) + 1:offset] + here.partition(b'\n')[0]
    if re.match(rb'<{7}|={7}|>{7}', line) or start.startswith(b'<<<<<<<'):
        return 'This is a git conflict marker: resolve the merge and remove it'
    if not start.startswith(b'<'):
        return _other_text(start)
    for cause in (_declaration, _comment, _outside, _character, _attribute):
        hint = cause(data, offset, near, here)
        if hint:
            return hint
    return ''


def _other_text(start: bytes) -> str:
    return next((hint for pattern, hint in _OTHER_TEXTS if re.match(pattern, start)),
                'This is not XML: a robot description begins with <robot')


def _declaration(data: bytes, offset: int, near: bytes, here: bytes) -> str:
    if re.match(rb'<\?xml\s', here):
        return 'Remove what is before <?xml; it must come first'
    if data.startswith((b'<?xml', b'\xef\xbb\xbf<?xml')) and offset < data.find(b'?>') + 2:
        return 'Begin with <?xml version="1.0"?>'
    return ''


def _comment(data: bytes, offset: int, near: bytes, here: bytes) -> str:
    rest = near[near.rfind(b'-->') + 3:] if b'-->' in near else near
    opening = rest.find(b'<!--')
    if opening >= 0 and b'--' in rest[opening + 4:] + here[:4]:
        return 'A comment must not contain "--"; it ends at the first "-->"'
    return ''


def _outside(data: bytes, offset: int, near: bytes, here: bytes) -> str:
    if near[near.rfind(b'<'):].count(b'"') % 2:
        return ''  # It is inside of a value whose quote is missing.
    if re.match(rb'<[A-Za-z]', here) and _AFTER_ELEMENT.search(near):
        return 'There can be only one outermost element: put everything inside <robot>'
    return ''


def _character(data: bytes, offset: int, near: bytes, here: bytes) -> str:
    if b'\0' in here[:2] or b'\0' in near[-2:]:
        return 'The text contains NUL bytes: save it as UTF-8'
    try:
        here[:4].decode('utf-8')
    except UnicodeDecodeError as error:
        if error.start == 0 and error.reason != 'unexpected end of data':
            return 'This is not UTF-8: save it as UTF-8, or declare its encoding'
    if here[:3] in (b'\xe2\x80\x9c', b'\xe2\x80\x9d', b'\xe2\x80\x98', b'\xe2\x80\x99'):
        return 'Use straight quotes'
    if re.match(rb'[\x01-\x08\x0b\x0c\x0e-\x1f]', here):
        return 'The text contains a control character: remove it'
    if b'&' in near[-40:].rpartition(b';')[2] + here[:1]:
        return 'Write &amp; for &'
    return ''


def _attribute(data: bytes, offset: int, near: bytes, here: bytes) -> str:
    tag = near[near.rfind(b'<'):]
    if re.search(rb'=\s*\Z', tag):
        return 'Put the value in quotes'
    if tag.count(b'"') % 2 or (here[:1] == b'<' and re.match(rb'<\w', tag)):
        return 'A quote or ">" is missing before this, or "<" must be written as &lt;'
    if re.search(rb'["\']\Z', tag):
        return 'Put a space between the attributes'
    return ''
