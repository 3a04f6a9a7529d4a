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

"""No xacro file changes what the next one expands to, whatever it does."""

import json

import pytest

pytest.importorskip('xacro')

from support.hostile_xacro import HOSTILE  # noqa: E402
from support.hostile_xacro import INNOCENT  # noqa: E402
from support.lsp_client import LspClient  # noqa: E402
from urdf_tools import load  # noqa: E402
from urdf_tools.cli import main  # noqa: E402
from urdf_tools.formats.description_files import open_document  # noqa: E402
from urdf_tools.model.errors import DescriptionError  # noqa: E402
from urdf_tools.model.package_lookup import Trust  # noqa: E402
from urdf_tools.model.resources import ResourceResolver  # noqa: E402


@pytest.fixture(scope='module')
def folder(tmp_path_factory):
    """Return a folder with the innocent file and the hostile ones."""
    path = tmp_path_factory.mktemp('files')
    (path / 'c.yaml').write_text('turn: !degrees 90\n')
    (path / 'bad.yaml').write_text('p: !degrees "math.clear() or 1"\n')
    (path / 'innocent.urdf.xacro').write_text(INNOCENT)
    for number, text in enumerate(HOSTILE):
        (path / f'hostile_{number}.urdf.xacro').write_text(text)
    return path


def expand(path, resources=None):
    """Return the elements that a file expands to, or the message of the error."""
    try:
        document = open_document(path, resources=resources)
    except DescriptionError as error:
        return str(error)
    return [(element.tag, dict(element.attrib)) for element in document.root.iter()]


def test_there_are_fifty_hostile_files():
    assert len(HOSTILE) >= 50


@pytest.mark.parametrize('is_trusted', [pytest.param(True, marks=pytest.mark.slow), False])
def test_expansions_in_one_process(folder, is_trusted):
    innocent = folder / 'innocent.urdf.xacro'
    resources = None if is_trusted else ResourceResolver(
        folder, environment={}, trust=Trust(False))
    expected = expand(innocent, resources)
    assert ('link', {'name': 'a'}) in expected
    changed = [path.read_text() for path in sorted(folder.glob('hostile_*'))
               if expand(path, resources) and expand(innocent, resources) != expected]
    assert changed == []


@pytest.mark.slow
def test_findings_after_all_hostile_files_in_both_orders(folder, capsys):
    innocent = str(folder / 'innocent.urdf.xacro')
    joint = load(innocent).joints['ab']
    main(['check', innocent, '--format', 'json'])
    (expected,) = json.loads(capsys.readouterr().out)['reports']
    hostile = sorted(map(str, folder.glob('hostile_*')))
    for files in ([*hostile, innocent], [*reversed(hostile), innocent, hostile[0]]):
        main(['check', *files, '--format', 'json'])
        reports = json.loads(capsys.readouterr().out)['reports']
        assert [each for each in reports if each['source'] == innocent] == [expected]
    assert load(innocent).joints['ab'] == joint


@pytest.mark.parametrize('order', [1, pytest.param(-1, marks=pytest.mark.slow)])
def test_load_after_each_hostile_file(folder, order):
    innocent = folder / 'innocent.urdf.xacro'
    expected = load(innocent)
    for path in sorted(folder.glob('hostile_*'))[::order]:
        try:
            load(path)
        except DescriptionError:
            pass
        assert load(innocent) == expected, path.read_text()


@pytest.fixture(scope='module')
def client(folder):
    """Return a client of a language server, which has the innocent file open."""
    pytest.importorskip('pygls', reason='pygls is not installed')
    client = LspClient(['--trust', str(folder)], folder)
    client.open(folder / 'innocent.urdf.xacro', INNOCENT)
    yield client
    client.close()


def assert_unchanged(client, folder, upper):
    """Change the upper limit of the innocent file, and wait for what is then wrong with it."""
    uri = (folder / 'innocent.urdf.xacro').as_uri()
    client.change(uri, INNOCENT.replace('upper="1"', f'upper="{upper}"'))
    client.diagnostics(uri, lambda found: [
        each['message'].partition('. Swap')[0] for each in found
        if each['code'] == 'limit-inverted'] == [
        f"The lower limit of joint 'cd', 3.14159, is above its upper limit, {upper}"])


@pytest.mark.slow
def test_language_server_after_each_hostile_file(folder, client):
    for number, path in enumerate(sorted(folder.glob('hostile_*'))):
        uri = client.open(path, path.read_text())
        # The first diagnostics are empty: they need no expansion.
        client.diagnostics(uri, bool)
        assert_unchanged(client, folder, -number)
        client.shut(uri)


@pytest.mark.slow
def test_language_server_with_all_hostile_files_open(folder, client):
    uris = [client.open(path, path.read_text())
            for path in sorted(folder.glob('hostile_*'), reverse=True)]
    for uri in uris:
        client.diagnostics(uri, bool)
    assert_unchanged(client, folder, 2)
