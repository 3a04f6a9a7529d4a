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

"""SDF text is well-formed with XML namespaces, whatever prefixes the description has."""

from xml.etree import ElementTree

import pytest
from support.sdf_oracle import NEEDS_ORACLE
from support.sdf_oracle import oracle_document
from support.sdf_oracle import oracle_loads

from urdf_tools.formats.loader import loads
from urdf_tools.programs.gazebo import convert

ROBOT = """<robot name="r"{root}><link name="a"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>{gazebo}</robot>"""


def model_of(gazebo: str, root: str = '') -> ElementTree.Element:
    """Return the model, as a parser reads it that knows namespaces."""
    text = convert(loads(ROBOT.format(gazebo=gazebo, root=root))).text
    return ElementTree.fromstring(text)[0]


@pytest.mark.parametrize('gazebo, root, tag', [
    ('<gazebo><p:a/></gazebo>', '', '{http://example.org/p}a'),
    ('<gazebo><p:a/></gazebo>', ' xmlns:p="uri"', '{uri}a'),
    ('<gazebo xmlns:p="inner"><p:a/></gazebo>', ' xmlns:p="uri"', '{inner}a'),
    ('<gazebo><p:a xmlns:p="own"/></gazebo>', ' xmlns:p="uri"', '{own}a'),
    ('<gazebo><p:a xmlns:p=""/></gazebo>', '', '{http://example.org/p}a'),
    ('<gazebo><p:a xmlns:p="http://www.w3.org/2000/xmlns/"/></gazebo>', ' xmlns:p="uri"',
     '{uri}a'),
    ('<gazebo><xml:a/></gazebo>', ' xmlns:xml="uri"', '{http://www.w3.org/XML/1998/namespace}a'),
    ('<gazebo><a xmlns="uri"/></gazebo>', '', '{uri}a'),
    ('<gazebo><a xmlns="http://www.w3.org/2000/xmlns/"/></gazebo>', '', 'a'),
    ('<gazebo><p:b:c/></gazebo>', ' xmlns:p="uri"', '{uri}b_c'),
    ('<gazebo><:a/></gazebo>', '', '_a'),
    ('<gazebo><p:1/></gazebo>', '', 'p_1'),
    ('<gazebo><xmlns:a/></gazebo>', '', 'xmlns_a')])
def test_an_element_is_in_the_namespace_of_its_source(gazebo, root, tag):
    assert model_of(gazebo, root)[-1].tag == tag


def test_one_prefix_may_be_several_namespaces():
    model = model_of('<gazebo xmlns:p="1"><p:a><p:b/></p:a></gazebo>'
                     '<gazebo xmlns:p="2"><p:a><p:b/></p:a></gazebo><gazebo><p:a/></gazebo>')
    assert [element.tag for copied in model[-3:] for element in copied.iter()] == [
        '{1}a', '{1}b', '{2}a', '{2}b', '{http://example.org/p}a']


def test_prefixes_of_attributes():
    model = model_of(
        '<gazebo><a p:name="1" r:name="3" :b="4" p:c:d="5" xmlns:="6" xml:lang="de"/>'
        '</gazebo>', ' xmlns:p="uri"')
    assert model[-1].attrib == {
        '{uri}name': '1', '{http://example.org/r}name': '3', '_b': '4', '{uri}c_d': '5',
        '{http://www.w3.org/XML/1998/namespace}lang': 'de'}


def test_the_names_are_those_of_libsdformat():
    """Prefixes are declared where SDFormat has those of its users, and nothing else changes."""
    gazebo = '<gazebo reference="a"><ns0:dampingFactor>1</ns0:dampingFactor></gazebo>'
    conversion = convert(loads(ROBOT.format(gazebo=gazebo, root='')))
    assert '\n      <ns0:dampingFactor>1</ns0:dampingFactor>\n' in conversion.text
    assert conversion.text.splitlines()[1] == (
        '<sdf version="1.11" xmlns:ns0="http://example.org/ns0">')
    assert conversion.document.keys() == ['version']


def test_without_prefixes_nothing_is_declared():
    assert 'xmlns' not in convert(loads(ROBOT.format(gazebo='', root=' xmlns:p="uri"'))).text


@NEEDS_ORACLE
def test_libsdformat_reads_what_is_declared(tmp_path):
    gazebo = ('<gazebo reference="a"><ns0:dampingFactor p:b="1">2</ns0:dampingFactor></gazebo>'
              '<gazebo xmlns:p="other"><p:c/></gazebo>')
    path = tmp_path / 'model.sdf'
    path.write_text(convert(loads(ROBOT.format(gazebo=gazebo, root=' xmlns:p="uri"')), '12').text)
    assert oracle_loads(path, tmp_path)
    model = oracle_document(path, tmp_path)[0]
    assert [child.tag for child in model.find('link')][-1] == 'ns0:dampingFactor'
    assert model[-1].tag == 'p:c'
