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

"""The tree of tags that is built from any text, half-typed XML included."""

from hypothesis import given
from hypothesis import strategies as st
import pytest

from urdf_tools.model.xml.document import read_document
from urdf_tools.model.xml.syntax_tree import SyntaxTree


def shape(text: str) -> list[tuple[str, str | None]]:
    """Return the name of each element, and of the one around it."""
    return [(node.tag, None if node.parent is None else node.parent.tag)
            for node in SyntaxTree(text).nodes]


def test_a_well_formed_text_gives_the_tree_of_the_parser():
    text = ('<?xml version="1.0"?>\n<!-- <hidden/> -->\n<robot name=\'a>b\'>\n'
            '  <link name = "x"\n   />\n  <![CDATA[<no/>]]><joint a="1" b=\'"\'><parent/></joint>'
            'é<last></last></robot>')
    nodes = SyntaxTree(text).nodes
    elements = list(read_document(text).root.iter())
    assert [node.tag for node in nodes] == [element.tag for element in elements]
    for node, element in zip(nodes, elements):
        assert {attribute.name: attribute.value for attribute in node.attributes} == element.attrib
        assert len(text[:node.start].encode()) == element.start
        assert (None if node.parent is None else node.parent.tag) == (
            None if element.parent is None else element.parent.tag)
        assert text[node.end - 1] == '>'


@pytest.mark.parametrize('text, expected', [
    ('<robot><li\n<joint/></robot>', [('robot', None), ('li', 'robot'), ('joint', 'robot')]),
    ('<robot><\n<joint/></robot>', [('robot', None), ('', 'robot'), ('joint', 'robot')]),
    ('<robot><parent link="\n<child/></robot>',
     [('robot', None), ('parent', 'robot'), ('child', 'robot')]),
    ('<robot><parent link="a/>\n<child/></robot>',
     [('robot', None), ('parent', 'robot'), ('child', 'robot')]),
    ('<robot><link></joint><a/></robot>', [('robot', None), ('link', 'robot'), ('a', 'link')]),
    ('<robot><a', [('robot', None), ('a', 'robot')]),
    ('<robot><!-- <a/>', [('robot', None)]),
])
def test_half_typed_text(text, expected):
    assert shape(text) == expected


def test_the_element_and_the_tag_at_an_offset():
    text = '<a><b x="1"/> text <c></c></a>'
    tree = SyntaxTree(text)
    assert tree.node_at(text.index('text')).tag == 'a'
    assert tree.node_at(text.index('</c>')).tag == 'c'
    assert tree.tag_at(text.index('x=')).tag == 'b'
    assert tree.tag_at(text.index('text')) is None
    assert tree.node_at(len(text)) is None


@given(st.text('<>/="\' ab\n!-?[]', max_size=60))
def test_any_text_gives_a_tree(text):
    tree = SyntaxTree(text)
    for node in tree.nodes:
        assert 0 <= node.start < node.tag_end <= node.end <= len(text)
        assert node.parent is None or node.parent.start < node.start
        for attribute in node.attributes:
            assert text[attribute.start:attribute.name_end] == attribute.name
            if attribute.value_start >= 0:
                assert text[attribute.value_start:attribute.value_end] == attribute.value
    for offset in range(len(text) + 1):
        tree.node_at(offset)
        tree.tag_at(offset)
        tree.is_hidden(offset)
