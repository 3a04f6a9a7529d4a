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

"""
What the site has besides the pages that are written by hand, and what it puts into those.

A comment ``<!-- build: NAME -->`` in a page is where the site has something that is made from the
code; a reader of the repository does not see it. The bullets of docs/index.md are the contents of
the site.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
import inspect
from pathlib import Path
import re

from gazebo_tables import gazebo_tables
from rule_pages import escaped
from rule_pages import graph_rule_index
from rule_pages import graph_rule_page
from rule_pages import rule_index
from rule_pages import rule_page

import urdf_tools
from urdf_tools.check.rules import RULES
from urdf_tools.cli.command import make_parsers
from urdf_tools.cli.command import VERBS
from urdf_tools.doctor.rules import GRAPH_RULES

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / 'docs'
INTERFACES = ROOT / 'urdf_tools_interfaces'

GENERATED = ('api', 'commands', 'graph-rules', 'rules')
"""Folders of docs/ with generated pages only, which git ignores."""

COPIED = {'contributing.md': 'CONTRIBUTING.md'}
"""Pages of docs/ that are files of the top folder; git ignores them, too."""

SUBJECTS = {
    'urdf_tools.model': 'Robots',
    'urdf_tools.kinematics': 'Kinematics',
    'urdf_tools.dynamics': 'Mass, inertia and dynamics', 'urdf_tools.meshes': 'Robots',
    'urdf_tools.check': 'Validation', 'urdf_tools.findings': 'Validation',
    'urdf_tools.programs': 'Other formats', 'urdf_tools.view': 'Robots',
    'urdf_tools.xacro': 'Robots'}
"""The subpackages with public names, as headings."""

MODULES = {
    name: f'urdf_tools.{module}' for module, name in re.findall(
        r'^from \.(\S+) import (\w+) as',
        Path(urdf_tools.__file__).with_suffix('.pyi').read_text(), re.MULTILINE)}
"""The public names, with the module that each is from."""

_OPTION = re.compile(r'(?<![\w`-])(--?[a-z][a-z-]*)')
_COMMENT = re.compile(r'^<!-- build: (\w+)(?: ([^ ]+))? -->$', re.MULTILINE)
_BULLET = re.compile(r'^- \[[^]]*\]\(([^)#]+)\)', re.MULTILINE)


def write_pages() -> None:
    """Write the generated pages into docs/, and remove those that are no longer made."""
    pages = dict(pages_to_write())
    for folder in GENERATED:
        for path in (DOCS / folder).glob('*.md'):
            if path.relative_to(DOCS).as_posix() not in pages:
                path.unlink()
    for name, text in pages.items():
        path = DOCS / name
        # An unchanged page is not read again by the next build.
        if not path.is_file() or path.read_text(encoding='utf-8') != text:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding='utf-8')


def pages_to_write() -> Iterator[tuple[str, str]]:
    """Yield the path of each generated page below docs/, and its text."""
    for code in RULES:
        yield f'rules/{code}.md', rule_page(code)
    for code in GRAPH_RULES:
        yield f'graph-rules/{code}.md', graph_rule_page(code)
    for name in VERBS:
        yield f'commands/{name}.md', command_page(name)
    for name in public_names():
        yield f'api/{name}.md', api_page(name)
    for name, source in COPIED.items():
        yield name, (ROOT / source).read_text(encoding='utf-8').replace('](docs/', '](')


def filled_in(page: str, text: str) -> str:
    """
    Return the text of a page as the site has it.

    :param page: path without the suffix below docs/.
    """
    parts = {
        'commands': command_index, 'gazebo_tables': gazebo_tables,
        'graph_rules': graph_rule_index, 'rules': rule_index,
        'api': api_index, 'architecture': architecture, 'services': services,
        'contents': lambda: contents(text)}
    folder = (DOCS / page).parent

    def part(match: re.Match[str]) -> str:
        name, argument = match.groups()
        return included(folder / argument) if name == 'include' else parts[name]()

    text = _COMMENT.sub(part, text)
    for name, source in COPIED.items():
        text = text.replace(f']({"../" * (page.count("/") + 1)}{source}', f']({name}')
    return text.replace('](../README.md', '](index.md')


def included(path: Path) -> str:
    """Return a file as a block of code, without its licence."""
    code = re.sub(r'\A(#.*\n)+\n*', '', path.read_text(encoding='utf-8'))
    return f'```{path.suffix.removeprefix(".").replace("py", "python")}\n{code}```'


def contents(index: str) -> str:
    """
    Return the contents of the site.

    :param index: the text of the first page: in each section, a bullet for each page.
    """
    sections = [section.partition('\n') for section in index.split('\n## ')[1:]]
    return '\n'.join(
        toctree(heading, [
            link.replace('../CONTRIBUTING.md', 'contributing.md')
            for link in _BULLET.findall(body)])
        for heading, _, body in sections)


def toctree(caption: str, pages: list[str]) -> str:
    """Return the directive that puts pages into the contents."""
    lines = '\n'.join(page.removesuffix('.md') for page in pages)
    return f'```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{lines}\n```\n'


def command_index() -> str:
    """Return a table of the verbs, with links to their pages."""
    return '\n'.join(('| verb | does |', '|---|---|', *(
        f'| [{name}](commands/{name}.md) | {escaped(summary)} |'
        for name, summary in VERBS.items())))


def command_page(name: str) -> str:
    """Return the page of a verb."""
    _, verbs = make_parsers([name])
    return '\n'.join((
        '---', 'orphan: true', '---', f'# urdf-tools {name}', '', '[All verbs](../commands.md)',
        '', escaped(VERBS[name]), '', *_command_page(verbs[name]), ''))


def _command_page(parser: argparse.ArgumentParser) -> Iterator[str]:
    prose, _, examples = str(parser.epilog).rpartition('For example:')
    yield from ('```sh', *map(str.strip, examples.strip().splitlines()), '```', '')
    for group in parser._action_groups:
        actions = [each for each in group._group_actions if each.help != argparse.SUPPRESS]
        if actions:
            title = (group.title or '').capitalize()
            yield from (f'## {title}', '', *(_text(group.description)), '| argument | meaning |',
                        '|---|---|', *(_row(parser, each) for each in actions), '')
    yield from _text(' '.join(prose.split()))


def _text(text: str | None) -> tuple[str, ...]:
    return (_marked(text), '') if text else ()


def _marked(text: str) -> str:
    """Return a text with the options in it as code."""
    return _OPTION.sub(r'`\1`', escaped(text))


def _row(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    formatter = parser._get_formatter()
    names = ', '.join(f'`{each}`' for each in action.option_strings)
    value = '' if action.option_strings and action.nargs == 0 else formatter._format_args(
        action, formatter._get_default_metavar_for_optional(action)
        if action.option_strings else formatter._get_default_metavar_for_positional(action))
    shown = ' '.join(filter(None, (names, value and f'`{value}`'))).replace('|', '\\|')
    return f'| {shown} | {_marked(formatter._expand_help(action)) if action.help else ""} |'


def public_names() -> tuple[str, ...]:
    """Return the names that have a page in the reference."""
    return tuple(name for name in urdf_tools.__all__ if not name.startswith('_'))


def api_index() -> str:
    """Return a table for each subject with the public names and what they are."""
    subjects: dict[str, list[str]] = {heading: [] for heading in SUBJECTS.values()}
    for name in public_names():
        module = '.'.join(MODULES[name].split('.')[:2])
        subjects[SUBJECTS[module]].append(name)
    return '\n'.join(line for heading, names in subjects.items() for line in (
        f'## {heading}', '', '| name | is |', '|---|---|', *(
            f'| [{name}](api/{name}.md) | {_first_sentence(name)} |' for name in names), ''))


def api_page(name: str) -> str:
    """Return the page about a public name."""
    value = getattr(urdf_tools, name)
    if inspect.isclass(value):
        # A NamedTuple or Enum would list what it has from tuple or str.
        options = ':members:', ':special-members: __call__', ':member-order: bysource'
        directive = f'.. autoclass:: {name}'
    elif inspect.isfunction(value):
        options, directive = (), f'.. autofunction:: {name}'
    else:
        options, directive = (), f'.. autodata:: {name}'
    lines = (directive, *(f'   {option}' for option in options))
    return '\n'.join((
        '---', 'orphan: true', '---', f'# {name}', '',
        '[Reference of the library](../api.md)', '', '```{eval-rst}',
        '.. currentmodule:: urdf_tools', '', *lines, '```', ''))


def architecture() -> str:
    """Return the list of folders in README.md."""
    readme = (ROOT / 'README.md').read_text(encoding='utf-8')
    return re.search(r'```text\nurdf_tools/.*?```', readme, re.DOTALL)[0]  # type: ignore[index]


def services() -> str:
    """Return the definitions of all services and messages."""
    return '\n'.join(
        f'## {path.stem}\n\n```\n{path.read_text(encoding="utf-8")}```\n'
        for folder in ('srv', 'msg') for path in sorted((INTERFACES / folder).iterdir()))


def _first_sentence(name: str) -> str:
    value = getattr(urdf_tools, name)
    text = inspect.getdoc(value) if callable(value) else 'The shape of a visual or a collision'
    first = ' '.join((text or '').partition('\n\n')[0].split())
    return escaped(re.sub(r':\w+:`([^`]*)`', r'\1', first).replace('``', ''))


def home_of(reference: str) -> str | None:
    """
    Return what a reference to a name in a module is documented as; None if that is nowhere.

    :param reference: such as ``urdf_tools.model.robot.Robot.subtree``.
    """
    names = reference.split('.')
    for number, name in enumerate(names):
        if name in MODULES:
            return '.'.join(('urdf_tools', *names[number:]))
    return None
