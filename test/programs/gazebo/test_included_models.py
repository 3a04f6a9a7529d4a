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

"""Models that a description includes in <gazebo> have to exist."""

import pytest
from support.robot_text import link

from urdf_tools import loads
from urdf_tools.cli import main
from urdf_tools.model.package_lookup import Trust
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import Source
from urdf_tools.programs.models import account_of


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder of models, in which Gazebo looks for them."""
    for name in ('SDF_PATH', 'IGN_GAZEBO_RESOURCE_PATH'):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv('GZ_SIM_RESOURCE_PATH', f'/no/folder:{tmp_path}')
    (tmp_path / 'lamp').mkdir()
    (tmp_path / 'lamp' / 'model.config').touch()
    (tmp_path / 'lamp' / 'model.sdf').touch()
    (tmp_path / 'empty').mkdir()
    return tmp_path


def robot(uri):
    return (f'<robot name="r">{link("a")}\n'
            f'<gazebo><include><uri>{uri}</uri></include></gazebo></robot>')


@pytest.mark.parametrize('uri, loads_it', [
    ('model://lamp', True), ('lamp', True), ('model://lamp/model.sdf', True),
    ('file://{}/lamp', True), ('https://fuel.gazebosim.org/1.0/o/models/Lamp', True),
    ('model://empty', False), ('model://desk', False), ('file:///no/lamp', False)])
def test_where_it_is_looked_for(folder, uri, loads_it):
    account = account_of('gazebo', Source.of_robot(loads(robot(uri.format(folder)))), Context())
    assert account.loads is loads_it
    assert [cause.element.tag for cause in account.causes] == ([] if loads_it else ['include'])


@pytest.mark.parametrize('is_full', [True, False])
def test_files_elsewhere_stay_unknown_to_a_stranger(folder, is_full, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp('elsewhere')
    (elsewhere / 'model.config').touch()
    context = Context(ResourceResolver(folder, trust=Trust(is_full)))
    account = account_of('gazebo', Source.of_robot(loads(robot(f'file://{elsewhere}'))), context)
    assert account.loads is is_full


def test_sdf_and_check_say_so(folder, capsys):
    file = folder / 'robot.urdf'
    file.write_text(robot('model://desk'))
    assert main(['sdf', str(file)]) == 1
    assert ("The model of an <include>, 'model://desk', does not exist in a folder of "
            'GZ_SIM_RESOURCE_PATH') in capsys.readouterr().out
    main(['check', str(file)])
    assert 'refused by gazebo: the model of an <include>, ' in capsys.readouterr().out
