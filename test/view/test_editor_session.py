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
"""What a view and an editor say to each other; the view is a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from types import SimpleNamespace

import pytest
from urdf_tools import load

pytest.importorskip('viser', reason='viser is not installed ("pip install viser")')

from urdf_tools.view.local_server import LocalServer  # noqa: E402,I100,I202
from urdf_tools.view.model_file import Cursor  # noqa: E402
from urdf_tools.view.model_file import EditorViewer  # noqa: E402
from urdf_tools.view.model_file import links_at  # noqa: E402
from urdf_tools.view.model_file import ModelFile  # noqa: E402
from urdf_tools.view.robot_view import HIGHLIGHT  # noqa: E402

URDF = """<robot name="r"><link name="base"/>
<!-- ä --> <joint name="j" type="fixed">
  <parent link="base"/><child link="tip"/>
</joint>
<link name="tip"><visual><geometry><sphere radius="1"/></geometry></visual></link>
</robot>"""
LEG = """<robot xmlns:xacro="http://www.ros.org/wiki/xacro">
<xacro:macro name="leg" params="n"><link name="${n}_leg">
  <visual><geometry><box size="1 1 1"/></geometry></visual></link>
<joint name="${n}_j" type="fixed"><parent link="base"/><child link="${n}_leg"/></joint>
</xacro:macro></robot>"""
ROBOT = """<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">
<xacro:include filename="leg.xacro"/><link name="base"/>
<xacro:leg n="a"/>
<xacro:leg n="b"/></robot>"""


@pytest.mark.parametrize(('line', 'column', 'links'), [
    (1, 5, []), (1, 25, ['base']), (2, 15, ['tip']), (3, 30, ['tip']), (5, 40, ['tip']),
    (5, 84, ['tip']), (6, 3, []), (7, 1, []), (0, 1, []), (2, 10**9, ['tip'])])
def test_the_links_at_a_cursor(tmp_path, line, column, links):
    file = tmp_path / 'r.urdf'
    file.write_text(URDF)
    assert links_at(load(file), Cursor(str(file), line, column)) == links


@pytest.mark.parametrize(('name', 'line', 'column', 'links'), [
    ('r.urdf.xacro', 3, 5, ['a_leg']), ('leg.xacro', 3, 30, ['a_leg', 'b_leg']),
    ('leg.xacro', 4, 10, ['a_leg', 'b_leg']), ('r.urdf.xacro', 2, 5, []), ('other', 1, 1, [])])
def test_the_links_that_macros_make(tmp_path, name, line, column, links):
    pytest.importorskip('xacro', reason='xacro is not installed')
    (tmp_path / 'leg.xacro').write_text(LEG)
    (tmp_path / 'r.urdf.xacro').write_text(ROBOT)
    assert links_at(
        load(tmp_path / 'r.urdf.xacro'), Cursor(str(tmp_path / name), line, column)) == links


def test_unsaved_texts_are_shown_and_the_cursor_stays(tmp_path, capsys):
    pytest.importorskip('xacro', reason='xacro is not installed')
    from urdf_tools import ResourceResolver
    from urdf_tools.check.validator import validates
    leg, file = tmp_path / 'leg.xacro', tmp_path / 'r.urdf.xacro'
    leg.write_text(LEG)
    file.write_text(ROBOT)
    linked = tmp_path / 'linked'
    linked.symlink_to(tmp_path)
    server = LocalServer(port=8490)
    viewer = EditorViewer(server)
    model = ModelFile(viewer, str(file), {}, ResourceResolver(tmp_path), validates)
    try:
        model.show()
        text = LEG.replace('_leg', '_foot')
        viewer.listen(['nonsense\n', '7\n', '{"cursor": {"file": 1}}\n', json.dumps({
            'texts': {str(linked / 'leg.xacro'): text},
            'cursor': {'file': str(leg), 'line': 3, 'column': 9}})], model)
        assert len(capsys.readouterr().err.splitlines()) == 3
        assert viewer.view._marks == {'a_leg': HIGHLIGHT, 'b_leg': HIGHLIGHT}
        model.show()
        assert list(viewer.view.tree.link_names) == ['base', 'a_foot', 'b_foot']
        assert viewer.view._marks == {'a_foot': HIGHLIGHT, 'b_foot': HIGHLIGHT}
        viewer.select('b_foot', SimpleNamespace(ray_origin=(0, 0, 0)))
        assert json.loads(capsys.readouterr().out) == {
            'selected': 'b_foot', 'file': str(leg), 'line': 2, 'column': 36}
        model.texts = {str(leg): LEG.replace('</link>', '')}
        for _ in range(2):
            model.try_to_show()
            model.texts = {}
        broken, fine = map(json.loads, capsys.readouterr().out.splitlines())
        assert str(leg) in broken['error'] and fine == {'error': ''}
    finally:
        server.stop()


@pytest.mark.slow
def test_the_view_ends_with_its_editor(tmp_path):
    file = tmp_path / 'r.urdf'
    file.write_text(URDF)
    view = subprocess.Popen(
        [sys.executable, '-m', 'urdf_tools.cli', 'view', '--editor', '--port', '8495', str(file)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    timer = threading.Timer(120, view.kill)
    timer.start()
    try:
        assert json.loads(view.stdout.readline())['url'].startswith('http://127.0.0.1:')
        assert view.communicate('')[0] == ''
        assert view.returncode == 0
    finally:
        timer.cancel()
        view.kill()
