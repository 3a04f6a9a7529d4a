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
"""A name reaches files that expressions choose, and in others only what is the same name."""

from pathlib import Path

import pytest

pytest.importorskip('pygls', reason='pygls is not installed')

from support.editor import project_in  # noqa: E402
from support.editor import put  # noqa: E402

from urdf_tools.check.workspace.settings import Settings  # noqa: E402
from urdf_tools.lsp.check_cycle import CheckCycle  # noqa: E402
from urdf_tools.lsp.check_cycle import Preferences  # noqa: E402
from urdf_tools.lsp.hover import hover  # noqa: E402
from urdf_tools.lsp.occurrences import renamable_at  # noqa: E402
from urdf_tools.lsp.occurrences import renamed  # noqa: E402
from urdf_tools.lsp.project import Project  # noqa: E402
from urdf_tools.lsp.suggestions import Suggestions  # noqa: E402

HEAD = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
GRIPPER = (f'{HEAD}<xacro:macro name="load_gripper" params="side"><link name="${{side}}"/>'
           '</xacro:macro></robot>')
"""One of several files that define the same macro."""


def workspace_of(folder: Path, files: dict[str, str]) -> Project:
    """Return a workspace with one package and some files in it."""
    for name, text in {'package.xml': '<package><name>hand</name></package>', **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return project_in(folder)


def changed(project: Project, folder: Path, name: str, marker: str) -> dict[str, int]:
    """Return how many places a rename of the name at a marker changes in each file."""
    source = project.source(str(folder / name))
    target = renamable_at(project, source, source.text.index(marker) + len(marker))
    places = renamed(project, source, [], target, 'other', project.is_own)
    counts: dict[str, int] = {}
    for each in places:
        path = str(Path(each.source.path).relative_to(folder))
        counts[path] = counts.get(path, 0) + 1
    return counts


@pytest.mark.parametrize('include', [
    '$(find hand)/grippers/${kind}/urdf/${kind}_macro.xacro',
    '$(find hand)/grippers/$(arg kind)/urdf/$(arg kind)_macro.xacro',
    '../grippers/${kind}/urdf/${kind}_macro.xacro'])
def test_a_macro_of_files_that_an_expression_chooses(tmp_path, include):
    robot = (f'{HEAD}<xacro:arg name="kind" default="a"/><xacro:property name="kind" value="a"/>'
             f'<xacro:include filename="{include}"/><xacro:load_gripper side="left"/></robot>')
    project = workspace_of(tmp_path, {
        'urdf/robot.urdf.xacro': robot, 'grippers/a/urdf/a_macro.xacro': GRIPPER,
        'grippers/b/urdf/b_macro.xacro': GRIPPER, 'grippers/b/urdf/b.xacro': GRIPPER})
    expected = {'urdf/robot.urdf.xacro': 1, 'grippers/a/urdf/a_macro.xacro': 1,
                'grippers/b/urdf/b_macro.xacro': 1}
    assert changed(project, tmp_path, 'urdf/robot.urdf.xacro', '<xacro:load_') == expected
    assert changed(project, tmp_path, 'grippers/b/urdf/b_macro.xacro', 'name="load_') == expected
    # Only xacro can tell which of them are parts of the robot.
    graph = project.include_graph(project.source(str(tmp_path / 'urdf/robot.urdf.xacro')))
    assert graph.roots_of(str(tmp_path / 'grippers/a/urdf/a_macro.xacro')) == []


def test_a_urdf_file_that_a_xacro_file_includes(tmp_path):
    joint = '<joint name="hinge"/>'
    project = workspace_of(tmp_path, {
        'urdf/robot.urdf': f'<robot name="plain">{joint}</robot>',
        'config/robot.urdf.xacro':
            f'{HEAD}<xacro:include filename="$(find hand)/urdf/robot.urdf"/>'
            '<xacro:include filename="control.xacro"/></robot>',
        'config/control.xacro': f'{HEAD}<ros2_control name="c">{joint}</ros2_control></robot>'})
    expected = {'urdf/robot.urdf': 1, 'config/control.xacro': 1}
    for name in expected:
        assert changed(project, tmp_path, name, 'joint name="') == expected


def test_macros_of_a_description_and_its_srdf_are_not_the_same(tmp_path):
    text = f'{HEAD}<xacro:macro name="hand"><link name="a"/></xacro:macro><xacro:hand/></robot>'
    project = workspace_of(tmp_path, {'robot.urdf.xacro': text, 'robot.srdf.xacro': text})
    for name in ('robot.urdf.xacro', 'robot.srdf.xacro'):
        assert changed(project, tmp_path, name, 'macro name="ha') == {name: 2}
        assert changed(project, tmp_path, name, 'link name="') == {
            'robot.urdf.xacro': 1, 'robot.srdf.xacro': 1}


def test_what_other_macros_make_is_no_second_definition(tmp_path):
    macros = ''.join(f'<xacro:macro name="{name}" params="p"><link name="${{p}}_tip"/>'
                     '<gazebo reference="${p}_tip"/></xacro:macro>' for name in 'ab')
    project = workspace_of(tmp_path, {'robot.urdf.xacro': f'{HEAD}{macros}</robot>'})
    source = project.source(str(tmp_path / 'robot.urdf.xacro'))
    shown = {marker: hover(project, source, [], source.text.rindex(marker) + len(marker))
             .contents.value for marker in ('link name="', 'reference="')}
    assert 'defined in' not in shown['link name="'] and 'defined in' in shown['reference="']


SEMANTIC = '<robot name="r"><group name="g"><link name="a"/></group><bad/></robot>'


@pytest.mark.parametrize('name, text, codes', [
    ('r.srdf', SEMANTIC, set()), ('r.srdf', SEMANTIC[:-8], {'xml-malformed'}),
    ('r.srdf.xacro', SEMANTIC.replace('<robot name="r">', HEAD), set()),
    ('r.srdf.xacro', f'{HEAD}<link name="${{1 / 0}}"/><group/></robot>', {'xacro-failed'})])
def test_srdf_is_not_checked_as_a_description(tmp_path, name, text, codes):
    project = workspace_of(tmp_path, {name: text})
    source = put(project, tmp_path / name, text)
    cycle = CheckCycle(project, lambda folder: Settings())
    cycle.preferences = Preferences(trusted=('/',))
    assert {each.finding.code for each in cycle.run()[source.path].findings} == codes
    offset = text.index('<group') + 1
    labels = {each.label for each in Suggestions(project, source, []).at(offset).items}
    assert 'transmission' not in labels
