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
What every verb and node runs, on descriptions with a hostile text at one position or everywhere.

Nothing raises, no finding is lost, each output is well-formed, and no escape reaches a terminal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from collections.abc import Iterator
from collections.abc import Mapping
from contextlib import redirect_stderr
from contextlib import redirect_stdout
from functools import lru_cache
import io
import json
from pathlib import Path
from random import Random
import re
from typing import Any
from typing import Literal
from typing import NamedTuple
from urllib.parse import urlsplit
from xml.etree import ElementTree
from xml.parsers.expat import ExpatError
from xml.parsers.expat import ParserCreate

from support.text_positions import cases_of_rules
from support.text_positions import Described
from support.text_positions import descriptions
from support.text_positions import encoded
from support.text_positions import is_readable
from support.text_positions import PLAIN
from support.text_positions import Position
from support.text_positions import TEXTS
from support.text_positions import written

from urdf_tools.check.validator import RULE_OF_ERROR
from urdf_tools.cli import main
from urdf_tools.model.xml.document import read_document
import yaml

_COLOURS = re.compile('\x1b\\[(?:0|1|1;3[156])m')
"""What a report for a terminal is coloured with."""

_HEAD = re.compile(
    r'^.*: (?:error|warning|note): .* \[([\w-]+)\](?: and \d+ others? like it)?$', re.M)
_COMMAND = re.compile(
    r'::(error|warning|notice) file=[^:,\n]*(,(line|col)=\d+)*,title=[\w-]+::[^\n]*')

_FIELD = re.compile(r'\{(text|other|srdf)\}')

_UNREAD = {*RULE_OF_ERROR.values()} - {'xml-forgiven'}
"""Rules whose finding is the only one, as there is nothing else to check."""

Where = Literal['one', 'same', 'names', 'all']

_AT_A_POSITION: tuple[Where, ...] = ('one', 'same')
_AT_ONCE: tuple[Where, ...] = ('names', 'all')

LINES = 100_000
"""Most characters of an output for people of a description of some kB, whatever the text is."""


class Trial(NamedTuple):
    """
    A description with a text at a position.

    :ivar run: what is run, of :data:`RUNS`.
    :ivar where: ``one``: at the position; ``same``: wherever there is what was at the position;
        ``names``: after the name of each element; ``all``: at all positions.
    """

    run: str
    described: Described
    position: Position
    text: str
    where: Where = 'one'

    suffix = '.json'

    def positions(self) -> list[Position]:
        """Return the positions that have the text."""
        if self.where == 'one':
            return [self.position]
        if self.where == 'same':
            return self.described.same(self.position)
        return self.described.names() if self.where == 'names' else [
            each for each in self.described.positions() if each.syntax != 'plain yaml']

    @property
    def data(self) -> bytes:
        """What it is, to be run again."""
        return json.dumps({
            'run': self.run, 'description': self.described.name, 'where': self.where,
            'position': self.position, 'was': self.described.text_at(self.position),
            'text': self.text}, indent=2).encode()

    def check(self, folder: Path) -> None:
        """
        Run it.

        :param folder: a folder for files.
        :raises AssertionError: something is lost, not well-formed or not printable.
        """
        (RUNS.get(self.run) or BROWSED[self.run])(Files(self, folder), folder)


class Files:
    """
    The files of a trial in a folder.

    :ivar text: the hostile text.
    :ivar main: the path of the description.
    :ivar options: of verbs that read loops.
    """

    def __init__(self, trial: Trial, folder: Path, text: str | None = None,
                 change: Callable[[str], str] | None = None):
        self.trial = trial
        self.text = TEXTS[trial.text] if text is None else text
        described = trial.described
        if change is None and trial.where == 'names':
            def change(name: str) -> str:
                return name + self.text
        self.contents = described.changed(trial.positions(), change or self.text)
        self.folder = folder / described.name
        for name, content in self.contents.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(encoded(content))
        self.main = str(self.folder / described.main)
        loops = described.loops
        self.options = [] if loops is None else ['--loops', str(self.folder / loops)]


class Terminal(io.TextIOWrapper):
    """A stream that keeps what is written, as a terminal or a file would get it."""

    def __init__(self, is_terminal: bool):
        super().__init__(io.BytesIO(), 'utf-8', 'strict', newline='', write_through=True)
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        """Return whether it is a terminal."""
        return self._is_terminal

    def text(self) -> str:
        """Return what was written."""
        self.flush()
        return self.buffer.getvalue().decode('utf-8', 'surrogateescape')


def command(*arguments: str, is_terminal: bool = True, exact: bool = False) -> tuple[int, str]:
    """
    Run a verb, check what it prints, and return its exit code and its output.

    :param exact: the output is for other programs, which is not looked at.
    """
    out, err = Terminal(is_terminal), Terminal(False)
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code = main(arguments)
        except SystemExit as error:
            code = error.code
    assert code in (0, 1, 2) and 'unrecognized arg' not in err.text(), f'exit code {code}'
    assert code != 2 or err.text() or arguments[0] == 'check', 'nothing says why'
    check_lines(err.text())
    if not exact:
        check_lines(out.text(), is_data=bool({'json', 'sarif', '--diff'} & {*arguments}))
    return code, out.text()


def check_lines(text: str, is_command: bool = False, is_data: bool = False) -> None:
    """Check that lines are harmless on a terminal and in the log of a CI service."""
    assert is_data or len(text) < LINES, f'{len(text)} characters'
    for line in _COLOURS.sub('', text).split('\n'):
        assert line.isprintable(), f'not printable: {line!r}'
        assert is_command or not line.lstrip().startswith('::'), f'a command: {line!r}'
        assert '##' not in line, f'a command: {line!r}'
        assert not line.lstrip().startswith('[FATAL]'), f'of a log: {line!r}'


def check_findings(files: Files, folder: Path) -> None:
    """Check the description, in every format, and compare what is found."""
    found = checked(files, folder)
    codes = Counter(code for code, _, _ in found.elements())
    assert not codes['internal-error'], codes
    trial = files.trial
    plain = of_plain(trial.described, trial.position, trial.where, str(folder))
    is_xacro = trial.described.main.endswith('.xacro')
    if codes.keys() & _UNREAD:
        assert is_xacro or {code for code, _, _ in plain} & _UNREAD or not all(
            is_readable(files.text, each) for each in trial.positions()
        ), f'not read: {codes}'
        return
    if {code for code, _, _ in plain} & _UNREAD:
        return  # An empty attribute of MJCF counts as none, and any other text is refused.
    # With all names changed in the same way, what is found of them stays.
    lines = {line_of(trial, position) for position in trial.positions()
             if trial.where != 'names'}
    unread = {Path(each.file).name for each in trial.positions()
              if not is_readable(files.text, each)
              or '\n' in written(files.text, each.syntax)}
    if 'package.xml' in unread:
        return  # Its meshes are not found.
    # Files of MoveIt and of controllers are compared with each other, loops with the robot.
    lost = Counter({key: number for key, number in (plain - found).items()
                    if key[1:] not in lines and (
                        not unread or key[1] == 'robot.urdf' not in unread
                        and not key[0].startswith('loop'))})
    if trial.where == 'names' and not files.text:  # Only the plain text ends the name of the root.
        lost = Counter({key: number for key, number in lost.items()
                        if key[0] != 'no-conventional-root'})
    more = {key[1:] for key in found - plain}
    if is_xacro:  # A text may go anywhere, but one finding takes the place of others.
        lost = Counter({key: number for key, number in lost.items() if key[1:] not in more
                        and not (key[0] == 'xacro-failed' and more)})
    assert not lost, f'lost: {dict(lost)}; more: {dict(found - plain)}'


def line_of(trial: Trial, position: Position) -> tuple[str, int]:
    """Return the file and the line of a position."""
    return Path(position.file).name, trial.described.files[position.file].count(
        '\n', 0, position.start) + 1


@lru_cache(maxsize=8)
def of_plain(described: Described, position: Position, where: Where, folder: str
             ) -> Counter[tuple[str, str, int]]:
    """Return what is found with a text that is not hostile."""
    path = Path(folder) / 'plain'
    trial = Trial('check', described, position, 'brace', where)
    return checked(Files(trial, path, PLAIN), path)


def checked(files: Files, folder: Path) -> Counter[tuple[str, str, int]]:
    """Return codes, files and lines of findings, after comparing them in all formats."""
    paths = {kind: folder / f'out.{kind}' for kind in ('json', 'sarif', 'junit', 'github', 'text')}
    for path in paths.values():
        path.unlink(missing_ok=True)
    _, shown = command(
        'check', files.main, *files.options, '--verbose', '--level', 'info', '--no-config',
        '--jobs', '1', *(part for kind, path in paths.items() for part in (
            '--output', f'{kind}={path}')))
    text = {kind: path.read_text() for kind, path in paths.items()}
    check_lines(text['text'])
    report, = json.loads(text['json'])['reports']
    codes = Counter(each['code'] for each in report['findings'])
    assert _COLOURS.sub('', shown) == text['text'], 'another text for a file'
    assert Counter(_HEAD.findall(text['text'])) == codes, 'lost in the text'
    check_sarif(text['sarif'], report)
    test, = ElementTree.fromstring(text['junit']).iter('testcase')
    inner = next(iter(test), None)
    assert {*_HEAD.findall(inner.text if inner is not None else '')} == {*codes}, 'lost in JUnit'
    assert inner is None or 'message' not in inner.attrib or inner.get('message') == inner.text
    check_lines(text['github'], is_command=True)
    commands = text['github'].splitlines()
    assert all(map(_COMMAND.fullmatch, commands)), commands
    assert bool(commands) == bool(codes)
    return Counter((
        each['code'], Path((each.get('source') or {'file': report['source']})['file']).name,
        (each.get('source') or each)['line'] or 0) for each in report['findings'])


def check_sarif(text: str, report: Mapping[str, Any]) -> None:
    """Check that SARIF has all findings, each at a location that can be read."""
    run, = json.loads(text)['runs']
    assert len(run['results']) == len(report['findings'])
    names = [rule['id'] for rule in run['tool']['driver']['rules']]
    for result, finding in zip(run['results'], report['findings']):
        assert names[result['ruleIndex']] == result['ruleId'] == finding['code']
        assert result['message']['text'].startswith(finding['message'])
        for location in (*result['locations'], *result.get('relatedLocations', ())):
            physical = location['physicalLocation']
            uri = physical['artifactLocation']['uri']
            assert uri.isascii() and uri.isprintable() and ' ' not in uri, uri
            urlsplit(uri)
            assert physical.get('region', {'startLine': 1})['startLine'] >= 1


def verb(*words: str, output: str = '', exact: bool = False) -> Callable[[Files, Path], None]:
    """
    Return what runs a verb on a file.

    :param words: its name and options; ``{other}`` is an untouched description, ``{text}`` the
        text, and ``{srdf}`` the file beside the description, or itself.
    :param output: the suffix of a file that it writes, and which is parsed.
    """
    def run(files: Files, folder: Path) -> None:
        path = folder / f'written{output}'
        path.unlink(missing_ok=True)
        values = {'{text}': files.text, '{srdf}': next(
            (name for name in files.contents if name.endswith('.srdf')), files.main)}
        values['{srdf}'] = str(files.folder / values['{srdf}'])
        if '{other}' in words:
            values['{other}'] = str(untouched(files.trial.described, str(folder)))
        given = [_FIELD.sub(lambda field: values[field[0]], word) for word in words]
        if words[0] in ('tree', 'fk', 'sdf', 'mjcf'):
            given += files.options
        if output:
            given += ['-o', str(path)]
        _, out = command(*given[:1], files.main, *given[1:], exact=exact)
        if {'json', 'sarif'} & {*words} and out:
            json.loads(out)
        if path.is_file():
            check_written(path, files, words[0])
    return run


def check_written(path: Path, files: Files, verb: str) -> None:
    """Check that a file is read as the same robot, or has no names but those of the robot."""
    ParserCreate().Parse(path.read_bytes(), True)
    try:
        ParserCreate().Parse(Path(files.main).read_bytes(), True)
    except ExpatError:
        return  # A parser that forgives has read it.
    if verb in ('expand', 'attach'):
        robot, other = (names_in(each) for each in (files.main, str(path)))
        assert robot == other if verb == 'expand' else robot <= other, f'{robot ^ other}'
        return
    expanded = Path(files.main)
    if files.main.endswith('.xacro'):
        expanded = path.with_name('expanded.urdf')
        command('expand', files.main, '-o', str(expanded))
    robot = texts_in(expanded) | {
        part for each in files.options[1:] for part in texts_in_yaml(Path(each))} | {
        part for each in files.contents
        if each.endswith(('.sdf', '.xml')) and each != 'package.xml'
        for part in texts_in(files.folder / each)}
    names = {element.get('name', '') for element in ElementTree.parse(path).iter()
             if element.tag in ('link', 'joint', 'body', 'model')}
    # What joins the links of a loop has a name of its own.
    strange = {name for name in names - robot - {'world'} if not any(
        each and name.startswith(each) for each in robot)}
    assert not strange, f'names of nothing: {strange}'


def names_in(path: str) -> set[str]:
    """Return the names of the links and joints of a robot."""
    code, out = command('tree', path, '--format', 'json', is_terminal=False)
    if not out:
        return set()
    return {value for key, value in _pairs(json.loads(out)) if key == 'name'}


def _pairs(value: Any) -> Iterator[tuple[str, str]]:
    for key, each in value.items() if isinstance(value, dict) else enumerate(
            value if isinstance(value, list) else ()):
        if isinstance(each, str):
            yield str(key), each
        else:
            yield from _pairs(each)


def texts_in(path: Path) -> set[str]:
    """Return the texts and values of attributes in a file of XML."""
    return {part for element in read_document(path.read_bytes()).root.iter()
            for part in (*element.attrib.values(), (element.text or '').strip())}


def texts_in_yaml(path: Path) -> set[str]:
    """Return the texts in a YAML file."""
    return {token.value for token in yaml.scan(path.read_text('utf-8', 'replace'))
            if isinstance(token, yaml.ScalarToken)}


@lru_cache(maxsize=8)
def untouched(described: Described, folder: str) -> Path:
    """Return the path of a description as it is."""
    position = next(described.positions())
    path = Path(folder) / 'untouched'
    return Path(Files(Trial('', described, position, 'brace'), path,
                      described.text_at(position)).main)


def fix(files: Files, folder: Path) -> None:
    """Apply the fixes to the file, which is still read afterwards."""
    code, _ = command('check', files.main, '--fix', '--no-config', '--jobs', '1')
    again, out = command('check', files.main, '--no-config', '--jobs', '1', is_terminal=False)
    assert again <= code, out


def baseline(files: Files, folder: Path) -> None:
    """Write a baseline, which then hides everything."""
    path = str(folder / 'baseline.json')
    Path(path).unlink(missing_ok=True)
    given = ['check', files.main, *files.options, '--no-config', '--baseline', path,
             '--level', 'info', '--strict']
    code, out = command(*given, '--update-baseline')
    if Path(path).exists():
        code, out = command(*given)
    assert code == 0 or any(f'[{each}]' in out for each in _UNREAD), out


def folder_with_all(files: Files, folder: Path) -> None:
    """Check all that is in the folder, as continuous integration does."""
    command('check', str(files.folder), '--level', 'info', '--jobs', '1')
    code, out = command('check', str(files.folder), *(
        name for name in map(str, files.folder.glob('*.srdf'))), '--format', 'json', '--jobs', '1',
        is_terminal=False)
    codes = [each['code'] for report in json.loads(out or '{"reports": []}')['reports']
             for each in report['findings']]
    assert code == 2 or 'internal-error' not in codes, codes


VERBS: Mapping[str, Callable[[Files, Path], None]] = {
    'check': check_findings,
    'folded': verb('check', '--level', 'info', '--no-config', '--jobs', '1'),
    'fix': fix,
    'fixes': verb('check', '--diff', '--no-config'),
    'baseline': baseline,
    'folder': folder_with_all,
    'account': verb('account'),
    'account-json': verb('account', '--format', 'json', '--for',
                         'gazebo,mujoco,mujoco-3.8,mujoco-3.3,drake,pybullet,usd,mjcf'),
    'sdf': verb('sdf'),
    'sdf-json': verb('sdf', '--format', 'json'),
    'sdf-file': verb('sdf', '--preserve-fixed-joints', output='.sdf'),
    'mjcf': verb('mjcf', output='.xml'),
    'mjcf-json': verb('mjcf', '--format', 'json', '--srdf', '{srdf}', output='.xml'),
    'tree': verb('tree'),
    'tree-json': verb('tree', '--format', 'json'),
    'fk': verb('fk'),
    'fk-json': verb('fk', '--format', 'json'),
    'fk-link': verb('fk', '--link={text}', '--joint={text}=1'),
    'inertia': verb('inertia'),
    'inertia-json': verb('inertia', '--format', 'json'),
    'inertia-diff': verb('inertia', '--compute', 'all', '--density', '1', '--diff'),
    'inertia-mass': verb('inertia', '--compute', 'all', '--mass={text}=1', '--joint={text}=0'),
    'collide': verb('collide'),
    'collide-json': verb('collide', '--format', 'json'),
    'collide-diff': verb('collide', '--diff', '--shapes', 'box'),
    'matrix': verb('collide', '--matrix', '{srdf}', '--samples', '10', '--diff'),
    'diff': verb('diff', '{other}'),
    'diff-json': verb('diff', '--format', 'json', '{other}'),
    'same': verb('diff', '--same', '{other}'),
    'same-json': verb('diff', '--same', '--format', 'json', '{other}'),
    'urdf': verb('urdf', output='.urdf'),
    'urdf-json': verb('urdf', '--format', 'json'),
    'attach': verb('attach', '{other}', '--link', 'base', '--prefix={text}', output='.urdf'),
    'expand': verb('expand', output='.urdf'),
}
"""What is run as a user runs it."""

RUNS: dict[str, Callable[[Files, Path], None]] = dict(VERBS)

BROWSED: dict[str, Callable[[Files, Path], None]] = {}
"""What needs a browser."""


def trials(described: Described, runs: Mapping[str, object] = RUNS) -> Iterator[Trial]:
    """Yield all trials of a description, those of a position together."""
    counts = Counter(map(described.text_at, described.positions()))
    once: set[str] = set()
    for position in described.positions():
        old = described.text_at(position).strip('"\'')
        is_name = counts[old] > 1 and re.fullmatch(r'[A-Za-z]\w*', old) and old not in once
        once.add(old)
        is_name = is_name and position.syntax not in ('comment', 'plain yaml')
        for where in _AT_A_POSITION[:1 + bool(is_name)]:
            for text in TEXTS:
                for run in runs:
                    yield Trial(run, described, position, text, where)
    for where in _AT_ONCE if counts else ():
        for text in sorted(TEXTS.keys() - {'million'}):
            for run in runs:
                yield Trial(run, described, position, text, where)


def random_trial(random: Random) -> Trial:
    """Return any trial; a third of them are of the cases of rules."""
    group = random.choice((descriptions, descriptions, cases_of_rules))()
    described = group[random.choice([*group])]
    positions = [*described.positions()]
    if not positions:
        return random_trial(random)
    position = random.choice(positions)
    where = random.choices(['one', 'same', *_AT_ONCE], [12, 5, 2, 1])[0]
    if where == 'same' and position.syntax in ('comment', 'plain yaml'):
        where = 'one'
    text = random.choice([*TEXTS])
    return Trial(random.choice([*RUNS, *['check'] * 5]), described, position,
                 text, 'one' if text == 'million' and where in _AT_ONCE else where)
