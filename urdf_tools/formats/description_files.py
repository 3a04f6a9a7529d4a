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

"""Load description files of any format, with xacro expanded, as documents and robots."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Collection
from collections.abc import Mapping
import os
from typing import NoReturn

from urdf_tools.formats.loader import as_urdf
from urdf_tools.formats.loader import FORMATS
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.errors import ErrorKind
from urdf_tools.model.errors import PLACEHOLDER
from urdf_tools.model.loader import build_robot
from urdf_tools.model.messages import joined
from urdf_tools.model.messages import quote
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.model.robot import Robot
from urdf_tools.model.spelling import other_names
from urdf_tools.model.xml.document import Document
from urdf_tools.model.xml.document import read_document
from urdf_tools.model.xml.document import read_file
from urdf_tools.xacro.files import XacroBudget
from urdf_tools.xacro.text import is_xacro


def load(path: str | os.PathLike[str], *, arguments: Mapping[str, object] | None = None,
         **unknown: NoReturn) -> Robot:
    """
    Load a robot from a URDF, xacro, SDF or MJCF file.

    :param path: the file; xacro is expanded.
    :param arguments: values of the xacro arguments of the file: texts, numbers, truth values or
        paths; ``model`` is the name of the model in an SDF file of several; plain URDF has none.
    :raises DescriptionError: the file does not describe a robot, or does not have an argument.
    :param unknown: nothing; the error says what is meant by what other libraries take.
    :raises FileNotFoundError: the file does not exist; it is a DescriptionError as well.
    """
    for name in unknown:
        meant = other_names()['load'].get(name, f'arguments={{{name!r}: ...}}')
        raise TypeError(f'load() takes no {name!r}. Did you mean {meant}?')
    return build_robot(open_document(path, arguments=argument_texts(arguments or {})))


def argument_texts(arguments: Mapping[str, object]) -> dict[str, str]:
    """
    Return the values of xacro arguments as texts.

    :raises TypeError: a value is neither a text, a number, a truth value nor a path.
    """
    for name, value in arguments.items():
        if not isinstance(value, (str, bool, int, float, os.PathLike)):
            raise TypeError(f'The value of the xacro argument {name!r} is a text, a number, a '
                            f'truth value or a path, not {value!r:.80}')
    return {name: str(value).lower() if isinstance(value, bool) else str(value)
            for name, value in arguments.items()}


def open_document(path: str | os.PathLike[str], *, arguments: Mapping[str, str] = {},
                  resources: ResourceResolver | None = None, budget: XacroBudget | None = None,
                  buffers: Mapping[str, str] = {}, optional: Collection[str] = ()) -> Document:
    """
    Parse a description file, and convert it to URDF if it is of another format.

    :param path: the file; xacro is expanded, as :func:`is_xacro` tells it.
    :param arguments: as for :func:`load`.
    :param resources: finds packages for xacro, and the files that other formats include; by
        default in the environment and around the file.
    :param budget: what the expansion of xacro may take.
    :param buffers: absolute path of a file to the text that counts instead of what is on disk.
    :param optional: names of arguments that are ignored if the file does not have them.
    :raises DescriptionError: the file cannot be read, expanded or parsed, or does not have an
        argument.
    """
    path = os.fsdecode(path)
    packages = None if resources is None else resources.lookup
    if packages is not None and not packages.may_read(path):
        raise DescriptionError(
            'The file is a link out of the project, which --untrusted does not follow',
            ErrorKind.UNREADABLE, source=path)
    absolute = os.path.abspath(path)
    data = (buffers[absolute].encode('utf-8', 'surrogatepass') if absolute in buffers
            else read_file(path))
    if resources is None:
        resources = ResourceResolver(os.path.dirname(absolute))
    if is_xacro(path, data):
        # A pipe can be read only once.
        if not os.path.isfile(path):
            buffers = {**buffers, absolute: data.decode('utf-8', 'replace')}
        # Most descriptions are URDF already, and need no process.
        from urdf_tools.xacro.expansion import expand_document

        def expand(given: Mapping[str, str]) -> Document:
            return expand_document(
                path, {**arguments, **given}, buffers, packages, budget, optional)
        return as_urdf(_expand_or_ask(expand), resources)
    document = read_document(data, path)
    known = {'model'} if document.root.tag in FORMATS else set()
    if arguments.keys() - known - {*optional}:
        given = ' '.join(f'{name}:={value}' for name, value in arguments.items())
        raise DescriptionError(
            f'The file is not a xacro file, and takes no arguments such as {quote(given, 80)}',
            ErrorKind.UNREADABLE, source=path,
            hint='Leave them out, or declare xmlns:xacro="http://www.ros.org/wiki/xacro" in '
                 '<robot> if xacro has to expand the file')
    return as_urdf(document, resources, arguments.get('model', ''))


def _expand_or_ask(expand: Callable[[Mapping[str, str]], Document],
                   given: Mapping[str, str] = {}) -> Document:
    """
    Return an expanded file, or ask for all arguments whose lack shows one after the other.

    :param expand: expands it with some arguments besides those of the user.
    """
    try:
        return expand(given)
    except DescriptionError as error:
        values = {**given, **error.arguments}
        if values.keys() > given.keys() and PLACEHOLDER not in values.values():
            try:
                _expand_or_ask(expand, values)
            except DescriptionError as other:
                if other.arguments.keys() - values.keys():
                    error.argument += f' {other.argument}'
                    error.hint = joined(error.hint, other.hint)
        raise
