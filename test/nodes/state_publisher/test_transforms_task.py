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

"""Diagnostics of the transforms: they say only of published ones that they are published."""

from collections import Counter
import time

from urdf_tools.nodes.state_publisher.tf_pipeline import SILENCE
from urdf_tools.nodes.state_publisher.tf_pipeline import TransformsTask
from urdf_tools.ros.diagnostics import Level
from urdf_tools.ros.diagnostics import NO_DESCRIPTION


def test_nothing_is_said_to_be_published_that_is_not(monkeypatch):
    now = 100.0
    monkeypatch.setattr(time, 'monotonic', lambda: now)
    task = TransformsTask(Counter(), lambda: 0)

    def status():
        found = task.run()
        return found.level, found.message

    assert status() == (Level.WARN, NO_DESCRIPTION)
    task.moving = False
    assert status() == (
        Level.OK, 'Static transforms are published; the robot has no moving joints')
    task.moving = True
    task.published = 5
    assert status() == (Level.OK, 'Transforms are published')
    now += SILENCE + 2
    assert status() == (Level.WARN, 'No transforms of moving joints for 17 s')
    task.published = 6
    assert status() == (Level.OK, 'Transforms are published')
    task.off = True
    assert status() == (Level.OK, 'Transforms are turned off by the parameter publish_tf')


def test_a_jump_of_the_clock_is_said_once():
    task = TransformsTask(Counter(), lambda: 0)
    task.moving = True
    task.rewinds += 1
    jumped, later = task.run(), task.run()
    assert jumped.level == Level.WARN
    assert jumped.message == 'The clock jumped back, and every joint is published again'
    assert later.level == Level.OK
    assert later.values['Clock jumped back'] == 1
