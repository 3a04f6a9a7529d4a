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
Random inputs in SDF and MJCF: bytes, elements and attributes changed, and hostile texts.

They are made of the descriptions in these formats, ``support/described``, with their files.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
import json
from pathlib import Path
from random import Random
import re
from typing import NamedTuple
from xml.etree import ElementTree

from support.text_answers import RUNS
from support.text_positions import Described
from support.text_positions import descriptions
from support.text_positions import encoded
from support.text_positions import TEXTS
from support.text_runs import checked
from support.text_runs import command
from support.text_runs import Trial

from urdf_tools import DescriptionError
from urdf_tools import ForwardKinematics
from urdf_tools import load
from urdf_tools import loads
from urdf_tools.check.validator import validate
from urdf_tools.formats.converted_document import losses_of
from urdf_tools.model.robot import Robot

_WORD = re.compile(rb'[\w.+-]+')

_WORDS = (
    b'0', b'1', b'-1', b'2', b'3', b'7', b'255', b'65536', b'99999999', b'4294967295', b'-0.0',
    b'1e30', b'1e308', b'1e-320', b'1e999', b'nan', b'', b'mesh', b'scene', b'0 0 0', b'x', b'.')

_FRAGMENTS = (
    b'<', b'>', b'/>', b'</', b'"', b'&', b'&#0;', b'-->', b']]>', b'\0', b'\xff\xfe', b'\x1b[31m',
    b'nan', b'inf', b'1e999', b' ', b'${x}', b'<link name="e"/>', b'<pose/>', b'<include/>',
    b'<model name="m"><link name="l"/></model>', b'<body/>', b'<joint/>', b'<default/>',
    b'<include file="robot.xml"/>', b'<include><uri>robot.sdf</uri></include>', b'<geom/>',
    b'<replicate count="3"/>', b'<frame/>', b'<attach model="finger"/>', b'<inertial/>',
    b'<!DOCTYPE a [<!ENTITY b "c">]>', b'<!-- urdf-tools: ignore conversion-loss -->')

_VALUES = (
    '', ' ', '0', '1', '-1', '1e308', '1e999', '-1e-320', 'nan', 'inf', '-inf', '1,5', '${x}',
    '0x10', '0 0 0', '0 0 1', '1 2 3', '1 2 3 4', '1 2 3 4 5 6', '0 0 0 0 0 0 0', '3.7', '9999999',
    '1e200 1e200 1e200', '1e-200 0 0', 'true', 'false', 'auto', '__model__', 'world', '::', 'a::b',
    'model://a', 'package://a/b.stl', 'file:///dev/zero', '../robot.xml', '/', '.', 'é', '\u202e',
    'a' * 300, '1 ' * 300)
"""Texts and values besides those that are written somewhere in the format."""

_COPIES = (1, 1, 2, 30)

_ALONE: Mapping[str, tuple[str, ...]] = {
    'tree': (), 'fk': (), 'inertia': (), 'collide': (), 'account': (), 'sdf': (),
    'urdf': ('--format', 'json'), 'fk-json': ('--format', 'json'),
    'account-json': ('--format', 'json', '--for', 'gazebo,mujoco,drake,pybullet,usd,mjcf')}
"""Verbs, with what is behind a hyphen of ours, to their options."""

_WRITTEN = {'urdf': '.urdf', 'sdf': '.sdf', 'mjcf': '.xml'}


class FormatInput(NamedTuple):
    """
    A description with all its files, and what is run on it.

    :ivar run: of :data:`FORMAT_RUNS`.
    :ivar described: what it was made of.
    :ivar files: paths to contents.
    """

    run: str
    described: Described
    files: Mapping[str, bytes]

    suffix = '.json'

    @property
    def data(self) -> bytes:
        """What it is, to be run again."""
        return json.dumps({'run': self.run, 'description': self.described.name, 'files': {
            name: content.decode('latin-1') for name, content in self.files.items()}}).encode()

    @property
    def text(self) -> str:
        """The description alone, as a topic carries it."""
        return self.files[self.described.main].decode(errors='replace').replace('\0', '')

    def check(self, folder: Path) -> None:
        """
        Load it, and run what it is for.

        :param folder: a folder for files.
        :raises AssertionError: it is not loaded though it is valid, or the reverse; a loss is not
            found; or an output is not read as what it should be.
        """
        place = folder / self.described.name
        for name, content in self.files.items():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_bytes(content)
        FORMAT_RUNS[self.run](self, place / self.described.main, folder)


def _loaded(path: Path) -> Robot | None:
    """Return a robot, or None if there is one short reason that it is not one."""
    try:
        return load(path)
    except DescriptionError as error:
        assert '\n' not in str(error) and len(str(error)) < 3000, error
        return None


def _compare(given: FormatInput, path: Path, folder: Path) -> None:
    """Check it in all formats, and compare what is found with what the loader makes of it."""
    report = validate(path)
    codes = {finding.code for finding in report.findings}
    assert 'internal-error' not in codes, report.findings
    robot = _loaded(path)
    if robot is None:
        assert not report.valid, 'only the loader refuses it'
    else:
        assert not codes & {'conversion-failed', 'xml-syntax'}, 'only the check refuses it'
        for loss in losses_of(robot):
            assert loss.is_harmless or 'conversion-loss' in codes, f'not found: {loss.message}'
        kinematics = ForwardKinematics(robot)
        kinematics(kinematics.tree.neutral())
    found = checked(_Plain(str(path)), folder)
    assert {code for code, _, _ in found} == codes, 'other findings on the command line'


class _Plain(NamedTuple):
    """Files as what compares findings in all formats knows them."""

    main: str
    options: tuple[str, ...] = ()


def _publish(given: FormatInput, path: Path, folder: Path) -> None:
    """Make what a publisher of frames makes of the text, which knows no folder."""
    try:
        robot = loads(given.text)
    except DescriptionError as error:
        assert '\n' not in str(error) and len(str(error)) < 3000, error
        return
    if find_spec('rclpy') is not None:
        from urdf_tools.ros.current_model import CurrentModel
        model = CurrentModel()
        model.use(model.check(given.text), given.text)
        assert model.robot is not None and model.robot.links.keys() == robot.links.keys()
    from urdf_tools.ros.live_robot import LiveRobot
    LiveRobot(robot, given.text)


def _show(run: str) -> Callable[[FormatInput, Path, Path], None]:
    """Return what runs a verb for its output."""
    def show(given: FormatInput, path: Path, folder: Path) -> None:
        code, out = command(run.partition('-')[0], str(path), *_ALONE[run])
        if 'json' in _ALONE[run] and out:
            json.loads(out)
        if _loaded(path) is None:
            # An account also says who refuses what has no single root.
            assert code == 2 or code == 1 and run.startswith('account'), f'exit code {code}'
    return show


def _write(run: str) -> Callable[[FormatInput, Path, Path], None]:
    """Return what writes another format, and reads it again."""
    def write(given: FormatInput, path: Path, folder: Path) -> None:
        verb = run.partition('-')[0]
        output = folder / f'written{_WRITTEN[verb]}'
        output.unlink(missing_ok=True)
        code, _ = command(verb, str(path), '-o', str(output))
        robot = _loaded(path)
        if not output.is_file() or code and verb == 'sdf':
            return  # What Gazebo gets of a robot that it refuses is written, too.
        ElementTree.parse(output)
        assert robot is not None, 'written, but not loaded'
        again = load(output)
        if verb == 'urdf':
            assert again.links.keys() == robot.links.keys()
            assert again.joints.keys() == robot.joints.keys()
    return write


def _same(given: FormatInput, path: Path, folder: Path) -> None:
    """Compare it with what it was made of."""
    other = folder / 'other' / given.described.main
    for name, content in given.described.files.items():
        (other.parent / name).parent.mkdir(parents=True, exist_ok=True)
        (other.parent / name).write_text(content)
    _, out = command('diff', '--same', '--format', 'json', str(other), str(path))
    json.loads(out or '{}')
    command('diff', '--same', str(path), str(path))


FORMAT_RUNS: Mapping[str, Callable[[FormatInput, Path, Path], None]] = {
    'check': _compare, 'publisher': _publish, 'same': _same,
    **{run: _show(run) for run in _ALONE}, **{f'{verb}-file': _write(verb) for verb in _WRITTEN}}
"""What is run on such inputs; each also loads them."""


def random_format(name: str, random: Random) -> FormatInput | Trial:
    """
    Return an input: a description with some changes, or with a hostile text at a position.

    :param name: ``sdf`` or ``mjcf``.
    """
    described = random.choice(_described(name))
    if random.random() < 0.3:
        position = random.choice([*described.positions()])
        where = random.choices(['one', 'same', 'names'], [12, 5, 3])[0]
        text = random.choice([*TEXTS])
        return Trial(random.choice([*RUNS, *['check'] * 5]), described, position, text, 'one' if (
            text == 'million' or position.syntax == 'comment') else where)
    return changed_description(name, random, described)


def changed_description(name: str, random: Random, described: Described | None = None
                        ) -> FormatInput:
    """Return a description with some changes."""
    described = described or random.choice(_described(name))
    files = {path: encoded(text) for path, text in described.files.items()}
    changed = [described.main] if random.random() < 0.7 else random.choices([
        path for path in files if path.endswith(('.sdf', '.xml', '.config'))], k=2)
    for path in changed:
        files[path] = (edited(random, files[path], _FRAGMENTS) if random.random() < 0.3 else
                       _with_other_elements(random, name, files[path]))
    return FormatInput(random.choice([*FORMAT_RUNS, *['check'] * 5]), described, files)


@cache
def _described(name: str) -> list[Described]:
    suffix = {'sdf': '.sdf', 'mjcf': '.xml'}[name]
    return [each for each in descriptions().values() if each.main.endswith(suffix)]


@cache
def _parts(name: str) -> tuple[list[str], list[str], list[str], list[ElementTree.Element]]:
    """Return the tags, the names of attributes, the values, and the elements of a format."""
    elements = [element for each in _described(name) for path, text in each.files.items()
                if path.endswith(('.sdf', '.xml'))
                for element in ElementTree.fromstring(text).iter()]
    tags = {element.tag: None for element in elements}
    attributes = {each: None for element in elements for each in element.attrib}
    values = {each: None for element in elements for each in (
        *element.attrib.values(), (element.text or '').strip())}
    return [*tags], [*attributes], [*values], elements


def _with_other_elements(random: Random, name: str, data: bytes) -> bytes:
    """Return a file after some changes of its elements."""
    try:
        root = ElementTree.fromstring(data)
    except ElementTree.ParseError:
        return data
    tags, attributes, values, others = _parts(name)
    for _ in range(random.choice((1, 1, 1, 2, 3, 6))):
        parents = {child: parent for parent in root.iter() for child in parent}
        element = random.choice([*root.iter()])
        parent = parents.get(element)
        value = random.choice(values if random.random() < 0.6 else _VALUES)
        change = random.randrange(9)
        if change <= 1 and element.attrib:
            element.set(random.choice([*element.attrib]), value)
        elif change <= 2:
            element.set(random.choice(attributes), value)
        elif change == 3 and element.attrib:
            del element.attrib[random.choice([*element.attrib])]
        elif change == 4:
            element.text = value
        elif change == 5 and parent is not None:
            parent.remove(element)
        elif change == 6:
            element.tag = random.choice(tags)
        elif change == 7:
            element.extend([_copy(random.choice(others)) for _ in range(random.choice(_COPIES))])
        elif parent is not None:
            element.extend([_copy(element) for _ in range(random.choice(_COPIES))])
    return ElementTree.tostring(root)


def _copy(element: ElementTree.Element) -> ElementTree.Element:
    return ElementTree.fromstring(ElementTree.tostring(element))


def edited(random: Random, data: bytes, fragments: tuple[bytes, ...]) -> bytes:
    """Return data after some edits: of words and numbers, which keep the syntax, or of bytes."""
    keeps_syntax = random.random() < 0.6
    for _ in range(random.choice((1, 1, 2, 4, 8))):
        words = list(_WORD.finditer(data)) if keeps_syntax else []
        if words:
            start, end = random.choice(words).span()
            part = random.choice((random.choice(words)[0], random.choice(_WORDS)))
        else:
            start = random.randrange(len(data) + 1)
            end = min(len(data), start + random.choice((0, 0, 1, 2, 5, 20, 200)))
            part = random.choice((
                random.choice(fragments), random.randbytes(random.randrange(5)),
                data[start:end] * random.choice((0, 2, 20))))
        data = data[:start] + part + data[end:]
    return data
