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
"""What the launch files share: reading their arguments, and errors that name the argument."""

from __future__ import annotations

import atexit
from collections.abc import Collection
from collections.abc import Iterator
from collections.abc import Mapping
from contextlib import contextmanager
import os
from pathlib import Path
import shlex
import sys
import tempfile
from typing import Any

from urdf_tools.model.messages import quote
from urdf_tools.model.resources import ResourceResolver
from urdf_tools.model.spelling import Spelling
import yaml


@contextmanager
def argument(context: Any, name: str) -> Iterator[str]:
    """
    Give the value of a launch argument.

    :param context: that of launch.
    :raises RuntimeError: the value is refused with another error; this one names both.
    """
    value = str(context.launch_configurations[name])
    try:
        yield value
    except (OSError, ValueError, yaml.YAMLError) as error:
        reason = ' '.join(str(getattr(error, 'strerror', None) or error).split())
        raise RuntimeError(f'Launch argument {name}:={value}: {reason}') from error


def boolean(text: str) -> bool:
    """
    Return a truth value as launch and YAML write it.

    :raises ValueError: it is none.
    """
    value = {'0': False, '1': True}.get(text, yaml.safe_load(text))
    if not isinstance(value, bool):
        raise ValueError('it is neither true nor false')
    return value


def number(text: str, kind: type[float] = float) -> float:
    """
    Return a number.

    :param kind: ``float`` or ``int``.
    :raises ValueError: it is none.
    """
    try:
        return kind(text)
    except ValueError:
        raise ValueError('it is not a number' if kind is float else 'it is not a whole number'
                         ) from None


def readable(path: str) -> str:
    """
    Return the path of a file, which may be given as ``package://NAME/PATH``.

    :raises ValueError: the package or the file in it does not exist.
    :raises OSError: the file cannot be read.
    """
    if path.startswith('package://'):
        return str(ResourceResolver().resolve(path))
    with open(os.path.expanduser(path)) as file:
        return str(file.name)


def xacro_arguments(text: str) -> dict[str, str]:
    """
    Return arguments of xacro as they are written on a command line.

    :raises ValueError: a word is not of the form ``NAME:=VALUE``, or quotes are not closed.
    """
    words = shlex.split(text)
    for word in words:
        if ':=' not in word[1:]:
            raise ValueError(f'{quote(word)} is not of the form NAME:=VALUE')
    return dict(word.split(':=', 1) for word in words)


def misspelt(context: Any, names: Collection[str]) -> Iterator[str]:
    """
    Yield a sentence on each launch argument that is given and is probably misspelt.

    Launch ignores arguments that no file declares. What a launch file that includes this one
    declares is not known here, so nothing is said of the arguments of others.

    :param names: the arguments of a launch file.
    """
    launched = next((word for word in sys.argv if word.endswith('.launch.py')), '')
    folder = os.path.dirname(os.path.abspath(context.locals.current_launch_file_path))
    if os.path.dirname(os.path.abspath(launched)) != folder and 'urdf_tools' not in sys.argv:
        return
    given = [word.split(':=')[0] for word in context.argv if ':=' in word]
    spelling = Spelling(names)
    for name in given:
        if name not in names and (near := spelling.near(name)) and near not in given:
            yield f'Launch argument {quote(name)} has no effect. Did you mean {quote(near)}?'


def parameter_file(sections: Mapping[str, Any]) -> str:
    """
    Return the path of a file of parameters, which is removed when the process ends.

    Launch writes such a file for parameters in a dictionary, too, and leaves it behind.
    """
    with tempfile.NamedTemporaryFile('w', suffix='.yaml', delete=False) as file:
        yaml.dump(dict(sections), file, Dumper=_Dumper)
    atexit.register(Path(file.name).unlink, missing_ok=True)
    return file.name


class _Dumper(yaml.SafeDumper):  # type: ignore[misc]
    """Writes what rcl reads: no aliases, and quotes, as it takes more texts for numbers."""

    def ignore_aliases(self, data: object) -> bool:
        return True


_Dumper.add_representer(str, lambda dumper, text: dumper.represent_scalar(
    'tag:yaml.org,2002:str', text, style='"'))
