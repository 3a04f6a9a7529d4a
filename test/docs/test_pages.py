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

"""The pages in Markdown: links, commands and contents, without what builds the site."""

from pathlib import Path
import re

import pytest
from site_pages import COPIED
from site_pages import filled_in
from site_pages import GENERATED
from site_pages import home_of
from site_pages import in_repository
from site_pages import pages_to_write
from support.doc_commands import blocks
from support.doc_commands import draws
from support.doc_commands import is_shown
from support.doc_commands import problem_of
from support.doc_commands import runs
from support.doc_commands import Shell

from urdf_tools.cli.command import VERBS
from urdf_tools.view.headless_browser import find_chromium

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / 'docs'

PAGES = [path.relative_to(ROOT).as_posix() for path in (
    ROOT / 'README.md', ROOT / 'CONTRIBUTING.md',
    *sorted(path for folder in (DOCS, DOCS / 'tutorials') for path in folder.glob('*.md')
            if path.name not in COPIED))]

TUTORIALS = sorted(DOCS.glob('tutorials/*.py'))

LINK = re.compile(r'\]\(([^)\s]+)\)')


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding='utf-8')


def without_blocks(text: str) -> str:
    return re.sub(r'^```.*?^```$', '', text, flags=re.MULTILINE | re.DOTALL)


def anchors(path: Path) -> set[str]:
    """Return the anchors that code hosts and MyST give to the headings of a page."""
    headings = re.findall(r'^#+ (.*)$', without_blocks(path.read_text('utf-8')), re.MULTILINE)
    return {re.sub(r'[^\w -]', '', heading.lower()).replace(' ', '-') for heading in headings}


@pytest.mark.parametrize('page', PAGES)
def test_links_lead_to_files_and_headings(page):
    for link in LINK.findall(without_blocks(text_of(page))):
        if not link.startswith('https://'):
            name, _, anchor = link.partition('#')
            target = (ROOT / page).parent / name if name else ROOT / page
            assert target.exists(), link
            assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize('page', [
    pytest.param(page, marks=pytest.mark.slow) if page == 'docs/collide.md' else page
    for page in PAGES])
def test_commands_print_what_the_page_shows(page, tmp_path):
    shell = Shell(tmp_path)
    for block in blocks(text_of(page)):
        if block.note == 'file':
            shell.write(block.text, block.body)
        elif block.language == 'console' and block.note != 'not run':
            for step in block.steps():
                where = f'{page}:{step.line}: {step.command}'
                if not runs(step.command):
                    assert not problem_of(step.command), where
                    continue
                code, printed = shell.run(step.command)
                assert is_shown(printed, step.output), f'{where}\n' + '\n'.join(printed)
                assert code == 0 or step.output, where


@pytest.mark.skipif(
    find_chromium() is None, reason='Chromium is not installed ("sudo apt install chromium")')
@pytest.mark.slow
@pytest.mark.parametrize('page', [page for page in PAGES if '--screenshot' in text_of(page)])
def test_pictures_are_those_of_the_commands(page, tmp_path):
    shell = Shell(tmp_path)
    for block in blocks(text_of(page)):
        if block.note == 'file':
            shell.write(block.text, block.body)
        for step in block.steps() if block.language == 'console' else ():
            if runs(step.command) and block.note != 'not run':
                shell.run(step.command)
            elif draws(step.command):
                code, printed = shell.run(step.command)
                assert code == 0, printed
                picture = shell.folder / step.command.split()[-1]
                assert picture.read_bytes().startswith(b'\x89PNG')
                assert picture.name in text_of(page).split(step.command)[1]
                assert (ROOT / page).with_name(picture.name).is_file()


@pytest.mark.parametrize('page', PAGES)
def test_commands_are_in_blocks_that_are_tested(page):
    for block in blocks(text_of(page)):
        assert block.language not in ('', 'sh', 'bash', 'shell'), (page, block.line)
        if block.note == 'not run':
            assert block.text, (page, block.line)
        elif block.language != 'console':
            assert not re.search(r'^\$ ', block.body, re.MULTILINE), (page, block.line)


@pytest.mark.parametrize('page', PAGES)
def test_verbs_in_the_text_exist(page):
    assert {verb for verb in re.findall(r'`urdf-tools ([a-z]+)', text_of(page))} <= {*VERBS}


def test_the_contents_name_every_page():
    index = text_of('docs/index.md')
    listed = {link for link in LINK.findall(index) if link.endswith('.md')}
    written = {path.removeprefix('docs/') for path in PAGES if path.startswith('docs/')}
    assert listed == written - {'index.md'} | {'../CONTRIBUTING.md'}
    assert all(link.removesuffix('.md').removeprefix('../') in filled_in('index', index)
               for link in listed - {'../CONTRIBUTING.md'})


@pytest.mark.slow
def test_generated_pages_are_made_and_not_in_git():
    pages = dict(pages_to_write())
    assert {name.partition('/')[0] for name in pages} == {*GENERATED, *COPIED}
    ignored = text_of('.gitignore').splitlines()
    assert {f'/docs/{name}/' for name in GENERATED} <= {*ignored}
    assert {f'/docs/{name}' for name in COPIED} <= {*ignored}
    assert all(text.strip() for text in pages.values())


def test_what_is_made_is_put_into_pages():
    pages = {page: filled_in(page.removeprefix('docs/').removesuffix('.md'), text_of(page))
             for page in PAGES if page.startswith('docs/')}
    assert not [page for page, text in pages.items() if '<!-- build:' in text]
    assert not [page for page, text in pages.items() if '<!-- end -->' in text]
    assert '| [Robot](api/Robot.md) |' in pages['docs/api.md']
    assert home_of('urdf_tools.model.robot.Robot.subtree') == 'urdf_tools.Robot.subtree'
    assert home_of('urdf_tools.model.nothing') is None


def test_the_repository_has_something_where_the_site_makes_it():
    """Programs and short tables are those of the code: python3 tools/site_pages.py writes them."""
    made = {page: text_of(page) for page in PAGES if '\n<!-- build:' in text_of(page)}
    without = {page for page, text in made.items() if '\n<!-- end -->' not in text}
    assert len(made) == 15
    # Their bullets, and the README that they link, have the same.
    assert without == {'docs/index.md', 'docs/how-it-works.md'}
    for page, text in made.items():
        name = page.removeprefix('docs/').removesuffix('.md')
        assert in_repository(name, text) == text, page
        assert 'In the repository' not in filled_in(name, text)


@pytest.mark.parametrize('program', TUTORIALS, ids=lambda program: program.stem)
def test_tutorials_name_their_robot_from_any_folder(program):
    text = program.read_text(encoding='utf-8')
    assert "Path(__file__).parents[2] / 'urdf' / " in text and "'urdf/" not in text


def test_git_ignores_what_tutorials_write_to_the_clone():
    ignored = text_of('.gitignore').splitlines()
    written = {name for program in TUTORIALS for name in re.findall(
        r"(?:save|open|write)[^\n]*'(\w+\.(?:urdf|mcap))'", program.read_text('utf-8'))}
    assert written > {'loaded.urdf', 'with_vacuum.urdf'}
    assert {f'/{name}' for name in written | {'vacuum.urdf'}} <= {*ignored}


def test_readme_is_short():
    assert len(text_of('README.md').splitlines()) <= 150


def test_each_tutorial_has_its_program_on_a_page_and_a_picture():
    assert len(TUTORIALS) == 7
    for program in TUTORIALS:
        page = program.with_name(program.stem.replace('_', '-') + '.md')
        text = page.read_text(encoding='utf-8')
        assert f'<!-- build: include {program.name} -->' in text
        assert f'$ python3 docs/tutorials/{program.name}\n' in text
        shown = filled_in(f'tutorials/{page.stem}', text)
        assert program.read_text(encoding='utf-8').partition('"""')[2] in shown
        assert page.with_suffix('.png').stat().st_size < 150_000


@pytest.mark.parametrize('printed, shown, same', [
    (['a', 'b', 'c'], ('a', '...', 'c'), True), (['a', 'c'], ('a', '...', 'c'), True),
    (['a', 'b'], ('a',), False), (['a 1 b'], ('a ... b',), True), (['a'], ('b',), False),
    ([], (), True), (['a'], (), False)])
def test_output_is_compared(printed, shown, same):
    assert is_shown(printed, shown) == same


@pytest.mark.parametrize('command, problem', [
    ('make demo MODEL=x.urdf', ''), ('make nothing', 'No rule'), ("pip install '.[view]'", ''),
    ("pip install '.[nothing]'", 'nothing'),
    ('ros2 launch urdf_tools view.launch.py port:=8081', ''),
    ('ros2 launch urdf_tools view.launch.py colour:=red', 'colour'),
    ('ros2 launch urdf_tools nothing.launch.py', 'nothing'),
    ('ros2 run urdf_tools viewer', ''), ('ros2 run urdf_tools nothing', 'nothing'),
    ('reboot', 'say why')])
def test_commands_that_are_not_run_are_checked(command, problem):
    found = problem_of(command)
    assert problem in found and bool(found) == bool(problem)
