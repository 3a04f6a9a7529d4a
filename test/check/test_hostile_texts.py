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
Hostile texts at positions of descriptions and graphs, in what each verb and node makes of them.

``python -m benchmarks.fuzz --kind texts`` takes other ones, and with ``--all`` all.
"""

from random import Random
from urllib.parse import quote

import pytest
from support.fuzz_inputs import KINDS
from support.text_answers import browser
from support.text_answers import check_markup
from support.text_positions import descriptions
from support.text_positions import TEXTS
from support.text_runs import RUNS
from support.text_runs import Trial

pytest.importorskip('xacro', reason='xacro is not installed')


@pytest.mark.parametrize('numbers', [
    range(5), pytest.param(range(5, 350), marks=pytest.mark.slow)])
@pytest.mark.filterwarnings('ignore::RuntimeWarning')
def test_texts(numbers, tmp_path):
    for number in numbers:
        trial = KINDS['texts'].make(Random(f'1 texts {number}'))
        try:
            trial.check(tmp_path)
        except Exception as error:
            raise AssertionError(f'Trial {number}: {trial.data.decode()[:2000]}') from error


@pytest.mark.slow
@pytest.mark.skipif('pages' not in KINDS, reason='Chromium or viser is not installed')
def test_pages_in_a_browser(tmp_path):
    """No markup of a text is in the view or the report, where each name has another text."""
    page = browser()
    page.call('Page.navigate', url=f'data:text/html,{quote(TEXTS["markup"])}')
    page.wait(lambda: page.evaluate('document.querySelector("img") !== null'), 'the image')
    with pytest.raises(AssertionError, match='onerror'):
        check_markup(page)
    for number in range(4):
        KINDS['pages'].make(Random(f'1 pages {number}')).check(tmp_path)


def test_all_kinds_of_files_are_tried():
    files = {name.rpartition('/')[2] for each in descriptions().values() for name in each.files}
    assert {'robot.urdf', 'robot.urdf.xacro', 'robot.srdf', 'loops.yaml', 'kinematics.yaml',
            'ros2_controllers.yaml', 'joint_limits.yaml', 'package.xml', 'robot.sdf', 'robot.xml',
            'model.config'} <= files
    assert len(descriptions()) >= 20
    syntaxes = {each.syntax for of in descriptions().values() for each in of.positions()}
    assert syntaxes == {'attribute', 'text', 'comment', 'yaml', 'plain yaml'}


def position(name, file, old):
    """Return a description and the position of a text in one of its files."""
    described = descriptions()[name]
    return described, next(each for each in described.positions()
                           if each.file == file and described.text_at(each) == old)


@pytest.mark.parametrize('text', [pytest.param(each, marks=[pytest.mark.slow] * (
    each not in ('newline', 'scheme', 'million'))) for each in TEXTS])
@pytest.mark.parametrize('run', ['check', 'folded'])
def test_the_suffix_and_the_scheme_of_a_mesh_in_the_first_lines(run, text, tmp_path):
    Trial(run, *position('package', 'urdf/robot.urdf',
                         'package://cart_descripton/meshes/a.STL'), text).check(tmp_path)


def test_a_baseline_with_a_name_that_has_a_null(tmp_path):
    described, where = position('package', 'config/drive.yaml', 'ros__parameters')
    Trial('baseline', described, where, 'null', 'same').check(tmp_path)


@pytest.mark.parametrize('text', ['escape', 'null', 'surrogate', 'byte', 'csi', 'bidi'])
@pytest.mark.parametrize('run', ['mjcf', 'mjcf-json', 'sdf-file', 'tree', 'check'])
def test_names_in_a_file_of_loops(run, text, tmp_path):
    """XML has no control characters, and a file no half of a surrogate pair."""
    assert run in RUNS
    Trial(run, *position('loops', 'loops.yaml', 'bolt'), text).check(tmp_path)
