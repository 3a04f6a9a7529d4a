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

"""What the language server knows of names: references, renames, values, over the protocol."""

import os
from pathlib import Path

import pytest
from support.lsp_client import applied
from support.lsp_client import LspClient
from support.lsp_client import RequestError

pytest.importorskip('pygls', reason='pygls is not installed')

HEAD = '<robot xmlns:xacro="http://www.ros.org/wiki/xacro"'

ARM = f"""{HEAD}>
  <xacro:property name="quarter" value="${{pi/2}}"/>
  <xacro:property name="height" value="0.5"/>
  <xacro:macro name="arm" params="prefix parent length:=0.1 *origin">
    <xacro:property name="half" value="${{length / 2}}"/>
    <link name="${{prefix}}_arm">
      <visual><geometry><box size="0.1 ${{half}} ${{height}}"/></geometry></visual>
    </link>
    <joint name="${{prefix}}_joint" type="fixed">
      <parent link="${{parent}}"/>
      <child link="${{prefix}}_arm"/>
      <xacro:insert_block name="origin"/>
    </joint>
  </xacro:macro>
</robot>
"""

ROBOT = f"""{HEAD} name="robot">
  <xacro:include filename="arm.xacro"/>
  <xacro:arg name="length" default="0.3"/>
  <!-- Two arms,
       ${{half}} -->
  <link name="base"/>
  <xacro:arm prefix="left" parent="base" length="$(arg length)">
    <origin xyz="0 0 ${{height + 1}}" rpy="0 0 ${{quarter}}"/>
  </xacro:arm>
  <xacro:arm prefix="right" parent="base"><origin/></xacro:arm>
  <xacro:property name="half" value="7"/>
</robot>
"""

SEMANTIC = """<robot name="robot">
  <group name="all"><chain base_link="base" tip_link="left_tip"/><link name="base"/></group>
  <end_effector name="hand" parent_link="base" group="all"/>
  <virtual_joint name="world" type="fixed" parent_frame="base" child_link="base"/>
  <disable_collisions link1="base" link2="left_tip" reason="Never"/>
  <disable_collisions link1="left_tip" link2="base" reason="Never"/>
</robot>
"""


class Workspace:
    """A robot of two files that a client has open."""

    def __init__(self, folder: Path, trusted: bool):
        self.files = {'arm.xacro': ARM, 'robot.urdf.xacro': ROBOT, 'robot.srdf': SEMANTIC}
        for name, text in self.files.items():
            (folder / name).write_text(text)
        self.folder = folder
        self.client = LspClient(['--trust', str(folder)] if trusted else [], folder)
        for name in ('arm.xacro', 'robot.urdf.xacro'):
            self.client.open(folder / name, self.files[name])

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def ask(self, method: str, name: str, marker: str, **more):
        return self.client.at(method, self.uri(name), self.files[name], marker, **more)

    def about(self, method: str, name: str, **more):
        return self.client.request(
            f'textDocument/{method}', {'textDocument': {'uri': self.uri(name)}, **more})

    def shown(self, locations) -> list[tuple[str, str]]:
        """Return file and line of locations, the line from the beginning of the range."""
        found = []
        for location in locations:
            name = os.path.basename(location['uri'])
            start = location['range']['start']
            line = self.files[name].splitlines()[start['line']]
            found.append((name, line[start['character']:]))
        return sorted(found)

    def renamed(self, name: str, marker: str, new: str) -> dict[str, str]:
        """Return the files that a rename changes, as they are then."""
        changes = self.ask('rename', name, marker, newName=new)['changes']
        return {os.path.basename(uri): applied(self.files[os.path.basename(uri)], edits)
                for uri, edits in changes.items()}


@pytest.fixture(scope='module')
def workspace(tmp_path_factory):
    """Return a workspace whose user trusts nothing."""
    workspace = Workspace(tmp_path_factory.mktemp('names'), trusted=False)
    yield workspace
    workspace.client.close()


@pytest.fixture(scope='module')
def trusting(tmp_path_factory):
    """Return a workspace that is expanded."""
    workspace = Workspace(tmp_path_factory.mktemp('values'), trusted=True)
    yield workspace
    workspace.client.close()


def test_references_of_a_macro(workspace):
    found = workspace.ask('references', 'robot.urdf.xacro', '<xacro:a|rm prefix="left"',
                          context={'includeDeclaration': True})
    assert workspace.shown(found) == [
        ('arm.xacro', 'arm" params="prefix parent length:=0.1 *origin">'),
        ('robot.urdf.xacro', 'arm prefix="left" parent="base" length="$(arg length)">'),
        ('robot.urdf.xacro', 'arm prefix="right" parent="base"><origin/></xacro:arm>')]
    assert len(workspace.ask('references', 'arm.xacro', 'name="a|rm"',
                             context={'includeDeclaration': False})) == 2


def test_references_of_a_parameter(workspace):
    found = workspace.ask('references', 'arm.xacro', '${len|gth', context={
        'includeDeclaration': True})
    assert workspace.shown(found) == [
        ('arm.xacro', 'length / 2}"/>'), ('arm.xacro', 'length:=0.1 *origin">'),
        ('robot.urdf.xacro', 'length="$(arg length)">')]


def test_references_of_a_block(workspace):
    found = workspace.ask('references', 'arm.xacro', 'insert_block name="ori|gin"', context={
        'includeDeclaration': True})
    assert workspace.shown(found) == [('arm.xacro', 'origin"/>'), ('arm.xacro', 'origin">')]


def test_references_of_a_link_that_is_handed_on(workspace):
    found = workspace.ask('references', 'robot.urdf.xacro', '<link name="ba|se"', context={
        'includeDeclaration': True})
    assert [(name, line[:5]) for name, line in workspace.shown(found)] == [
        *[('robot.srdf', 'base"')] * 6, *[('robot.urdf.xacro', 'base"')] * 3]


def test_a_property_of_a_macro_is_not_one_outside(workspace):
    found = workspace.ask('definition', 'arm.xacro', '0.1 ${ha|lf}')
    assert workspace.shown(found) == [('arm.xacro', 'half" value="${length / 2}"/>')]
    found = workspace.ask('definition', 'robot.urdf.xacro', '<xacro:property name="ha|lf"')
    assert workspace.shown(found) == [('robot.urdf.xacro', 'half" value="7"/>')]
    typed = ROBOT.replace('value="7"', 'value="${}"').replace('name="half"', 'name="own"')
    uri = workspace.uri('robot.urdf.xacro')
    workspace.client.change(uri, typed)
    items = workspace.client.at('completion', uri, typed, 'value="${|}"')['items']
    assert {'quarter', 'height', 'own'} <= {item['label'] for item in items}
    assert 'half' not in {item['label'] for item in items}
    workspace.client.change(uri, ROBOT)


@pytest.mark.parametrize('marker, old, new', [
    ('<xacro:a|rm prefix="left"', ('name="arm"', 'xacro:arm'), ('name="limb"', 'xacro:limb')),
    ('pre|fix="left"', ('prefix',), ('limb',)),
    ('hei|ght + 1', ('height',), ('limb',)),
    ('name="len|gth" default', ('name="length"', '$(arg length)'),
     ('name="limb"', '$(arg limb)')),
    ('<link name="ba|se"',
     ('parent="base"', 'name="base"', 'link="base"', 'link1="base"', 'link2="base"'),
     ('parent="limb"', 'name="limb"', 'link="limb"', 'link1="limb"', 'link2="limb"'))])
def test_rename(workspace, marker, old, new):
    found = workspace.renamed('robot.urdf.xacro', marker, 'limb')
    expected = {}
    for name, text in workspace.files.items():
        for before, after in zip(old, new):
            text = text.replace(before, after)
        if text != workspace.files[name]:
            expected[name] = text
    assert found == expected


@pytest.mark.parametrize('name, marker, new, why', [
    ('robot.urdf.xacro', 'ar|m prefix="left"', 'if', "'if' cannot be the name of a macro"),
    ('arm.xacro', 'name="hei|ght"', 'lambda', "'lambda' cannot be the name of a property"),
    ('arm.xacro', 'name="hei|ght"', 'quarter', "The name 'quarter' exists"),
    ('arm.xacro', 'name="ha|lf"', 'parent', "The name 'parent' exists"),
    ('arm.xacro', 'p|i/2', 'half_circle', "Property 'pi' is not defined in these files"),
    ('arm.xacro', 'type="fi|xed"', 'x', 'Only the names of links, joints, materials, macros, ')])
def test_what_cannot_be_renamed(workspace, name, marker, new, why):
    with pytest.raises(RequestError, match=why):
        workspace.ask('rename', name, marker, newName=new)


def test_a_name_that_expressions_make_something_else_of(workspace):
    text = (f'{HEAD} name="r"><xacro:macro name="m" params="of"><joint name="${{of}}_joint" '
            'type="fixed"><parent link="${of}"/></joint></xacro:macro><link name="a"/>'
            '<xacro:m of="a"/><link name="b"/><link name="${p}b"/></robot>')
    uri = workspace.client.open(workspace.folder / 'made.urdf.xacro', text)
    for marker, why in (('link name="|a"', "'a' is handed to an expression that makes something"),
                        ('link name="|b"', "The name 'b' is also made by .*; change what")):
        with pytest.raises(RequestError, match=why):
            workspace.client.at('rename', uri, text, marker, newName='x')
    workspace.client.shut(uri)


def test_a_link_of_srdf_leads_to_the_description(workspace):
    uri = workspace.client.open(workspace.folder / 'robot.srdf', SEMANTIC)
    found = workspace.client.at('definition', uri, SEMANTIC, 'link1="ba|se"')
    workspace.client.shut(uri)
    assert workspace.shown(found) == [('robot.urdf.xacro', 'base"/>')]


WHOLE = {'start': {'line': 0, 'character': 0}, 'end': {'line': 99, 'character': 0}}


def values(workspace) -> str:
    """Return what hover says about the value of an expression."""
    return workspace.ask('hover', 'arm.xacro', 'size="0.1 ${ha|lf}')['contents']['value']


def test_without_trust_nothing_is_evaluated(workspace):
    assert 'Expands to' not in values(workspace)


def test_values_after_the_expansion(trusting):
    trusting.client.diagnostics(trusting.uri('arm.xacro'), lambda found: any(
        'left_arm' in each['message'] for each in found))
    assert values(trusting).endswith(
        'Expands to\n- `0.1 0.15 0.5` for left_arm\n- `0.1 0.05 0.5` for right_arm')


def actions(workspace, uri: str, kinds=None):
    context = {'diagnostics': []} if kinds is None else {'diagnostics': [], 'only': kinds}
    return workspace.client.request('textDocument/codeAction', {
        'textDocument': {'uri': uri}, 'range': WHOLE, 'context': context})


@pytest.mark.parametrize('wrong, right, title', [
    ('<child link="bb_arn"/>', '<child link="bb_arm"/>', "Change 'bb_arn' to 'bb_arm'"),
    ('<mimic joint="jonit_1"/>', '<mimic joint="joint_1"/>', "Change 'jonit_1' to 'joint_1'"),
    ('<orign xyz="0 0 0"></orign>', '<origin xyz="0 0 0"></origin>', "Change 'orign' to 'origin'"),
    ('<dynamics dampin="1"/>', '<dynamics damping="1"/>', "Change 'dampin' to 'damping'")])
def test_what_was_probably_meant_is_a_quick_fix(workspace, wrong, right, title):
    text = ('<robot name="r"><link name="aa"/><link name="bb_arm"/><link name="cc"/>'
            '<joint name="joint_1" type="continuous"><parent link="aa"/><child link="cc"/></joint>'
            '<joint name="joint_2" type="continuous"><parent link="aa"/>'
            f'{wrong}</joint></robot>')
    if '<child' not in wrong:
        text = text.replace(wrong, f'<child link="bb_arm"/>{wrong}')
    uri = workspace.client.open(workspace.folder / f'meant {title}.urdf', text)
    workspace.client.diagnostics(uri)
    found = {each['title']: each for each in actions(workspace, uri, ['quickfix'])}
    assert title in found, found.keys()
    assert applied(text, found[title]['edit']['changes'][uri]) == text.replace(wrong, right)
    assert not any(each.startswith('Ignore') for each in found)
    ignored = [each for each in actions(workspace, uri) if each['title'].startswith('Ignore')]
    assert ignored and {each['kind'] for each in ignored} == {'refactor.rewrite'}
    workspace.client.shut(uri)


def test_a_fix_says_what_it_removes(workspace):
    text = ('<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="fixed">'
            '<parent link="a"/><child link="b"/><axis xyz="0 0 0"/></joint></robot>')
    uri = workspace.client.open(workspace.folder / 'fixed.urdf', text)
    workspace.client.diagnostics(uri)
    assert "Fix: Remove <axis> of joint 'j'" in [
        each['title'] for each in actions(workspace, uri, ['quickfix'])]
    workspace.client.shut(uri)


def test_each_macro_is_offered_once(workspace):
    text = ROBOT.replace('</robot>', '<xacro:macro name="arm" params="x"/><</robot>')
    uri = workspace.uri('robot.urdf.xacro')
    workspace.client.change(uri, text)
    items = workspace.client.at('completion', uri, text, '/><|</robot>')['items']
    assert [item['label'] for item in items].count('xacro:arm') == 1
    workspace.client.change(uri, ROBOT)


@pytest.mark.parametrize('text', [
    '<xacro:property name="a" value="${a}"/>', '<xacro:property name="b" value="${c}"/>'
    '<xacro:property name="c" value="${b}"/>', '<a b="${1e308*1e308}${nan}${9**9**9**9}"/>',
    '<a b="${' + '(' * 150 + '"/>', '<a b="${' + '-' * 150 + '1}"/>', '${a' * 3000, '$(arg',
    '<xacro:macro name="m" params="' + 'p:=${q} ' * 300 + '"/>', '<a b="${&quot;' * 2000,
    ''.join(f'<xacro:macro name="m{n}"><xacro:m{n + 1} x="${{y}}"/>' for n in range(100)),
    '<!-- ${x} <xacro:m/>', '<xacro:include ns="n" filename=""/><a b="${n.x + n.n.x}"/>'])
def test_hostile_text_gets_answers(workspace, text):
    text = f'{HEAD}>{text}</robot>'
    uri = workspace.client.open(workspace.folder / f'hostile {hash(text)}.xacro', text)
    document = {'textDocument': {'uri': uri}}
    for at in (len(HEAD) + 10, len(text) // 2, len(text) - 12):
        place = {**document, 'position': {'line': 0, 'character': at}}
        for method in ('hover', 'definition', 'completion'):
            workspace.client.request(f'textDocument/{method}', place)
        workspace.client.request('textDocument/references', {
            **place, 'context': {'includeDeclaration': True}})
        try:
            workspace.client.request('textDocument/rename', {**place, 'newName': 'other'})
        except RequestError as error:
            assert 'Traceback' not in str(error) and str(error)
    workspace.client.shut(uri)
