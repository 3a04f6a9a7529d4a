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
Descriptions that try to exhaust time and memory.

As a program: load one of them, by name, with a memory limit of 1 GiB, and print the outcome as
JSON.
"""

from __future__ import annotations

import json
import resource
import sys

MEMORY = 2**30


def _entities():
    declarations = ''.join(
        f'<!ENTITY {outer} "{f"&{inner};" * 10}">'
        for inner, outer in zip('abcdefgh', 'bcdefghi'))
    return f'<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa">{declarations}]><robot name="&i;"/>'


def _default_attributes():
    attributes = ' '.join(f'a{i} CDATA "x"' for i in range(20_000))
    return f'<!DOCTYPE a [<!ATTLIST a {attributes}>]>' + _robot('<a/>' * 100_000)


def _robot(content):
    return f'<robot name="r">{content}</robot>'


def _joints(count, child):
    """Return links l0, l1, ... and joints from link i to the given one."""
    return _robot(''.join(
        f'<link name="l{i}"/><joint name="j{i}" type="fixed"><parent link="l{i}"/>'
        f'<child link="{child(i)}"/></joint>' for i in range(count)) + f'<link name="l{count}"/>')


def _mimics(count):
    return _robot('<link name="l"/>' + ''.join(
        f'<link name="l{i}"/><joint name="j{i}" type="continuous"><parent link="l"/>'
        f'<child link="l{i}"/><mimic joint="j{(i + 1) % count}"/></joint>'
        for i in range(count)))


def _links(count, name):
    return ''.join(f'<link name="{name}{i}"/>' for i in range(count))


ATTACKS = {
    'entities that expand': _entities,
    'external entity': lambda: (
        '<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/passwd">]>' + _robot('&a;')),
    'external document type': lambda: (
        '<!DOCTYPE r SYSTEM "http://127.0.0.1:9/r.dtd">' + _robot('&a;')),
    'default attributes': _default_attributes,
    '100 MB of text': lambda: _robot('x' * 100_000_000),
    '30 MB of lines': lambda: _robot('x\n' * 15_000_000),
    'a million nested': lambda: '<a>' * 1_000_000 + '</a>' * 1_000_000,
    'a million side by side': lambda: _robot('<a/>' * 1_000_000),
    'many comments': lambda: _robot('<!---->' * 4_000_000),
    'many open comments': lambda: _robot('<!--' * 7_000_000),
    'many bad comments': lambda: _robot('<!-- -- -->' * 2_000_000),
    'comments before a second root': lambda: _robot('') + '<!-- -->' * 5_000 + '<robot/>',
    'many attributes': lambda: _robot(
        ('<a ' + ' '.join(f'a{i}=""' for i in range(50_000)) + '/>') * 50),
    'huge attribute': lambda: '<robot name="' + 'x' * 30_000_000 + '"/>',
    'large attribute': lambda: '<robot name="r" version="' + '9' * 1_000_000 + '"/>',
    'huge name': lambda: '<' + 'a' * 30_000_000 + '/>',
    'spaces before a declaration': lambda: ' ' * 30_000_000 + '<?xml version="1.0"?><robot/>',
    'not UTF-8': lambda: b'<robot name="r">' + b'\xff' * 30_000_000,
    'NUL bytes': lambda: b'<robot name="r">' + bytes(30_000_000),
    'a chain': lambda: _joints(36_000, lambda i: f'l{i + 1}'),
    'a cycle': lambda: _joints(36_000, lambda i: f'l{(i + 1) % 36_000}'),
    'a cycle of mimics': lambda: _mimics(28_000),
    'many roots': lambda: _robot(_links(20_000, 'n' * 1000)),
    'similar names': lambda: _robot(
        _links(50_000, 'n' * 90) + '<joint name="j" type="fixed">'
        f'<parent link="{"n" * 90}"/><child link="a"/></joint>'),
}


def main():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    from urdf_tools.formats.loader import loads
    from urdf_tools.model.errors import DescriptionError
    try:
        robot = loads(ATTACKS[sys.argv[1]]())
        print(json.dumps({'links': len(robot.links), 'problems': len(robot.problems)}))
    except DescriptionError as error:
        print(json.dumps({'error': str(error)}))


if __name__ == '__main__':
    main()
