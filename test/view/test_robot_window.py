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
"""A robot that a program or a notebook shows."""

from __future__ import annotations

import sys
import threading
from urllib.request import urlopen

import numpy as np
import pytest
from support.robot_text import joint
from support.robot_text import link
from urdf_tools import loads

viser = pytest.importorskip('viser', reason='viser is not installed ("pip install viser")')

ROBOT = loads('\n'.join((
    '<robot name="r">', link('a'), link('b'), joint('ab', 'a', 'b', 'continuous'), '</robot>')))


@pytest.fixture
def opened(monkeypatch):
    """Return the addresses that a browser is told to open, once there is one."""
    found, event = [], threading.Event()
    monkeypatch.setattr('webbrowser.open', lambda url: found.append(url) or event.set())

    def wait():
        assert event.wait(60)
        return found
    return wait


def test_a_window(opened):
    window = ROBOT.show({'ab': 0.5})
    try:
        assert opened() == [window.url]
        with urlopen(window.url) as answer:
            assert b'<html' in answer.read(2000).lower()
        assert window._viewer.positions() == {'ab': 0.5}
        assert window._viewer.view.pose('b')[2, 1] == pytest.approx(np.sin(0.5))
        window.move([-0.25])
        assert window._viewer.positions() == {'ab': -0.25}
        for wrong in ([0, 0], [[0]], [np.nan]):
            with pytest.raises(ValueError, match='finite positions|have the shape'):
                window.move(wrong)
        with pytest.raises(KeyError, match='ab'):
            window.move({'ba': 0})
        assert window._viewer.positions() == {'ab': -0.25}
    finally:
        window.close()
    with pytest.raises(OSError):
        urlopen(window.url)


def test_a_notebook_shows_the_page_in_its_cell(opened, monkeypatch):
    monkeypatch.setitem(sys.modules, 'ipykernel', sys)
    window, other = ROBOT.show(), ROBOT.show(np.zeros(1))
    try:
        assert f'<iframe src="{window.url}"' in window._repr_html_()
        assert window.url != other.url
    finally:
        for each in (window, other):
            each.close()


def test_without_viser(monkeypatch, tmp_path):
    # Not the environment of make, which has a command of its own.
    monkeypatch.setattr(sys, 'executable', str(tmp_path / 'bin' / 'python3'))
    for name in [name for name in sys.modules if name.startswith('urdf_tools.view.')]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, 'viser', None)
    with pytest.raises(ImportError, match='install what shows robots .*viser'):
        ROBOT.show()
