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

"""The language server and ``check DIR`` find the same files and roots, and edit the same files."""

import os
from pathlib import Path

import pytest

pytest.importorskip('lsprotocol', reason='pygls is not installed')

from support.editor import close  # noqa: E402
from support.editor import project_in  # noqa: E402
from support.editor import put  # noqa: E402

from urdf_tools.check.workspace.descriptions import DescriptionFile  # noqa: E402
from urdf_tools.check.workspace.descriptions import editable_path  # noqa: E402
from urdf_tools.check.workspace.descriptions import find_descriptions  # noqa: E402
from urdf_tools.check.workspace.settings import project_settings  # noqa: E402
from urdf_tools.cli import main  # noqa: E402
from urdf_tools.lsp.check_cycle import CheckCycle  # noqa: E402
from urdf_tools.lsp.check_cycle import Preferences  # noqa: E402
from urdf_tools.lsp.project import Project  # noqa: E402
from urdf_tools.model.xml.document import read_document  # noqa: E402
from urdf_tools.model.xml.syntax_tree import SyntaxTree  # noqa: E402

HEAD = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
ROBOT = f'{HEAD}<link name="base_link"/></robot>'
MACROS = f'{HEAD}<xacro:macro name="m"><link name="a"/></xacro:macro></robot>'


def including(*names: str, more: str = '') -> str:
    return HEAD + ''.join(f'<xacro:include filename="{name}"/>' for name in names) + (
        f'{more}</robot>')


FILES = {
    # Folders that only have the names of what colcon writes.
    'src/log/package.xml': '<package><name>log</name></package>',
    'src/log/urdf/log.urdf.xacro': ROBOT,
    'src/build/urdf/plain.urdf': ROBOT,
    'src/install/urdf/install.urdf.xacro': including('macros.xacro', more='<xacro:m/>'),
    'src/install/urdf/macros.xacro': MACROS,
    'src/node_modules/viewer.xacro': ROBOT,
    # What colcon has written, and what it leaves out.
    'build/COLCON_IGNORE': '', 'build/arm/arm.urdf.xacro': ROBOT,
    'install/COLCON_IGNORE': '', 'install/arm/share/arm/urdf/arm.urdf.xacro': ROBOT,
    'src/old/AMENT_IGNORE': '', 'src/old/old.urdf.xacro': ROBOT,
    'src/older/CATKIN_IGNORE': '', 'src/older/older.urdf.xacro': ROBOT,
    '.git/hidden.urdf.xacro': ROBOT, 'src/.cache/cached.xacro': ROBOT,
    # Two checkouts of one package: each includes its own files.
    'src/arm/package.xml': '<package><name>arm</name></package>',
    'src/arm/urdf/arm.urdf.xacro': including('$(find arm)/urdf/links.xacro'),
    'src/arm/urdf/links.xacro': ROBOT,
    'src/fork/package.xml': '<package><name>arm</name></package>',
    'src/fork/urdf/links.xacro': ROBOT,
    # Through a substitution, an expression and a symbolic link that colcon has installed.
    'src/cell/cell.urdf.xacro': including(
        '$(find $(arg robot))/urdf/gripper.xacro', '${folder}/tool.xacro',
        '{root}/install/arm/share/arm/urdf/linked.xacro'),
    'src/hand/urdf/gripper.xacro': ROBOT, 'src/hand/tool.xacro': ROBOT,
    'src/hand/linked.xacro': ROBOT,
    # A robot that only has includes, and a library that only has them.
    'src/only/only.urdf.xacro': including('body.xacro'), 'src/only/body.xacro': ROBOT,
    'src/library/all.xacro': including('one.xacro'), 'src/library/one.xacro': MACROS,
    # Files that include each other, files without a name, other XML, and no XML.
    'src/circle/a.xacro': including('b.xacro'),
    'src/circle/b.xacro': including('a.xacro', more='<link name="b"/>'),
    'src/odd/nameless.xacro': ROBOT.replace(' name="r"', ''),
    'src/odd/world.xacro': '<sdf/>', 'src/odd/robot.srdf.xacro': ROBOT,
    'src/odd/broken.urdf.xacro': including('broken_part.xacro', more='<link'),
    'src/odd/broken_part.xacro': ROBOT,
}
ROOTS = {
    'src/log/urdf/log.urdf.xacro', 'src/install/urdf/install.urdf.xacro',
    'src/node_modules/viewer.xacro', 'src/arm/urdf/arm.urdf.xacro', 'src/fork/urdf/links.xacro',
    'src/cell/cell.urdf.xacro', 'src/only/only.urdf.xacro', 'src/odd/broken.urdf.xacro'}


@pytest.fixture
def workspace(tmp_path) -> Path:
    """Return a workspace with descriptions of all kinds."""
    folder = tmp_path / 'workspace'
    for name, text in FILES.items():
        write(folder, name, text.replace('{root}', str(folder)))
    (folder / 'src/loop').symlink_to(folder)
    (folder / 'src/arm/urdf/also.urdf.xacro').symlink_to('arm.urdf.xacro')
    (folder / 'src/dangling.urdf.xacro').symlink_to('missing')
    (folder / 'install/arm/share/arm/urdf/linked.xacro').symlink_to(
        folder / 'src/hand/linked.xacro')
    os.mkfifo(folder / 'src/pipe.xacro')
    return folder


def lead_out(folder: Path) -> None:
    """Make links that lead out of a workspace."""
    (folder / '../elsewhere.xacro').write_text('<robot name="r"/>')
    (folder / 'src/arm/urdf/away.xacro').symlink_to('../../../../elsewhere.xacro')
    (folder / 'src/arm/away').symlink_to('../../..')


def write(folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def project_with(folder: Path, buffers: dict[str, str]) -> Project:
    """Return what the language server knows of a folder, with the texts of open buffers."""
    project = project_in(folder)
    for name, text in buffers.items():
        put(project, folder / name, text)
    return project


def found_by_the_server(folder: Path, buffers: dict[str, str]) -> tuple[set[str], set[str]]:
    """Return the xacro files and their roots."""
    project = project_with(folder, buffers)
    graph = project.include_graph(project.source(str(folder / 'src/only/body.xacro')))
    return ({os.path.relpath(path, folder) for path in project.files() if '.srdf' not in path},
            {os.path.relpath(path, folder) for path in graph.files if graph.is_root(path)})


def found_by_the_command(folder: Path) -> tuple[set[str], set[str]]:
    """Return the xacro files and their roots."""
    found = find_descriptions(folder)
    paths = [[os.path.relpath(path, folder) for path in paths if path.endswith('.xacro')]
             for paths in ((*found.roots, *found.parts), found.roots)]
    return {*paths[0]}, {*paths[1]}


def test_the_same_files_and_roots(workspace):
    files, roots = found_by_the_command(workspace)
    assert roots == ROOTS | {'src/arm/urdf/also.urdf.xacro', 'src/dangling.urdf.xacro'}
    assert str(workspace / 'src/build/urdf/plain.urdf') in find_descriptions(workspace).roots
    # What cannot be read has no text for an editor.
    assert found_by_the_server(workspace, {}) == (files, roots - {'src/dangling.urdf.xacro'})


BUFFERS = [
    ({'src/only/only.urdf.xacro': MACROS}, {'src/only/only.urdf.xacro', 'src/only/body.xacro'}),
    ({'src/only/body.xacro': MACROS}, {'src/only/only.urdf.xacro'}),
    ({'src/library/one.xacro': ROBOT}, {'src/library/all.xacro'}),
    ({'src/new/new.urdf.xacro': including('../library/all.xacro', more='<xacro:m/>')},
     {'src/new/new.urdf.xacro'}),
    ({'src/odd/nameless.xacro': ROBOT,
      'src/log/urdf/log.urdf.xacro': including('../../library/one.xacro')},
     {'src/odd/nameless.xacro', 'src/log/urdf/log.urdf.xacro'}),
    ({'src/install/urdf/install.urdf.xacro': including('macros.xacro', more='<xacro:m/')}, set()),
    ({'src/circle/a.xacro': ROBOT}, {'src/circle/b.xacro'}),
]
"""Texts that are typed, and the files that begin or cease to be roots by that."""


@pytest.mark.parametrize('buffers, changed', BUFFERS)
def test_what_is_typed_counts_as_if_it_were_saved(workspace, buffers, changed):
    _, before = found_by_the_server(workspace, {})
    by_server = found_by_the_server(workspace, buffers)
    for name, text in buffers.items():
        write(workspace, name, text)
    files, roots = found_by_the_command(workspace)
    assert by_server == (files, roots - {'src/dangling.urdf.xacro'})
    assert by_server[1] ^ before == changed


@pytest.mark.parametrize('name', [name for name in FILES if name.endswith('.xacro')])
def test_half_typed_and_well_formed_text_are_read_alike(name):
    """An editor reads the one, the command the other."""
    text = FILES[name]
    if 'broken.' not in name:
        trees = read_document(text).root, SyntaxTree(text).root
        strict, tolerant = (DescriptionFile(name, lambda tree=tree: tree, True) for tree in trees)
        for fact in ('is_robot', 'is_named', 'instantiates', 'includes'):
            assert getattr(strict, fact) == getattr(tolerant, fact)


def test_a_file_has_the_roots_that_include_it(workspace):
    project = project_in(workspace)

    def roots(name):
        return [os.path.relpath(root.path, workspace)
                for root in project.roots(project.source(str(workspace / name)))]

    assert roots('src/arm/urdf/links.xacro') == [
        'src/arm/urdf/also.urdf.xacro', 'src/arm/urdf/arm.urdf.xacro']
    assert roots('src/fork/urdf/links.xacro') == ['src/fork/urdf/links.xacro']
    for part in ('urdf/gripper.xacro', 'tool.xacro', 'linked.xacro'):
        assert roots(f'src/hand/{part}') == ['src/cell/cell.urdf.xacro']
    assert roots('src/install/urdf/macros.xacro') == ['src/install/urdf/install.urdf.xacro']
    assert roots('src/library/one.xacro') == []
    # As ``check FILE`` does, whatever includes the file.
    assert roots('src/odd/nameless.xacro') == ['src/odd/nameless.xacro']


def test_files_are_read_again_only_if_they_change(workspace, monkeypatch):
    project = project_in(workspace)
    source = project.source(str(workspace / 'src/only/body.xacro'))
    project.roots(source)
    read = []
    monkeypatch.setattr(Path, 'read_bytes', lambda path: read.append(path) or b'')
    monkeypatch.setattr(os, 'walk', lambda *_: pytest.fail('the folder is searched again'))
    graph = project._graph
    project.roots(source)
    assert read == [] and project._graph is graph


EDITABLE = [
    ('src/log/urdf/log.urdf.xacro', 'src/log/urdf/log.urdf.xacro'),
    ('install/arm/share/arm/urdf/linked.xacro', 'src/hand/linked.xacro'),
    ('install/arm/share/arm/urdf/arm.urdf.xacro', None),
    ('src/old/old.urdf.xacro', None),
    ('src/.cache/cached.xacro', None),
    ('../elsewhere.xacro', None),
    ('src/arm/urdf/away.xacro', None),
    ('src/arm/away/elsewhere.xacro', None)]


@pytest.mark.parametrize('name, edited', EDITABLE)
def test_what_may_be_edited(workspace, name, edited):
    lead_out(workspace)
    path, expected = str(workspace / name), edited and str(workspace / edited)
    assert editable_path(path, [str(workspace)]) == expected
    project = project_in(workspace)
    assert project.is_own(os.path.normpath(path)) is (edited is not None)
    assert project.own_path(path) == (expected or os.path.normpath(path))


def test_the_package_of_an_open_file_may_be_edited(workspace):
    project = Project()
    other = str(workspace / 'src/arm/urdf/links.xacro')
    assert not project.is_own(other)
    put(project, workspace / 'src/arm/urdf/arm.urdf.xacro', ROBOT)
    assert project.is_own(other)
    close(project, workspace / 'src/arm/urdf/arm.urdf.xacro')
    assert not project.is_own(other)


def test_a_fix_in_a_folder_reaches_its_other_packages(tmp_path, capsys):
    part = f"""{HEAD}<xacro:macro name="wheel"><link name="base_link"><visual>
        <origin xyz="0,0,0.1"/><geometry><sphere radius="0.1"/></geometry>
        </visual></link></xacro:macro></robot>"""
    robot = including('../../wheel/wheel.xacro', more='<xacro:wheel/>')
    for name, text in (('wheel/wheel.xacro', part), ('car/urdf/car.urdf.xacro', robot)):
        write(tmp_path, name, text)
        write(tmp_path, f'{name.partition("/")[0]}/package.xml', '<package/>')
    car = str(tmp_path / 'car/urdf/car.urdf.xacro')
    main(['check', '--fix', car])
    assert 'not fixed, the file is outside the package' in capsys.readouterr().err
    assert (tmp_path / 'wheel/wheel.xacro').read_text() == part
    main(['check', '--fix', str(tmp_path)])
    assert (tmp_path / 'wheel/wheel.xacro').read_text() == part.replace('0,0,0.1', '0 0 0.1')


@pytest.mark.parametrize('name', ['robot.urdf', 'robot.urdf.xacro'])
def test_loops_that_settings_name_are_checked(tmp_path, name):
    (tmp_path / 'urdf-tools.toml').write_text(
        f'[[roots]]\nfile = "{name}"\nloops = "loops.yaml"\n')
    (tmp_path / name).write_text(f'{HEAD}<link name="a"/></robot>')
    loops = tmp_path / 'loops.yaml'
    loops.write_text('loops:\n- {name: pin, type: hing, parent: {link: a}, child: {link: a}}\n')
    project = project_in(tmp_path)
    put(project, tmp_path / name, (tmp_path / name).read_text())
    cycle = CheckCycle(project, lambda folder: project_settings(Path(folder)))
    cycle.preferences = Preferences(trusted=('/',))

    def found():
        return {(os.path.basename(path), each.finding.code)
                for path, checked in cycle.run().items() for each in checked.findings}

    # What is not open, and not expanded, has no findings of its own.
    place = 'loops.yaml' if name.endswith('.xacro') else name
    assert (place, 'loop-unreadable') in found()
    loops.write_text('loops: []\n')
    cycle.forget()
    assert not [code for _, code in found() if code.startswith('loop')]
