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

"""Baselines: known findings are hidden, new ones are not."""

from importlib.util import find_spec
import json
import os

import pytest

from urdf_tools.cli import main

NEEDS_XACRO = pytest.mark.skipif(find_spec('xacro') is None, reason='xacro is not installed')
BAD = '<link name="{0}" group="1"/><joint name="j{0}" type="fixed"><parent link="base_link"/>' \
      '<child link="{0}"/></joint>\n'
URDF = '<robot name="r">\n<link name="base_link"/>\n{}</robot>\n'
OPTIONS = ['--select', 'names,unknown-attribute', '--strict', '--baseline', 'baseline.json']
XACRO = """<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">
<xacro:arg name="extra" default=""/>
<xacro:include filename="part.xacro"/>
<link name="base_link"/>
<xacro:part name="a b"/>
</robot>
"""
PART = """<robot xmlns:xacro="http://www.ros.org/wiki/xacro">
<xacro:macro name="part" params="name">
<link name="${name}" group="1"/><joint name="j${name}" type="fixed"><parent link="base_link"/>
<child link="${name}"/></joint></xacro:macro></robot>
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder with a robot that has two findings, and a baseline of them."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'r.urdf').write_text(URDF.format(BAD.format('a b')))
    return tmp_path


@pytest.fixture
def check(capsys):
    """Return a function that checks and returns the exit code, the output and the errors."""
    def check(*arguments):
        code = main(['check', *OPTIONS, *arguments])
        return (code, *capsys.readouterr())
    return check


def entries(folder):
    return json.loads((folder / 'baseline.json').read_text())['findings']


def test_known_findings_are_hidden_and_new_ones_are_not(folder, check):
    assert check('r.urdf')[:2] == (2, '')
    code, out, err = check('r.urdf', '--update-baseline')
    assert (code, err) == (0, 'baseline.json: 3 findings, 0 before\n')
    assert check('r.urdf')[0] == 0
    assert '3 in the baseline' in check('r.urdf')[1]
    assert 'baseline.json: hides 3 findings' in check('r.urdf')[1]
    (folder / 'r.urdf').write_text(
        '<!-- a comment -->\n\n' + URDF.format(BAD.format('a b') + BAD.format('c d')))
    code, out, _ = check('r.urdf')
    assert code == 1
    assert "'a b'" not in out and "'c d'" in out


def test_a_baseline_stays_where_a_description_cannot_be_read(folder, check):
    check('r.urdf', '--update-baseline')
    before = (folder / 'baseline.json').read_bytes()
    (folder / 'r.urdf').write_text(URDF.format(''))
    (folder / 'x.urdf.xacro').symlink_to('/dev/null')
    code, _, err = check('r.urdf', 'x.urdf.xacro', '--update-baseline')
    assert (code, err) == (
        2, 'urdf-tools: No baseline is updated, because a description cannot be read\n')
    assert (folder / 'baseline.json').read_bytes() == before


def test_the_same_finding_once_more_is_new(folder, check):
    select = ['--select', 'unknown-element', '--level', 'info', '-v']
    (folder / 'r.urdf').write_text(URDF.format('<q/><q/>'))
    check('r.urdf', '--update-baseline', *select)
    entry, = entries(folder)
    assert (entry['count'], entry['element']) == (2, '/robot/q')
    (folder / 'r.urdf').write_text(URDF.format('<q/>\n<q/>\n<q/>'))
    assert check('r.urdf', *select)[1].count('[unknown-element]') == 1


def test_what_is_no_longer_needed(folder, check):
    check('r.urdf', '--update-baseline')
    (folder / 'r.urdf').write_text(URDF.format(BAD.format('a b').replace(' group="1"', '')))
    code, out, _ = check('r.urdf')
    assert code == 0
    assert '; 1 entry is no longer needed' in out
    assert 'baseline.json: not needed: r.urdf: ' in out
    assert '[unknown-attribute]' in out
    data = json.loads(check('r.urdf', '--format', 'json')[1])
    assert len(data['baselines'][0]['unneeded']) == 1
    assert check('r.urdf', '--update-baseline')[2] == 'baseline.json: 2 findings, 3 before\n'
    assert 'no longer' not in check('r.urdf')[1]


def test_what_was_not_checked_is_kept(folder, check):
    (folder / 'other.urdf').write_text(URDF.format(BAD.format('c d')))
    check('.', '--update-baseline')
    before = entries(folder)
    assert 'no longer' not in check('r.urdf')[1]
    check('r.urdf', '--update-baseline')
    assert entries(folder) == before
    (folder / 'other.urdf').unlink()
    assert '3 entries are no longer needed' in check('r.urdf')[1]
    (folder / 'r.urdf').write_text('<robot')
    assert check('r.urdf', '--update-baseline')[0] == 0
    assert len(entries(folder)) == len(before) / 2


def test_rules_that_were_not_applied_are_kept(folder, check):
    check('r.urdf', '--update-baseline')
    assert 'no longer' not in check('r.urdf', '--ignore', 'names')[1]


def test_errors_of_unreadable_files_are_never_hidden(folder, check):
    (folder / 'bad.urdf').write_text('<robot')
    assert check('bad.urdf', '--update-baseline')[0] == 0
    assert entries(folder) == []
    assert check('bad.urdf')[0] == 1


def test_formats(folder, check):
    check('r.urdf', '--update-baseline')
    (folder / 'r.urdf').write_text(URDF.format(BAD.format('a b') + BAD.format('c_d')))
    data = json.loads(check('r.urdf', '--format', 'json')[1])
    report, = data['reports']
    assert len(report['known']) == 3 and len(report['findings']) == 1
    results = json.loads(check('r.urdf', '--format', 'sarif')[1])['runs'][0]['results']
    states = [(result['baselineState'], 'suppressions' in result) for result in results]
    assert sorted(states) == [('new', False)] + [('unchanged', True)] * 3
    _, out, err = check('r.urdf', '--format', 'github')
    assert out.count('\n') == 1
    assert err == 'baseline.json: hides 3 findings\n'
    assert '3 in the baseline' in check('r.urdf', '--format', 'junit')[1]


@NEEDS_XACRO
def test_xacro_sources_with_other_arguments_lines_and_instances(folder, check):
    """What all instances of a macro share is known whatever instances there are."""
    (folder / 'r.urdf.xacro').write_text(XACRO)
    (folder / 'part.xacro').write_text(PART)
    (folder / 'r.urdf').unlink()
    check('.', '--update-baseline')
    assert {entry['file'] for entry in entries(folder)} == {'part.xacro'}
    assert entries(folder)[0]['descriptions'] == ['r.urdf.xacro']
    (folder / 'part.xacro').write_text('<!-- -->\n' + PART)
    (folder / 'r.urdf.xacro').write_text(XACRO.replace(
        '<xacro:part name="a b"/>',
        '\n<xacro:part name="0 $(arg extra)"/><xacro:part name="y z"/>'))
    (folder / 'second.urdf.xacro').write_text(XACRO.replace('a b', 'q r'))
    (folder / 'urdf-tools.toml').write_text(
        '[[roots]]\nfile = "r.urdf.xacro"\narguments = {extra = ["x", "y"]}')
    assert check('.')[:1] == (0,)
    assert 'baseline.json: hides 6 findings\n' in check('.', '--jobs', '2')[1]


@NEEDS_XACRO
def test_names_that_are_written_in_a_xacro_file_tell_findings_apart(folder, check):
    text = XACRO.replace('<xacro:part name="a b"/>', '<gazebo reference="{}"/>')
    (folder / 'part.xacro').write_text(PART)
    (folder / 'r.urdf.xacro').write_text(text.format('camera'))
    select = ['r.urdf.xacro', '--select', 'gazebo-unknown-reference']
    check(*select, '--update-baseline')
    assert check(*select)[0] == 0
    (folder / 'r.urdf.xacro').write_text(text.format('lidar'))
    assert check(*select)[0] == 1


def test_the_settings_name_the_baseline(folder, capsys):
    (folder / 'urdf-tools.toml').write_text(
        'strict = true\nselect = ["unknown-attribute"]\nbaseline = "baseline.json"')
    assert main(['check', 'r.urdf']) == 2
    assert 'Write it with --update-baseline' in capsys.readouterr().err
    assert main(['check', 'r.urdf', '--update-baseline']) == 0
    assert main(['check', 'r.urdf']) == 0
    assert main(['check', 'r.urdf', '--no-config']) == 0
    capsys.readouterr()
    assert main(['check', 'r.urdf', '--no-config', '--update-baseline']) == 2
    assert 'Name the baseline to update' in capsys.readouterr().err


def test_files_of_other_packages(folder, check):
    """They are named by their package, so that the baseline is the same on every machine."""
    package = folder / 'elsewhere'
    package.mkdir()
    (package / 'package.xml').write_text('<package><name>other</name></package>')
    os.rename(folder / 'r.urdf', package / 'r.urdf')
    (folder / 'own').mkdir()
    os.chdir(folder / 'own')
    check('../elsewhere/r.urdf', '--update-baseline')
    assert {entry['file'] for entry in entries(folder / 'own')} == {'package://other/r.urdf'}


ENTRY = {'file': 'r.urdf', 'rule': 'x', 'element': '', 'arguments': {}, 'count': 1}


@pytest.mark.parametrize('text, words', [
    ('{\n"version": 1,\n]', 'line 3 column'),
    ('<robot/>', '. Delete it, and write it again'),
    ('[' * 100_000, 'is not valid JSON'), ('\udcff', 'is not valid JSON'),
    ('[]', 'is not a baseline of this'), ('{"version": 3, "findings": []}', 'this version'),
    ('{"version": 2, "findings": {}}', 'is not a baseline'),
    ('{"version": 1, "findings": []}', 'Delete it, and write it again'),
    *((json.dumps({'version': 2, 'findings': [ENTRY, item]}), 'Entry 2 is malformed')
      for item in (1, {}, {**ENTRY, 'count': 0}, {**ENTRY, 'count': True}, {**ENTRY, 'file': 1},
                   {**ENTRY, 'file': 'a\0'}, {**ENTRY, 'descriptions': 'a'},
                   {**ENTRY, 'arguments': []}, {**ENTRY, 'arguments': {'link': 1}},
                   {**ENTRY, 'descriptions': [1]}))])
def test_errors(folder, check, text, words):
    (folder / 'baseline.json').write_text(text, errors='surrogateescape')
    code, out, err = check('r.urdf')
    assert (code, out) == (2, '')
    assert words in err and err.count('\n') == 1
    assert err.startswith('urdf-tools: baseline.json')


def test_hostile_entries_change_nothing_else(folder, check):
    hostile = '::error::x\n\x1b[31m ##vso[task.a]'
    (folder / 'baseline.json').write_text(json.dumps({'version': 2, 'findings': [
        {**ENTRY, 'file': '/etc/passwd', 'descriptions': ['../../gone'],
         'arguments': {hostile: hostile},
         'element': hostile, 'count': 10**30}]}))
    code, out, _ = check('r.urdf')
    assert code == 1
    assert 'not needed: /etc/passwd: ' in out
    assert all(line.isprintable() and '##' not in line for line in out.splitlines())


def test_wording_and_numbers_do_not_matter(folder, check):
    joint = '<joint name="j" type="revolute"><parent link="base_link"/><child link="a"/>' \
            '<limit lower="{}" upper="-1" effort="1" velocity="1"/></joint>\n<link name="a"/>'
    select = ['r.urdf', '--select', 'limit-inverted']
    (folder / 'r.urdf').write_text(URDF.format(joint.format(1)))
    check(*select, '--update-baseline')
    assert [entry['arguments'] for entry in entries(folder)] == [{'joint': 'j'}]
    (folder / 'r.urdf').write_text(URDF.format(joint.format(2)))
    assert check(*select)[0] == 0


def test_pipes_are_no_baselines(folder, check):
    os.mkfifo(folder / 'baseline.json')
    assert 'Cannot read baseline.json: It is a named pipe' in check('r.urdf')[2]
