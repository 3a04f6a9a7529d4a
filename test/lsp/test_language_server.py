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

"""The language server, as an editor talks to it: a process, on standard input and output."""

import signal
import subprocess
import sys

import pytest
from support.lsp_client import applied
from support.lsp_client import DEADLINE
from support.lsp_client import LspClient
from support.lsp_client import RequestError

from urdf_tools.cli import main
from urdf_tools.installation import how_to_install

pytest.importorskip('pygls', reason='pygls is not installed')

XACRO = 'xmlns:xacro="http://www.ros.org/wiki/xacro"'

ARM = """<robot name="arm">
  <material name="grey"><color rgba="0.5 0.5 0.5 1"/></material>
  <link name="base">
    <visual><geometry><mesh filename="meshes/base.stl"/></geometry><material name="grey"/></visual>
  </link>
  <link name="upper"/>
  <link name="lower"/>
  <joint name="shoulder" type="revolute">
    <parent link="base"/>
    <child link="upper"/>
    <axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/>
  </joint>
  <joint name="elbow" type="revolute">
    <parent link="upper"/>
    <child link="lower"/>
    <axis xyz="0 0 2"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/>
    <mimic joint="shoulder"/>
  </joint>
  <gazebo reference="upper"/>
</robot>
"""

WHEEL = f"""<robot {XACRO}>
  <xacro:macro name="wheel" params="prefix parent radius:=0.1">
    <link name="${{prefix}}_wheel">
      <collision><geometry><sphere radius="${{radius * scale}}"/></geometry></collision>
    </link>
    <joint name="${{prefix}}_joint" type="continuous">
      <parent link="${{parent}}"/>
      <child link="${{prefix}}_wheel"/>
      <axis xyz="0 0 0"/>
    </joint>
  </xacro:macro>
</robot>
"""

CAR = f"""<robot name="car" {XACRO}>
  <xacro:include filename="wheel.xacro"/>
  <xacro:property name="scale" value="2"/>
  <link name="base"/>
  <xacro:wheel prefix="left" parent="base"/>
  <xacro:wheel prefix="right" parent="base" radius="0.3"/>
</robot>
"""


@pytest.fixture(scope='module')
def client(tmp_path_factory):
    """Return a client whose user trusts no xacro file."""
    client = LspClient(folder=tmp_path_factory.mktemp('untrusted'))
    yield client
    client.close()


@pytest.fixture(scope='module')
def trusting_client(tmp_path_factory):
    """Return a client whose user trusts the xacro files of its workspace, and that folder."""
    folder = tmp_path_factory.mktemp('trusted')
    client = LspClient(['--trust', str(folder)], folder)
    yield client, folder
    client.close()


@pytest.fixture
def car(trusting_client, request):
    """Return a client with the files of a car, whose user trusts them, and the files' URIs."""
    client, folder = trusting_client
    folder = folder / request.node.name
    folder.mkdir()
    (folder / 'wheel.xacro').write_text(WHEEL)
    (folder / 'car.urdf.xacro').write_text(CAR)
    client.notify('workspace/didChangeWatchedFiles', {'changes': []})
    yield client, (folder / 'car.urdf.xacro').as_uri(), (folder / 'wheel.xacro').as_uri()
    for uri in list(client.versions):
        client.shut(uri)


def codes(diagnostics):
    return [diagnostic['code'] for diagnostic in diagnostics]


def has(code):
    return lambda diagnostics: code in codes(diagnostics)


def lacks(code):
    return lambda diagnostics: code not in codes(diagnostics)


def only(diagnostics, code):
    diagnostic, = (diagnostic for diagnostic in diagnostics if diagnostic['code'] == code)
    return diagnostic


def part(text, where):
    """Return the part of a text that a range of the protocol is about."""
    lines = text.splitlines(keepends=True)
    first, last = where['start'], where['end']
    if first['line'] == last['line']:
        return lines[first['line']][first['character']:last['character']]
    return ''.join((lines[first['line']][first['character']:],
                    *lines[first['line'] + 1:last['line']],
                    lines[last['line']][:last['character']]))


def end_of(text):
    """Return the position behind a text."""
    return {'line': text.count('\n'), 'character': len(text.rpartition('\n')[2])}


def lines(locations):
    """Return file name and line, from 1, of locations."""
    return [(location['uri'].rpartition('/')[2], location['range']['start']['line'] + 1)
            for location in locations]


def labels(completions):
    return [item['label'] for item in completions['items']]


def test_diagnostics_follow_the_buffer(client, tmp_path):
    broken = ARM.replace('lower="-1" upper="1"', 'lower="1" upper="-1"', 1)
    uri = client.open(tmp_path / 'arm.urdf', broken)
    diagnostic = only(client.diagnostics(uri), 'limit-inverted')
    assert diagnostic['severity'] == 1
    assert diagnostic['source'] == 'urdf-tools'
    assert diagnostic['message'].splitlines()[0] == (
        "The lower limit of joint 'shoulder', 1, is above its upper limit, -1. "
        'Swap lower and upper')
    assert part(broken, diagnostic['range']).startswith('<limit lower="1"')
    client.change(uri, ARM)
    assert 'limit-inverted' not in codes(client.diagnostics(uri))
    client.change(uri, ARM.replace('<link name="upper"/>', '<link name="upper"'))
    diagnostic = only(client.diagnostics(uri), 'xml-malformed')
    assert diagnostic['range']['start']['line'] in (5, 6)
    client.shut(uri)
    assert client.diagnostics(uri) == []


def test_what_is_typed_is_sent_alone(client, tmp_path):
    text = ARM.replace('name="arm"', 'name="\U0001f916\x85"')
    uri = client.open(tmp_path / 'arm.urdf', text)
    where = only(client.diagnostics(uri), 'axis-not-unit')['range']
    assert client.initialized['capabilities']['textDocumentSync']['change'] == 2
    client.change(uri, '<axis xyz="0 0 -1"/>', where)
    assert 'axis-not-unit' not in codes(client.diagnostics(uri))
    start = end_of(text[:text.index('<robot')])
    client.change(uri, '<!-- \U0001f916 -->', {'start': start, 'end': start})
    client.diagnostics(uri)
    edit, = client.at('rename', uri, text, 'mimic joint="sh|oulder"', newName='x')[
        'changes'][uri][1:]
    assert edit['range']['start']['line'] == text[:text.index('mimic')].count('\n')
    client.shut(uri)


def test_a_fix_and_a_suppression(client, tmp_path):
    uri = client.open(tmp_path / 'fixes.urdf', ARM)
    diagnostic = only(client.diagnostics(uri), 'axis-not-unit')
    assert part(ARM, diagnostic['range']) == '<axis xyz="0 0 2"/>'
    actions = client.request('textDocument/codeAction', {
        'textDocument': {'uri': uri}, 'range': diagnostic['range'],
        'context': {'diagnostics': [diagnostic]}})
    fix, suppress = (
        next(action for action in actions if action['title'].startswith(title))
        for title in ('Fix: ', 'Ignore axis-not-unit here'))
    assert fix['isPreferred'] and fix['kind'] == 'quickfix'
    fixed = applied(ARM, fix['edit']['changes'][uri])
    assert fixed == ARM.replace('0 0 2', '0 0 1')
    suppressed = applied(ARM, suppress['edit']['changes'][uri])
    assert '    <!-- urdf-tools: ignore axis-not-unit -->\n    <axis xyz="0 0 2"/>' in suppressed
    for text in (suppressed, fixed):
        client.change(uri, text)
        found = codes(client.diagnostics(uri))
        assert 'axis-not-unit' not in found and 'suppression-unused' not in found


def test_a_buffer_outside_of_ascii(client, tmp_path):
    """Editors count UTF-16 units; a robot outside of the basic plane takes two."""
    text = '<robot name="\U0001f916\U0001f916"><link name="é"/><joint name="j"/></robot>'
    uri = client.open(tmp_path / 'wide.urdf', text)
    found = only(client.diagnostics(uri), 'joint-no-type')['range']
    start = len(text[:text.index('<joint')].encode('utf-16-le')) // 2
    assert (found['start']['character'], found['end']['character']) == (start, start + 17)


def test_what_programs_make_of_the_robot_is_told(client, tmp_path):
    path = tmp_path / 'r.urdf'
    client.open(path, '<robot name="r"><link name="a"/><link name="b"/></robot>')
    told = client.wait(lambda message: message.get('method') == 'urdf-tools/headline'
                       and message['params']['uri'] == path.as_uri())
    assert told['params']['lines'][0] == 'fails, 1 error'
    assert told['params']['lines'][1].startswith('refused by ')


def test_hover(client, tmp_path):
    uri = client.open(tmp_path / 'hover.urdf', ARM)

    def text(marker):
        return client.at('hover', uri, ARM, marker)['contents']['value']

    assert text('<li|mit lower').startswith('**<limit>** The limits of the joint.')
    assert text('eff|ort') == (
        '**effort** of `<limit>` (number, required): Maximum effort in N m or N.')
    assert text('type="revo|lute"').endswith('`revolute`: rotates about its axis, between limits')
    assert text('mimic joint="shou|lder"').endswith('Joint `shoulder`, defined in hover.urdf:8')
    assert client.at('hover', uri, ARM, '</robot>|') is None


def test_definitions(client, tmp_path):
    (tmp_path / 'meshes').mkdir()
    (tmp_path / 'meshes' / 'base.stl').touch()
    uri = client.open(tmp_path / 'arm.urdf', ARM)

    def found(marker):
        return lines(client.at('definition', uri, ARM, marker))

    assert found('mimic joint="shou|lder"') == [('arm.urdf', 8)]
    assert found('parent link="|upper"') == [('arm.urdf', 6)]
    assert found('child link="lower|"') == [('arm.urdf', 7)]
    assert found('material name="g|rey"/></visual>') == [('arm.urdf', 2)]
    assert found('reference="up|per"') == [('arm.urdf', 6)]
    assert found('filename="mes|hes/base.stl"') == [('base.stl', 1)]
    assert found('type="revo|lute"') == []


def test_completion(client, tmp_path):
    text = ARM.replace('<mimic joint="shoulder"/>', '<\n    <mimic joint=""/>')
    uri = client.open(tmp_path / 'arm.urdf', text)

    def found(marker):
        return labels(client.at('completion', uri, text, marker))

    assert found('    <|\n') == ['origin', 'calibration', 'dynamics', 'safety_controller']
    assert found('<mimic joint="|"') == ['shoulder', 'elbow']
    assert found('<parent link="b|ase"') == ['base', 'upper', 'lower']
    assert found('type="|revolute"')[:2] == ['revolute', 'continuous']
    assert found('<limit |lower') == ['lower', 'acceleration', 'deceleration', 'jerk']
    assert found('<material name="g|rey"/></visual>') == ['grey']
    assert 'package://' in found('filename="|meshes')[0]
    text = text.replace('<limit ', '<limit  ', 1)
    uri = client.open(tmp_path / 'other.urdf', text)
    item, = (item for item in client.at('completion', uri, text, '<limit | lower')['items']
             if item['label'] == 'jerk')
    assert item['textEdit']['newText'] == 'jerk=""' and 'gain' not in item['detail']


def test_files_and_packages_are_completed(client, tmp_path):
    package = tmp_path / 'my_robot'
    (package / 'meshes').mkdir(parents=True)
    (package / 'meshes' / 'hand.stl').touch()
    (package / 'meshes' / 'notes.txt').touch()
    (package / 'package.xml').write_text('<package><name>my_robot</name></package>')
    text = ARM.replace('meshes/base.stl', 'package://my_robot/meshes/')
    uri = client.open(package / 'arm.urdf', text)
    assert labels(client.at('completion', uri, text, 'package://my_robot/meshes/|')) == [
        'package://my_robot/meshes/hand.stl']
    assert 'package://my_robot/' in labels(client.at('completion', uri, text, '"package:|//'))


def test_symbols_are_the_link_tree(client, tmp_path):
    uri = client.open(tmp_path / 'arm.urdf', ARM)
    symbols = client.request('textDocument/documentSymbol', {'textDocument': {'uri': uri}})

    def tree(symbol):
        return symbol['name'], [tree(child) for child in symbol.get('children') or ()]

    assert [tree(symbol) for symbol in symbols] == [
        ('grey', []),
        ('base', [('shoulder', [('upper', [('elbow', [('lower', [])])])])]),
        ('upper', [])]
    assert part(ARM, symbols[1]['selectionRange']) == 'base'


def test_rename(client, tmp_path):
    uri = client.open(tmp_path / 'arm.urdf', ARM)
    marker = 'parent link="up|per"'
    assert part(ARM, client.at('prepareRename', uri, ARM, marker)) == 'upper'
    changes = client.at('rename', uri, ARM, marker, newName='humerus')['changes']
    assert applied(ARM, changes[uri]) == ARM.replace('"upper"', '"humerus"')
    for name, why in (
            ('base', "The name 'base' exists already"),
            ('a b', "'a b' cannot be a name: write one without spaces, quotes and any of <>&${}")):
        with pytest.raises(RequestError) as error:
            client.at('rename', uri, ARM, marker, newName=name)
        assert str(error.value) == why
    with pytest.raises(RequestError, match='Only the names of links, joints, materials, '):
        client.at('prepareRename', uri, ARM, 'type="|revolute"')


def test_xacro_of_an_untrusted_workspace_is_not_expanded(client, tmp_path):
    """An expression that fails shows that one is evaluated; what is written is still checked."""
    text = CAR.replace('value="2"', 'value="${1/0}"')
    uri = client.open(tmp_path / 'car.urdf.xacro', text)
    wheel = client.open(tmp_path / 'wheel.xacro', WHEEL)
    assert client.diagnostics(uri) == []
    diagnostic, = client.diagnostics(wheel)
    assert (diagnostic['code'], diagnostic['range']['start']['line']) == ('axis-zero', 8)
    hint = client.wait(lambda message: message.get('method') == 'window/showMessage')['params']
    assert 'start "urdf-tools lsp --trust FOLDER"' in hint['message']
    assert client.messages('window/showMessage') == []


def test_trusted_xacro_is_checked_where_it_is_written(car):
    """The file of the macro is checked through the file that includes it, which is not open."""
    client, car_uri, wheel_uri = car
    wheel = WHEEL.replace('"0 0 0"', '"0 0 ${radius - 0.1}"')
    assert client.open(wheel_uri, wheel) == wheel_uri
    diagnostic = only(client.diagnostics(wheel_uri, has('axis-zero')), 'axis-zero')
    assert part(wheel, diagnostic['range']) == 'xyz="0 0 ${radius - 0.1}"'
    assert diagnostic['message'].startswith("The axis of joint 'left_joint' is zero")
    assert 'from 0 0 ${radius - 0.1}' in diagnostic['message']
    places = {(place['location']['uri'], place['location']['range']['start']['line'])
              for place in diagnostic['relatedInformation']}
    assert (car_uri, 4) in places
    hover = client.at(
        'hover', wheel_uri, wheel, '<sphere radius="${ra|dius * scale}"')['contents']['value']
    assert '`0.2` for left_wheel' in hover and '`0.6` for right_wheel' in hover
    client.change(wheel_uri, wheel.replace('- 0.1', '+ 0.1'))
    client.diagnostics(wheel_uri, lacks('axis-zero'))


def test_an_error_of_xacro_is_shown_where_it_is(car):
    client, car_uri, _ = car
    text = CAR.replace('<link name="base"/>', '<link name="${1/0}"/>')
    client.open(car_uri, text)
    diagnostic = only(client.diagnostics(car_uri, has('xacro-failed')), 'xacro-failed')
    assert diagnostic['range']['start']['line'] == 3
    assert 'division by zero' in diagnostic['message']


def test_a_missing_argument_is_asked_for(car):
    client, car_uri, wheel_uri = car
    client.open(car_uri, CAR.replace('<link name="base"/>', '<link name="$(arg base)"/>'))
    diagnostic = only(client.diagnostics(car_uri, has('xacro-failed')), 'xacro-failed')
    assert diagnostic['severity'] == 3
    assert '"arguments" of the initialization options' in diagnostic['message']
    client.notify('workspace/didChangeConfiguration', {
        'settings': {'urdf-tools': {'arguments': {'base': 'base'}}}})
    client.diagnostics(wheel_uri, has('axis-zero'))
    client.notify('workspace/didChangeConfiguration', {'settings': None})


def test_a_file_that_is_not_open_gets_its_findings_too(car):
    client, car_uri, wheel_uri = car
    client.open(car_uri, CAR)
    found = client.diagnostics(wheel_uri, has('axis-zero'))
    assert only(found, 'axis-zero')['range']['start']['line'] == 8
    client.shut(car_uri)
    assert client.diagnostics(wheel_uri, lacks('axis-zero')) == []


def test_definitions_across_xacro_files(car):
    client, car_uri, wheel_uri = car
    client.open(car_uri, CAR)
    client.open(wheel_uri, WHEEL)

    def in_car(marker):
        return lines(client.at('definition', car_uri, CAR, marker))

    assert in_car('<xacro:wh|eel prefix="left"') == [('wheel.xacro', 2)]
    assert in_car('filename="wh|eel.xacro"') == [('wheel.xacro', 1)]
    assert in_car('parent="ba|se"/>') == []

    def in_wheel(marker):
        return lines(client.at('definition', wheel_uri, WHEEL, marker))

    assert in_wheel('${radius * sc|ale}') == [('car.urdf.xacro', 3)]
    assert in_wheel('${ra|dius * scale}') == [('wheel.xacro', 2)]
    assert in_wheel('child link="${prefix}_wh|eel"') == [('wheel.xacro', 3)]


def test_completion_across_xacro_files(car):
    client, car_uri, wheel_uri = car
    text = CAR.replace('</robot>', '  <\n  <joint><parent link=""/></joint>\n  <xacro:wheel />\n'
                                   '</robot>').replace('value="2"', 'value="${}"')
    client.open(wheel_uri, WHEEL)
    client.open(car_uri, CAR)
    # The names that the macros make are known once the file has been expanded.
    client.diagnostics(wheel_uri, lambda found: any(
        'left_joint' in diagnostic['message'] for diagnostic in found))
    client.change(car_uri, text)

    def found(marker):
        return labels(client.at('completion', car_uri, text, marker))

    assert {'link', 'joint', 'xacro:wheel', 'xacro:if'} <= set(found('  <|\n'))
    assert found('<xacro:wheel |/>') == ['prefix', 'parent', 'radius']
    assert 'scale' in found('${|}')
    assert {'base', 'left_wheel', 'right_wheel'} <= set(found('<parent link="|"'))


def test_rename_across_xacro_files(car):
    client, car_uri, wheel_uri = car
    client.open(car_uri, CAR)
    changes = client.at(
        'rename', car_uri, CAR, '<link name="ba|se"', newName='chassis')['changes']
    assert changes.keys() == {car_uri}
    assert applied(CAR, changes[car_uri]) == CAR.replace('"base"', '"chassis"')
    wheel = WHEEL.replace(' parent radius', ' parent:=base radius')
    client.open(wheel_uri, wheel)
    changes = client.at(
        'rename', car_uri, CAR, '<link name="ba|se"', newName='chassis')['changes']
    assert applied(CAR, changes[car_uri]) == CAR.replace('"base"', '"chassis"')
    assert applied(wheel, changes[wheel_uri]) == wheel.replace('=base ', '=chassis ')
    with pytest.raises(RequestError, match='is made by an expression'):
        client.at('prepareRename', wheel_uri, WHEEL, 'name="${prefix}_wh|eel"')


def test_a_fix_in_a_xacro_file(car):
    client, car_uri, wheel_uri = car
    wheel = WHEEL.replace('"0 0 0"', '"0 0 2"')
    client.open(wheel_uri, wheel)
    diagnostic = only(client.diagnostics(wheel_uri, has('axis-not-unit')), 'axis-not-unit')
    actions = client.request('textDocument/codeAction', {
        'textDocument': {'uri': wheel_uri}, 'range': diagnostic['range'],
        'context': {'diagnostics': []}})
    fixed = applied(wheel, actions[0]['edit']['changes'][wheel_uri])
    assert fixed == WHEEL.replace('"0 0 0"', '"0 0 1"')


def test_half_typed_text_gets_answers(client, tmp_path):
    """Whatever is typed, the server answers every request, and lives."""
    text = CAR + ARM
    uri = client.open(tmp_path / 'typed.xacro', '')
    for end in range(0, len(text), 97):
        typed = text[:end]
        client.change(uri, typed)
        for method in ('hover', 'definition', 'completion'):
            client.request(f'textDocument/{method}', {
                'textDocument': {'uri': uri}, 'position': end_of(typed)})
        client.request('textDocument/documentSymbol', {'textDocument': {'uri': uri}})
    client.change(uri, CAR)
    client.diagnostics(uri)


@pytest.mark.parametrize('text', [
    '<' * 20_000, '<a>' * 20_000,
    pytest.param('<robot><link name="a">' * 5_000, marks=pytest.mark.slow), '\0', '\ud83e'.encode(
        'utf-16-le', 'surrogatepass').decode('utf-16-le', 'replace'), '<!-- ' * 5_000,
    '<!DOCTYPE a [<!ENTITY b "c">]><robot name="&b;"/>', '${' * 10_000,
    '<robot>' + ''.join(f'<link name="l{n}"/><joint name="j{n}"><parent link="l{n}"/>'
                        f'<child link="l{n + 1}"/></joint>' for n in range(500)) + '</robot>'])
def test_hostile_text_gets_answers(client, tmp_path, text):
    uri = client.open(tmp_path / 'hostile.urdf', text)
    assert client.diagnostics(uri)
    client.request('textDocument/documentSymbol', {'textDocument': {'uri': uri}})
    for method in ('hover', 'completion', 'definition'):
        client.request(f'textDocument/{method}', {
            'textDocument': {'uri': uri},
            'position': {'line': 0, 'character': min(len(text), 3000)}})
    client.shut(uri)


def test_other_xml_files_are_left_alone(client, tmp_path):
    uri = client.open(tmp_path / 'package.xml', '<package><name>a</name></package>')
    assert client.diagnostics(uri) == []


def test_settings_of_the_project_and_of_the_client(tmp_path):
    (tmp_path / 'urdf-tools.toml').write_text('ignore = ["axis-not-unit"]\n')
    (tmp_path / 'car.urdf.xacro').write_text(CAR)
    (tmp_path / 'wheel.xacro').write_text(WHEEL)
    client = LspClient(folder=tmp_path, options={
        'trusted': [str(tmp_path)], 'arguments': 3, 'colour': True})
    try:
        # Settings of other programs change nothing.
        client.notify('workspace/didChangeConfiguration', {'settings': {'editor': {'tab': 2}}})
        car = client.open(tmp_path / 'car.urdf.xacro', CAR)
        client.diagnostics((tmp_path / 'wheel.xacro').as_uri(), has('axis-zero'))
        client.shut(car)
        uri = client.open(tmp_path / 'arm.urdf', ARM)
        assert 'axis-not-unit' not in codes(client.diagnostics(uri))
        (tmp_path / 'urdf-tools.toml').write_text('ignore = ["no-such-rule"]\n')
        client.notify('textDocument/didSave', {'textDocument': {'uri': uri}})
        client.diagnostics(uri, has('axis-not-unit'))
        shown = [client.wait(lambda message: message.get('method') == 'window/showMessage')
                 ['params']['message'] for _ in range(3)]
        assert any("'arguments' of urdf-tools is not an object" in text for text in shown)
        assert "urdf-tools has no setting 'colour'" in shown
        assert not any("'editor'" in text for text in shown)
        assert any("'no-such-rule'" in text for text in shown)
        assert client.leave() == 0
    finally:
        client.close()


def test_the_server_ends_with_its_client(client):
    assert client.initialized['serverInfo']['name'] == 'urdf-tools'
    client.process.stdin.close()
    client.process.wait(DEADLINE)


def test_the_server_ends_on_a_signal(trusting_client):
    server = trusting_client[0].process
    server.send_signal(signal.SIGTERM)
    assert server.wait(DEADLINE) == 128 + signal.SIGTERM


def test_without_pygls_the_command_says_what_to_install():
    code = ("import sys; sys.modules['lsprotocol'] = sys.modules['pygls'] = None\n"
            "from urdf_tools.cli import main; sys.exit(main(['lsp']))")
    result = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True)
    assert result.returncode == 2
    assert result.stderr == (
        'urdf-tools: The language server needs the Python package pygls, which is not '
        f'installed; install it with {how_to_install("lsp")}\n')


def test_a_folder_to_trust_exists(tmp_path, capsys):
    assert main(['lsp', '--trust', str(tmp_path / 'no')]) == 2
    assert capsys.readouterr().err == f"urdf-tools: '{tmp_path / 'no'}' is not a folder\n"
