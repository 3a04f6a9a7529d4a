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

"""Names from descriptions, files and arguments cannot forge lines or steer a terminal."""

from importlib.util import find_spec
import json
import os
from pathlib import Path
import re

import pytest
from support.text_runs import check_lines

from urdf_tools.cli import main
from urdf_tools.cli import output as cli_output
from urdf_tools.cli.command import VERBS

NEEDS_XACRO = pytest.mark.skipif(find_spec('xacro') is None, reason='xacro is not installed')

HOSTILE = '::error::x\n::error file=a::y\n[FATAL] z \u202e\x9b31m\u2028\u200b ##vso[task.a]'
IN_XML = HOSTILE.replace('\n', '&#10;')

ROBOT = f"""<robot name="{IN_XML}">
<link name="{IN_XML}"><visual><geometry><mesh filename="{IN_XML}.stl"/></geometry></visual></link>
<link name="{IN_XML}2" {{}}="1">
  <!-- {IN_XML} -->
  <inertial><mass value="{IN_XML}"/><inertia/></inertial><{{}}/>
  <collision><geometry><box size="1 1 1"/></geometry></collision>
  <visual><geometry><box size="1 1 1"/></geometry><material name="{IN_XML}"/></visual>
</link>
<joint name="{IN_XML}" type="revolute"><parent link="{IN_XML}"/><child link="{IN_XML}2"/>
  <axis xyz="0 0 2"/><limit lower="-1" upper="1" effort="1" velocity="1"/>
  <mimic joint="{IN_XML}3"/></joint>
<gazebo reference="{IN_XML}4"/>
</robot>
""".replace('{}', 'Ünknown')

XACRO = f"""<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">
<xacro:property name="p" value="{IN_XML}"/>
<xacro:macro name="m" params="a b">
  <link name="${{a}}"><visual><geometry><box size="${{b}} {IN_XML}"/></geometry></visual></link>
</xacro:macro>
<xacro:m a="{IN_XML}${{p}}" b="{IN_XML}"/><xacro:m a="{IN_XML}${{p}}" b="{IN_XML}"/>
</robot>
"""

BROKEN_XACRO = f"""<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">
<link name="${{unknown + '{IN_XML}'}}"/></robot>"""

MALFORMED = f'<robot name="\x1b[31m">{HOSTILE}'

FILE = b'::error::x\n::error::y\r\x1b[31m\xff\xe2\x80\xae ##vso[task.a].urdf'

TEXTS = {'robot': ROBOT, 'malformed': MALFORMED, 'xacro': XACRO, 'broken-xacro': BROKEN_XACRO}

OUTPUTS = [
    ['tree'], ['tree', '--format', 'json'], ['fk'], ['fk', '--format', 'json'],
    ['fk', '--joint', f'{HOSTILE}=1'], ['fk', '--link', f'{HOSTILE}9'],
    ['fk', '--frame', HOSTILE, '--joint', f'{HOSTILE}=7'],
    ['inertia'], ['inertia', '--format', 'json'], ['inertia', '--from', 'visual'],
    ['inertia', '--compute', 'all', '--density', '1'],
    ['inertia', '--compute', 'all', '--mass', f'{HOSTILE}9=1'],
    ['inertia', '--compute', 'all', '--mass', f'{HOSTILE}2=1', '--write'],
    ['collide'], ['collide', '--format', 'json'], ['collide', '--links', f'{HOSTILE}9'],
    ['collide', '--links', f'{HOSTILE}2', '--write'], ['collide', '--shapes', HOSTILE],
    ['check'], ['check', '--level', 'info'], ['check', '-v', '--level', 'info'],
    ['check', '--format', 'json'], ['check', '--format', 'sarif'],
    ['check', '--format', 'github', '--level', 'info'], ['check', '--fix'],
    ['check', '--format', 'junit', '--level', 'info'], ['check', '.', '-v', '--jobs', '2'],
    ['check', '--baseline', 'known.json', '--update-baseline'], ['check', '--baseline', HOSTILE],
    ['check', '--output', f'json={HOSTILE}'], ['check', '--output', HOSTILE],
    ['check', '--jobs', HOSTILE],
    ['sdf'], ['sdf', '--format', 'json'], ['sdf', '-o', '/dev/null'],
    ['urdf', '-o', '/dev/null', '--ros2-control'], ['urdf', '--format', 'json'],
    ['urdf', '-o', 'out.urdf', '--meshes', HOSTILE, '--uri', HOSTILE], ['urdf', '-o', HOSTILE],
    ['mjcf'], ['mjcf', '--format', 'json'], ['mjcf', '-o', '/dev/null'],
    ['mjcf', '--accept', HOSTILE], ['mjcf', '--srdf', HOSTILE], ['mjcf', '-o', f'{HOSTILE}/x'],
    ['diff'], ['diff', HOSTILE], ['attach', '--link', HOSTILE, HOSTILE],
    ['account'], ['account', '--format', 'json'], ['account', '--for', HOSTILE],
    ['doctor'], ['doctor', HOSTILE], ['doctor', '--model', HOSTILE], ['doctor', '--jobs', HOSTILE],
    ['doctor', '--report', HOSTILE], ['doctor', '--select', HOSTILE],
    ['bag', 'frames', '-o', 'out.mcap', '--model', HOSTILE], ['bag', HOSTILE],
    ['bag', 'frames', '-o', 'out.mcap', '--model', os.fsdecode(FILE)],
    ['expand', '-o', '/dev/null'],
    ['diff', os.fsdecode(FILE)], ['diff', '--format', 'json', os.fsdecode(FILE)],
    ['diff', HOSTILE],
    ['attach', '--link', HOSTILE, os.fsdecode(FILE)],
    ['attach', '--link', f'{HOSTILE}1', '--prefix', 'a', '-o', '/dev/null', os.fsdecode(FILE)],
    ['check', '--select', HOSTILE], ['check', '--ignore', HOSTILE], ['check', '--for', HOSTILE],
    ['check', '--explain', HOSTILE], ['check', '--config', HOSTILE],
    ['check', '--package', HOSTILE], ['check', '--level', HOSTILE], ['check', '--format', HOSTILE],
    ['check', f'--{HOSTILE}'], ['check', HOSTILE], ['tree', HOSTILE], ['tree', f'{HOSTILE}:=1'],
    ['fk', '--joint', HOSTILE], ['fk', '--joint', f'a={HOSTILE}'], [HOSTILE], [f'--{HOSTILE}'],
]
"""Arguments before the name of the file, for every kind of output."""


@pytest.fixture
def output(tmp_path, monkeypatch, capsys):
    """Return a function that runs the command on a text and returns its output."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv('COLUMNS', '200')

    def output(arguments, text):
        # xacro writes the name of its file into the expansion, where XML does not allow these.
        name = FILE if 'xmlns:xacro' not in text else (
            FILE.replace(b'\x1b', b'').replace(b'\xff', b'') + b'.xacro')
        with open(name, 'w') as file:
            file.write(text)
        try:
            main([*arguments, os.fsdecode(name)])
        except SystemExit as error:
            assert error.code == 2
        captured = capsys.readouterr()
        return captured.out, captured.err
    return output


@pytest.mark.slow
@pytest.mark.parametrize('text', [
    pytest.param(text, id=name, marks=[NEEDS_XACRO] * ('xacro' in name))
    for name, text in TEXTS.items()])
@pytest.mark.parametrize('arguments', OUTPUTS, ids=lambda arguments: ascii(' '.join(arguments)))
def test_output(output, arguments, text):
    out, err = output(arguments, text)
    assert out or err or '/dev/null' in arguments
    check_lines(err)
    if 'json' in arguments or 'sarif' in arguments:
        assert not out or json.loads(out)
    elif 'github' in arguments:
        assert re.fullmatch(
            r'(::(error|warning|notice) file=[^:,]*(,(line|col)=\d+)*,title=[\w-]+::.*\n)+', out)
    check_lines(out, 'github' in arguments, bool({'json', 'sarif'} & {*arguments}))


def test_every_verb_is_tried():
    assert set(VERBS) <= {arguments[0] for arguments in OUTPUTS} | {'lsp', 'view'}


def test_data_is_exact(output):
    """JSON holds the names as they are, in ASCII."""
    out, _ = output(['tree', '--format', 'json'], ROBOT)
    assert out.isascii()
    assert json.loads(out)['name'] == HOSTILE


@pytest.mark.parametrize('arguments, text', [
    (['check', '--diff'], ROBOT),
    (['inertia', '--compute', 'all', '--density', '1', '--diff'], ROBOT),
    (['collide', '--diff'], ROBOT.replace('"1 1 1"', '"2 2 2"', 1)),
    (['sdf', '-o', '-'], ROBOT), pytest.param(['expand'], XACRO, marks=NEEDS_XACRO)])
def test_text_for_other_programs(output, monkeypatch, arguments, text):
    """It is exact, except on a terminal."""
    out, err = output(arguments, text)
    assert '\u202e' in out, err
    monkeypatch.setattr('sys.stdout.isatty', lambda: True)
    out, err = output(arguments, text)
    assert r'\u202e' in out, err
    assert all(line.isprintable() for line in out.splitlines())


@pytest.mark.parametrize('text', [
    f'{json.dumps(HOSTILE)} = 1', f'[[roots]]\nfile = {json.dumps(HOSTILE)}',
    f'[[roots]]\nfile = "a"\narguments = {{{json.dumps(HOSTILE)} = []}}',
    f'baseline = {json.dumps(HOSTILE)}'])
def test_settings(output, tmp_path, text):
    (tmp_path / 'urdf-tools.toml').write_text(text)
    out, err = output(['check', '.'], ROBOT)
    assert not out and err.startswith('urdf-tools: ')
    check_lines(err)


def test_every_line_is_printed_by_one_function():
    folder = Path(cli_output.__file__).parent
    printing = {path.name for path in folder.glob('*.py') if re.search(
        r'(?<!\w)print\(', path.read_text())}
    # Formats of reports make their texts printable, and nothing else is left of a broken stream.
    assert printing == {'output.py', 'check.py', 'standard_streams.py'}


@pytest.mark.parametrize('text, shown', [
    ('\udcff.urdf', '\\xff.urdf'), ('\ud800', '\\ud800'), ('a\\\udcff"\u20ac', 'a\\\\xff"\u20ac'),
    ('\U0001f600', '\U0001f600')])
def test_json_is_text_for_strict_parsers(capsys, text, shown):
    cli_output.print_json({text: [text]})
    printed = capsys.readouterr().out
    assert printed.isascii()
    assert json.loads(printed) == {shown: [shown]}


@pytest.mark.parametrize('verb', ['account', 'mjcf', 'sdf', 'urdf'])
def test_a_long_name_is_cut(verb, tmp_path, capsys):
    file = tmp_path / 'r.urdf'
    file.write_text(f'<robot name="{"long " * 20_000}"><link name="a"/></robot>')
    main([verb, str(file)])
    captured = capsys.readouterr()
    assert 1000 < len(captured.out + captured.err) < 10_000
