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

"""Diagnostics of the joint state source."""

from collections import Counter
import time

from urdf_tools.nodes.joint_state_source import SILENCE
from urdf_tools.nodes.joint_state_source import SourcesTask
from urdf_tools.ros.diagnostics import Level
from urdf_tools.ros.diagnostics import NO_DESCRIPTION


def test_warnings_about_silent_topics_and_skipped_values_and_errors_first(monkeypatch):
    now = 0.0
    monkeypatch.setattr(time, 'monotonic', lambda: now)
    faults = Counter()
    task = SourcesTask(['arm', 'hand'], faults)
    assert task.run().message == NO_DESCRIPTION
    task.joints = 2
    status = task.run()
    assert (status.level, status.message) == (Level.WARN, 'No joint states from arm, hand')
    task.received('arm')
    now = 1.0
    task.received('hand')
    assert task.run().level == Level.OK
    assert task.run().values['Age of arm (s)'] == '1.000'
    now = SILENCE + 0.5
    assert task.run().message == 'No joint states from arm'
    task.received('arm')
    faults['non-finite'] += 3
    skipped = task.run()
    assert (skipped.level, skipped.message) == (Level.WARN, '3 skipped: non-finite')
    assert task.run().level == Level.OK
    task.published = 20
    now += 2.0
    task.error = 'some reason'
    assert (task.run().level, task.run().message) == (Level.ERROR, task.error)


def test_no_topics_is_no_warning():
    task = SourcesTask([], Counter())
    task.joints = 1
    assert (task.run().level, task.run().message) == (Level.OK, 'Joint states are published')


def test_nothing_is_published_without_a_description_or_a_joint():
    task = SourcesTask([], Counter())
    assert (task.run().level, task.run().message) == (Level.WARN, NO_DESCRIPTION)
    task.joints = 0
    assert (task.run().level, task.run().message) == (
        Level.OK, 'There are no joint states to publish')
