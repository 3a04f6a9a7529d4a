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
Hostile texts, and every position of descriptions that takes one, a position at a time.

A description is a folder of ``support/described``: ``robot`` in URDF, xacro, SDF or MJCF, and what
is read with it. A new folder and a new text are tried without any change here.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
import re
from typing import Literal
from typing import NamedTuple
from xml.sax.saxutils import escape

from support.rule_cases import CASES
import yaml

TEXTS: Mapping[str, str] = {
    'field': '{tag}{zzz}',
    'brace': '{',
    'closing-brace': 'a}',
    'index': '{0}{1!r:>{2}}',
    'percent': '%s%(name)s%d%',
    'apostrophe': "it's",
    'quote': 'a"b',
    'cdata': ']]>',
    'dashes': 'a--b-->',
    'newline': '\n::error::forged\r\n[FATAL]',
    'tab': '\ta\t',
    'separators': '\u2028a\u2029b\x85c',
    'bidi': '\u202ea\u2066b\u200bc',
    'csi': '\x9b31m\x9d0;title\x9c',
    'delete': '\x7f',
    'escape': '\x1b[31m\x1b]0;title\x07',
    'null': 'a\0b',
    'surrogate': 'a\ud83d',
    'byte': 'a\udcff',
    'workflow': '::add-mask::a',
    'logging': '##vso[task.complete]##teamcity[x]',
    'expression': '${prefix}_$(arg link)',
    'evaluated-escape': '${"\\x1b[31m\\u202e\\n::error::a"}',
    'evaluated-surrogate': '${"\\ud83d"}',
    'backslash': '\\1\\n\\u202e\\',
    'markup': '<img src=x onerror=hacked=1>&amp;',
    'script': '</script></pre><script>hacked=1</script><svg onload=hacked=1>',
    'handler': 'a" onmouseover="hacked=1" autofocus onfocus="hacked=1',
    'link': '[a](javascript:hacked=1) [b](1) <a href="javascript:hacked=1">{{hacked=1}}</a>',
    'entity': '&x;&#0;&#x1b;%x;',
    'junit': ']]></failure></testcase><testcase name="a"/>',
    'json': '"}]}],"level":"none","x":[{',
    'xpath': "/robot/link[@name='a']",
    'path': '../../etc/passwd',
    'device': 'file:///dev/zero',
    'percent-encoded': 'package://%2e%2e/%2f%00',
    'shell': '$(touch hacked);`touch hacked`|~',
    'scheme': '::error::a\n\x9b://b.\u202e\n::c',
    'pattern': '(a+)+$[*?',
    'infinite': '1e999',
    'hexadecimal': '0x10',
    'grouped': '1_000',
    'arabic-digits': '\u0661\u0662\u0663',
    'combining': 'a' + '\u0301' * 200,
    'not-a-character': '\ufdd0a\uffff\U0010ffff',
    'empty': '',
    'yaml': '!!python/name:os.system *a &b',
    'long': 'long' * 2500,
    'million': 'million ' * 125_000,
}
"""Each has to be shown, written and compared as any other text is, by all that takes it."""

PLAIN = 'otherwise'
"""The text that others are compared with: it is as unknown as they are, and not hostile."""


def with_any(name: str) -> str:
    """Return a name with a text at its end, which is another one for most names."""
    texts = [text for text in TEXTS.values() if len(text) < 1000 and not _NOT_IN_XML.search(text)]
    return name + texts[sum(map(ord, name)) % len(texts)]


FOLDER = Path(__file__).parent / 'described'

_NOT_IN_XML = re.compile('[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]')

_NAMED = re.compile(
    r'<(?:link|joint|material|sensor|transmission|actuator|group|constraint|loop_joint|coupling|'
    r'frame|ros2_control|light|group_state|end_effector|model|body|geom|site)'
    r'\s[^<>]*?\bname="([A-Za-z]\w*)"')

_IN_TAG = re.compile(r'[\w:.-]+\s*=\s*(?:"([^"]*)"|\'([^\']*)\')')
_TAG = re.compile(r'<!--(?P<comment>.*?)-->|<\?.*?\?>|<(?P<tag>[^<>]+)>(?P<text>[^<]*)', re.S)

Syntax = Literal['attribute', 'text', 'comment', 'yaml', 'plain yaml']


class Position(NamedTuple):
    """
    A place in a file of a description that takes any text.

    :ivar file: its path from the folder of the description.
    :ivar syntax: as what it is written there.
    """

    file: str
    start: int
    end: int
    syntax: Syntax


@dataclass(frozen=True, eq=False)
class Described:
    """
    A description, and what is read with it.

    :ivar files: paths to contents.
    """

    name: str
    files: Mapping[str, str]

    @property
    def main(self) -> str:
        """The path of the file that is checked."""
        return next(name for name in self.files if Path(name).name in (
            'robot.urdf', 'robot.urdf.xacro', 'robot.sdf', 'robot.xml'))

    @property
    def loops(self) -> str | None:
        """The path of the file of loops, or None."""
        return next((name for name in self.files if name == 'loops.yaml'), None)

    def positions(self) -> Iterator[Position]:
        """Yield all positions."""
        for name, text in self.files.items():
            if name.endswith(('.urdf', '.xacro', '.srdf', '.sdf', '.xml', '.config')):
                yield from _in_xml(name, text)
            elif name.endswith('.yaml'):
                yield from _in_yaml(name, text)

    def text_at(self, position: Position) -> str:
        """Return what is written at a position."""
        return self.files[position.file][position.start:position.end]

    def same(self, position: Position) -> list[Position]:
        """Return where the text of a position is written as a name, in all files."""
        old = self.text_at(position).strip('"\'')
        return [each for each in self.positions() if each.syntax not in ('comment', 'plain yaml')
                and self.text_at(each).strip('"\'') == old]

    def names(self) -> list[Position]:
        """Return where names of elements are written, in all files."""
        names = {name for text in self.files.values() for name in _NAMED.findall(text)}
        return [each for each in self.positions() if each.syntax not in ('comment', 'plain yaml')
                and self.text_at(each).strip('"\'') in names]

    def changed(self, positions: Iterable[Position], text: str | Callable[[str], str]
                ) -> dict[str, str]:
        """Return the files with another text at some positions, or with one made of the old."""
        files = dict(self.files)
        for each in sorted(positions, key=lambda each: -each.start):
            old = files[each.file]
            new = text if isinstance(text, str) else text(self.text_at(each).strip('"\''))
            files[each.file] = old[:each.start] + written(new, each.syntax) + old[each.end:]
        return files


def written(text: str, syntax: Syntax) -> str:
    """Return a text as a file has it; what XML cannot have is written as it is."""
    if syntax == 'attribute':
        return escape(text, {'"': '&quot;', '\n': '&#10;', '\r': '&#13;', '\t': '&#9;'})
    if syntax == 'text':
        return escape(text, {'\n': '&#10;', '\r': '&#13;'})
    if syntax == 'yaml':
        return '"' + ''.join(
            each if each.isprintable() and each not in '"\\' else f'\\u{ord(each):04x}'
            for each in text) + '"'
    return text


def is_readable(text: str, position: Position) -> bool:
    """Return whether a file with a text at a position can be read."""
    if position.syntax == 'yaml':
        # A longer key is not read, an expression is for a launch file, and names are in XML, too.
        return len(text) < 1000 and not re.search('[${}()]', text) and not (
            position.file == 'loops.yaml' and _NOT_IN_XML.search(text))
    if not text and position.syntax == 'attribute' and position.file.endswith('.sdf'):
        return False  # No name is empty in SDF.
    # Two long texts in a tag are more than a tag may have.
    return position.syntax != 'plain yaml' and len(text) < 100_000 and not (
        _NOT_IN_XML.search(text) or position.syntax == 'comment' and '--' in text)


def encoded(text: str) -> bytes:
    """Return a text as the bytes of a file; lone surrogates stand for bytes, or for themselves."""
    return b''.join(
        each.encode('utf-8', 'surrogateescape' if '\udc80' <= each <= '\udcff' else
                    'surrogatepass') for each in re.split('([\udc80-\udcff])', text))


@cache
def descriptions() -> Mapping[str, Described]:
    """Return the descriptions by name."""
    found = [Described(folder.name, {
        str(path.relative_to(folder)): path.read_text()
        for path in sorted(folder.rglob('*')) if path.is_file()})
        for folder in sorted(FOLDER.iterdir())]
    return {each.name: each for each in found}


@cache
def cases_of_rules() -> Mapping[str, Described]:
    """Return what breaks each rule as a description of its own."""
    return {f'{case.code}-{number}': Described(f'{case.code}-{number}', {
        'robot.urdf': case.template.format(case.bad)}) for number, case in enumerate(CASES)
        if isinstance(case.bad, str)}


def _in_xml(name: str, text: str) -> Iterator[Position]:
    for match in _TAG.finditer(text):
        if match['comment'] is not None:
            yield Position(name, *match.span('comment'), 'comment')
        elif match['tag'] is not None:
            for value in _IN_TAG.finditer(match['tag']):
                start = match.start('tag')
                begin, end = value.span(value.lastindex or 1)
                yield Position(name, start + begin, start + end, 'attribute')
            if match['text'].strip():
                yield Position(name, *match.span('text'), 'text')


def _in_yaml(name: str, text: str) -> Iterator[Position]:
    for token in yaml.scan(text):
        if isinstance(token, yaml.ScalarToken):
            for syntax in ('yaml', 'plain yaml'):
                yield Position(name, token.start_mark.index, token.end_mark.index, syntax)
