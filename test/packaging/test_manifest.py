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

"""package.xml names every dependency, and the version of the package is the same everywhere."""

import ast
from collections.abc import Iterable
from pathlib import Path
import re
import sys
from xml.etree import ElementTree

import pytest

import urdf_tools

ROOT = Path(__file__).resolve().parents[2]
REPORTED = ROOT / 'test' / 'reports' / 'inputs'
MANIFEST = ElementTree.parse(ROOT / 'package.xml').getroot()

KEYS = {
    'argcomplete': 'python3-argcomplete',
    'catkin_pkg': 'python3-catkin-pkg-modules',
    'hypothesis': 'python3-hypothesis',
    'lxml': 'python3-lxml',
    'numpy': 'python3-numpy',
    'pytest': 'python3-pytest',
    'scipy': 'python3-scipy',
    'urdf_parser_py': 'urdfdom_py',
    'yaml': 'python3-yaml',
}
"""The rosdep key of a Python module, unless it is the name of the module."""

ONLY_DISPLAY = {
    'rviz2': 'a robot does without; display.launch.py says that it is missing',
}
"""Packages that a launch file starts where they are installed, and why."""

NOT_IMPORTED = {
    'ros2launch': 'the command ros2 launch',
}

OF_USERS = {
    'pytest': 'urdf_tools.testing is for packages whose tests depend on it',
}
"""Modules that the package imports only where its user has them, and why."""

NOT_IN_ROSDEP = {
    'lazy_loader',  # docs/install.md says how to install it.
    'lsprotocol',  # What pygls is written with.
    'pygls',  # Only urdf-tools lsp needs it; the extra lsp installs it.
    'viser',  # Only urdf-tools view needs it; the extra view installs it, and what it is made of:
    'msgspec', 'PIL', 'trimesh', 'websockets', 'zstandard',
    'mcap', 'lz4',  # Only recordings need them; the extra recordings installs them.
    'coal',  # Only urdf-tools collide needs it; the extra contacts installs it.
    'mujoco', 'pinocchio',  # Comparisons run in the environment of make oracle.
    'playwright',  # The test of the extension for VS Code drives a browser with it.
    'tomli',  # Python has it as tomllib from 3.11 on, as all ROS 2 releases supported here do.
}
"""Modules without a rosdep key."""


def names_in(files: Iterable[Path]) -> set[str]:
    """Return the top-level modules that files import, and the packages that they start."""
    names = set()
    for file in files:
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Import):
                names.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                names.add(node.module)
            elif isinstance(node, ast.Call):
                names.update(names_in_call(node))
    return {name.partition('.')[0] for name in names}


def names_in_call(call: ast.Call) -> Iterable[str]:
    """Yield the literal in ``importorskip('name')`` or in ``Node(package='name')``."""
    values = [keyword.value for keyword in call.keywords if keyword.arg == 'package']
    if getattr(call.func, 'attr', '') == 'importorskip':
        values.append(call.args[0])
    for value in values:
        if isinstance(value, ast.Constant):
            yield value.value


def files(*folders: str) -> set[Path]:
    """Return the Python files in folders of the clone, with the scripts that have no suffix."""
    return {path for folder in folders for path in ROOT.joinpath(folder).rglob('*')
            if (path.suffix == '.py' or path.parent.name == 'scripts')
            and not path.is_relative_to(REPORTED)}


def keys_of(names: set[str]) -> set[str]:
    """Return the rosdep keys of modules that are neither Python's nor in this clone."""
    own = {'urdf_tools', 'benchmarks', 'test', 'tools'}
    for path in files('test', 'tools'):
        own.add(path.parent.name if path.name == '__init__.py' else path.stem)
    return {KEYS.get(name, name) for name in names - own - sys.stdlib_module_names}


def dependencies(*tags: str) -> set[str]:
    """Return the keys of the dependencies in package.xml."""
    return {element.text for tag in tags for element in MANIFEST.iter(tag)}


@pytest.mark.slow
def test_execution_dependencies_are_the_imports():
    names = names_in(files('urdf_tools', 'launch', 'scripts'))
    imported = keys_of(names - NOT_IN_ROSDEP - OF_USERS.keys() - ONLY_DISPLAY.keys())
    assert dependencies('exec_depend', 'depend') == imported | set(NOT_IMPORTED)


@pytest.mark.slow
def test_test_dependencies_are_the_other_imports_of_tests():
    imported = keys_of(names_in(files('test')) - NOT_IN_ROSDEP)
    others = imported - dependencies('exec_depend', 'depend')
    assert dependencies('test_depend') == others


def test_imports_are_found(tmp_path):
    file = tmp_path / 'module.py'
    file.write_text(
        'import a.b\nfrom c.d import e\n'
        "def f():\n    import g\n    pytest.importorskip('h.i')\n    Node(package='j')\n")
    assert names_in([file]) == {'a', 'c', 'g', 'h', 'j'}


def test_the_version_is_the_same_everywhere():
    version = MANIFEST.findtext('version')
    others = list(ROOT.glob('*/package.xml'))
    assert len(others) == 2
    for path in others:
        assert ElementTree.parse(path).findtext('version') == version
    assert urdf_tools.__version__ == version
    assert not re.search(r"version='\d", ROOT.joinpath('setup.py').read_text())


@pytest.mark.filterwarnings('ignore::DeprecationWarning')
def test_the_latest_release_in_the_changelog_is_this_version():
    changelog = pytest.importorskip('catkin_pkg.changelog', reason='catkin_pkg is not installed')
    versions = changelog.get_changelog_from_path(str(ROOT)).foreach_version()
    assert next(versions)[0] == MANIFEST.findtext('version')


def extras():
    """Return the extras of setup.py, each with the names of its packages."""
    call = next(node for node in ast.walk(ast.parse((ROOT / 'setup.py').read_text()))
                if isinstance(node, ast.keyword) and node.arg == 'extras_require')
    return {extra: {re.split('[<>=]', name)[0] for name in names}
            for extra, names in ast.literal_eval(call.value).items()}


def test_the_page_lists_all_extras():
    page = (ROOT / 'docs' / 'install.md').read_text()
    table = page[page.index('| extra |'):]
    assert sorted(re.findall(r'^\| `(\w+)` \|', table, re.MULTILINE)) == sorted(extras())


@pytest.mark.slow
def test_extras_have_what_verbs_ask_for():
    asked = {(keyword.arg, keyword.value.value)
             for path in (ROOT / 'urdf_tools').rglob('*.py')
             for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)
             and getattr(node.func, 'id', '') == 'require_packages'
             for keyword in node.keywords}
    assert len(asked) > 4
    assert not [(name, extra) for name, extra in asked if name not in extras()[extra]]


def test_pages_install_extras_from_the_clone():
    """The package is not on PyPI."""
    for page in (ROOT / 'docs').glob('*.md'):
        assert not re.search(r'pip install ["\']?urdf_tools', page.read_text()), page
