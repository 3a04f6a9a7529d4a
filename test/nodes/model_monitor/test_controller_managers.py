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

"""
What controller managers respond is what the rules about ros2_control need.

Every case is a robot in a namespace of its own, and all are one graph. The rules themselves are
tested on records in ``test/doctor/test_graph_rules.py``.
"""

from __future__ import annotations

import json
from threading import Event
from threading import Thread
import time

import pytest
from support.graph_cases import GraphCases
from support.graph_cases import watch
from support.graph_peers import PeerRobot
from support.graph_peers import Peers
from support.graph_records import active
from support.graph_records import controlled
from urdf_tools.cli import main
from urdf_tools.doctor.observation import Controller
from urdf_tools.doctor.rules import GRAPH_RULES
from urdf_tools.nodes.model_monitor import node_requests

pytest.importorskip(
    'controller_manager_msgs',
    reason='controller_manager_msgs is not installed; install it for your ROS 2 distribution, '
           'such as ros-kilted-controller-manager-msgs')
# This one imports it.
from support.controller_peers import PeerControllerManager  # noqa: E402, I100

DOCTOR = ['doctor', '--seconds', '1', '--select', 'control']

ARM = active('arm_controller', 'turn/position', 'slide/position')

CASES = GraphCases()
case = CASES.case


@case()
def commanded(peers):
    """Nothing is wrong: a broadcaster, a chain, and a gpio whose controller is not active."""
    PeerRobot(peers, 'commanded', controlled('commanded', light='gpio'))
    PeerControllerManager(
        peers, 'commanded', ARM,
        Controller('joint_state_broadcaster', 'active', required_states=ARM.required_states),
        Controller('outer', 'active', ('arm_controller/slide/position',), (
            'arm_controller/slide/position',), ('arm_controller/slide/effort', 'turn/position')),
        Controller('light_controller', 'inactive', required=('light/position',)),
        interfaces=(*ARM.required, 'light/position'))


@case(control_interface_missing="^Controller 'wrist' of /misspelled/controller_manager requires "
                                '1 nonexistent command interface: trun/position$')
def misspelled(peers):
    PeerRobot(peers, 'misspelled', controlled('misspelled'))
    PeerControllerManager(
        peers, 'misspelled', ARM, Controller('wrist', 'inactive', required=('trun/position',)))


@case(control_manager_silent='^/hanging/controller_manager does not respond to list_controllers$')
def hanging(peers):
    PeerRobot(peers, 'hanging', controlled('hanging'))
    PeerControllerManager(peers, 'hanging', mute=('list_controllers',))


@case(control_manager_silent='^/halting/controller_manager does not respond to list_hardware_int')
def halting(peers):
    PeerRobot(peers, 'halting', controlled('halting'))
    PeerControllerManager(peers, 'halting', ARM, mute=('list_hardware_interfaces',))


@pytest.fixture(scope='module')
def found(domain) -> list:
    """Return what is found in the graph of all cases."""
    peers = Peers(domain)
    CASES.build(peers)
    peers.start()
    try:
        # All at the same time, so that those with nothing to find have been asked, too.
        return watch(domain, lambda findings: all(
            CASES.has_all(CASES.of_case(findings, name), name) for name in CASES.expected))
    finally:
        peers.close()


@pytest.mark.parametrize('name', CASES.expected)
def test_each_defect_is_found_and_no_other(found, name):
    CASES.check(CASES.of_case(found, name), name)


def test_a_wrong_name_is_corrected(found):
    (finding,) = CASES.of_case(found, 'misspelled')
    assert finding.hint == "Did you mean 'turn/position'?"
    assert finding.nodes == ('/misspelled/controller_manager',)


@pytest.fixture
def arm(own_domain):
    """Run a robot in the domain of one test, and return the nodes of its graph."""
    peers = Peers(own_domain)
    PeerRobot(peers, 'arm', controlled('arm'))
    yield peers
    peers.close()


@pytest.mark.slow
def test_a_manager_that_responds_late_is_waited_for(own_domain, arm):
    PeerControllerManager(arm, 'arm', asked=lambda: time.sleep(2.5))
    arm.start()
    assert [finding.code for finding in watch(own_domain, lambda findings: any(
        finding.code.startswith('control') for finding in findings))
        if finding.code.startswith('control')] == ['control-interface-unused']


@pytest.mark.slow
def test_a_manager_that_ends_between_two_questions_is_forgotten(own_domain, arm):
    asked = Event()
    manager = Peers(own_domain)
    PeerControllerManager(manager, 'arm', ARM, mute=('list_hardware_interfaces',), asked=asked.set)

    def end():
        asked.wait()
        manager.close()

    ending = Thread(target=end)
    ending.start()
    arm.start()
    manager.start()
    try:
        # It returns as soon as no question is left.
        findings = watch(own_domain, lambda findings: asked.is_set())
    finally:
        asked.set()
        ending.join()
    assert [finding for finding in findings if finding.code.startswith('control')] == []


@pytest.mark.slow
def test_the_doctor_names_a_manager_that_hangs(arm, capfd, monkeypatch):
    monkeypatch.setenv('COLUMNS', '200')
    PeerControllerManager(arm, 'arm', mute=('list_controllers',))
    arm.start()
    assert main([*DOCTOR, '--strict']) == 1
    out, err = capfd.readouterr()
    assert err == ''
    assert out.splitlines()[1:] == [
        '/arm/controller_manager/list_controllers: warning: /arm/controller_manager does not '
        'respond to list_controllers [control-manager-silent]',
        f"      = {GRAPH_RULES['control-manager-silent'].fix}",
        'graph: 0 errors, 1 warning, 0 notes']


def test_without_the_interfaces_the_doctor_says_what_it_leaves_out(
        arm, capfd, monkeypatch):
    monkeypatch.setattr(node_requests, '_controller_services', lambda: None)
    PeerControllerManager(arm, 'arm')
    arm.start()
    assert main([*DOCTOR, '--format', 'json']) == 0
    out, err = capfd.readouterr()
    assert err == ''
    (finding,) = json.loads(out)['findings']
    assert (finding['code'], finding['severity'], finding['who']) == (
        'control-not-checked', 'INFO', ['/arm/controller_manager'])
    assert finding['message'] == (
        'The controllers of /arm/controller_manager are not checked, because '
        'controller_manager_msgs is not installed here')
