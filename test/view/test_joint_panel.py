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

"""The sliders of a robot with loops."""

from dataclasses import replace
from unittest.mock import MagicMock

import pytest
from support.mechanisms import four_bar

pytest.importorskip('viser')
from urdf_tools.kinematics import KinematicTree  # noqa: E402
from urdf_tools.view.joint_panel import JointPanel  # noqa: E402


def panel(**initial):
    gui = MagicMock()
    gui.add_text.return_value.value = ''
    gui.add_slider.return_value.configure_mock(value=0.0, min=-10.0, max=10.0)
    tree = KinematicTree(replace(four_bar(0.1, 0.35, 0.3, 0.4), initial=initial))
    JointPanel(gui, tree, tree.neutral(), MagicMock())
    return ([call.args[0] for call in gui.add_slider.call_args_list],
            [call.args[0] for call in gui.add_html.call_args_list])


def test_what_follows_has_no_slider():
    sliders, texts = panel(a=0.5, b=0.4, c=1.5)
    assert sliders == ['a [rad]']
    assert not any('several ways' in text for text in texts)


def test_it_says_which_positions_tell_how_undecided_loops_are_assembled():
    sliders, texts = panel()
    assert sorted(sliders) == ['a [rad]', 'b [rad]', 'c [rad]']
    text, = (text for text in texts if 'several ways' in text)
    assert 'some of b, c.' in text


def test_it_says_which_loops_cannot_be_closed():
    gui = MagicMock()
    gui.add_text.return_value.value = ''
    gui.add_slider.return_value.configure_mock(value=0.0, min=-10.0, max=10.0)
    tree = KinematicTree(four_bar(0.1, 0.35, 0.3, 2.0))
    JointPanel(gui, tree, tree.neutral(), MagicMock())
    assert any('No positions were found that close loops pin.' in call.args[0]
               for call in gui.add_html.call_args_list)
