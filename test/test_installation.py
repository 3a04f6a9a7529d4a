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


"""How the optional packages are installed, in the environments that there are."""

from importlib import metadata
import shlex
import sys
import sysconfig

import pytest

from urdf_tools import installation
from urdf_tools.installation import how_to_install


def pip(prefix):
    return f'{shlex.quote(str(prefix))}/bin/python3 -m pip'


@pytest.fixture(autouse=True)
def requirements(monkeypatch):
    monkeypatch.setattr(metadata, 'requires', lambda _: [
        'numpy', 'b<2,>=1; extra == "view"', 'c; extra == "view"'])


@pytest.fixture
def stdlib(tmp_path, monkeypatch):
    """Return the folder of the standard library of a Python that is no virtual environment."""
    monkeypatch.setattr(sys, 'executable', str(tmp_path / 'usr/bin/python3'))
    monkeypatch.setattr(sysconfig, 'get_path', lambda _: str(tmp_path))
    return tmp_path


def test_a_python_of_its_own(stdlib):
    assert how_to_install('view') == f'"{pip(stdlib / "usr")} install \'b<2,>=1\' c"'


def test_the_python_of_a_system(stdlib, monkeypatch):
    (stdlib / 'EXTERNALLY-MANAGED').touch()
    assert how_to_install('view') == (
        f'"{pip(stdlib / "usr")} install --user --break-system-packages \'b<2,>=1\' c"')
    monkeypatch.setattr(sys, 'executable', str(stdlib / 'venv/bin/python3'))
    (stdlib / 'venv').mkdir()
    (stdlib / 'venv' / 'pyvenv.cfg').touch()
    assert how_to_install('view') == f'"{pip(stdlib / "venv")} install \'b<2,>=1\' c"'


def test_an_environment_of_pipx(stdlib, monkeypatch):
    monkeypatch.setattr(sys, 'executable', str(stdlib / 'venvs/urdf-tools/bin/python'))
    (stdlib / 'venvs' / 'urdf-tools').mkdir(parents=True)
    (stdlib / 'venvs' / 'urdf-tools' / 'pipx_metadata.json').touch()
    assert how_to_install('view') == '"pipx runpip urdf-tools install \'b<2,>=1\' c"'


def test_the_environment_of_make(stdlib, monkeypatch):
    (stdlib / 'tools').mkdir()
    for name in ('Makefile', 'tools/set_up.py'):
        (stdlib / name).touch()
    monkeypatch.setattr(sys, 'executable', str(stdlib / '.ros/kilted/python/bin/python3'))
    assert how_to_install('view') == f'"make development" in {stdlib}'


def test_a_source_tree_that_is_not_installed(stdlib, monkeypatch):
    def missing(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, 'requires', missing)
    folder = installation._MANIFEST.parent
    assert how_to_install('view') == (
        f'"{pip(stdlib / "usr")} install {shlex.quote(f"{folder}[view]")}"')
