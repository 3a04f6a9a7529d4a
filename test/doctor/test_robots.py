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


"""Which topics and frames belong to which robot, on records."""

import numpy as np
import pytest

from urdf_tools.doctor.graph import Endpoint
from urdf_tools.doctor.graph import Graph
from urdf_tools.doctor.graph import JOINT_STATE
from urdf_tools.doctor.graph import STRING
from urdf_tools.doctor.graph import TF_MESSAGE
from urdf_tools.doctor.graph_rules import evaluate
from urdf_tools.doctor.observation import FrameTrack
from urdf_tools.doctor.observation import JointTrack
from urdf_tools.doctor.observation import NodeParameters
from urdf_tools.doctor.observation import Observation
from urdf_tools.doctor.observation import ObservedRobot
from urdf_tools.doctor.observation import PublishedText
from urdf_tools.doctor.robots import difference
from urdf_tools.doctor.robots import observed_robots
from urdf_tools.doctor.robots import robot_of
from urdf_tools.doctor.rules import GRAPH_RULES

TEXT = """<robot name="r"><link name="base"/><link name="arm"/>
  <joint name="j" type="continuous"><parent link="base"/><child link="arm"/></joint></robot>"""


def graph(kinds, publishers=(), subscribers=()):
    """Return a graph, from pairs of node and topic."""
    def ends(pairs):
        return {topic: tuple(Endpoint(node) for node, of in pairs if of == topic)
                for topic in kinds}
    return Graph(kinds=kinds, publishers=ends(publishers), subscribers=ends(subscribers))


def robots(of_graph, *topics, node='/rsp', frames=(), parameters=None):
    return observed_robots(of_graph, [
        PublishedText(topic, node, TEXT, *robot_of(TEXT)) for topic in topics], frames, {
            node: parameters} if parameters else {})


def frame(child, publisher='/rsp', topic='/tf'):
    return FrameTrack(
        topic, b'', publisher, False, ('x',), (child,), np.array([0]), np.array([[0]]),
        np.zeros((1, 1, 7)))


def test_a_robot_in_a_namespace_with_a_shared_tf():
    found = graph(
        {'/left/robot_description': STRING, '/left/joint_states': JOINT_STATE, '/tf': TF_MESSAGE,
         '/right/joint_states': JOINT_STATE},
        [('/left/rsp', '/left/robot_description'), ('/left/rsp', '/tf')],
        [('/left/rsp', '/left/joint_states')])
    (robot,) = robots(found, '/left/robot_description', node='/left/rsp')
    assert (robot.joint_topics, robot.tree) == (('/left/joint_states',), '/')


def test_remapped_joint_states_and_tf():
    found = graph(
        {'/robot_description': STRING, '/drivers/states': JOINT_STATE, '/joint_states':
         JOINT_STATE, '/tf': TF_MESSAGE, '/own/tf': TF_MESSAGE},
        [('/rsp', '/robot_description'), ('/rsp', '/own/tf')], [('/rsp', '/drivers/states')])
    (robot,) = robots(found, '/robot_description')
    assert (robot.joint_topics, robot.tree) == (('/drivers/states',), '/own')


def test_one_process_for_several_robots():
    topics = ['/a/robot_description', '/b/robot_description']
    found = graph(
        {**dict.fromkeys(topics, STRING), '/a/joint_states': JOINT_STATE,
         '/b/joint_states': JOINT_STATE, '/tf': TF_MESSAGE},
        [('/rsp', topic) for topic in (*topics, '/tf')],
        [('/rsp', '/a/joint_states'), ('/rsp', '/b/joint_states')])
    first, second = robots(found, *topics, parameters=NodeParameters(
        frame_prefixes={'a.frame_prefix': 'a/', 'b.frame_prefix': 'b_'}))
    assert (first.joint_topics, first.prefix) == (('/a/joint_states',), 'a/')
    assert (second.joint_topics, second.prefix) == (('/b/joint_states',), 'b_')
    assert second.frame('arm') == 'b_arm'
    assert first.neighbours == frozenset()


def test_robots_on_one_topic_know_of_each_other():
    topics = ['/a/robot_description', '/b/robot_description']
    found = graph({**dict.fromkeys(topics, STRING), '/joint_states': JOINT_STATE},
                  [('/rsp', topic) for topic in topics], [('/rsp', '/joint_states')])
    first, _ = robots(found, *topics)
    assert first.joint_topics == ('/joint_states',)
    assert first.neighbours == {'j'}


def test_the_prefix_is_what_the_frames_have():
    found = graph({'/robot_description': STRING, '/tf': TF_MESSAGE}, [
        ('/rsp', '/robot_description'), ('/rsp', '/tf')])
    (robot,) = robots(found, '/robot_description', frames=[
        frame('left/arm'), frame('right/arm', '/other'), frame('right/arm', '/other')])
    assert robot.prefix == 'left/'
    (robot,) = robots(found, '/robot_description', frames=[frame('left/arm')],
                      parameters=NodeParameters(frame_prefixes={'frame_prefix': ''}))
    assert robot.prefix == ''


@pytest.mark.parametrize('old, new, clause, details', [
    ('', '', '', {}),
    ('"j" type="continuous"', '"k" type="continuous"', 'it has no joint {joint}', {'joint': 'j'}),
    ('<link name="arm"/>', '<link name="arm"/><link name="x"/><joint name="k" type="fixed">'
     '<parent link="arm"/><child link="x"/></joint>',
     'it has the additional link {link}', {'link': 'x'}),
    ('continuous', 'fixed', 'joint {joint} differs in its {field}',
     {'joint': 'j', 'field': 'type'}),
    ('<child link="arm"/>', '<child link="arm"/><origin xyz="0 0 1"/>',
     'joint {joint} differs in its {field}', {'joint': 'j', 'field': 'origin'}),
    ('<link name="arm"/>',
     '<link name="arm"><visual><geometry><sphere radius="1"/></geometry></visual></link>',
     'link {link} differs', {'link': 'arm'}),
    ('name="r"', 'name="s"', 'its name is {robot}', {'robot': 's'}),
    ('</robot>', '<material name="red"><color rgba="1 0 0 1"/></material></robot>',
     'its materials or transmissions differ', {})])
def test_differences_are_clauses_with_arguments(old, new, clause, details):
    robot, other = robot_of(TEXT)[0], robot_of(TEXT.replace(old, new))[0]
    assert difference(robot, other) == (clause, details)


def test_without_gids_a_message_is_from_any_publisher():
    found = graph({'/joint_states': JOINT_STATE}, [
        ('/a', '/joint_states'), ('/b', '/joint_states')])
    assert found.publisher('/joint_states', b'') == '/a or /b'
    assert found.publisher('/joint_states', b'unknown') == 'a node that has ended'
    track = JointTrack(
        '/joint_states', b'', '/a or /b', ('j',), np.array([5 * 10**9]), np.array([5 * 10**9]),
        np.zeros((1, 1)), np.zeros((1, 0)), np.zeros((1, 0)))
    robot = ObservedRobot(
        '/robot_description', robot_of(TEXT)[0], TEXT, ('/joint_states',), '/', '')
    assert codes_about_joints(found, robot, track) == []


def codes_about_joints(of_graph, robot, *tracks):
    report = evaluate(Observation(of_graph, 5.0, 5 * 10**9, (robot,), joints=tracks), 'graph', [
        code for code, rule in GRAPH_RULES.items() if rule.category != 'joints'])
    return [finding.code for finding in report.findings]


def test_a_publisher_that_reports_other_joints_has_not_stopped():
    found = graph({'/joint_states': JOINT_STATE}, [('/driver', '/joint_states')])
    robot = ObservedRobot(
        '/robot_description', robot_of(TEXT)[0], TEXT, ('/joint_states',), '/', '')

    def track(source, names, second):
        times, values = np.array([second * 10**9]), np.zeros((1, len(names)))
        return JointTrack('/joint_states', source, '/driver', names, times, times, values,
                          values[:, :0], values[:, :0])
    before, after = track(b'a', ('j', 'k'), 1), track(b'a', ('j',), 5)
    assert codes_about_joints(found, robot, after, before) == ['joint-unknown']
    assert codes_about_joints(found, robot, after, track(b'b', ('j',), 1)) == [
        'joint-states-silent']
