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
"""The extension in a real Visual Studio Code; each test goes on where the last one ended."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

PROGRAM = os.environ.get('URDF_TOOLS_CODE_SERVER', '')
FOLDER = Path(__file__).resolve().parents[2] / 'editors/vscode'
EXTENSION = FOLDER / 'urdf-tools.vsix'
PICTURES = os.environ.get('URDF_TOOLS_EDITOR_PICTURES', '')
"""A folder for pictures of the editor after each test; none if it is empty."""

pytestmark = [pytest.mark.slow, pytest.mark.skipif(
    not PROGRAM, reason='URDF_TOOLS_CODE_SERVER does not name a code-server'), pytest.mark.skipif(
    not EXTENSION.exists(), reason='the extension is not built ("make vsix")')]

LEG = """<?xml version="1.0"?>
<robot xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:macro name="leg" params="name y">
    <link name="${name}_leg">
      <visual>
        <origin xyz="0 0 -0.5" rpyy="0 0 0"/>
        <geometry>
          <box size="0.2 0.2 1"/>
        </geometry>
        <material name="blue"/>
      </visual>
    </link>
    <joint name="${name}_hip" type="revolute">
      <origin xyz="0 ${y} 0"/>
      <axis xyz="1 0 0"/>
      <parent link="body"/>
      <child link="${name}_leg"/>
      <limit lower="${pi / 2}" upper="1" effort="10" velocity="1"/>
    </joint>
  </xacro:macro>
</robot>
"""
WALKER = """<?xml version="1.0"?>
<robot name="walker" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:include filename="leg.xacro"/>
  <xacro:property name="width" value="0.4"/>
  <material name="blue">
    <color rgba="0 0 1 1"/>
  </material>
  <link name="body">
    <visual>
      <geometry>
        <box size="0.6 ${width} 0.2"/>
      </geometry>
    </visual>
  </link>
  <xacro:leg name="left" y="${width / 2}"/>
  <xacro:leg name="right" y="${-width / 2}"/>
  <link name="head"/>
  <joint name="neck" type="Prismatic">
    <parent link="body"/>
    <child link="head"/>
    <limit lower="0" upper="1" effort="10" velocity="1"/>
  </joint>
</robot>
"""


BRACKET = """<robot name="bracket">
  <link name="plate">
    <visual>
      <geometry>
        <box size="1 1 1"/>
      </geometry>
    </visual>
  </link>
  <link name="screw">
    <visual>
      <geometry>
        <mesh filename="gone.stl"/>
      </geometry>
    </visual>
  </link>
  <joint name="thread" type="fixed">
    <parent link="plate"/>
    <child link="screw"/>
  </joint>
</robot>
"""
SEMANTIC = """<robot name="bracket">
  <passive_joint name="thread"/>
</robot>
"""
SIDED = """<robot name="sided" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <link name="$(arg side)_arm"/>
</robot>
"""


@pytest.fixture(scope='module')
def editor(tmp_path_factory):
    pytest.importorskip('playwright', reason='playwright is not installed')
    from support.vscode import VsCode
    newest = max(path.stat().st_mtime for path in [
        *FOLDER.glob('src/*.ts'), *FOLDER.glob('snippets/*'), FOLDER / 'package.json'])
    assert EXTENSION.stat().st_mtime > newest, 'The extension is older than its source: make vsix'
    folder = tmp_path_factory.mktemp('vscode')
    robots = folder / 'ws/urdf'
    robots.mkdir(parents=True)
    robots.joinpath('leg.xacro').write_text(LEG)
    robots.joinpath('walker.urdf.xacro').write_text(WALKER)
    robots.joinpath('bracket.urdf').write_text(BRACKET)
    robots.joinpath('bracket.srdf').write_text(SEMANTIC)
    editor = VsCode(PROGRAM, EXTENSION, folder, 'urdf/leg.xacro')
    yield editor
    editor.close()


@pytest.fixture(autouse=True)
def picture(request, editor):
    yield
    if PICTURES:
        editor.page.screenshot(path=Path(PICTURES, f'{request.node.name}.png'))


def test_the_program_is_installed_after_asking(editor):
    folder = editor.workspace.parent
    editor.page.click("text=No, I don't trust the authors")
    editor.page.wait_for_selector('.notification-toast >> text="Install"')
    assert not list(folder.glob('data/**/environment'))
    editor.page.click('.notification-toast >> text="Install"')
    editor.page.wait_for_selector('.squiggly-warning')
    assert list(folder.glob('data/**/environment/bin/urdf-tools'))


def test_trust_is_asked_before_anything_is_expanded(editor):
    page = editor.page
    assert not editor.has_error('lower=')
    editor.run('urdf-tools: Show Preview Beside')
    page.wait_for_selector('.notifications-toasts >> text=only in a workspace that you trust')
    assert page.query_selector('iframe.webview') is None
    page.click('.notifications-toasts >> text="Manage Workspace Trust"')
    page.wait_for_selector('.workspace-trust-editor')
    editor.press('Control+Enter')
    editor.open('leg.xacro')
    editor.wait(lambda: editor.has_error('lower='), 'the finding of the expansion')


def test_a_finding_is_where_it_is_written(editor):
    assert not editor.has_error('<link')
    editor.run('View: Focus Problems (Errors, Warnings, Infos)')
    editor.wait(lambda: '[Ln 18, Col 14]' in editor.problems(), 'the attribute')


def test_the_rule_of_a_finding_is_explained(editor):
    editor.page.click('.markers-panel-container a >> text=limit-inverted')
    editor.page.wait_for_selector('.tab.active >> text="limit-inverted"')
    editor.page.wait_for_selector('.view-line >> text=Swap lower and upper')
    editor.run('View: Close All Editors')


def test_a_fix_is_applied(editor):
    editor.open('walker.urdf.xacro')
    editor.run('View: Toggle Panel Visibility')
    editor.wait(lambda: editor.has_error('"neck"'), 'the finding in this file')
    editor.go_to(18, 30)
    editor.press('Control+.')
    editor.page.locator('.action-widget .focused', has_text="'prismatic'").wait_for()
    editor.press('Enter')
    editor.page.wait_for_selector('.view-line >> text=type="prismatic"')
    editor.wait(lambda: not editor.has_error('"neck"'), 'the end of the finding')
    assert editor.workspace.joinpath('urdf/walker.urdf.xacro').read_text() == WALKER


def test_the_definition_of_a_macro_is_in_another_file(editor):
    editor.go_to(15, 12)
    editor.press('F12')
    editor.page.wait_for_selector('.tab.active >> text="leg.xacro"')
    editor.wait(lambda: editor.place().startswith('Ln 3,'), 'the macro')


def test_a_snippet_is_inserted(editor):
    editor.open('walker.urdf.xacro')
    editor.go_to(16)
    editor.press('End', 'Enter')
    editor.page.keyboard.type('joint-fixed')
    editor.page.click('.suggest-widget .monaco-list-row >> text="Fixed joint"')
    editor.page.keyboard.type('bolt')
    editor.wait(lambda: '<joint name="bolt" type="fixed">' in editor.lines(), 'the snippet')
    assert '  <parent link="parent"/>' in editor.lines()
    editor.press('Escape')
    editor.run('File: Revert File')
    editor.wait(lambda: '"bolt"' not in editor.lines(), 'the text before')


def test_what_a_xacro_file_expands_to_is_shown(editor):
    editor.workspace.joinpath('urdf/walker.urdf.xacro').write_text(
        WALKER.replace('Prismatic', 'prismatic'))
    editor.wait(lambda: '"prismatic"' in editor.lines(), 'the text on the disk')
    editor.run('urdf-tools: Expand')
    editor.wait(lambda: 'walker (expanded).urdf' in editor.tabs(), 'the expanded text')
    editor.wait(lambda: '<link name="left_leg">' in editor.lines(), 'a link of a macro')
    assert '<xacro:leg' in editor.lines(), 'The source stays beside it'


def test_the_account_of_programs_that_refuse_the_robot_is_shown(editor):
    editor.run('urdf-tools: Show account for ...')
    for program in ('mujoco', 'drake'):
        editor.page.click(f'.quick-input-list .monaco-list-row >> text="{program}"')
    editor.press('Enter')
    editor.wait(lambda: 'walker.urdf.xacro for mujoco, drake' in editor.tabs(), 'the account')
    editor.wait(lambda: 'refused: The lower limit' in editor.lines(), 'what Drake refuses')


def test_inertias_are_computed(editor):
    def compute():
        editor.run('urdf-tools: Compute inertia')
        editor.page.click('.quick-input-list >> text="Compute those that are missing"')
        editor.page.wait_for_selector('.quick-input-widget >> text=Density')
        editor.press('Enter')

    compute()
    # The places are in the expanded text, not in that of the macro.
    editor.wait(lambda: 'walker.urdf.xacro (computed).diff' in editor.tabs(), 'the difference')
    assert '<mass' not in editor.page.inner_text('.editor-instance >> nth=0')
    editor.run('View: Close All Editors')
    editor.open('bracket.urdf')
    compute()
    editor.wait(lambda: '<mass value="1000"/>' in editor.lines(), 'the mass in the text')
    assert editor.lines().count('<inertial>') == 1
    editor.page.wait_for_selector(
        ".notification-toast >> text=screw: not computed: File 'gone.stl' does not exist")
    assert editor.workspace.joinpath('urdf/bracket.urdf').read_text() == BRACKET
    editor.run('File: Revert File')
    editor.run('View: Close All Editors')
    editor.open('leg.xacro')


def test_a_name_in_srdf_is_renamed_in_the_description(editor):
    editor.open('bracket.srdf')
    editor.go_to(2, 26)
    editor.press('F2')
    editor.page.wait_for_selector('.rename-box input:focus')
    editor.press('Control+a')
    editor.page.keyboard.type('hinge')
    editor.press('Enter')
    editor.wait(lambda: '<passive_joint name="hinge"/>' in editor.lines(), 'the name in SRDF')
    editor.run('File: Revert File')
    editor.open('bracket.urdf')
    editor.wait(lambda: '<joint name="hinge" type="fixed">' in editor.lines(), 'the name in URDF')
    editor.run('File: Revert File')
    editor.run('View: Close All Editors')
    editor.open('leg.xacro')


def test_the_preview_follows_what_is_not_saved(editor):
    editor.run('urdf-tools: Show Preview Beside')
    # Links with an error are red, and the body in its own grey.
    editor.wait(lambda: editor.colours()[0] > 1000, 'red legs')
    editor.go_to(18, 23)
    editor.page.keyboard.type('-')
    editor.go_to(2)
    editor.wait(lambda: editor.colours()[1] > 1000, 'blue legs')
    assert editor.workspace.joinpath('urdf/leg.xacro').read_text() == LEG


def test_the_element_at_the_cursor_lights_up(editor):
    assert editor.colours()[2] < 500
    editor.go_to(8, 14)
    editor.wait(lambda: editor.colours()[2] > 1000, 'yellow legs')
    editor.open('walker.urdf.xacro')
    editor.go_to(2)
    editor.wait(lambda: editor.colours()[2] < 500, 'legs in their own colour')


def test_a_click_on_a_link_selects_its_element(editor):
    box = editor.page.query_selector('iframe.webview').bounding_box()
    # The upper half of the picture has the body in its middle; the panel is below on the right.
    editor.page.mouse.click(box['x'] + 0.4 * box['width'], box['y'] + 0.33 * box['height'])
    editor.wait(lambda: 'selected' in editor.place(), 'a selection')
    assert editor.place().startswith(('Ln 4,', 'Ln 8,'))


def test_a_slider_moves_a_joint(editor):
    view = editor.view()
    view.click('text="Joints"')
    slider = view.locator('[role=slider]').first
    slider.focus()
    before = sum(editor.colours())
    editor.press('End')
    assert slider.get_attribute('aria-valuenow') == '1'
    editor.wait(lambda: abs(sum(editor.colours()) - before) > 2000, 'a leg that has turned')


def test_arguments_that_a_robot_needs_are_asked_for(editor):
    """The value is kept in the workspace."""
    editor.workspace.joinpath('urdf/sided.urdf.xacro').write_text(SIDED)
    editor.open('sided.urdf.xacro')
    editor.run('urdf-tools: Expand')
    editor.page.wait_for_selector('.quick-input-widget >> text=needs the argument side')
    editor.page.keyboard.type('right')
    editor.press('Enter')
    editor.wait(lambda: 'sided (expanded).urdf' in editor.tabs(), 'the expanded text')
    editor.wait(lambda: '<link name="right_arm"/>' in editor.lines(), 'the link')
    settings = json.loads(editor.workspace.joinpath('.vscode/settings.json').read_text())
    assert settings == {'urdf-tools.arguments': {'side': 'right'}}
    editor.run('View: Close All Editors')


def test_findings_of_the_task_are_problems_of_files_that_are_not_open(editor):
    editor.open('leg.xacro')
    editor.run('File: Revert File')
    editor.run('View: Close All Editors')
    editor.run('Tasks: Run Task')
    editor.page.click('.quick-input-list .monaco-list-row >> text="urdf-tools"')
    editor.page.click('.quick-input-list .monaco-list-row >> text="urdf-tools: check ."')
    editor.page.wait_for_selector('.terminal-tab, .single-terminal-tab')
    editor.run('View: Focus Problems (Errors, Warnings, Infos)')
    editor.wait(lambda: 'leg.xacro' in editor.problems()
                and 'bracket.urdf' in editor.problems(), 'findings of the task')
    assert '[Ln 18, Col 14]' in editor.problems()
    assert "Link 'plate' has a <visual> but no <collision>" in editor.problems()
