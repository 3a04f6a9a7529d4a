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
"""The extension's manifest and grammars agree with its code, the server and the page about it."""

from __future__ import annotations

import json
from pathlib import Path
import re
from xml.etree import ElementTree

import pytest
from urdf_tools.programs.models import WITH_MJCF

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / 'editors/vscode'
MANIFEST = json.loads((FOLDER / 'package.json').read_text())
CONTRIBUTED = MANIFEST['contributes']
SOURCES = {path.name: path.read_text() for path in FOLDER.glob('src/*.ts')}
CODE = '\n'.join(SOURCES.values())
PAGE = (ROOT / 'docs/vscode.md').read_text()
SETTINGS = CONTRIBUTED['configuration']['properties']


def test_the_versions_agree():
    assert MANIFEST['version'] == ElementTree.parse(ROOT / 'package.xml').findtext('version')


def test_commands_are_registered_and_described():
    declared = {command['command'] for command in CONTRIBUTED['commands']}
    registered = re.findall(r"\badd(?:Verb)?\('(\w+)'", SOURCES['extension.ts'])
    assert {f'urdf-tools.{name}' for name in registered} == declared
    for command in CONTRIBUTED['commands']:
        assert f"`urdf-tools: {command['title']}`" in PAGE
    for entry in sum(CONTRIBUTED['menus'].values(), []):
        assert entry['command'] in declared


def test_settings_are_read_and_described():
    read = re.findall(r"\bsetting(?:<[^(]*>)?\(\s*'(\w+)'", CODE)
    assert {f'urdf-tools.{name}' for name in read} == SETTINGS.keys()
    for name in SETTINGS:
        assert '| `{}` |'.format(name.removeprefix('urdf-tools.')) in PAGE
    assert set(MANIFEST['capabilities']['untrustedWorkspaces']['restrictedConfigurations']) <= (
        SETTINGS.keys())


def test_a_workspace_cannot_give_trust_itself():
    for name in ('urdf-tools.expandInTrustedWorkspaces', 'urdf-tools.trustedFolders'):
        assert SETTINGS[name]['scope'] == 'machine'


def test_the_server_knows_what_the_extension_says():
    pytest.importorskip('pygls', reason='pygls is not installed')
    from urdf_tools.lsp import language_server
    from urdf_tools.lsp.check_cycle import Preferences
    options = re.search(r'export interface Options \{(.*?)\}', CODE, re.DOTALL)[1]
    names = re.findall(r'^ *(\w+):', options, re.MULTILINE)
    assert len(names) == 3
    values = {name: [] if name == 'trusted' else {} for name in names}
    assert Preferences().updated(values) == (Preferences(), [])
    assert f"const ROOTS = '{language_server.ROOTS}'" in CODE
    how_to_trust = re.search(r"const HOW_TO_TRUST = '(.*)'", CODE)[1]
    assert how_to_trust in language_server.UNTRUSTED
    assert f"'{language_server.ARGUMENTS}'" in CODE


def test_the_programs_are_those_of_account():
    programs = re.search(r'const PROGRAMS = \[(.*?)\]', CODE, re.DOTALL)[1]
    assert re.findall(r"'(.*?)'", programs) == list(WITH_MJCF)


def test_problems_of_a_check_are_matched():
    (matcher,) = CONTRIBUTED['problemMatchers']
    pattern = matcher['pattern']
    readme = (ROOT / 'README.md').read_text()
    found = re.search(pattern['regexp'], readme, re.MULTILINE)
    assert [found[pattern[name]] for name in ('file', 'line', 'column', 'severity', 'code')] == [
        'turntable.urdf', '6', '5', 'error', 'child-link-missing']
    note = 'a b.urdf:1:17: note: Link [1] is odd [some-code]'
    assert re.search(pattern['regexp'], note)[pattern['severity']] == 'note'
    assert '$' + matcher['name'] in SOURCES['tasks.ts']


def test_files_of_the_manifest_exist_and_are_packed():
    paths = [entry[key] for kind, key in (
        ('languages', 'configuration'), ('grammars', 'path'), ('snippets', 'path'))
        for entry in CONTRIBUTED[kind]]
    ignored = (FOLDER / '.vscodeignore').read_text().splitlines()
    for path in paths:
        assert json.loads((FOLDER / path).read_text())
        name = path.removeprefix('./')
        assert f'!{name}' in ignored or f'!{name.partition("/")[0]}/**' in ignored


@pytest.mark.parametrize('entry', CONTRIBUTED['grammars'], ids=lambda entry: entry['language'])
def test_a_grammar_has_what_it_includes(entry):
    grammar = json.loads((FOLDER / entry['path']).read_text())
    assert grammar['scopeName'] == entry['scopeName']
    assert entry['language'] in {language['id'] for language in CONTRIBUTED['languages']}
    included = re.findall(r'"include": "#(\w+)"', json.dumps(grammar))
    assert set(included) == grammar.get('repository', {}).keys()


def test_snippets_are_xml():
    for path in FOLDER.glob('snippets/*.json'):
        for name, snippet in json.loads(path.read_text()).items():
            text = '\n'.join(snippet['body'])
            text = re.sub(r'\$\{\d+(?::([^}]*)|\|(\w+).*?)\}', r'\1\2', text).replace('$0', '')
            inside = re.sub(r'<\?.*?\?>', '', text.replace('\\$', '$'))
            assert ElementTree.fromstring(f'<a xmlns:xacro="x">{inside}</a>') is not None, name


def test_the_lock_names_no_registry():
    assert 'resolved' not in (FOLDER / 'package-lock.json').read_text()
