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

"""Diagnostics of the model and of joint states: what they say is true."""

import time

import pytest
from support.joint_messages import joint_states
from support.joint_messages import receive
from urdf_tools import DescriptionError
from urdf_tools.ros.current_model import CurrentModel
from urdf_tools.ros.current_model import model_status
from urdf_tools.ros.current_model import REJECTION_SHOWN
from urdf_tools.ros.diagnostics import Level
from urdf_tools.ros.diagnostics import NO_DESCRIPTION
from urdf_tools.ros.joint_states import JointStatesTask

ARM = """
<robot name="arm"><link name="base"/><link name="hand"/>
  <joint name="j" type="continuous"><parent link="base"/><child link="hand"/></joint></robot>"""


@pytest.mark.parametrize(('kind', 'message'), [
    ('fixed', 'The robot has no moving joints'),
    ('floating', 'The robot has only planar and floating joints, which joint_states cannot move'),
    ('planar', 'The robot has only planar and floating joints, which joint_states cannot move')])
def test_robot_without_a_joint_that_joint_states_move(kind, message):
    joints = joint_states(ARM.replace('continuous', kind))
    status = JointStatesTask(lambda: joints, lambda: 5.0, lambda: 0).run()
    assert (status.level, status.message) == (Level.OK, message)


def test_joint_states_that_stop_are_said_to_have_stopped(monkeypatch):
    now = 100.0
    monkeypatch.setattr(time, 'monotonic', lambda: now)
    joints = joint_states(ARM)
    timed, endless = (
        JointStatesTask(lambda: joints, lambda limit=limit: limit, lambda: 1)
        for limit in (5.0, 0.0))
    receive(joints, ['j'], [0.5], now)
    assert timed.run().message == endless.run().message == 'Receiving joint states'
    now += 4.0
    status = timed.run()
    assert (status.level, status.message) == (
        Level.OK, 'The last joint states arrived 4.0 s ago')
    now += 2.0
    status = timed.run()
    assert (status.level, status.message) == (Level.WARN, 'No joint states for 6.0 s')
    assert status.values['Stale'] == 'j'
    status = endless.run()
    assert (status.level, status.message) == (
        Level.OK, 'The last joint states arrived 6.0 s ago')


def test_rejected_description_is_a_warning_until_the_next_good_one_or_a_minute_later(monkeypatch):
    now = 100.0
    monkeypatch.setattr(time, 'monotonic', lambda: now)
    model = CurrentModel()

    def status():
        return model_status(model)

    def reject():
        with pytest.raises(DescriptionError):
            model.check('<robot name="a"/>')

    assert (status().level, status().message) == (Level.WARN, NO_DESCRIPTION)
    model.use(model.check(ARM), ARM)
    reject()
    assert status().level == Level.WARN
    assert status().message.startswith('A new description was rejected: ')
    assert 'Rejected because' in status().values
    model.use(model.check(ARM), ARM)
    assert (status().level, status().message) == (Level.OK, 'Model loaded')
    reject()
    now += REJECTION_SHOWN + 1
    assert (status().level, status().message) == (Level.OK, 'Model loaded')


def test_refused_message_is_an_error_until_the_next_good_one(monkeypatch):
    now = 100.0
    monkeypatch.setattr(time, 'monotonic', lambda: now)
    model = CurrentModel()
    model.use(model.check(ARM), ARM)
    model.error = DescriptionError('It has no links')
    now += REJECTION_SHOWN + 1
    status = model_status(model)
    assert status.level == Level.ERROR
    assert status.values['Robot'] == 'arm'
    model.use(model.check(ARM), ARM)
    assert model_status(model).level == Level.OK
