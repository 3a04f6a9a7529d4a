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

"""A check that fails is a finding, and stops no other."""

import pytest

pytest.importorskip('pygls', reason='pygls is not installed')

from support.editor import project_in  # noqa: E402
from support.editor import put  # noqa: E402

from urdf_tools.check.workspace.settings import Settings  # noqa: E402
from urdf_tools.lsp import check_cycle  # noqa: E402
from urdf_tools.lsp.check_cycle import CheckCycle  # noqa: E402
from urdf_tools.lsp.check_cycle import Preferences  # noqa: E402


@pytest.mark.parametrize('failing', ['check', 'check_unexpanded', 'check_expanded'])
def test_a_check_that_fails_is_a_finding_and_stops_no_other(
        failing, tmp_path, monkeypatch, caplog):
    pytest.importorskip('xacro', reason='xacro is not installed')
    defect = '<robot name="r"><link name="a"/><joint name="j"/></robot>'
    xacro = defect.replace('>', ' xmlns:xacro="http://www.ros.org/wiki/xacro">', 1)
    files = {'bad.urdf': defect, 'good.urdf': defect, 'bad.urdf.xacro': xacro,
             'good.urdf.xacro': xacro}
    project = project_in(tmp_path)
    for name, text in files.items():
        (tmp_path / name).write_text(text)
        put(project, tmp_path / name, text)
    cycle = CheckCycle(project, lambda folder: Settings())
    cycle.preferences = Preferences(trusted=('/',))
    original = getattr(check_cycle, failing)

    def raising(*arguments):
        if any('bad' in getattr(each, 'path', '') for each in arguments):
            raise KeyError('{zzz}')
        return original(*arguments)
    monkeypatch.setattr(check_cycle, failing, raising)
    checked = cycle.run()
    codes = {path.rpartition('/')[2]: {each.finding.code for each in check.findings}
             for path, check in checked.items()}
    bad = 'bad.urdf' if failing == 'check' else 'bad.urdf.xacro'
    assert codes.pop(bad) == {'internal-error'}
    assert 'joint-no-type' in codes['good.urdf']
    assert all('internal-error' not in found for found in codes.values())
    assert {'good.urdf.xacro', 'good.urdf'} <= codes.keys()
    error, = {each.finding.text for check in checked.values() for each in check.findings
              if each.finding.code == 'internal-error'}
    assert error.startswith('The check failed at check_cycle.py:')
    assert "KeyError: '{zzz}'" in error
    assert 'KeyError' in caplog.text


def test_a_launch_file_is_checked_as_it_is_saved(tmp_path):
    (tmp_path / 'package.xml').write_text('<package><name>nav</name></package>')
    project, path = project_in(tmp_path), tmp_path / 'nav.yaml'
    path.write_text('\namcl:\n  ros__parameters:\n    max_particles: 2.0\n')
    put(project, path, path.read_text())
    cycle = CheckCycle(project, lambda folder: Settings())
    found, = cycle.run()[str(path)].findings
    assert (found.finding.code, found.finding.line) == ('parameter-type', 4)
    assert path.read_text()[found.start:found.end] == 'max_particles: 2.0'
    path.write_text('amcl:\n  ros__parameters:\n    max_particles: 2\n')
    cycle.forget()
    assert cycle.run()[str(path)].findings == []
