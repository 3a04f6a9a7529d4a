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

"""The language server answers each request of an editor, and ends with it."""

from __future__ import annotations

import json
import random
import subprocess
import sys

import pytest
from support.call_count import count_calls
from support.lsp_client import DEADLINE
from support.lsp_client import LspClient

pytestmark = pytest.mark.slow

pytest.importorskip('pygls', reason='pygls is not installed')

METHOD_NOT_FOUND, INVALID_PARAMS = -32601, -32602
POSITION = {'textDocument': {'uri': 'file:///r.urdf'}, 'position': {'line': 0, 'character': 0}}
INITIALIZE = {'processId': None, 'rootUri': None, 'capabilities': {}}


def framed(content: bytes) -> bytes:
    """Return a message with its header."""
    return b'Content-Length: %d\r\n\r\n' % len(content) + content


def message(**parts: object) -> bytes:
    """Return a message of JSON-RPC with its header."""
    return framed(json.dumps({'jsonrpc': '2.0', **parts}).encode())


@pytest.fixture(scope='module')
def client():
    """Return a client of a server that all tests talk to, so that none may hang or end it."""
    client = LspClient()
    yield client
    assert client.leave() == 0
    client.close()


def answer(client, data: bytes, number: object) -> dict:
    """Return the answer to a message; a good request after it is answered as well."""
    client.process.stdin.write(data)
    client.process.stdin.flush()
    found = client.wait(lambda message: message.get('id', 0) == number and (
        'method' not in message))
    assert client.request('textDocument/hover', POSITION) is None
    return found


@pytest.mark.parametrize('method, params', [
    ('textDocument/hover', None), ('textDocument/hover', []), ('textDocument/hover', 'text'),
    ('textDocument/hover', {}), ('textDocument/hover', {**POSITION, 'position': None}),
    ('textDocument/hover', {**POSITION, 'position': {'line': 'x', 'character': 0}}),
    ('textDocument/hover', {**POSITION, 'textDocument': {}}),
    ('textDocument/completion', {'textDocument': 1}), ('textDocument/rename', POSITION),
    ('textDocument/codeAction', {'range': {}}), ('initialize', {'capabilities': 1})])
def test_parameters_that_are_not_valid(client, method, params):
    found = answer(client, message(id='bad', method=method, params=params), 'bad')['error']
    assert found['code'] == INVALID_PARAMS
    assert f"The parameters of '{method}' are not valid: " in found['message']


@pytest.mark.parametrize('number', [[1], {'a': 1}], ids=str)
def test_an_id_of_another_type(client, number):
    found = answer(
        client, message(id=number, method='textDocument/hover', params=POSITION), number)
    assert found['error']['code'] == INVALID_PARAMS


def test_a_request_without_parameters(client):
    found = answer(client, message(id=-1, method='textDocument/hover'), -1)
    assert found['error']['code'] == INVALID_PARAMS


@pytest.mark.parametrize('parts', [{'params': {}}, {'params': None}])
def test_a_method_that_does_not_exist(client, parts):
    found = answer(client, message(id=-2, method='no/such', **parts), -2)
    assert found['error']['code'] == METHOD_NOT_FOUND


@pytest.mark.parametrize('data', [
    message(method='textDocument/didOpen', params={}), message(method='no/such'),
    message(method='$/cancelRequest', params={'id': 'unknown'}),
    message(method='$/cancelRequest', params=1), message(id=99, result=1),
    message(method='$/cancelRequest', params={'id': [1]}), message(id=[99], result=1),
    message(method='$/cancelRequest', params={'id': {}}), message(id={}, error=None),
    message(id=None, error={'code': 1, 'message': 'text'}), message(id=99, error=None)])
def test_notifications_and_answers_need_no_answer(client, data):
    client.process.stdin.write(data)
    assert client.request('textDocument/hover', POSITION) is None


def test_no_changed_request_is_left_without_an_answer(client):
    """Requests with values of all kinds in all places."""
    chance = random.Random(21)
    values = (None, True, -1, 1e300, '', 'x', [], {}, [POSITION], 2**70)
    for number in range(300):
        params = json.loads(json.dumps({**POSITION, 'context': {}, 'newName': 'b'}))
        for _ in range(chance.randint(1, 3)):
            holder = chance.choice([params, *(
                value for value in params.values() if isinstance(value, dict))])
            holder[chance.choice([*holder, 'more'])] = chance.choice(values)
        method = chance.choice(('hover', 'definition', 'completion', 'rename', 'codeAction'))
        data = message(id=f'c{number}', method=f'textDocument/{method}', params=params)
        client.process.stdin.write(data)
        client.process.stdin.flush()
        found = client.wait(lambda message: message.get('id') == f'c{number}')  # noqa: B023
        assert 'result' in found or found['error']['code']


@pytest.mark.parametrize('end', [b'', b'Content-', b'Content-Length: 9\r\n\r\n{'])
def test_it_ends_with_its_client(end):
    process = subprocess.run(
        [sys.executable, '-m', 'urdf_tools.cli', 'lsp'],
        input=message(id=1, method='initialize', params=INITIALIZE) + end, capture_output=True)
    assert (process.returncode, process.stderr) == (0, b'')


def serve(data: bytes) -> subprocess.CompletedProcess:
    """Return how a server answers its input, without waiting for the end of that."""
    with subprocess.Popen(
            [sys.executable, '-m', 'urdf_tools.cli', 'lsp'], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdin.write(data)
        process.stdin.flush()
        code = process.wait(DEADLINE)
        output, error = process.stdout.read(), process.stderr.read()
    return subprocess.CompletedProcess([], code, output, error.decode())


@pytest.mark.parametrize('digits', [18, 19, 20, 5000])
def test_a_length_of_a_message_beyond_all_memory(digits):
    result = serve(b'Content-Length: %b\r\n\r\n' % (b'9' * digits))
    assert (result.returncode, result.stdout) == (2, b'')
    assert result.stderr.count('\n') == 1
    assert 'The header of a message is not valid: ' in result.stderr


def test_parameters_are_read_up_to_the_first_that_is_not_valid():
    """An exception for each of 100,000 took seconds."""
    from lsprotocol.types import InitializeRequest
    from urdf_tools.lsp.language_server import _converter
    converter = _converter()

    def read(number):
        request = {'jsonrpc': '2.0', 'id': 1, 'method': 'initialize',
                   'params': {**INITIALIZE, 'workspaceFolders': 'x' * number}}
        with pytest.raises(TypeError):
            converter.structure(request, InitializeRequest)

    read(1)  # What reads them is made at first.
    assert count_calls(lambda: read(1000))[1] == count_calls(lambda: read(10))[1]


def test_what_the_client_is_told_is_no_traceback():
    result = serve(b''.join((
        message(id=1, method='initialize', params=INITIALIZE),
        message(id=2, method='textDocument/rename', params={**POSITION, 'newName': 'x'}),
        message(id=3, method='textDocument/hover', params={'position': 1}),
        message(method='textDocument/didOpen', params={'textDocument': 'x' * 1000}),
        message(id=4, method='shutdown'), message(method='exit'))))
    assert result.returncode == 0 and result.stdout.count(b'"error"') == 2
    assert 'Traceback' not in result.stderr + result.stdout.decode()
    assert [line.partition(' are not valid: ')[0].partition('The')[2]
            for line in result.stderr.splitlines()] == [
        " parameters of 'textDocument/hover'", " parameters of 'textDocument/didOpen'"]
    assert len(result.stderr) < 800


def test_a_file_with_a_nul_byte_in_its_name_is_a_buffer():
    text = ('<robot xmlns:xacro="http://www.ros.org/wiki/xacro">'
            '<xacro:include filename="a"/></robot>')
    document = {'uri': 'file:///%00.urdf', 'languageId': 'xml', 'version': 1, 'text': text}
    result = serve(b''.join((
        message(id=1, method='initialize', params=INITIALIZE),
        message(method='initialized', params={}),
        message(method='textDocument/didOpen', params={'textDocument': document}),
        message(id=2, method='textDocument/hover', params={
            'textDocument': {'uri': document['uri']}, 'position': POSITION['position']}),
        message(id=4, method='shutdown'), message(method='exit'))))
    assert result.returncode == 0 and b'"error"' not in result.stdout
    assert 'Traceback' not in result.stderr, result.stderr


@pytest.mark.parametrize('uri', [
    *(f'file:///{name}.urdf' for name in ('\ud800', '%ED%A0%80', '%FF', 'a\udcff')),
    '\ud800', 'untitled:\udcff'])
def test_a_name_that_is_not_text_is_a_buffer(uri):
    document = {'uri': uri, 'languageId': 'xml', 'version': 1,
                'text': '<robot name="r"><link name="a"/></robot>'}
    result = serve(b''.join((
        message(id=1, method='initialize', params=INITIALIZE),
        message(method='textDocument/didOpen', params={'textDocument': document}),
        message(id=2, method='textDocument/hover', params={
            'textDocument': document, 'position': {'line': 0, 'character': 2}}),
        message(id=3, method='urdf-tools/roots', params={'uri': document['uri']}),
        message(id=4, method='shutdown'), message(method='exit'))))
    assert (result.returncode, result.stderr) == (0, '')
    assert b'"error"' not in result.stdout and result.stdout.count(b'"result"') == 4


@pytest.mark.parametrize('uri', [
    'file:///' + 'a/' * 250 + 'r.urdf', 'untitled:' + 'a/' * 50_000, 'file:///' + 'a' * 5000])
def test_a_name_too_long_for_a_path_is_refused(uri):
    """Packages are looked for in each folder above a buffer."""
    document = {'uri': uri, 'languageId': 'xml', 'version': 1, 'text': '<robot name="r"/>'}
    result = serve(b''.join((
        message(id=1, method='initialize', params=INITIALIZE),
        message(method='textDocument/didOpen', params={'textDocument': document}),
        message(id=2, method='textDocument/hover', params={**POSITION, 'textDocument': document}),
        message(id=3, method='textDocument/hover', params=POSITION),
        message(id=4, method='shutdown'), message(method='exit'))))
    assert (result.returncode, result.stderr) == (0, '')
    # A message to the user says so, and the answer.
    assert result.stdout.count(b'A URI has at most 4096 characters and 200 slashes') == 2
    assert result.stdout.count(b'"result"') == 3 and b'publishDiagnostics' not in result.stdout
