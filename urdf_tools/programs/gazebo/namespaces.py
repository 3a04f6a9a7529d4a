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

"""Names with a prefix in the SDFormat document: which namespaces they are in."""

from __future__ import annotations

from urdf_tools.model.element import Element
from urdf_tools.model.xml_hints import namespace_of
from urdf_tools.programs.gazebo.traced_xml import copied
from urdf_tools.programs.gazebo.traced_xml import Node


def with_namespaces(document: Node) -> Node:
    """
    Return a document whose prefixes are all declared, as XML namespaces require.

    libsdformat, which does not know namespaces, copies ``<ns0:dampingFactor>`` without what the
    ``<robot>`` declares. The tags stay as they are, because plugins look for them; the prefixes
    are declared in ``<sdf>``, as SDFormat has it for elements of its users. One that the source
    does not declare gets the URI that ``xml-unbound-prefix`` proposes. The few names that no
    declaration helps, such as ``a:b:c``, get an underscore for the colon.
    """
    if not any(':' in name for node in document.walk() for name in (node.tag, *node.attrib)):
        return document
    document = copied(document)
    declared: dict[str, str] = {}
    pending = [(document, frozenset(('xml', 'xmlns')))]
    while pending:
        node, known = pending.pop()
        known = _declare(node, known, declared)
        pending.extend((child, known) for child in node)
    document.attrib.update((f'xmlns:{prefix}', uri) for prefix, uri in declared.items())
    return document


def _declare(node: Node, known: frozenset[str], declared: dict[str, str]) -> frozenset[str]:
    """
    Change the names of an element, and declare what is declared neither around it nor for all.

    :param known: the prefixes that the elements around it declare.
    :param declared: the URIs of those that ``<sdf>`` declares, which are added to.
    :return: the prefixes that are declared in it.
    """
    node.tag = _name(node.tag)
    attributes = {_name(name): value for name, value in node.attrib.items()
                  if value or not name.startswith('xmlns:')}
    known |= {name[6:] for name in attributes if name.startswith('xmlns:')}
    node.attrib.clear()
    for name in (node.tag, *attributes):
        prefix, colon, _ = name.partition(':')
        if colon and prefix not in known:
            uri = _uri_in_source(node, prefix)
            if declared.setdefault(prefix, uri) != uri:
                node.attrib[f'xmlns:{prefix}'] = uri
                known |= {prefix}
    node.attrib.update(attributes)
    return known


def _name(name: str) -> str:
    """Return a name with at most one colon, between two names."""
    prefix, _, local = name.partition(':')
    if prefix and local[:1].isidentifier():
        return f'{prefix}:{local.replace(":", "_")}'
    return name.replace(':', '_')


def _uri_in_source(node: Node, prefix: str) -> str:
    """Return the URI of a prefix where an element was copied from."""
    element: Element | None = node.sources[0][0] if node.sources else None
    while element is not None:
        uri = element.get(f'xmlns:{prefix}', '')
        if uri:
            return uri
        element = element.parent
    return namespace_of(prefix)
