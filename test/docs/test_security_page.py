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

"""The limits on docs/security.md are those of the code, and the tests that it names exist."""

import ast
from pathlib import Path
import re

import pytest

from urdf_tools.check import file_lookup
from urdf_tools.check.workspace import checking
from urdf_tools.check.workspace import settings
from urdf_tools.doctor import collected_messages
from urdf_tools.doctor.recordings.recorded import RecordingLimits
from urdf_tools.formats import urdf_tree
from urdf_tools.formats.mjcf import models as mjcf_models
from urdf_tools.formats.sdf import models as sdf_models
from urdf_tools.meshes.limits import MeshLimits
from urdf_tools.model import loops
from urdf_tools.model import package_lookup
from urdf_tools.model.xml import document
from urdf_tools.model.xml import xml_parser
from urdf_tools.xacro import guard
from urdf_tools.xacro.files import XacroLimits

TESTS = Path(__file__).resolve().parents[1]

PAGE = TESTS.parent / 'docs' / 'security.md'

ROWS = dict(
    cells for line in PAGE.read_text(encoding='utf-8').splitlines()
    if len(cells := [cell.strip() for cell in line.split('|')][1:3]) == 2)

MESH = MeshLimits()
RECORDING = RecordingLimits()
XACRO = XacroLimits()


@pytest.mark.parametrize('subject, limits', [
    ('XML of a description, also what xacro makes', [
        f'{document.MAX_BYTES // 2**20} MB',
        f'{xml_parser.MAX_ELEMENTS:,} elements and comments',
        f'{xml_parser.MAX_ATTRIBUTES:,} attributes', f'depth {xml_parser.MAX_DEPTH}',
        f'{xml_parser.MAX_TOKEN // 2**20} MB for a tag or a comment']),
    ('SDF or MJCF with all that it includes, attaches, replicates and names', [
        f'{xml_parser.MAX_ELEMENTS:,} elements', f'{urdf_tree.MAX_FILES} files',
        f'{document.MAX_BYTES // 2**20} MB', f'models in models {sdf_models.MAX_DEPTH} deep',
        f'elements of MJCF {xml_parser.MAX_DEPTH}', f'files of MJCF {mjcf_models.MAX_FILES}']),
    ('xacro expression', [f'{guard.MAX_CHARACTERS:,} characters']),
    ('all expansions of a xacro file', [
        f'{XACRO.memory} MB and {XACRO.total_time} s',
        f'{settings.MAX_COMBINATIONS} combinations']),
    ('file that xacro includes or loads', [f'{document.MAX_BYTES // 2**20} MB']),
    ('mesh with the files that it refers to', [
        f'{MESH.size} MB', f'{MESH.triangles:,} triangles', f'{MESH.memory} MB of memory',
        f'{MESH.time} s of CPU time', f'{MESH.total_time} s for all of a description']),
    ('check of a description in a process of its own (`--jobs`)', [
        f'{checking.SECONDS:g} s of CPU time']),
    ('recording', [
        f'{RECORDING.memory} MB of memory', f'{RECORDING.time} s of CPU time',
        f'{RECORDING.size} MB decompressed', f'{RECORDING.names:,} topics']),
    ('files that a description refers to, and buffers of the language server', [
        f'{file_lookup.MAX_FILES} are looked up', f'{package_lookup.MAX_PATH} characters',
        f'{package_lookup.MAX_DEPTH} slashes of a path or URI']),
    ('settings file', [
        f'{settings.MAX_BYTES:,} bytes', f'depth {settings.MAX_DEPTH}',
        f'{settings.MAX_ROOTS} roots']),
    ('`package.xml`', [
        f'{package_lookup.MAX_BYTES // 2**20} MB', f'{package_lookup.MAX_FOLDERS:,} folders']),
    ('loops of a robot, also in a file', [f'{loops.MAX_LOOPS} loops']),
    ('graph that the doctor and `model_monitor` observe', [
        f'{collected_messages.MAX_BYTES // 10**6} MB of messages',
        f'{collected_messages.MAX_FRAMES} frames of a topic'])])
def test_limits(subject, limits):
    for limit in limits:
        assert limit in ROWS[subject]


def test_limits_of_the_language_server():
    pytest.importorskip('pygls', reason='pygls is not installed')
    from urdf_tools.lsp import file_checks
    assert f'{file_checks.SECONDS:g} s in the language server' in ROWS[
        'all expansions of a xacro file']


def test_limits_of_services():
    pytest.importorskip('rclpy', reason='ROS is not sourced')
    from urdf_tools.nodes.model_monitor import graph_observer
    from urdf_tools.nodes.model_monitor import sampled_topics
    from urdf_tools.ros import request_size
    assert f'{request_size.MAX_ELEMENTS:,} elements of a list' in ROWS[
        'service request, for parameters, too']
    assert ROWS['text of a service request, likewise'] == f'{request_size.MAX_TEXT:,} bytes'
    observed = ROWS['graph that the doctor and `model_monitor` observe']
    assert f'{graph_observer.MAX_NAMES:,} joints or frames' in observed
    assert f'{sampled_topics.MAX_TOPICS} sampled topics' in observed


def test_the_tests_of_promises_exist():
    part = PAGE.read_text(encoding='utf-8').partition('## What attacks')[2].partition('\n## ')[0]
    rows = [line for line in part.splitlines() if line.startswith('| ')][1:]
    assert len(rows) > 20
    for row in rows:
        promise, tests = (cell.strip() for cell in row.strip('|').split('|'))
        assert tests.count('`test_') > 0, promise
        for file, names in re.findall(r'`([\w/]+\.py)`: ([^;]+)', tests):
            defined = {each.name for each in ast.parse((TESTS / file).read_text()).body
                       if isinstance(each, ast.FunctionDef)}
            assert set(re.findall(r'`(test_\w+)`', names)) <= defined, promise
        assert not re.sub(r'`[\w/.]+`|[:;, ]', '', tests), f'not read of {promise}'
