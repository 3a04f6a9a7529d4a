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


"""Options that messages and hints advise exist, and take the values that are named."""

import ast
from pathlib import Path
import re

import pytest

import urdf_tools
from urdf_tools.cli.command import make_parsers
from urdf_tools.cli.command import VERBS

FOLDER = Path(urdf_tools.__file__).parent

COMMAND = re.compile(rf'urdf-tools ({"|".join(VERBS)})((?: --?[\w-]+(?: [a-z]+\b(?! [a-z]))?)+)')


def advice():
    """Yield each text of the package that names options of the command, with its file."""
    for file in sorted(FOLDER.rglob('*.py')):
        for node in ast.walk(ast.parse(file.read_bytes())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                if '\n' not in node.value:  # Such as docstrings.
                    yield file.relative_to(FOLDER), node.value


def options_of(verb):
    return {name: action for action in make_parsers([verb])[1][verb]._actions
            for name in action.option_strings}


COMMANDS = [(str(file), *match.groups()) for file, text in advice()
            for match in COMMAND.finditer(text)]


def test_commands_are_found():
    assert len(COMMANDS) > 2


@pytest.mark.parametrize('file, verb, words', COMMANDS)
def test_advised_commands_have_these_options(file, verb, words):
    options = options_of(verb)
    for word, value in re.findall(r'(--?[\w-]+)(?: ([a-z]+))?', words):
        assert word in options
        choices = options[word].choices
        assert not (choices and value) or value in choices, f'{file}: {words}'


def test_advised_options_are_those_of_a_verb():
    known = {option for verb in VERBS for option in options_of(verb)}
    for file, text in advice():
        if text.startswith('--') or file.parts[0] not in (
                'check', 'doctor', 'findings', 'formats', 'model', 'programs', 'xacro'):
            continue
        for option in re.findall(r'(?<![\w-])--[a-z][a-z-]+', text):
            assert option in {*known, '--qos-profile-overrides-path', '--symlink-install'}, text
