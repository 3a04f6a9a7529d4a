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


"""What is new and what is gone from one report to the next."""

from math import inf

from support.graph_records import robot
from support.graph_records import swinging

from urdf_tools.doctor.graph_rules import Changes
from urdf_tools.doctor.graph_rules import evaluate
from urdf_tools.doctor.graph_rules import GraphFinding
from urdf_tools.doctor.rules import GRAPH_RULES
from urdf_tools.findings.finding import Severity
from urdf_tools.findings.report import Report


def finding(subject: str, message: str = '') -> GraphFinding:
    return GraphFinding('joint-position-limit', Severity.WARN, message or subject, '', '/driver',
                        topic='/joint_states', subject=subject)


def update(changes: Changes, *findings: GraphFinding) -> tuple[list[str], list[str]]:
    """Return the messages of what is new, and of what is gone."""
    report, gone = changes.update(Report('graph', findings, dict.fromkeys(Severity, 0), {}, 0))
    return ([new.message for new in report.findings], [old.message for old in gone])


def test_each_joint_of_a_driver_comes_and_goes():
    changes = Changes()
    assert update(changes, finding('elbow')) == (['elbow'], [])
    assert update(changes, finding('elbow'), finding('wrist')) == (['wrist'], [])
    assert update(changes, finding('wrist')) == ([], ['elbow'])
    assert update(changes) == ([], ['wrist'])


def test_other_numbers_are_no_change():
    changes = Changes()
    assert update(changes, finding('elbow', 'by 0.1 rad')) == (['by 0.1 rad'], [])
    assert update(changes, finding('elbow', 'by 0.2 rad')) == ([], [])
    assert update(changes) == ([], ['by 0.2 rad'])


def test_each_quantity_of_a_driver_comes_and_goes():
    def broken(seconds):
        return {**swinging(seconds), 'slide': inf}

    def report(**quantities):
        return evaluate(robot(**quantities).observation(), 'graph', [
            code for code in GRAPH_RULES if code != 'joint-not-finite'])

    changes = Changes()
    assert [new.arguments['quantity'] for new in changes.update(report(
        positions=broken))[0].findings] == ['positions']
    fresh, gone = changes.update(report(positions=broken, velocities=broken))
    assert [new.arguments['quantity'] for new in fresh.findings] == ['velocities']
    assert gone == []
    fresh, gone = changes.update(report(velocities=broken))
    assert fresh.findings == ()
    assert [old.arguments['quantity'] for old in gone] == ['positions']
