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

"""The accounts are what the programs load, as recorded and as they do it now."""

import pytest
from support.corpus import CORPUS
from support.corpus import NO_CORPUS
from support.program_cases import corpus_with_meshes
from support.program_cases import descriptions
from support.program_cases import source_of
from support.program_cases import write_meshes
from support.program_oracles import differences
from support.program_oracles import NEEDS_PROGRAMS
from support.program_oracles import Oracle
from support.program_oracles import recorded
from support.program_oracles import RECORDS

pytestmark = pytest.mark.slow

PROGRAMS = sorted(path.stem for path in RECORDS.glob('*.json'))


@pytest.fixture(scope='module')
def folder(tmp_path_factory):
    """Return a folder with the meshes of the descriptions."""
    path = tmp_path_factory.mktemp('descriptions')
    write_meshes(path)
    return path


def with_a_record(record):
    """Return all but the examples of new rules, on which the programs were not run yet."""
    known = {name: text for name, text in descriptions().items() if name in record}
    assert len(known) > 0.9 * len(descriptions())
    return known


@pytest.mark.parametrize('program', PROGRAMS)
def test_small_descriptions(program, folder):
    _, record = recorded(program)
    found = {}
    for name, text in with_a_record(record).items():
        found[name] = list(differences(
            program, source_of(text), folder / 'robot.urdf', record[name]))
    assert {name: texts for name, texts in found.items() if texts} == {}


@pytest.fixture(scope='module')
def with_meshes(tmp_path_factory):
    """Return the robots of the corpus with all of their meshes, by their names."""
    return corpus_with_meshes(tmp_path_factory.mktemp('corpus'))


@pytest.mark.parametrize(('program', 'name'), [
    pytest.param(program, name, marks=() if CORPUS.is_dir() else NO_CORPUS)
    for program in PROGRAMS for name in recorded(program)[1] if '/' in name])
def test_the_corpus(program, name, with_meshes):
    path = with_meshes.get(name, CORPUS / name)
    _, record = recorded(program)
    assert list(differences(program, source_of(path.read_bytes()), path, record[name])) == []


@NEEDS_PROGRAMS
@pytest.mark.slow
@pytest.mark.parametrize('program', PROGRAMS)
def test_the_record_is_what_the_program_says(program, folder):
    version, record = recorded(program)
    oracle = Oracle(program)
    try:
        if oracle.version != version:
            pytest.skip(f'{program} {oracle.version} is installed, {version} was recorded')
        path = folder / 'robot.urdf'
        changed = []
        for name, text in with_a_record(record).items():
            path.write_text(text)
            if oracle.numbers(path)['loads'] != record[name]['loads'] or list(differences(
                    program, source_of(text), path, oracle.numbers(path))):
                changed.append(name)
    finally:
        oracle.close()
    assert changed == []
