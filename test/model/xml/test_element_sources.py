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

"""Source locations of the elements of expanded xacro files."""

import threading

import pytest

from urdf_tools.formats.description_files import load
from urdf_tools.formats.description_files import open_document
from urdf_tools.model.errors import DescriptionError
from urdf_tools.xacro.expansion import expand_document
from urdf_tools.xacro.job import XacroTracker
import xacro

HEAD = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">\n'


@pytest.fixture
def source(tmp_path, monkeypatch):
    """Return a function that writes xacro files and returns the sources of the first one."""
    def write(**contents):
        for name, content in contents.items():
            text = content if content.startswith('<robot') else f'{HEAD}{content}\n</robot>\n'
            (tmp_path / f'{name}.xacro').write_text(text)
        document = open_document(f'{next(iter(contents))}.xacro')
        found = {}
        for element in document.root.iter():
            origin = element.origin
            found.setdefault(element.get('name', element.tag), []).append((
                str(origin.location), [str(call) for call in origin.calls],
                [str(include) for include in origin.includes]))
        return found
    monkeypatch.chdir(tmp_path)
    return write


def test_macros_in_included_files(source):
    found = source(
        robot='<xacro:include filename="parts.xacro"/>\n<xacro:pair name="w"/>',
        parts='<xacro:macro name="one" params="name">\n<link name="${name}"/>\n</xacro:macro>\n'
              '<xacro:macro name="pair" params="name">\n<xacro:one name="${name}_l"/>\n'
              '<xacro:one name="${name}_r"/></xacro:macro>')
    assert found['r'] == [('robot.xacro:1', [], [])]
    assert found['w_l'] == [
        ('parts.xacro:3', ['parts.xacro:6', 'robot.xacro:3'], ['robot.xacro:2'])]
    assert found['w_r'] == [
        ('parts.xacro:3', ['parts.xacro:7', 'robot.xacro:3'], ['robot.xacro:2'])]


def test_blocks_keep_their_own_source(source):
    found = source(robot="""
<xacro:macro name="inner" params="*block **more">
  <joint name="j"><xacro:insert_block name="block"/><xacro:insert_block name="more"/></joint>
</xacro:macro>
<xacro:macro name="outer" params="*block">
  <xacro:inner>
    <xacro:insert_block name="block"/>
    <more><axis/></more>
  </xacro:inner>
</xacro:macro>
<xacro:property name="stored"><limit/></xacro:property>
<xacro:outer>
  <origin/>
</xacro:outer>
<link name="l"><xacro:insert_block name="stored"/></link>""")
    assert found['j'] == [('robot.xacro:4', ['robot.xacro:7', 'robot.xacro:13'], [])]
    assert found['origin'] == [('robot.xacro:14', [], [])]
    assert found['axis'] == [('robot.xacro:9', ['robot.xacro:13'], [])]
    assert found['limit'] == [('robot.xacro:12', [], [])]


def test_calls_with_a_computed_name_and_calls_inside_blocks(source):
    found = source(robot="""
<xacro:macro name="leaf" params="name"><link name="${name}"/></xacro:macro>
<xacro:macro name="around" params="**content">
  <xacro:insert_block name="content"/></xacro:macro>
<xacro:call macro="${'le' + 'af'}" name="a"/>
<xacro:around><content>
  <xacro:leaf name="b"/></content></xacro:around>""")
    assert found['a'] == [('robot.xacro:3', ['robot.xacro:6'], [])]
    assert found['b'] == [('robot.xacro:3', ['robot.xacro:8'], [])]


def test_loops_by_recursion(source):
    found = source(robot="""
<xacro:macro name="chain" params="n">
  <link name="l${n}"/>
  <xacro:if value="${n > 0}">
    <xacro:chain n="${n - 1}"/>
  </xacro:if>
</xacro:macro>
<xacro:chain n="2"/>""")
    assert [found[f'l{n}'][0][1] for n in (2, 1, 0)] == [
        ['robot.xacro:9'], ['robot.xacro:6', 'robot.xacro:9'],
        ['robot.xacro:6', 'robot.xacro:6', 'robot.xacro:9']]


def test_an_include_inside_a_macro_has_its_calls(source):
    found = source(
        robot='<xacro:macro name="arm" params="p">\n<xacro:include filename="part.xacro"/>\n'
              '</xacro:macro>\n<xacro:arm p="x"/>\n<xacro:arm p="y"/>',
        part='<link name="${p}"/>')
    assert found['x'] == [('part.xacro:2', ['robot.xacro:5'], ['robot.xacro:3'])]
    assert found['y'] == [('part.xacro:2', ['robot.xacro:6'], ['robot.xacro:3'])]


def test_attributes(tmp_path):
    (tmp_path / 'sizes.yaml').write_text('wheel: {radius: 0.1}\n')
    path = tmp_path / 'robot.xacro'
    path.write_text(f"""{HEAD}
<xacro:property name="sizes" value="${{xacro.load_yaml('{tmp_path}/sizes.yaml')}}"/>
<xacro:element xacro:name="li${{'nk'}}" name="a">
  <xacro:attribute name="type" value="${{1 + 1}}m"/>
  <sphere
     note='literal'
     radius="${{sizes['wheel']['radius']}}"/>
  <xacro:if value="1"><box size="$${{x}}"/></xacro:if>
</xacro:element>
</robot>""")
    document = open_document(path)
    link, = document.root
    sources = {child.tag: child.origin for child in link}
    name = link.origin.attribute('name')
    assert (name.raw, name.location[1:], name.length, name.is_literal) == ('a', (4, 39), 8, True)
    made = link.origin.attribute('type')
    assert (made.raw, made.location[1:]) == ('${1 + 1}m', (5, 32))
    radius = sources['sphere'].attribute('radius')
    assert (radius.raw, radius.location[1:], radius.is_expression) == (
        "${sizes['wheel']['radius']}", (8, 6), True)
    assert sources['sphere'].attribute('note').is_literal
    assert sources['sphere'].attribute('gone') is None
    assert sources['box'].attribute('size').raw == '$${x}'
    assert sources['sphere'].location[1:] == (6, 3)
    assert [tag.line for tag in document.xacro.properties['sizes']] == [3]


def test_the_expansion_is_the_one_of_xacro_and_leaves_it_as_it_was(tmp_path, capfd):
    path = tmp_path / 'robot.xacro'
    path.write_text(f"""<?xml version="1.0"?>
<!DOCTYPE robot>
<!-- ü above -->
{HEAD}<xacro:macro name="m" params="a:=^|1 *b"><!-- in --><x a="${{a}}&lt;">t ${{a}} ü</x>
<xacro:insert_block name="b"/></xacro:macro>
<xacro:m><y/></xacro:m><![CDATA[<z>]]></robot>""")
    before = dict(vars(xacro))
    text = expand_document(str(path), {}).data.decode()
    assert {name for name in before if vars(xacro)[name] is not before[name]} <= {
        'filestack', 'macrostack'}
    assert text == xacro.process_file(str(path), mappings={}).toprettyxml(indent='  ')


def test_threads(tmp_path):
    paths = []
    for number in range(8):
        path = tmp_path / f'robot{number}.xacro'
        path.write_text(f'{HEAD}<xacro:macro name="m" params="n"><link name="${{n}}"/>'
                        + '</xacro:macro>' + '\n' * number + '<xacro:m n="a"/></robot>')
        paths.append(path)
    lines = {}

    def expand(path):
        document = open_document(path)
        lines[path] = document.root[0].origin.calls[0].line
    threads = [threading.Thread(target=expand, args=[path]) for path in paths * 4]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [lines[path] for path in paths] == [2 + number for number in range(8)]


@pytest.fixture
def error(tmp_path, monkeypatch):
    """Return a function that writes xacro files and returns the error of the first one."""
    def write(**contents):
        for name, content in contents.items():
            (tmp_path / f'{name}.xacro').write_text(f'{HEAD}{content}\n</robot>\n')
        with pytest.raises(DescriptionError) as raised:
            load(f'{next(iter(contents))}.xacro')
        error = raised.value
        return f'{error.source}:{error.line}:{error.column}', error.hint, error.message
    monkeypatch.chdir(tmp_path)
    return write


@pytest.mark.parametrize('content, where, message', [
    ('<link\n  name="a"\n  value="1 ${1/0}"/>', '4:3', 'division by zero'),
    ('\n <xacro:include filename="gone.xacro"/>', '3:2',
     "cannot expand the file: No such file or directory: '"),
    ('<xacro:if value="no"/>', '2:1', 'not a boolean'),
    (' <xacro:m/>', '2:2', 'unknown macro name: xacro:m'),
    ('<link name="a">', '2:1', 'mismatched tag'),
    ('<link>\n${p}</link>', '2:1', "'p' is not defined"),
    ('<xacro:macro name="m" params="a"/>\n<xacro:m b="1"/>', '3:10', 'Invalid parameter "b"'),
    ('<link\nname="$(arg a)"/>', '3:1', 'Undefined substitution argument'),
    ('<xacro:insert_block name="b"/>', '2:1', 'Undefined block'),
    ('<link>\n<xacro:attribute name="n" value="${1}"/></link>', '2:1', 'int'),
    ('<xacro:property name="a" value="${a}"/><link name="${a}"/>', '2:46', 'circular variable')])
def test_errors_of_xacro(error, content, where, message):
    place, hint, text = error(robot=content)
    assert place == f'robot.xacro:{where}'
    assert message in text
    hints = {
        'No such file': 'Write a path that begins at the folder of this file, or at a package as '
                        '$(find PACKAGE)/PATH',
        'argument': 'Give a:=VALUE, or values in urdf-tools.toml, or defaults with '
                    '<xacro:arg>',
        'macro name': 'Include the file that defines it',
        'Invalid': 'The macro at robot.xacro:2 has a',
        'mismatched': 'Write </link> before </robot> on line 3',
        'circular': 'a is ${a} at robot.xacro:2'}
    assert hint == next((hints[word] for word in hints if word in message), '')


def test_a_prefix_that_is_not_declared(error):
    assert error(robot='<a:b c="1"/>')[1] == (
        'Write xmlns:a="http://example.org/a" in the outermost element')
    assert error(robot='<link name="a" drake:b="1"/>')[1] == (
        'Write xmlns:drake="http://drake.mit.edu" in the outermost element')


def test_a_name_that_is_misspelled(error):
    macro = '<xacro:macro name="leg" params="length"><link name="${lenght}"/></xacro:macro>'
    assert error(robot=macro + '<xacro:leg length="1"/>')[1].endswith("Did you mean 'length'?")
    assert error(robot=macro + '<xacro:lag length="1"/>')[1] == "Did you mean 'xacro:leg'?"
    assert error(robot='<xacro:property name="width" value="1"/><link name="${widht}"/>')[1] == (
        "Did you mean 'width'?")
    assert error(robot='<link name="${widht}"/>')[1] == ''


def test_a_package_that_is_not_found(error, tmp_path):
    (tmp_path / 'LICENSE').touch()
    (tmp_path / 'other').mkdir()
    (tmp_path / 'other/package.xml').write_text('<package><name>arm_description</name></package>')
    assert 'mean' not in error(robot='<link name="$(find arms)/descriptor"/>')[1]
    place, hint, text = error(robot='<link name="$(find arm_descriptio)"/>')
    assert (place, hint) == ('robot.xacro:2:7', (
        "Did you mean 'arm_description'? Otherwise source the workspace that has it, or give its "
        'folder with --package NAME=FOLDER or ROS_PACKAGE_PATH'))
    assert text == ("xacro cannot expand the file: package 'arm_descriptio' is neither installed "
                    'nor in the sources around the file')


def test_parameters_of_a_macro(error):
    macro = '<xacro:macro name="leg" params="length width:=1 *block"/>\n'
    assert error(robot=macro + '<xacro:leg\n  lenght="1"/>')[:2] == (
        'robot.xacro:4:3',
        "Did you mean 'length'? The macro at robot.xacro:2 has length, width, block")
    assert error(robot=macro + '<xacro:leg\n  width="${1}"><b/></xacro:leg>')[:2] == (
        'robot.xacro:3:1', 'Give length in the call, or a default in the macro at robot.xacro:2')


def test_what_defaults_contain_are_no_parameters(error):
    macro = """<xacro:macro name="leg" params="length:='1 a b' *block"/>\n"""
    assert error(robot=macro + '<xacro:leg c="1"/>')[1] == (
        'The macro at robot.xacro:2 has length, block')


def test_a_file_that_has_another_name_or_place(error, tmp_path):
    (tmp_path / 'package.xml').write_text('<package><name>arm</name></package>')
    (tmp_path / 'Arm.trans').touch()
    assert error(robot='<xacro:include filename="arm.trans"/>')[1] == (
        "Did you mean 'Arm.trans', which is in that folder?")
    assert error(robot='<xacro:include filename="$(find arm)/urdf/leg.xacro"/>')[1].startswith(
        'Correct the path')


def test_a_file_that_its_package_installs_elsewhere(error, tmp_path):
    (tmp_path / 'package.xml').write_text('<package><name>arm</name></package>')
    (tmp_path / 'description/urdf').mkdir(parents=True)
    (tmp_path / 'description/urdf/wheel.xacro').write_text(
        '<robot xmlns:xacro="http://www.ros.org/wiki/xacro">\n<link name="${x}"/></robot>')
    include = '<xacro:include filename="$(find arm)/urdf/wheel.xacro"/>'
    for rule in ('DIRECTORY description/urdf DESTINATION share/arm',
                 'DIRECTORY description/ DESTINATION share/arm'):
        (tmp_path / 'CMakeLists.txt').write_text(f'install({rule})\n')
        place, _, text = error(robot=include)
        assert (place, "'x' is not defined" in text) == ('description/urdf/wheel.xacro:2:7', True)
    (tmp_path / 'CMakeLists.txt').write_text('install(DIRECTORY description DESTINATION share)\n'
                                             '# install(DIRECTORY description/urdf)\n')
    assert error(robot=include)[1].startswith('Correct the path')


def test_errors_in_macros_and_included_files(error):
    parts = '<xacro:macro name="m" params="x"><link name="${y}"/>\n</xacro:macro>'
    assert error(robot='<xacro:include filename="parts.xacro"/>\n<xacro:m x="1"/>',
                 parts=parts)[:2] == (
        'parts.xacro:2:40', 'Called at robot.xacro:3, included at robot.xacro:2')
    include = '\n<xacro:include filename="broken.xacro"/>'
    assert error(robot=include, broken='<a>\n<b></a>')[:2] == (
        'broken.xacro:3:1', 'Included at robot.xacro:3. Write </b> before </a> on line 3')


def test_the_robot_is_refused_at_its_source(error):
    macro = '<xacro:macro name="m"><link name="a"/></xacro:macro>'
    assert error(robot=f'{macro}\n<xacro:m/><xacro:m/>')[:2] == (
        'robot.xacro:2:23',
        'The first is at robot.xacro:2; rename one of them. Called at robot.xacro:3')


def test_tracking_ends_with_an_exception():
    tracker = XacroTracker(xacro, 'robot.xacro')
    original = xacro.parse
    with pytest.raises(KeyError), tracker.tracking():
        assert xacro.parse is not original
        raise KeyError
    assert xacro.parse is original


def test_the_text_of_a_buffer_counts_instead_of_the_file(tmp_path):
    """An editor shows what its user types, in the file itself and in what it includes."""
    root, part = str(tmp_path / 'robot.xacro'), str(tmp_path / 'part.xacro')
    (tmp_path / 'part.xacro').write_text(f'{HEAD}<link name="saved"/>\n</robot>')
    buffers = {
        root: f'{HEAD}\n<xacro:include filename="part.xacro"/>\n</robot>',
        part: f'{HEAD}\r\n<link name="typed"/>\r\n</robot>'}
    document = expand_document(root, {}, buffers)
    link, = document.root.iterfind('link')
    assert link.get('name') == 'typed'
    assert link.origin.location == (part, 3, 1)
    document = expand_document(root, {}, {root: buffers[root]})
    assert [link.get('name') for link in document.root.iterfind('link')] == ['saved']
