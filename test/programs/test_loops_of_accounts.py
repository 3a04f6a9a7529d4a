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

"""Loops, which most programs leave open."""

import pytest
from urdf_tools import loads
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.accounts import Source
from urdf_tools.programs.models import account_of
from urdf_tools.programs.models import MODELS

BODY = ('<inertial><mass value="1"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" '
        'izz="0.1"/></inertial><collision><geometry><sphere radius="1"/></geometry></collision>')
CHAINS = ''.join(f'<link name="{name}">{BODY}</link>' for name in 'abcd') + ''.join(
    f'<joint name="{parent}{child}" type="continuous"><parent link="{parent}"/>'
    f'<child link="{child}"/></joint>' for parent, child in ('ab', 'bc', 'ad'))
OF_GAZEBO = ('<gazebo><joint name="pin" type="revolute"><parent>c</parent><child>d</child>'
             '<axis><xyz>0 0 1</xyz></axis></joint></gazebo>')
OF_ISAAC = ('<loop_joint name="pin" type="spherical"><link1 link="c" xyz="0 0 0" rpy="0 0 0"/>'
            '<link2 link="d" xyz="0 0 0" rpy="0 0 0"/></loop_joint>')


@pytest.mark.parametrize('program', MODELS)
@pytest.mark.parametrize('written', [OF_GAZEBO, OF_ISAAC, ''])
def test_a_loop_is_lost_but_that_of_gazebo_in_gazebo(program, written):
    robot = loads(f'<robot name="r">{CHAINS}{written}</robot>')
    assert len(robot.loops) == bool(written)
    account = account_of(program, Source.of_robot(robot), Context())
    if not account.loads:  # Drake refuses <loop_joint>.
        assert (program, written) == ('drake', OF_ISAAC)
        return
    lost = [loss for loss in account.losses if loss.of == 'loop']
    is_kept = not written or program == 'mjcf' or program == 'gazebo' and written is OF_GAZEBO
    assert len(lost) == (not is_kept)
    for loss in lost:
        assert str(loss.message) == (
            "Loop 'pin': libsdformat does not read it" if program == 'gazebo' else
            "Leaves loop 'pin' of links 'c' and 'd' open")
        assert loss.element is not None
