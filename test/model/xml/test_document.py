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

"""XML trees with source locations, from text in any encoding."""

import codecs
import copy
import os
import pickle
import signal

import pytest

from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.errors import ErrorKind
from urdf_tools.model.xml.document import read_document
from urdf_tools.model.xml.document import read_file
from urdf_tools.model.xml.element import MAX_NAME
from urdf_tools.model.xml.xml_parser import MAX_DEPTH

ROBOT = """<?xml version="1.0"?>
<robot name="r">
  <!-- a comment -->
  <link name="a"/><link name="b">
    <visual/>
    <visual name="v"/>
  </link>
  <joint name="j">text<limit/>tail</joint>
  <joint name="j"/>
  <link/>
</robot>
"""


@pytest.fixture(scope='module')
def robot():
    return read_document(ROBOT).root


def test_source_locations(robot):
    second = robot[1]
    assert (second.line, second.column, second.start) == (4, 19, ROBOT.index('<link name="b">'))
    assert second.parent is robot
    assert robot.parent is None
    assert (robot.line, robot.column) == (2, 1)


def test_text(robot):
    joint = robot[2]
    assert joint.text == 'text'
    assert joint[0].tail == 'tail'
    assert robot.text.isspace()


def test_comments():
    document = read_document(ROBOT)
    [comment] = document.comments
    assert (comment.text, comment.line, comment.column) == (' a comment ', 3, 3)
    assert comment.parent is document.root


@pytest.mark.parametrize('indices, path', [
    ((), '/robot'),
    ((0,), "/robot/link[@name='a']"),
    ((1, 0), "/robot/link[@name='b']/visual[1]"),
    ((1, 1), "/robot/link[@name='b']/visual[@name='v']"),
    ((2,), '/robot/joint[1]'),
    ((2, 0), '/robot/joint[1]/limit'),
    ((4,), '/robot/link[3]')])
def test_paths(robot, indices, path):
    element = robot
    for index in indices:
        element = element[index]
    assert element.path == path


def test_paths_of_unusual_names():
    root = read_document(f'<robot><link name="o\'k"/><link name="{"n" * 256}"/></robot>').root
    assert root[0].path == '/robot/link[@name="o\'k"]'
    assert root[1].path == '/robot/link[2]'


@pytest.mark.slow
def test_paths_of_many_elements_take_linear_time():
    root = read_document('<robot>' + '<link/>' * 100_000 + '</robot>').root
    assert root[99_999].path == '/robot/link[100000]'
    assert len({element.path for element in root}) == 100_000


@pytest.mark.parametrize('data', [
    '\ufeff<robot name="é"/>',
    '<?xml version="1.0" encoding="UTF-16"?><robot name="é"/>',
    '<?xml version="1.0" encoding="iso-8859-1"?><robot name="é"/>',
    codecs.BOM_UTF8 + '<robot name="é"/>'.encode(),
    '<robot name="é"/>'.encode('utf-16'),
    '<?xml version="1.0" encoding="utf-16"?><robot name="é"/>'.encode('utf-16'),
    '<?xml version="1.0" encoding="iso-8859-1"?><robot name="é"/>'.encode('latin-1'),
    '<?xml version="1.0" encoding="windows-1252"?><robot name="é"/>'.encode('cp1252'),
    bytearray('<robot name="é"/>'.encode())])
def test_encodings(data):
    document = read_document(data)
    assert document.root.get('name') == 'é'
    assert document.malformed is None


@pytest.mark.parametrize('data, line', [
    ('<robot name="r"><!-- a -- b --><link name="a"/></robot>', 1),
    ('<robot name="r">\n<!--- a ---><link name="a"/></robot>', 2),
    ('<?xml ?>\n<robot name="r"><link name="a"/></robot>', 1),
    ('\n <?xml version="1.0"?><robot name="r"><link name="a"/></robot>', 2),
    ('<robot name="r"><!-- é --><link name="a"/></robot>'.encode('latin-1'), 1),
    ('<?xml version="1.0" encoding="gb2312"?><robot name="r"><!-- 臂 --><link name="a"/></robot>'
     .encode('gb2312'), 1),
    ('<?xml version="1.0" encoding="nonsense"?><robot name="r"><link name="a"/></robot>', 1)])
def test_malformed_text_that_urdfdom_reads_is_repaired(data, line):
    data = data.encode() if isinstance(data, str) else data
    document = read_document(data)
    link = document.root[0]
    assert link.get('name') == 'a'
    assert document.data[link.start:].startswith(b'<link name="a"/>')
    assert document.data == data
    assert document.malformed.line == line
    assert document.malformed.kind is ErrorKind.REPAIRED


def test_repair_keeps_well_formed_comments():
    document = read_document('<robot><!-- a-b --><!-- c--d --></robot>')
    assert [comment.text for comment in document.comments] == [' a-b ', ' c__d ']


@pytest.mark.parametrize('data, message, line, column', [
    ('', 'The description is empty', None, None),
    (' \n', 'The description is empty', None, None),
    ('<robot>\n<link></robot>',
     'The description is not well-formed XML: mismatched tag', 2, 1),
    ('<robot>', 'The description is not well-formed XML: no element found', 1, 8),
    ('<?xml ?><robot>\n<!-- -- -->\n</robt>',
     'The description is not well-formed XML: mismatched tag', 3, 3),
    ('<robot a="1" a="2"/>',
     'The description is not well-formed XML: duplicate attribute', 1, 14),
    ('<robot>\0</robot>',
     'The description is not well-formed XML: not well-formed (invalid token)', 1, 8),
    ('<robot/><robot/>',
     'The description is not well-formed XML: junk after document element', 1, 9)])
def test_malformed(data, message, line, column):
    with pytest.raises(DescriptionError) as raised:
        read_document(data, 'here')
    error = raised.value
    assert (error.message, error.line, error.column) == (message, line, column)
    assert error.source == 'here'
    assert error.kind is ErrorKind.MALFORMED


@pytest.mark.parametrize('data, hint', [
    ('<robot>\n<link></robot>', 'Write </link> before </robot> on line 2'),
    ('<robot>\n<link>\n</lnk></robot>', 'Write </link>, which closes the one on line 2'),
    ('<robot>\n<link>', '<link> on line 2 is never closed'),
    ('<robot>\n<link name="a>b"/>\n<visual/>\n</link></robot>',
     'Remove the / of />, which ends <link> before its content, or the </link> on line 4'),
    ('<robot>\n<link name="a />\n<link name="b"/></robot>',
     'A quote or ">" is missing before this, or "<" must be written as &lt;'),
    *((text, 'This is the path of a file, not its content: name that file, in Python with load(); '
             'git writes it for a symbolic link that it cannot make')
      for text in ('robot.urdf', '../urdf/robot.urdf.xacro\n', '$(find arm)/urdf/arm.urdf\n'))])
def test_hints(data, hint):
    with pytest.raises(DescriptionError) as raised:
        read_document(data)
    assert raised.value.hint == hint


@pytest.mark.parametrize('doctype', [
    '<!DOCTYPE robot [<!ENTITY a "b">]>',
    '<!DOCTYPE robot [<!ENTITY % a SYSTEM "file:///etc/passwd">]>',
    '<!DOCTYPE robot [<!ATTLIST robot name CDATA "r">]>'])
def test_declarations_are_errors(doctype):
    with pytest.raises(DescriptionError, match='declares XML entities') as raised:
        read_document(doctype + '<robot name="r"/>')
    assert raised.value.kind is ErrorKind.ENTITY
    assert raised.value.line == 1


def test_entity_defined_elsewhere_is_an_error():
    with pytest.raises(DescriptionError, match="XML entity 'a', which it does not define"):
        read_document('<!DOCTYPE robot SYSTEM "other.dtd"><robot>&a;</robot>')


def test_doctype_without_declarations_is_read():
    assert read_document('<!DOCTYPE robot><robot/>').root.tag == 'robot'


def test_long_element_name_is_an_error():
    read_document(f'<{"n" * MAX_NAME}/>')
    with pytest.raises(DescriptionError, match='name of an element'):
        read_document(f'<{"n" * (MAX_NAME + 1)}/>')


def test_text_of_an_error():
    error = DescriptionError(
        'Bad', element='/robot', line=2, column=3, hint='Fix it', source='a.urdf')
    assert str(error) == 'a.urdf:2:3: Bad (/robot). Fix it'
    assert str(DescriptionError('Bad')) == 'Bad'


def test_unreadable_file(tmp_path):
    for path in (tmp_path / 'missing', tmp_path, str(tmp_path / 'n\0l'), 'x' * 10_000):
        with pytest.raises(DescriptionError, match='Cannot read') as raised:
            read_file(path)
        assert raised.value.kind is ErrorKind.UNREADABLE
        assert len(str(raised.value)) < 300


@pytest.mark.parametrize('data', [5, None, object()])
def test_wrong_type_is_a_type_error(data):
    with pytest.raises(TypeError):
        read_document(data)


@pytest.mark.parametrize('copied', [
    copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))])
def test_copies(copied):
    document = read_document(ROBOT, 'here')
    twin, child = copied((document, document.root[1][0]))
    assert twin.root is not document.root
    assert child is twin.root[1][0]
    assert twin.comments[0].parent is twin.root
    assert (twin.data, twin.source) == (document.data, 'here')
    for old, new in zip(document.root.iter(), twin.root.iter(), strict=True):
        assert type(new) is type(old)
        for name in ('tag', 'attrib', 'text', 'tail', 'path', 'line', 'column', 'start'):
            assert getattr(new, name) == getattr(old, name)


@pytest.mark.parametrize('copied', [
    copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))])
def test_deepest_tree_can_be_copied(copied):
    document = read_document('<a>' * MAX_DEPTH + '</a>' * MAX_DEPTH)
    deepest = [*document.root.iter()][-1]
    assert copied(deepest).path == '/a' * MAX_DEPTH


def test_error_can_be_pickled():
    error = pickle.loads(pickle.dumps(DescriptionError('Bad', ErrorKind.ENTITY, line=2)))
    assert (str(error), error.kind) == ('2: Bad', ErrorKind.ENTITY)


def test_a_pipe_that_takes_the_place_of_a_file_is_not_waited_for(tmp_path, monkeypatch):
    regular = os.stat(__file__)
    os.mkfifo(tmp_path / 'r.urdf')
    monkeypatch.setattr(os, 'stat', lambda *_arguments, **_options: regular)
    handler = signal.signal(signal.SIGALRM, lambda *_: pytest.fail('it waits'))
    signal.alarm(5)
    try:
        with pytest.raises(DescriptionError, match='It is a named pipe'):
            read_file(tmp_path / 'r.urdf')
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, handler)
