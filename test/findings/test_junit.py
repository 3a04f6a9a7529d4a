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

"""Reports as JUnit XML."""

from xml.etree import ElementTree

import pytest

from urdf_tools.cli import main

BROKEN = """<robot name="r">
  <link name="a"/>
  <joint name="j&#233;" type="fixed"><parent link="a"/><child link="&quot;&lt;b"/></joint>
</robot>
"""
WARNED = '<robot name="r">\n  <link name="a" group="1"/>\n</robot>\n'


@pytest.fixture
def tests(tmp_path, monkeypatch, capsys):
    """Return a function that checks files and returns the tests in the JUnit file, by name."""
    monkeypatch.chdir(tmp_path)

    def tests(code, *options):
        assert main(['check', '.', '--output', 'junit=results.xml', *options]) == code
        capsys.readouterr()
        root = ElementTree.parse(tmp_path / 'results.xml').getroot()
        for suite in (root, *root):
            cases = list(suite.iter('testcase'))
            assert int(suite.get('tests')) == len(cases)
            for kind in ('failure', 'error'):
                assert int(suite.get(f'{kind}s')) == len(list(suite.iter(kind)))
        return {case.get('name'): case for case in root.iter('testcase')}
    (tmp_path / 'broken.urdf').write_text(BROKEN)
    (tmp_path / 'warned.urdf').write_text(WARNED)
    return tests


def test_a_failure_shows_the_source(tests):
    failure = tests(1)['broken.urdf'].find('failure')
    assert failure.get('message') == failure.text
    lines = failure.text.splitlines()
    assert any(line.startswith('broken.urdf:3:') and ': error: ' in line for line in lines)
    assert any(line.startswith('    3 |   <joint name="j') for line in lines)
    assert lines[-1].startswith('broken.urdf: 1 error, ')


def test_warnings_are_output_unless_they_fail(tests):
    passed = tests(1)['warned.urdf']
    assert [child.tag for child in passed] == ['system-out']
    assert 'warned.urdf:2:3: warning: ' in passed[0].text
    failed = tests(1, '--strict')['warned.urdf']
    assert [child.tag for child in failed] == ['failure']
    assert 'warned.urdf:2:3: warning: ' in failed[0].get('message')


def test_what_fails_is_shown_at_any_level(tests):
    failed = tests(1, '--strict', '--level', 'error')['warned.urdf']
    assert 'warned.urdf:2:3: warning: ' in failed[0].get('message')


def test_a_file_that_cannot_be_read_is_an_error(tests, tmp_path):
    (tmp_path / 'loop.urdf').symlink_to('loop.urdf')
    assert [child.tag for child in tests(2)['loop.urdf']] == ['error']
