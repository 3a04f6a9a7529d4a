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

from functools import cache
from pathlib import Path
import re

import pytest

import urdf_tools
from urdf_tools.cli.command import make_parsers
from urdf_tools.cli.command import VERBS

FOLDER = Path(urdf_tools.__file__).parent

COMMAND = re.compile(rf'urdf-tools ({"|".join(VERBS)})((?: --?[\w-]+(?: [a-z]+\b(?! [a-z]))?)+)')


TEXTS = {file.relative_to(FOLDER): file.read_text() for file in sorted(FOLDER.rglob('*.py'))}


@cache
def options_of(verb):
    return {name: action for action in make_parsers([verb])[1][verb]._actions
            for name in action.option_strings}


COMMANDS = [(str(file), *match.groups()) for file, text in TEXTS.items()
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


@pytest.mark.slow
def test_advised_options_are_those_of_a_verb():
    known = {option for verb in VERBS for option in options_of(verb)}
    # Of ros2 and colcon.
    known |= {'--qos-profile-overrides-path', '--symlink-install', '--ros-args'}
    for file, text in TEXTS.items():
        if file.parts[0] in ('check', 'doctor', 'findings', 'formats', 'programs', 'xacro'):
            for line in re.findall(r"'[^'\n]*[ (]--[a-z][^'\n]*'", text):
                assert {*re.findall(r'(?<![\w-])--[a-z][a-z-]+', line)} <= known, line
