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

"""The test that a package has for its descriptions."""

import os

import pytest
from support.workspaces import DIFFERENCE
from support.workspaces import GRIPPER
from support.workspaces import PALM
from support.workspaces import write_pair

from urdf_tools.testing import description_test

MATRIX = """<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:arg name="radius" default="1"/>
  <link name="base_link">
    <collision><geometry><sphere radius="$(arg radius)"/></geometry></collision>
  </link>
</robot>
"""

SETTINGS = """\
[[roots]]
file = "urdf/matrix.urdf.xacro"
arguments = {radius = [0.1, -0.2]}
"""


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Return the folder of a package with the descriptions ``palm`` and ``gripper``."""
    package = tmp_path / 'package'
    for name, text in (('package.xml', '<package/>'), ('urdf/palm.urdf', PALM),
                       ('urdf/gripper.urdf', GRIPPER), ('test/test_urdf.py', '')):
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(text)
    monkeypatch.chdir(package)
    return package


def failures(test):
    """Run a test with all its parameters, and return the failure of each, by its name."""
    mark, = test.pytestmark
    texts = {}
    for name, check in zip(mark.kwargs['ids'], mark.args[1]):
        try:
            test(check)
            texts[name] = ''
        except pytest.fail.Exception as failure:
            texts[name] = str(failure)
    return texts


def test_each_description_is_a_test(package):
    found = failures(description_test(package / 'test' / 'test_urdf.py'))
    assert list(found) == ['urdf/gripper.urdf', 'urdf/palm.urdf']
    assert found['urdf/palm.urdf'] == ''
    lines = found['urdf/gripper.urdf'].splitlines()
    where = 'urdf/gripper.urdf:7:5: error: The lower limit of joint'
    assert any(line.startswith(where) for line in lines)
    assert '    7 |     <limit lower="0.04" upper="0" effort="10" velocity="0.1"/>' in lines


def test_the_file_that_has_to_be_the_same_robot(package):
    write_pair(package)
    found = failures(description_test(package / 'test' / 'test_urdf.py'))
    assert DIFFERENCE in found['urdf/pair.urdf']


def test_a_folder(package):
    (package / 'package.xml').unlink()
    assert failures(description_test(package / 'urdf')).keys() == {'gripper.urdf', 'palm.urdf'}


def test_each_combination_of_arguments_is_a_test(package):
    (package / 'urdf' / 'matrix.urdf.xacro').write_text(MATRIX)
    (package / 'urdf-tools.toml').write_text(SETTINGS)
    found = failures(description_test(package))
    assert found['urdf/matrix.urdf.xacro radius:=0.1'] == ''
    assert 'urdf/matrix.urdf.xacro:4:' in found['urdf/matrix.urdf.xacro radius:=-0.2']


def test_the_settings_of_the_package(package):
    settings = package / 'urdf-tools.toml'
    settings.write_text('ignore = ["limit-inverted"]')
    assert failures(description_test(package))['urdf/gripper.urdf'] == ''
    settings.write_text('ignore = ["limit-inverted"]\nstrict = true\nlevel = "error"')
    assert ': warning: ' in failures(description_test(package))['urdf/gripper.urdf']
    settings.write_text('exclude = ["urdf/gripper.urdf"]')
    assert failures(description_test(package)).keys() == {'urdf/palm.urdf'}


def test_the_baseline_of_the_package(package):
    from urdf_tools.cli import main
    (package / 'urdf-tools.toml').write_text('baseline = "baseline.json"')
    main(['check', '.', '--update-baseline'])
    assert failures(description_test(package)) == {'urdf/gripper.urdf': '', 'urdf/palm.urdf': ''}
    (package / 'baseline.json').write_text('[')
    with pytest.raises(pytest.fail.Exception, match='baseline.json'):
        description_test(package)()


def test_messages_from_another_folder_have_the_whole_path(package, tmp_path):
    other = tmp_path / 'other'
    other.mkdir()
    os.chdir(other)
    found = failures(description_test(package / 'test' / 'test_urdf.py'))
    assert f'{package}/urdf/gripper.urdf:7:5: error: ' in found['urdf/gripper.urdf']


@pytest.mark.parametrize('break_it, message', [
    (lambda package: (package / 'urdf-tools.toml').write_text('stric = true'),
     "Key 'stric' does not exist"),
    (lambda package: [path.unlink() for path in package.glob('urdf/*')],
     'has no description of a robot'),
    (lambda package: (package / 'package.xml').unlink(), 'has a package.xml'),
])
def test_what_cannot_be_checked_fails(package, break_it, message):
    break_it(package)
    with pytest.raises(pytest.fail.Exception, match=message):
        description_test(package / 'test' / 'test_urdf.py')()
