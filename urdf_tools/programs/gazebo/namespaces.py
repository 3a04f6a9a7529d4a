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

from urdf_tools.model.xml.xml_parser import namespace_of
from urdf_tools.programs.gazebo.traced_xml import copied
from urdf_tools.programs.gazebo.traced_xml import Node

_RESERVED = ('http://www.w3.org/XML/1998/namespace', 'http://www.w3.org/2000/xmlns/')


def with_namespaces(document: Node) -> Node:
    """
    Return a document whose prefixes are all declared, as XML namespaces require.

    libsdformat, which does not know namespaces, copies ``<ns0:dampingFactor>`` without what the
    ``<robot>`` declares. The tags stay as they are, because plugins look for them; the prefixes
    are declared in ``<sdf>``, as SDFormat does for user-defined elements. One that the source
    does not declare gets the URI that ``xml-unbound-prefix`` proposes. The few names that no
    declaration helps, such as ``a:b:c``, get an underscore for the colon.
    """
    if not any(':' in name or name == 'xmlns' for node in document.iter()
               for name in (node.tag, *node.attrib)):
        return document
    document = copied(document)
    declared: dict[str, str] = {}
    pending: list[tuple[Node, dict[str, str]]] = [(document, {'xml': _RESERVED[0]})]
    while pending:
        node, scope = pending.pop()
        scope = _declare(node, scope, declared)
        pending.extend((child, scope) for child in node)
    document.attrib.update((f'xmlns:{prefix}', uri) for prefix, uri in declared.items())
    return document


def _declare(node: Node, scope: dict[str, str], declared: dict[str, str]) -> dict[str, str]:
    """
    Change the names of an element, and declare prefixes that are not in scope.

    :param scope: the URIs of the prefixes that the elements around it declare.
    :param declared: the URIs of those that ``<sdf>`` declares, which are added to.
    :return: the scope of the elements in it.
    """
    own = {name[6:]: uri for name, uri in node.attrib.items() if _is_declaration(name, uri)}
    default = node.attrib.get('xmlns')
    written = {_name(name): value for name, value in node.attrib.items()
               if name.partition(':')[0] != 'xmlns'}
    node.tag = _name(node.tag)
    for name in (node.tag, *written):
        prefix, colon, _ = name.partition(':')
        if colon and prefix not in own and prefix not in scope:
            uri = _uri_in_source(node, prefix)
            if declared.setdefault(prefix, uri) != uri:
                own[prefix] = uri
    scope = {**scope, **own} if own else scope
    node.attrib.clear()
    if default is not None and default not in _RESERVED:
        node.attrib['xmlns'] = default
    node.attrib.update((f'xmlns:{prefix}', uri) for prefix, uri in own.items())
    node.attrib.update(written)
    return scope


def _is_declaration(name: str, uri: str) -> bool:
    """Return whether an attribute declares a prefix in a way that XML namespaces allow."""
    start, _, prefix = name.partition(':')
    return (start == 'xmlns' and ':' not in prefix and prefix[:1].isidentifier()
            and prefix not in ('xml', 'xmlns') and bool(uri) and uri not in _RESERVED)


def _name(name: str) -> str:
    """Return a name with at most one colon, between two names."""
    prefix, colon, local = name.partition(':')
    if not colon:
        return name
    if not prefix or prefix == 'xmlns' or not local[:1].isidentifier():
        return name.replace(':', '_')
    return f'{prefix}:{local.replace(":", "_")}'


def _uri_in_source(node: Node, prefix: str) -> str:
    """Return the URI of a prefix where an element was copied from."""
    for element in node.sources[0][0].with_ancestors() if node.sources else ():
        uri = element.get(f'xmlns:{prefix}', '')
        if _is_declaration(f'xmlns:{prefix}', uri):
            return uri
    return namespace_of(prefix)
