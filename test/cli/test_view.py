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
"""The verb view: its arguments, its page, and its pictures."""

from __future__ import annotations

import os
from pathlib import Path
import signal
import subprocess
import sys
from urllib.request import urlopen

import numpy as np
import pytest
from urdf_tools.cli import main

pytest.importorskip('viser', reason='viser is not installed ("pip install viser")')

from urdf_tools.cli.view import LAYERS  # noqa: E402,I100,I202
from urdf_tools.view.headless_browser import find_chromium  # noqa: E402
from urdf_tools.view.robot_view import Layer  # noqa: E402

ARM = str(Path(__file__).resolve().parents[2] / 'urdf' / 'arm.urdf')


def test_layers_are_those_of_the_view():
    assert LAYERS == tuple(layer.name.lower() for layer in Layer)


@pytest.mark.parametrize('arguments, message', [
    (['--joint', 'nothing=1'], "Variable 'nothing' does not exist"),
    (['--show', 'visuals'], "Layer 'visuals' does not exist"),
    (['--camera', 'below'], 'below'), (['--camera', '1,2,-3'], 'AZIMUTH'),
    (['--size', '1x1'], 'WIDTHxHEIGHT'), (['--link', 'nothing'], "Link 'nothing' does not exist"),
    (['--timeout', '0'], 'not positive'),
    (['--port', '0'], 'is not a number of a port from 1 to 65535'),
    (['--host', '192.0.2.1'], "Cannot serve at '192.0.2.1'")])
def test_bad_arguments(capsys, arguments, message):
    try:
        code = main(['view', ARM, '--no-browser', *arguments])
    except SystemExit as error:
        code = error.code
    assert code == 2
    assert message in capsys.readouterr().err


def test_without_chromium(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv('PATH', str(tmp_path))
    assert main(['view', ARM, '--screenshot', str(tmp_path / 'a.png')]) == 2
    assert 'apt install chromium' in capsys.readouterr().err


def test_without_viser(capsys, monkeypatch):
    for name in [name for name in sys.modules if name.startswith('urdf_tools.view.')]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, 'viser', None)
    assert main(['view', ARM]) == 2
    assert 'needs the Python package viser' in capsys.readouterr().err


@pytest.mark.parametrize('text, arguments, message', [
    ('<robot name="r"/>', ['--screenshot', 'a.png'], 'The robot has no links'),
    ('<robot name="r">\n<link name="a"></robot>', ['--joint', 'j=1'], 'robot.urdf:2'),
    ('PK\3\4', [], 'robot.urdf'), (None, [], 'No such file')])
def test_what_cannot_be_shown_ends_with_its_error(capsys, tmp_path, text, arguments, message):
    file = tmp_path / 'robot.urdf'
    if text is not None:
        file.write_text(text)
    assert main(['view', str(file), '--no-browser', *arguments]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize('options, warning', [
    ([], 'can only look'), pytest.param(
        ['--allow-control'], 'moves it in the view', marks=pytest.mark.slow)])
def test_the_page_is_served_until_a_signal(options, warning):
    """An address that is open to others is not served silently."""
    process = subprocess.Popen(
        [sys.executable, '-m', 'urdf_tools.cli', 'view', ARM, '--no-browser', '--host', '0.0.0.0',
         '--port', '8490', *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    line = process.stdout.readline()
    url = line.split()[1]
    with urlopen(url) as answer:
        assert b'<html' in answer.read(2000).lower()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert (process.returncode, out) == (130, '')
    assert 'open to the network' in err and warning in err


@pytest.mark.slow
@pytest.mark.skipif(
    find_chromium() is None, reason='Chromium is not installed ("sudo apt install chromium")')
def test_picture(tmp_path, capsys):
    from PIL import Image
    file = tmp_path / 'arm.png'
    assert main(['view', ARM, '--screenshot', str(file), '--size', '320x240', '--camera', 'left',
                 '--show', 'visual,frames']) == 0
    # It also says what it waits for, where that takes long.
    assert capsys.readouterr().err.endswith(f'wrote {file}\n')
    picture = Image.open(file)
    assert picture.size == (320, 240)
    assert len(picture.convert('RGB').getcolors(320 * 240)) > 100
    assert os.listdir(tmp_path) == ['arm.png']


@pytest.mark.slow
@pytest.mark.skipif(
    find_chromium() is None, reason='Chromium is not installed ("sudo apt install chromium")')
def test_names_in_a_picture_and_what_it_lacks(tmp_path, capfd):
    """What is missing is reported on standard error, and nothing else."""
    from PIL import Image
    robot = tmp_path / 'robot.urdf'
    robot.write_text(
        '<robot name="r"><link name="a"><visual><geometry><mesh filename="gone.stl"/></geometry>'
        '</visual><collision><geometry><box size="1 1 1"/></geometry></collision></link>'
        '<link name="b"><visual><geometry><box size="0.2 0.2 2"/></geometry></visual></link>'
        '<joint name="j" type="continuous"><axis xyz="1 0 0"/><origin xyz="0 0 1"/>'
        '<parent link="a"/><child link="b"/></joint></robot>')
    pictures = []
    for layers in ('visual', 'visual,names'):
        file = tmp_path / 'robot.png'
        assert main(['view', str(robot), '--screenshot', str(file), '--size', '600x400',
                     '--show', layers, '--mark', 'nothing']) == 0
        assert [line for line in capfd.readouterr().err.splitlines() if ' s)' not in line] == [
            'urdf-tools: 1 mesh file not shown, because not found or not readable: gone.stl',
            'urdf-tools: 1 link drawn with collision shapes instead: a', f'wrote {file}']
        pictures.append(np.asarray(Image.open(file)).astype(int))
    plain, named = pictures
    is_label = (named.min(axis=-1) > 225) & (plain.min(axis=-1) < 225)
    assert 100 < is_label.sum() < 5000
