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

"""Roots with combinations of arguments, from the settings of a project."""

from importlib.util import find_spec
import json

import pytest

from urdf_tools.check.workspace.checking import combined
from urdf_tools.check.workspace.settings import combinations
from urdf_tools.check.workspace.settings import condition
from urdf_tools.check.workspace.settings import overridden
from urdf_tools.cli import main
from urdf_tools.findings.finding import Finding
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.report import Report

pytestmark = pytest.mark.slow

NEEDS_XACRO = pytest.mark.skipif(find_spec('xacro') is None, reason='xacro is not installed')

XACRO = """<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">
<xacro:arg name="prefix" default=""/><xacro:arg name="use_sim" default="false"/>
<link name="base_link"/>
<link name="$(arg prefix)a b"/>
<joint name="j" type="fixed"><parent link="base_link"/><child link="$(arg prefix)a b"/></joint>
<xacro:if value="$(arg use_sim)"><gazebo reference="nothing"/></xacro:if>
<xacro:property name="side" value="$(arg prefix)"/>
<xacro:property name="sim" value="$(arg use_sim)"/>
<xacro:if value="${side == 'left_' and sim}"><link name="lost"/></xacro:if>
</robot>
"""
SETTINGS = """select = ["name-bad-characters", "gazebo-unknown-reference", "disconnected"]
[[roots]]
file = "urdf/r.urdf.xacro"
arguments = {prefix = ["left_", "right_"], use_sim = [true, false]}
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Return the folder of a project with a xacro file and settings, the current one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'urdf').mkdir()
    (tmp_path / 'urdf/r.urdf.xacro').write_text(XACRO)
    (tmp_path / 'urdf-tools.toml').write_text(SETTINGS)
    return tmp_path


def test_combinations():
    assert combinations({}) == ({},)
    made = combinations({'a': ['x', 'y', 'x'], 'b': True, 'c': [1, 0.5]})
    assert made[0] == {'a': 'x', 'b': 'true', 'c': '1'}
    assert made[-1] == {'a': 'y', 'b': 'true', 'c': '0.5'}
    assert len(made) == 4
    assert overridden(made, {'c': '7'}) == (
        {'a': 'x', 'b': 'true', 'c': '7'}, {'a': 'y', 'b': 'true', 'c': '7'})


def test_conditions_are_short():
    made = combinations({'a': ['x', 'y'], 'b': ['1', '2']})
    assert condition(made, made) == ()
    assert condition(made[:2], made) == ('a:=x',)
    assert condition(made[::2], made) == ('b:=1',)
    assert condition(made[:1], made) == ('a:=x b:=1',)
    assert condition((made[0], made[3]), made) == ('a:=x b:=1', 'a:=y b:=2')
    assert condition(({},), ({}, {'a': 'x'})) == ('no arguments',)


def test_reports_are_combined():
    def report(*findings, omitted={}, **counts):
        return Report('r', findings, {severity: sum(
            finding.severity is severity for finding in findings) for severity in Severity},
            omitted, 1)
    one, other = (Finding('no-links', Severity.ERROR, text) for text in 'ab')
    made = combinations({'a': ['x', 'y']})
    both = combined([report(one, one), report(one, other, omitted={'no-links': 3})], made)
    assert [(finding.message, finding.only_with) for finding in both.findings] == [
        ('a', ()), ('a', ('a:=x',)), ('b', ('a:=y',))]
    assert both.counts[Severity.ERROR] == 3
    assert both.omitted == {'no-links': 3}
    assert (both.suppressed, both.combinations) == (1, 2)


@NEEDS_XACRO
@pytest.mark.parametrize('names', [[], ['.'], ['urdf'], ['urdf/r.urdf.xacro']])
def test_each_finding_once_and_with_which_arguments(project, capsys, names):
    assert main(['check', *names, '--jobs', '1', '--verbose']) == 1
    out = capsys.readouterr().out
    assert out.count('[name-bad-characters]') == 1
    assert 'only with' not in out.partition('[gazebo-unknown-reference]')[0]
    assert '      = only with use_sim:=true\n' in out
    assert '      = only with prefix:=left_ use_sim:=true\n' in out
    assert out.splitlines()[-1].endswith('4 combinations of arguments')


@NEEDS_XACRO
def test_arguments_of_the_command_line_override(project, capsys):
    assert main(['check', 'use_sim:=false', '--format', 'json']) == 0
    report, = json.loads(capsys.readouterr().out)['reports']
    assert report['combinations'] == 2
    assert {finding['code'] for finding in report['findings']} == {'name-bad-characters'}


@NEEDS_XACRO
@pytest.mark.parametrize('kind', ['json', 'sarif', 'github', 'junit'])
def test_all_formats_say_with_which_arguments(project, capsys, kind):
    main(['check', '--format', kind, '--level', 'info'])
    assert 'prefix:=left_ use_sim:=true' in capsys.readouterr().out.replace('%3A', ':')


@NEEDS_XACRO
def test_a_root_that_others_include_is_checked_too(project, capsys):
    (project / 'urdf/outer.urdf.xacro').write_text(
        XACRO.replace('<link name="base_link"/>', '<xacro:include filename="r.urdf.xacro"/>'))
    main(['check', '.', '--format', 'json'])
    assert [report['source'] for report in json.loads(capsys.readouterr().out)['reports']] == [
        'urdf/outer.urdf.xacro', 'urdf/r.urdf.xacro']


@NEEDS_XACRO
@pytest.mark.parametrize('name', ['', 'link', 'link/urdf', 'link/urdf/r.urdf.xacro'])
def test_links_to_the_project_change_nothing(project, tmp_path_factory, capsys, name, monkeypatch):
    folder = tmp_path_factory.mktemp('links')
    (folder / 'link').symlink_to(project)
    monkeypatch.chdir(folder if name else folder / 'link')
    main(['check', *filter(None, [name]), '--format', 'json'])
    report, = json.loads(capsys.readouterr().out)['reports']
    assert report['combinations'] == 4


@NEEDS_XACRO
def test_fixes_need_one_combination(project, capsys):
    assert main(['check', '--fix']) == 2
    assert 'Give the arguments on the command line' in capsys.readouterr().err
    assert main(['check', '--diff', 'use_sim:=false', 'prefix:=left_']) == 0


@NEEDS_XACRO
def test_an_argument_without_a_value(project, capsys):
    (project / 'urdf/r.urdf.xacro').write_text(XACRO.replace(
        '<xacro:arg name="use_sim" default="false"/>', ''))
    assert main(['check', 'urdf', '--no-config']) == 2
    assert ':=VALUE, or values in urdf-tools.toml' in capsys.readouterr().out
    assert main(['check', 'urdf']) == 1


@pytest.mark.parametrize('text, line, words', [
    ('[[roots]]\nname = "a"', 2,
     "Key 'name' does not exist. Did you mean 'same'? Known are file, arguments"),
    ('[[roots]]', 1, 'The root has no file'),
    ('\n[[roots]]\nfile = 3', 3, 'file is not a path'),
    ('[[roots]]\nfile = "../a"', 2, "'../a' is outside the folder of this file"),
    ('[[roots]]\nfile = "/etc/passwd"', 2, 'is outside the folder'),
    ('[[roots]]\nfile = "."', 2, 'is outside the folder'),
    ('[[roots]]\nfile = ""', 2, 'is not a path'),
    ('[[roots]]\nfile = "a\\u0000"', 2, 'is not a path'),
    ('baseline = "../b.json"', 1, 'outside the folder'),
    ('[[roots]]\nfile = "gone.urdf"', 1, "gone.urdf' does not exist"),
    ('roots = ["a"]', 1, 'write [[roots]]'),
    ('[[roots]]\nfile = "a"\narguments = ["prefix:=b"]', 3, 'write arguments = {prefix ='),
    ('[[roots]]\nfile = "a"\n[roots.arguments]\nb = []', 3, "'b' has no value"),
    ('[[roots]]\nfile = "a"\narguments = {b = {}}', 3, "'b' is not text, a number"),
    ('[[roots]]\nfile = "a"\narguments = {b = [1979-05-27]}', 3,
     'is not text, a number, true or false'),
    ('[[roots]]\nfile = "a"\n[[roots]]\nfile = "a"\nargument = 1', 5, "mean 'arguments'?"),
    ('[[roots]]\nfile = "a"\n[roots.arguments]\n' + '\n'.join(
        f'{letter} = {[*range(10)]}' for letter in 'abc'), 3,
     'more than 256 combinations'),
    ('\n'.join(['[[roots]]\nfile = "a"\narguments = {a = ' + str([*range(200)]) + '}'] * 2), 6,
     'more than 256 combinations'),
    ('strict = true\nignore = [\n  "names",\n  "nmes"]', 4, "Did you mean 'names'?"),
    ('strict = true\nselect = [1 2]', 2, 'is not valid TOML'),
    ('strict = true\nlevel = "wran"', 2, "'warn'?")])
def test_errors_name_the_line(project, capsys, text, line, words):
    (project / 'urdf-tools.toml').write_text(text)
    assert main(['check']) == 2
    err = capsys.readouterr().err
    assert err.startswith(f'urdf-tools: {project}/urdf-tools.toml:{line}:'), err
    assert words in err
    assert err.count('\n') == 1


def test_two_entries_of_a_file_are_one_root(project, capsys):
    entry = '[[roots]]\nfile = "urdf/r.urdf.xacro"\narguments = {{prefix = "{}"}}\n'
    (project / 'urdf-tools.toml').write_text(entry.format('a_') + entry.format('b_'))
    main(['check', '--format', 'json'])
    report, = json.loads(capsys.readouterr().out)['reports']
    assert report['combinations'] == 2
