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

"""The features of the language server, in this process."""

import os
import re

from hypothesis import given
from hypothesis import strategies as st
import pytest

types = pytest.importorskip('lsprotocol.types', reason='pygls is not installed')
workspace = pytest.importorskip('pygls.workspace', reason='pygls is not installed')

from support.editor import project_in  # noqa: E402
from support.editor import put  # noqa: E402
from support.rule_cases import EXAMPLES  # noqa: E402

from urdf_tools.check.workspace.settings import Settings  # noqa: E402
from urdf_tools.lsp.check_cycle import CheckCycle  # noqa: E402
from urdf_tools.lsp.check_cycle import Preferences  # noqa: E402
from urdf_tools.lsp.finding_diagnostics import actions  # noqa: E402
from urdf_tools.lsp.finding_diagnostics import diagnostic  # noqa: E402
from urdf_tools.lsp.hover import hover  # noqa: E402
from urdf_tools.lsp.occurrences import definitions_at  # noqa: E402
from urdf_tools.lsp.occurrences import name_at  # noqa: E402
from urdf_tools.lsp.occurrences import renamable_at  # noqa: E402
from urdf_tools.lsp.occurrences import renamed  # noqa: E402
from urdf_tools.lsp.occurrences import RenameError  # noqa: E402
from urdf_tools.lsp.outline import MAX_DEPTH  # noqa: E402
from urdf_tools.lsp.outline import outline  # noqa: E402
from urdf_tools.lsp.project import Project  # noqa: E402
from urdf_tools.lsp.source_text import TextPositions  # noqa: E402
from urdf_tools.lsp.source_text import uri_of  # noqa: E402
from urdf_tools.lsp.suggestions import Suggestions  # noqa: E402

TEXT = """<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">
<xacro:include filename="$(find no_such)/x.xacro"/><xacro:property name="p" value="a"/>
<xacro:macro name="m" params="q r:=1 *b"><link name="${q}"/><xacro:insert_block name="b"/>
<xacro:m q="${r}"/></xacro:macro><xacro:if value="${p == 'a'}"><xacro:m q="a"/></xacro:if>
<link name="a"><visual><geometry><mesh filename="package://x/y.stl"/></geometry></visual></link>
<joint name="j" type="fixed"><parent link="a"/><child link="b"/><limit lower="2" upper="1"/>
</joint><!-- <link/> --></robot>
"""


def joints(*pairs: tuple[str, str]) -> str:
    """Return a robot with joints between links."""
    links = dict.fromkeys(name for pair in pairs for name in pair)
    return '<robot name="r">' + ''.join(
        [f'<link name="{name}"/>' for name in links]
        + [f'<joint name="{parent}_{child}"><parent link="{parent}"/>'
           f'<child link="{child}"/></joint>' for parent, child in pairs]) + '</robot>'


def tree(symbol: types.DocumentSymbol):
    return symbol.name, [tree(child) for child in symbol.children or ()]


def names_below(symbol: types.DocumentSymbol) -> list[str]:
    """Return the names of a symbol and of those below it."""
    return [symbol.name, *(
        name for child in symbol.children or () for name in names_below(child))]


def source_of(text: str, path: str = '/robots/r.urdf'):
    """Return a project and the only buffer in it."""
    project = Project()
    return project, put(project, path, text)


def test_links_in_a_cycle_are_shown_once():
    _, source = source_of(joints(('a', 'b'), ('b', 'c'), ('c', 'a'), ('a', 'a')))
    symbols = outline(source)
    names = [name for symbol in symbols for name in names_below(symbol)]
    assert sorted(names) == ['a', 'a_a', 'a_b', 'b', 'b_c', 'c', 'c_a']


def test_a_long_chain_is_not_nested_without_end():
    _, source = source_of(joints(*((f'l{n}', f'l{n + 1}') for n in range(500))))
    symbols = outline(source)
    depth, level = 0, symbols
    while level:
        depth, level = depth + 1, [child for symbol in level for child in symbol.children or ()]
    assert depth == MAX_DEPTH
    assert sum(len(names_below(symbol)) for symbol in symbols) == 1001


def test_macros_hold_their_links():
    _, source = source_of(TEXT, '/robots/r.xacro')
    assert [tree(symbol) for symbol in outline(source)] == [
        ('$(find no_such)/x.xacro', []), ('p', []), ('m', [('${q}', []), ('<xacro:m>', [])]),
        ('<xacro:m>', []), ('a', [('j', [])])]


def test_only_files_of_the_user_are_renamed_in():
    project, source = source_of(joints(('a', 'b')))
    offset = source.text.index('"a"') + 1
    target = renamable_at(project, source, offset)
    assert len(renamed(project, source, [], target, 'c', project.is_own)) == 2
    with pytest.raises(RenameError, match="'a' is also written in '/robots/r.urdf', which is "):
        renamed(project, source, [], target, 'c', lambda path: False)


def test_names_are_renamed_through_macros_and_properties():
    text = TEXT.replace('value="a"', 'value="a" scope="global"').replace(
        '<child link="b"/>', '<child link="${p}"/>')
    offset = text.index('<link name="a"') + len('<link name="')
    project, source = source_of(text, '/robots/r.xacro')
    with pytest.raises(RenameError, match='handed to an expression that makes something else'):
        renamed(project, source, [], renamable_at(project, source, offset), 'c', project.is_own)
    text = text.replace("${p == 'a'}", '${1 == 1}')
    project, source = source_of(text, '/robots/r.xacro')
    target = renamable_at(
        project, source, text.index('<link name="a"') + len('<link name="'))
    found = renamed(project, source, [], target, 'c', project.is_own)
    assert sorted(text[:place.use.start].rpartition('<')[2] for place in found) == [
        'link name="', 'parent link="', 'xacro:m q="', 'xacro:property name="p" value="']


def test_a_file_that_is_installed_as_a_link_is_the_one_that_is_edited(tmp_path):
    """As after colcon build --symlink-install."""
    head = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
    source, installed = tmp_path / 'src' / 'part.xacro', tmp_path / 'install' / 'part.xacro'
    root = tmp_path / 'src' / 'robot.xacro'
    for path in (source, installed):
        path.parent.mkdir()
    installed.symlink_to(source)
    source.write_text(f'{head}</robot>')
    root.write_text(f'{head}<xacro:include filename="{installed}"/></robot>')
    project = project_in(tmp_path / 'src')
    part = put(project, source, f'{head}\n<xacro:property name="x" value="-1"/>\n'
               '<link name="typed"><inertial><mass value="${x}"/></inertial></link>\n</robot>')
    put(project, root, root.read_text())
    cycle = CheckCycle(project, lambda folder: Settings())
    cycle.preferences = Preferences(trusted=('/',))
    found = {finding.finding.code: finding
             for finding in cycle.run()[str(source)].findings}
    assert part.text[found['mass-negative'].start:][:12] == 'value="${x}"'
    robot, = cycle.robots(part)
    assert list(robot.values(part, part.text.index('<mass'), 'value')) == [('-1', 'typed')]


def test_names_of_the_last_expansion_stay_while_a_file_cannot_be_expanded(tmp_path):
    head = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
    part, root = tmp_path / 'part.xacro', tmp_path / 'root.urdf.xacro'
    part.write_text(f'{head}<xacro:macro name="wheel" params="name"><link name="${{name}}"/>'
                    '</xacro:macro></robot>')
    text = f'{head}<xacro:include filename="part.xacro"/><xacro:wheel name="left"/></robot>'
    project = project_in(tmp_path)
    put(project, part, part.read_text())
    cycle = CheckCycle(project, lambda folder: Settings())
    cycle.preferences = Preferences(trusted=('/',))
    for version, content in enumerate((text, text.replace('</robot>', '<</robot>'))):
        source = put(project, root, content, version)
        cycle.run()
        robot, = cycle.robots(source)
        assert robot.names('link') == ['left']


MACRO = ('<xacro:property name="width" value="1"/><xacro:macro name="leg" params="name size:=2">'
         '<link name="${name}"/><b c="${size}"/></xacro:macro>')


@pytest.mark.parametrize('body, wrong, right, count', [
    ('<b c="$(find my_robto)"/>', 'my_robto', 'my_robot', 1),
    ('<b c="${2 * widht + widht}"/>', 'widht', 'width', 2),
    ('<xacro:lge name="d"></xacro:lge>', 'xacro:lge', 'xacro:leg', 2),
    (MACRO.replace('"leg"', '"foot"').replace('${size}', '${sise}') + '<xacro:foot name="d"/>',
     'sise', 'size', 1)])
def test_what_was_probably_meant_in_xacro_is_a_quick_fix(tmp_path, body, wrong, right, count):
    project = project_in(tmp_path)
    project.packages_of = lambda folder: {'my_robot': str(tmp_path)}
    text = ('<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
            f'<link name="a"/>{MACRO}{body}</robot>')
    source = put(project, tmp_path / 'r.urdf.xacro', text)
    cycle = CheckCycle(project, lambda folder: Settings())
    cycle.preferences = Preferences(trusted=('/',))
    findings = cycle.run()[source.path].findings
    action, = (action for action in actions(project, source, findings, 0, len(text))
               if action.kind == types.CodeActionKind.QuickFix)
    assert action.title == f"Change '{wrong}' to '{right}'"
    places = [match.span() for match in re.finditer(wrong, text)]
    assert len(places) == count
    assert [(edit.range, edit.new_text) for edit in action.edit.changes[uri_of(source.path)]] == [
        (source.positions.range(*place), right) for place in places]


@pytest.mark.slow
def test_whenever_a_rule_asks_what_was_meant_there_is_a_quick_fix(tmp_path):
    asked = 0
    for number, case in enumerate(EXAMPLES.values()):
        project = project_in(tmp_path)
        source = put(project, tmp_path / f'{number}.urdf', case.template.replace('{}', case.bad))
        findings = CheckCycle(project, lambda folder: Settings()).run()[source.path].findings
        for found in findings:
            if 'Did you mean' in str(found.finding.hint):
                asked += 1
                assert any(
                    action.kind == types.CodeActionKind.QuickFix for action in actions(
                        project, source, [found], 0, len(source.text))), found.finding
    assert asked > 9


def test_trust_is_by_folder(tmp_path):
    inside, outside = tmp_path / 'inside', tmp_path / 'inside_not'
    for folder in (inside, outside):
        folder.mkdir()
    preferences, wrong = Preferences().updated({'trusted': [str(inside)]})
    assert not wrong
    assert preferences.trusts(str(inside / 'a.xacro'))
    assert not preferences.trusts(str(outside / 'a.xacro'))
    (inside / 'link.xacro').symlink_to(outside / 'a.xacro')
    assert not preferences.trusts(str(inside / 'link.xacro'))
    assert not preferences.trusts('untitled:a.xacro')
    assert Preferences().updated({'urdf-tools': {'trusted': True}})[0].trusts(os.path.abspath('a'))
    assert not Preferences().updated(None)[0].trusts(os.path.abspath('a'))


@pytest.mark.parametrize('encoding', list(types.PositionEncodingKind))
@given(text=st.text('aé\U0001f916\r\n\u2028\x0b', max_size=20))
def test_positions_and_offsets_are_inverse(encoding, text):
    positions = TextPositions(text, workspace.PositionCodec(encoding))
    for offset in range(len(text) + 1):
        if text[max(offset - 1, 0):offset + 1] != '\r\n':
            assert positions.offset(positions.position(offset)) == offset
    assert positions.offset(types.Position(99, 99)) == len(text)


ALPHABET = 'aé\U0001f916\r\n\u2028\x0c'


@pytest.mark.parametrize('encoding', list(types.PositionEncodingKind))
@given(data=st.data())
def test_a_buffer_changes_where_the_editor_changes_it(encoding, data):
    """Whatever characters its lines have, which pygls also splits at form feeds and the like."""
    codec = {'utf-8': 'utf-8', 'utf-16': 'utf-16-le', 'utf-32': 'utf-32-le'}[encoding]

    def position(text: str, offset: int) -> types.Position:
        before = re.split('\r\n|\r|\n', text[:offset])
        return types.Position(
            len(before) - 1, len(before[-1].encode(codec)) // len('a'.encode(codec)))

    text = data.draw(st.text(ALPHABET, max_size=20))
    project = Project(workspace.Workspace(None, position_encoding=encoding))
    uri = uri_of('/robots/r.urdf')
    put(project, '/robots/r.urdf', text)
    for version in range(2, 5):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, len(text)))
        # There is no position between the two characters of a line end.
        start, end = (offset - (text[max(offset - 1, 0):offset + 1] == '\r\n')
                      for offset in (start, end))
        typed = data.draw(st.text(ALPHABET, max_size=5))
        project.workspace.update_text_document(
            types.VersionedTextDocumentIdentifier(version, uri),
            types.TextDocumentContentChangePartial(
                types.Range(position(text, start), position(text, end)), typed))
        project.update(uri)
        text = text[:start] + typed + text[end:]
        source = project.open['/robots/r.urdf']
        assert (source.text, source.version) == (text, version)


def test_a_position_behind_a_line_is_at_its_end():
    project, source = source_of('<robot>\n</robot>')
    for line, end in ((0, 7), (1, 16), (2, 16)):
        assert source.positions.offset(types.Position(line, 2**31 - 1)) == end
    project.workspace.update_text_document(
        types.VersionedTextDocumentIdentifier(2, uri_of(source.path)),
        types.TextDocumentContentChangePartial(
            types.Range(types.Position(1, 0), types.Position(1, 2**31 - 1)), 'x'))
    project.update(uri_of(source.path))
    assert project.open[source.path].text == '<robot>\nx'


@given(st.data())
def test_any_text_gets_answers_at_any_place(data):
    """Half-typed, cut and disturbed text never fails a request."""
    start = data.draw(st.integers(0, len(TEXT)))
    end = data.draw(st.integers(start, min(start + 20, len(TEXT))))
    typed = data.draw(st.text('<>/="\' ${}()a:*\n', max_size=6))
    text = TEXT[:start] + typed + TEXT[end:data.draw(st.sampled_from((None, end + 30)))]
    for path in ('/robots/r.urdf', '/robots/r.xacro'):
        project, source = source_of(text, path)
        checked = CheckCycle(project, lambda folder: Settings()).run()[path]
        for found in checked.findings:
            diagnostic(project, source, found)
        outline(source)
        for offset in {0, start, start + len(typed), len(text) // 2, len(text)}:
            list(actions(project, source, checked.findings, offset, offset))
            hover(project, source, [], offset)
            definitions_at(project, source, [], offset)
            Suggestions(project, source, []).at(offset)
            try:
                target = renamable_at(project, source, offset)
                renamed(project, source, [], target, 'new', project.is_own)
            except RenameError as error:
                assert str(error)


SHARED = """<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:macro name="wheel" params="name size:=$(arg size) *origin">
    <xacro:include filename="tyre.xacro"/>
    <link name="${name}"/><plugin>${name} ${size}</plugin><xacro:insert_block name="origin"/>
  </xacro:macro>
  <xacro:macro name="axle" params="name">
    <xacro:include filename="tyre.xacro"/>
    <joint name="${name}"/><xacro:wheel name="${name}" size="2"/>
  </xacro:macro>
</robot>"""


@pytest.mark.parametrize('place, text', [
    ('name="${name', '(name size *origin)` in r.urdf.xacro:2'),
    ('<plugin>${na', '(name size *origin)` in r.urdf.xacro:2'),
    ('<joint name="${na', 'parameter of `axle(name)` in r.urdf.xacro:6'),
    ('wheel name="${name}" si', 'parameter of `wheel(name size *origin)` in r.urdf.xacro:2, '
                                'by default `$(arg size)`'),
    ('params="name si', 'by default `$(arg size)`')])
def test_a_parameter_is_that_of_the_macro_around_it(tmp_path, place, text):
    project = project_in(tmp_path)
    source = put(project, tmp_path / 'r.urdf.xacro', SHARED)
    offset = SHARED.index(place) + len(place)
    assert text in hover(project, source, [], offset).contents.value
    definition, = definitions_at(project, source, [], offset)
    assert definition.range.start.line == (5 if 'axle' in text else 1)


def test_an_include_longer_than_a_path_is_not_looked_for(tmp_path):
    project = project_in(tmp_path)
    text = SHARED.replace('tyre.xacro', 'a/' * 3000)
    source = put(project, tmp_path / 'r.urdf.xacro', text)
    assert project.included_path(source, 'a/' * 3000) is None
    assert not [*definitions_at(project, source, [], text.index('a/a/') + 1)]


@pytest.mark.parametrize('place, labels', [
    ('<plugin>${', ['name', 'size', 'origin']), ('insert_block name="', ['origin']),
    ('<plugin>${name} ${', ['name', 'size', 'origin']), ('<plugin>', [])])
def test_names_are_suggested_in_text_and_for_blocks(tmp_path, place, labels):
    project = project_in(tmp_path)
    source = put(project, tmp_path / 'r.urdf.xacro', SHARED)
    found = Suggestions(project, source, []).at(SHARED.index(place) + len(place))
    assert [item.label for item in found.items] == labels


def test_callers_of_a_macro_are_found_where_its_file_is_installed_elsewhere(tmp_path):
    head = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
    folder = tmp_path / 'description/urdf'
    folder.mkdir(parents=True)
    (tmp_path / 'package.xml').write_text('<package><name>arm</name></package>')
    (folder / 'part.xacro').write_text(f'{head}<xacro:macro name="part" params="a"/></robot>')
    (folder / 'arm.urdf.xacro').write_text(
        f'{head}<xacro:include filename="$(find arm)/urdf/part.xacro"/>'
        '<xacro:part a="1"/></robot>')
    project = project_in(tmp_path)
    text = (folder / 'part.xacro').read_text()
    source = put(project, folder / 'part.xacro', text)
    target = name_at(project, source, text.index('"part"') + 2)
    changes = renamed(project, source, [], target, 'piece', lambda path: True)
    assert {change.source.path for change in changes} == {
        str(folder / 'part.xacro'), str(folder / 'arm.urdf.xacro')}


def test_files_that_are_no_robots_of_the_workspace_use_macros_too(tmp_path):
    head = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
    text = f'{head}<xacro:macro name="part" params="a"><link name="${{a}}"/></xacro:macro></robot>'
    names = ('arm.srdf.xacro', 'arm.xml', 'arm.gazebo', 'arm.urdf.xacro.xml', 'arm.urdf')
    for name in names:
        (tmp_path / name).write_text(
            f'{head}<xacro:include filename="part.xacro"/><xacro:part a="1"/></robot>')
    (tmp_path / 'other.xml').write_text('<root part="1"/>')
    project = project_in(tmp_path)
    source = put(project, tmp_path / 'part.xacro', text)
    target = name_at(project, source, text.index('"part"') + 2)
    changes = renamed(project, source, [], target, 'piece', project.is_own)
    assert {os.path.basename(change.source.path) for change in changes} == {'part.xacro', *names}
    assert [os.path.basename(root.path) for root in project.roots(source)] == ['arm.urdf']
    semantic = put(project, tmp_path / 'arm.srdf.xacro', (tmp_path / 'arm.srdf.xacro').read_text())
    assert semantic not in project.roots(source)
