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
code. What is between it and ``<!-- end -->`` is for a reader of the repository, and the site does
not have it; ``python3 tools/site_pages.py`` writes that of programs and short tables. The bullets
of docs/index.md are the contents of the site.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
import inspect
from pathlib import Path
import re
from textwrap import indent

import urdf_tools
from urdf_tools.check import registry
from urdf_tools.check.rule_examples import consequences_of
from urdf_tools.check.rule_examples import CONTEXTS
from urdf_tools.check.rule_examples import finding_of_example
from urdf_tools.check.rules import RULES
from urdf_tools.cli.command import make_parsers
from urdf_tools.cli.command import VERBS
from urdf_tools.doctor import graph_rules
from urdf_tools.doctor.rules import GRAPH_RULES
from urdf_tools.findings.consequences import sentences
from urdf_tools.findings.rules import AnyRule
from urdf_tools.programs.gazebo import convert
from urdf_tools.programs.gazebo import DEFAULT_RELEASE
from urdf_tools.programs.gazebo import RELEASES
from urdf_tools.programs.gazebo.document import Release
from urdf_tools.programs.gazebo.extensions import OPTIONS

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / 'docs'
INTERFACES = ROOT / 'urdf_tools_interfaces'
EVERY_ELEMENT = ROOT / 'tools' / 'every_element.urdf'

GENERATED = ('api', 'commands', 'graph-rules', 'rules')
"""Folders of docs/ with generated pages only, which git ignores."""

COPIED = {'contributing.md': 'CONTRIBUTING.md'}
"""Pages of docs/ that are files of the top folder; git ignores them, too."""

SUBJECTS = {
    'model': 'Robots', 'kinematics': 'Kinematics', 'dynamics': 'Mass, inertia and dynamics',
    'meshes': 'Robots', 'check': 'Validation', 'findings': 'Validation',
    'programs': 'Other formats', 'view': 'Robots', 'xacro': 'Robots', 'formats': 'Robots'}
"""The subpackages with public names, as headings."""

MODULES = {
    name: f'urdf_tools.{module}' for module, name in re.findall(
        r'^from \.(\S+) import (\w+) as',
        Path(urdf_tools.__file__).with_suffix('.pyi').read_text(), re.MULTILINE)}
"""The public names, with the module that each is from."""

RULE_SUBJECTS = {
    'xml': 'XML and the grammar of URDF',
    'names': 'Names',
    'structure': 'The kinematic tree',
    'joints': 'Joints',
    'inertia': 'Mass and inertia',
    'geometry': 'Geometry and materials',
    'extensions': 'Transmissions, ros2_control, Gazebo and other extensions',
    'assets': 'Meshes and textures',
    'programs': 'What programs refuse and lose'}

GRAPH_SUBJECTS = {
    'description': 'The description',
    'joints': 'Joint states',
    'frames': 'Frames',
    'data': 'Data that refer to frames',
    'timing': 'Rates and stamps',
    'clock': 'Clocks',
    'control': 'ros2_control',
    'qos': 'Quality of service'}

_OPTION = re.compile(r'(?<![\w`-])(--?[a-z][a-z-]*)')
_COMMENT = re.compile(
    r'^<!-- build: (\w+)(?: ([^ ]+))? -->$(?:\n(?:(?!<!--).*\n)*<!-- end -->$)?', re.MULTILINE)
_TAG = re.compile(r'<(/?)(\w+)[^<>]*?(/?)>')
_BULLET = re.compile(r'^- \[[^]]*\]\(([^)#]+)\.md\)', re.MULTILINE)


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
    for category in registry.CATEGORIES:
        yield f'rules/subject-{category}.md', subject_page(category)
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


def in_repository(page: str, text: str) -> str:
    """Return the text of a page as the repository has it, with its programs and short tables."""
    tables = {
        'commands': re.sub(r'\[([^]]*)\]\([^)]*\)', r'`\1`', command_index()),
        'rules': '\n'.join(table(('subject', 'in `--select` and `--ignore`'), *(
            (RULE_SUBJECTS[name], f'`{name}`') for name in registry.CATEGORIES)))}

    def part(match: re.Match[str]) -> str:
        name, argument = match.groups()
        shown = included((DOCS / page).parent / argument) if argument else tables.get(name)
        return match[0] if shown is None else (
            f'{match[0].splitlines()[0]}\n{shown}\n<!-- end -->')
    return _COMMENT.sub(part, text)


def included(path: Path) -> str:
    """Return a file as a block of code, without its licence."""
    code = re.sub(r'\A(#.*\n)+\n*', '', path.read_text(encoding='utf-8'))
    return f'```{path.suffix.removeprefix(".").replace("py", "python")}\n{code}```'


def contents(index: str) -> str:
    """
    Return the contents of the site.

    :param index: the text of the first page: in each section, a bullet for each page.
    """
    text = ''
    for section in index.split('\n## ')[1:]:
        caption, _, body = section.partition('\n')
        links = '\n'.join(_BULLET.findall(body)).replace('../CONTRIBUTING', 'contributing')
        text += f'```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{links}\n```\n\n'
    return text[:-1]


def table(*rows: Iterable[str]) -> Iterator[str]:
    """Yield the lines of a table in Markdown, of which the first row is the heading."""
    for number, row in enumerate(rows):
        cells = list(row)
        yield f'| {" | ".join(cells)} |'
        if number == 0:
            yield '|---' * len(cells) + '|'


def orphan(title: str, *lines: str) -> str:
    """Return a page that is not in the contents."""
    return '\n'.join(('---', 'orphan: true', '---', f'# {title}', '', *lines, ''))


def command_index() -> str:
    """Return a table of the verbs, with links to their pages."""
    return '\n'.join(table(('verb', 'does'), *(
        (f'[{name}](commands/{name}.md)', escaped(summary)) for name, summary in VERBS.items())))


def command_page(name: str) -> str:
    """Return the page of a verb."""
    _, verbs = make_parsers([name])
    return orphan(f'urdf-tools {name}', '[All verbs](../commands.md)', '', escaped(VERBS[name]),
                  '', *_command_page(verbs[name]))


def _command_page(parser: argparse.ArgumentParser) -> Iterator[str]:
    prose, _, examples = str(parser.epilog).rpartition('For example:')
    yield from ('```sh', *map(str.strip, examples.strip().splitlines()), '```', '')
    for group in parser._action_groups:
        actions = [each for each in group._group_actions if each.help != argparse.SUPPRESS]
        if actions:
            title = (group.title or '').capitalize()
            yield from (f'## {title}', '', *_text(group.description))
            yield from table(('argument', 'meaning'), *(_row(parser, each) for each in actions))
            yield ''
    yield from _text(' '.join(prose.split()))


def _text(text: str | None) -> tuple[str, ...]:
    return (_marked(text), '') if text else ()


def _marked(text: str) -> str:
    """Return a text with the options in it as code."""
    return _OPTION.sub(r'`\1`', escaped(text))


def _row(parser: argparse.ArgumentParser, action: argparse.Action) -> tuple[str, str]:
    formatter = parser._get_formatter()
    names = ', '.join(f'`{each}`' for each in action.option_strings)
    value = '' if action.option_strings and action.nargs == 0 else formatter._format_args(
        action, formatter._get_default_metavar_for_optional(action)
        if action.option_strings else formatter._get_default_metavar_for_positional(action))
    shown = ' '.join(filter(None, (names, value and f'`{value}`'))).replace('|', '\\|')
    return shown, _marked(formatter._expand_help(action)) if action.help else ''


def public_names() -> tuple[str, ...]:
    """Return the names that have a page in the reference."""
    return tuple(name for name in urdf_tools.__all__ if not name.startswith('_'))


def api_index() -> str:
    """Return a table for each subject with the public names and what they are."""
    subjects: dict[str, list[str]] = {heading: [] for heading in SUBJECTS.values()}
    for name in public_names():
        subjects[SUBJECTS[MODULES[name].split('.')[1]]].append(name)
    return '\n'.join(line for heading, names in subjects.items() for line in (
        f'## {heading}', '', *table(('name', 'is'), *(
            (f'[{name}](api/{name}.md)', _first_sentence(name)) for name in names)), ''))


def api_page(name: str) -> str:
    """Return the page about a public name."""
    value = getattr(urdf_tools, name)
    is_class = inspect.isclass(value)
    kind = 'class' if is_class else 'function' if inspect.isfunction(value) else 'data'
    # A NamedTuple or Enum would list what it has from tuple or str.
    options = (':members:', ':special-members: __call__', ':member-order: bysource')
    return orphan(
        name, '[Reference of the library](../api.md)', '', '```{eval-rst}',
        '.. currentmodule:: urdf_tools', '', f'.. auto{kind}:: {name}',
        *(f'   {option}' for option in options if is_class), '```')


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


def rule_index() -> str:
    """Return a table of the categories of the rules of ``check``, with links to their pages."""
    numbers = Counter(rule.category for rule in RULES.values())
    return '\n'.join(table(('subject', 'rules', 'in `--select` and `--ignore`'), *(
        (f'[{RULE_SUBJECTS[name]}](rules/subject-{name}.md)', str(numbers[name]), f'`{name}`')
        for name in registry.CATEGORIES)))


def subject_page(category: str) -> str:
    """Return the page of a category of the rules of ``check``, with links to theirs."""
    rules = (rule for rule in RULES.values() if rule.category == category)
    return orphan(RULE_SUBJECTS[category], '[All rules](../rules.md)', '', *_rule_table(rules, ''))


def graph_rule_index() -> str:
    """Return a table for each category of the rules of ``doctor``, with links to their pages."""
    return _index(GRAPH_RULES.values(), graph_rules.CATEGORIES, GRAPH_SUBJECTS, 'graph-rules')


def rule_page(code: str) -> str:
    """Return the page of a rule of ``check``."""
    rule = RULES[code]
    finding = finding_of_example(rule)
    lines = [*_head(rule, 'check', 'rules', RULE_SUBJECTS)]
    if rule.text.fails:
        lines += ['## Fails', '', *([f'`{finding.message}`', ''] if finding else []),
                  *_block(rule.text.context, rule.text.fails), '## Passes', '',
                  *_block(rule.text.context, rule.text.passes)]
    if consequences := consequences_of(rule):
        lines += ['## What programs do with it', '']
        lines += [f'- {escaped(name)}: {escaped(text)}'
                  for name, text in sentences(consequences).items()]
        lines.append('')
    if rule.fix:
        lines += ['## Fix', '', f'{escaped(rule.fix)}.', '']
    if rule.source:
        lines += ['## Source', '', 'What programs without a model do was read in: '
                  f'{rule.source}. [Which versions](../consumers.md).', '']
    return orphan(code, *lines[:-1])


def graph_rule_page(code: str) -> str:
    """Return the page of a rule of ``doctor``."""
    rule = GRAPH_RULES[code]
    return orphan(code, *_head(rule, 'doctor', 'doctor', GRAPH_SUBJECTS),
                  '## Example', '', escaped(rule.text.example), '',
                  '## Fix', '', f'{escaped(rule.fix)}.')


def snippet(template: str, text: str) -> str:
    """
    Return the part of a description that an example shows.

    :param template: the description, with a ``{}`` in the place of the text.
    :return: the text inside the element of the template that encloses it, or alone if that is
        ``<robot>`` or nothing.
    """
    enclosing: list[re.Match[str]] = []
    for match in _TAG.finditer(template.partition('{}')[0]):
        closes, _, is_empty = match.groups()
        if closes:
            enclosing.pop()
        elif not is_empty:
            enclosing.append(match)
    if not enclosing or enclosing[-1][2] == 'robot':
        return text
    start = enclosing[-1]
    return f'{start[0]}\n{indent(text, "  ")}\n</{start[2]}>'


def escaped(text: str) -> str:
    """Return a text that Markdown shows as it is."""
    return re.sub(r'([_*|\[\]`\\])', r'\\\1', text).replace('<', '&lt;')


def _index(rules: Iterable[AnyRule], categories: Iterable[str], subjects: Mapping[str, str],
           folder: str) -> str:
    by_category: dict[str, list[AnyRule]] = {category: [] for category in categories}
    for rule in rules:
        by_category[rule.category].append(rule)
    return '\n'.join(line for category, members in by_category.items() for line in (
        f'## {subjects[category]} (`{category}`)', '', *_rule_table(members, f'{folder}/'), ''))


def _rule_table(rules: Iterable[AnyRule], folder: str) -> Iterator[str]:
    return table(('rule', 'severity', 'requires'), *(
        (f'[{rule.code}]({folder}{rule.code}.md)', rule.severity.label,
         escaped(rule.text.summary)) for rule in rules))


def _head(rule: AnyRule, verb: str, index: str, subjects: Mapping[str, str]) -> Iterator[str]:
    subject = subjects[rule.category]
    if index == 'rules':
        subject = f'[{subject}](subject-{rule.category}.md)'
    yield (f'[Rules of {verb}](../{index}.md) · {subject} · '
           f'`urdf-tools {verb} --explain {rule.code}`')
    yield from ('', f'**{rule.severity.label}**: {escaped(rule.text.summary)}', '')
    if rule.text.reason:
        yield from (escaped(rule.text.reason), '')


def _block(place: str, text: str) -> tuple[str, ...]:
    language = 'yaml' if place.endswith('.yaml') else 'xml'
    return f'```{language}', snippet(CONTEXTS[place], text), '```', ''


def gazebo_tables() -> str:
    """Return the sections on elements, options and versions, in Markdown."""
    return '\n'.join((*_elements(), *_options(), *_releases()))


def _elements() -> Iterator[str]:
    yield '## What is lost\n'
    gazebo = RELEASES[DEFAULT_RELEASE].simulator
    yield f'Of a robot that has each element of URDF, in {gazebo}:\n'
    rows = []
    for loss in convert(urdf_tools.load(EVERY_ELEMENT)).account.losses:
        assert loss.element is not None
        path = loss.element.path + ('' if loss.attribute is None else f'/@{loss.attribute}')
        short = re.sub(r"\[@name='([^']*)'\]", r'[\1]', path.removeprefix('/robot/'))
        because = _escaped('. '.join(filter(None, (loss.message, loss.hint))))
        rows.append((f'`{short}`', f'{loss.impact.name.lower()} it', because))
    yield from table(('in URDF', 'Gazebo', 'because'), *rows)
    yield ''


def _options() -> Iterator[str]:
    yield '## Directly below `<gazebo>`\n'
    yield ('All other elements are copied: to the link or joint that the reference names, or to '
           'the model. What is\nbelow `<visual>` and `<collision>` is copied to each visual and '
           'collision of the link.\n')
    yield from table(('element', 'applies to', 'value', 'in SDFormat'), *(
        (f'`{tag}`', option.scope.value, option.kind.value,
         f'`{option.path}`' if option.path else '') for tag, option in OPTIONS.items()))
    yield ''


def _releases() -> Iterator[str]:
    yield """\
Names with a prefix, such as `<ns0:dampingFactor>`, stay as they are written, and `<sdf>` declares
their prefixes; libsdformat copies them without, so that its text cannot be read again by parsers
that know namespaces. A name that cannot have a prefix (`a:b:c`, `p:1`) gets `_` for the colon.
"""
    yield '## Versions\n'
    texts = dict(re.findall(
        r':param (\w+): (.+?)(?=\n *:param|\n *\Z)', Release.__doc__ or '', re.S))
    rows = []
    for name in Release._fields:
        values = [str(getattr(release, name)) for release in RELEASES.values()]
        what = ' '.join(texts[name].split()).rstrip('.')
        rows.append((_escaped(what), *(
            {'True': 'yes', 'False': 'no'}.get(value, value) for value in values)))
    yield from table(('', *(f'`--target {name}`' for name in RELEASES)), *rows)


def _escaped(text: str) -> str:
    """Return a text for a cell of a table; what is between backquotes stays as it is."""
    parts = text.replace('``', '`').replace('|', '\\|').split('`')
    parts[::2] = [part.replace('<', '&lt;') for part in parts[::2]]
    return '`'.join(parts)


if __name__ == '__main__':
    for path in DOCS.rglob('*.md'):
        before = path.read_text(encoding='utf-8')
        after = in_repository(str(path.relative_to(DOCS).with_suffix('')), before)
        if after != before:
            path.write_text(after, encoding='utf-8')
