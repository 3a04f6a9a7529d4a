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

"""The models of an SDFormat file with those nested in them, from its own and other files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextlib import suppress
from dataclasses import dataclass
from dataclasses import field
import os
from pathlib import Path
import re

from urdf_tools.findings.consequences import Impact
from urdf_tools.findings.losses import Losses
from urdf_tools.formats.sdf.frames import Frame
from urdf_tools.formats.sdf.frames import Scope
from urdf_tools.formats.sdf.frames import text_of
from urdf_tools.formats.urdf_tree import place
from urdf_tools.formats.urdf_tree import Work
from urdf_tools.model.messages import name_list
from urdf_tools.model.messages import quote
from urdf_tools.model.resources import ResourceError
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.model.values import parse_version
from urdf_tools.model.xml.document import Document
from urdf_tools.model.xml.element import Element

OLDEST, NEWEST = (1, 4), (1, 12)
"""The versions of SDFormat that are read."""

MAX_DEPTH = 32
"""Maximum depth of nested models, in one file or several."""

_CONFIG = 'model.config'
_SCHEME = re.compile(r'[A-Za-z][A-Za-z0-9+.-]+:')

Version = tuple[int, int]


@dataclass
class Model:
    """
    A model with all that is nested in it, in the order of the text.

    :ivar own: its frame.
    :ivar links: its links.
    :ivar joints: its joints.
    :ivar others: everything else below a model, with the scope of that.
    """

    own: Frame
    links: list[Frame] = field(default_factory=list)
    joints: list[Frame] = field(default_factory=list)
    others: list[tuple[Scope, Element]] = field(default_factory=list)


class ModelReader:
    """
    Reads a model of a document, with the files that it includes.

    :param document: the SDFormat document.
    :param resources: finds the files.
    :ivar files: the files that were read, the outermost first.
    """

    def __init__(self, document: Document, resources: ResourceResolver, losses: Losses):
        self._root = document.root
        self._resources = resources
        self._losses = losses
        self.files = list(place(document))
        self._work = Work(document.source)
        self._work.add(document.root, sum(1 for _ in document.root.iter()), len(document.data))
        self._open: list[str] = []

    def read(self, name: str) -> Model:
        """
        Return a model.

        :param name: its name, or empty for the only one.
        :raises DescriptionError: there is none of this name, or several to choose from, or it
            cannot be read.
        """
        root = self._root
        version = _version(root)
        found: dict[str, Element] = {}
        for parent in (root, *root.iterfind('world')):
            for element in parent:
                if element.tag in ('model', 'include'):
                    found.setdefault(_name_of(element), element)
        names = name_list([quote(each) for each in found])
        if name and name not in found:
            raise root.error(f'The file has no model {quote(name)}', f'It has {names or "none"}')
        if not name and len(found) > 1:
            most = max(found, key=lambda each: len(found[each].findall('joint')))
            raise root.error(f'The file has {len(found)} models: {names}',
                             f'Choose one of them, such as with model:={most}')
        if not found:
            raise root.error('The file has no model', 'Write <model name="..."> in <sdf>')
        element = found[name] if name else next(iter(found.values()))
        for other in element.parent or ():
            if other is not element:
                self._losses.note(
                    'element', Impact.DROPS, other, 'What is beside the model is not part of it',
                    is_harmless=True)
        return self._nested(element, None, Model(Frame('model', element, '', None, None)),
                            version, '')

    def _nested(self, element: Element, host: Scope | None, model: Model, version: Version,
                folder: str) -> Model:
        """Read a ``<model>``, or the one that an ``<include>`` names, into a model."""
        if element.tag == 'model':
            return self._read(element, None, host, model, version, folder)
        with self._included(element, folder) as (found, version, folder):
            return self._read(found, element, host, model, version, folder)

    def _read(self, element: Element, include: Element | None, host: Scope | None, model: Model,
              version: Version, folder: str) -> Model:
        depth = 0 if host is None else host.depth + 1
        if depth > MAX_DEPTH:
            raise element.error(f'Models are nested deeper than {MAX_DEPTH}')
        outer = element if include is None else include
        name = (text_of(outer, 'name') if include is not None else '') or element.get('name', '')
        if not name:
            raise element.error('A model has no name', 'Write <model name="...">')
        is_merged = outer.get('merge', '').strip() in ('1', 'true') and host is not None
        frame = Frame('model', element, name, host, element.find('pose'),
                      placement=element.get('placement_frame', ''))
        if include is not None and include.find('pose') is not None:
            frame.pose = include.find('pose')
            frame.placement = text_of(include, 'placement_frame') or frame.placement
        scope = frame.inner = Scope(element, version, folder, '', frame, depth, is_merged)
        if host is None:
            model.own = frame
        elif is_merged:
            scope.frames, scope.prefix = host.frames, host.prefix
        else:
            frame.name = host.prefix + name
            scope.prefix = f'{frame.name}::'
            host.frames.setdefault(name, frame)
        for child in element:
            self._add(child, scope, model)
        if include is not None:
            model.others += ((scope, child) for child in include if child.tag in (
                'plugin', 'static'))
        return model

    def _add(self, child: Element, scope: Scope, model: Model) -> None:
        name = child.get('name', '')
        if child.tag in ('link', 'joint', 'frame'):
            self._work.add(child, 0, len(scope.prefix))
            if not name:
                raise child.error(f'A {child.tag} has no name')
            frame = Frame('link' if child.tag == 'link' else 'joint' if child.tag == 'joint'
                          else 'frame', child, scope.prefix + name, scope, child.find('pose'))
            known = scope.frames.setdefault(name, frame)
            if known is not frame:
                if scope.version >= (1, 7) or known.kind == frame.kind:
                    raise child.error(f'{frame.kind.capitalize()} {quote(name)} has the same name '
                                      f'as a {known.kind}', 'Names are unique since SDFormat 1.7')
                # As libsdformat renames it.
                other, link = sorted((frame, known), key=lambda each: each.kind == 'link')
                other.name += f'_{other.kind}'
                scope.frames |= {name: link, f'{name}_{other.kind}': other}
            if frame.kind == 'link':
                model.links.append(frame)
            elif frame.kind == 'joint':
                model.joints.append(frame)
            else:
                model.others.append((scope, child))
        elif child.tag in ('model', 'include'):
            self._nested(child, scope, model, scope.version, scope.folder)
        elif child.tag != 'pose':
            model.others.append((scope, child))

    @contextmanager
    def _included(self, include: Element, folder: str
                  ) -> Iterator[tuple[Element, Version, str]]:
        """
        Read the file that an ``<include>`` names.

        :param folder: the folder of the file that it is in, empty for that of the description.
        :return: its model, its version, and its folder.
        """
        path = self._file_of(include, folder)
        name = str(path)
        if name in self._open or len(self._open) > MAX_DEPTH:
            raise include.error(f'{quote(name, 200)} includes itself')
        document = self._work.read(path, include)
        self.files += place(document, include, self._resources.lookup.trust.is_full)
        root = document.root
        if root.tag != 'sdf':
            raise include.error(f'{quote(name, 200)} is not SDFormat, but a <{root.tag}>',
                                'Only SDFormat can be included')
        model = root.find('model')
        if model is None:
            raise include.error(f'{quote(name, 200)} has no model')
        self._open.append(name)
        yield model, _version(root), os.path.dirname(name)
        self._open.pop()

    def _file_of(self, include: Element, folder: str) -> Path:
        """Return the file of an ``<include>``, which names it or the folder of its model."""
        uri = text_of(include, 'uri')
        if not uri:
            raise include.error('An <include> has no <uri>')
        uris = [absolute_uri(uri, folder).rstrip('/')]
        if not _SCHEME.match(uri):
            # Gazebo looks for what is not there among its models.
            uris.append(f'model://{uri}'.rstrip('/'))
        uri = next(filter(self._exists, uris), uris[0])
        try:
            config = self._resources.resolve(f'{uri}/{_CONFIG}')
        except ResourceError as error:
            try:
                return self._resources.resolve(uri)
            except ResourceError as other:
                reason = error if other.kind == 'malformed' else other
                raise include.error(reason.message, reason.hint) from error
        names = {}
        for element in self._work.read(config, include).root.iterfind('sdf'):
            version = parse_version(element.get('version', ''))
            if version is not None and OLDEST <= version <= NEWEST:
                names[version] = (element.text or '').strip()
        if not names:
            raise include.error(
                f'{quote(str(config), 200)} names no file of SDFormat 1.4 to 1.12')
        try:
            return self._resources.resolve(f'{uri}/{names[max(names)]}')
        except ResourceError as error:
            raise include.error(error.message, error.hint) from error

    def _exists(self, uri: str) -> bool:
        """Return whether a URI names a file, or the folder of a model."""
        for file in (f'{uri}/{_CONFIG}', uri):
            with suppress(ResourceError):
                return bool(self._resources.resolve(file))
        return False


def absolute_uri(uri: str, folder: str) -> str:
    """
    Return the URI of a file, as what refers to it from another folder writes it.

    :param folder: the folder that it is relative to, empty for that of the description.
    """
    return uri if not folder or _SCHEME.match(uri) else os.path.join(folder, uri)


def _name_of(element: Element) -> str:
    """Return the name of a model, or of one to be included, without reading its file."""
    if element.tag == 'model':
        return element.get('name', '')
    return text_of(element, 'name') or os.path.basename(text_of(element, 'uri').rstrip('/'))


def _version(root: Element) -> Version:
    text = root.get('version', '')
    version = parse_version(text)
    if version is None or not OLDEST <= version <= NEWEST:
        known = '{}.{} to {}.{}'.format(*OLDEST, *NEWEST)
        raise root.error(f'SDFormat version {quote(text)} is not supported' if text else
                         '<sdf> has no version', f'Write one of {known}')
    return version
