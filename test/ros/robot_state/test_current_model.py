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

"""What nodes of one process share."""

import gc
from threading import Barrier
from threading import Thread

import pytest

from urdf_tools.formats.loader import loads
from urdf_tools.model.errors import DescriptionError
from urdf_tools.ros.current_model import parse_description

ROBOT = '<robot name="r"><link name="base"/></robot>'


def test_nodes_share_the_robot_that_they_parse_at_the_same_time():
    ready, robots = Barrier(4), []

    def parse():
        ready.wait(60)
        robots.append(parse_description(ROBOT, '/robot_description'))

    threads = [Thread(target=parse) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(robots) == 4 and len(set(map(id, robots))) == 1
    assert parse_description(ROBOT, '/other') is robots[0]
    assert loads(ROBOT) is not robots[0]


def test_a_robot_that_nobody_uses_is_not_kept():
    parse_description(ROBOT.replace('base', 'lost'), '/forgotten')
    gc.collect()
    assert not [robot for robot in gc.get_objects()
                if type(robot).__name__ == 'Robot' and robot.source == '/forgotten']


def test_a_bad_description_is_refused_each_time():
    for _ in range(2):
        with pytest.raises(DescriptionError, match='no links'):
            parse_description('<robot name="r"/>', '/robot_description')
