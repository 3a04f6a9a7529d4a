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
Find where a running graph or a recording disagrees with the model, and who publishes it.

It only subscribes: to the descriptions, joint states, transforms and clock of the ROS domain in
the environment, whichever node publishes them. Recordings are read without ROS. Exit code: 0
without errors, 1 with errors (with --strict also with warnings), 2 if it could not observe a
graph, or read a recording.

For example:
  urdf-tools doctor --seconds 10
  urdf-tools doctor drive.mcap --model robot.urdf
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import closing
from importlib.util import find_spec
import os
from pkgutil import resolve_name
import sys
import time

from urdf_tools.cli.arguments import CommandError
from urdf_tools.cli.arguments import explanation
from urdf_tools.cli.arguments import known
from urdf_tools.cli.arguments import rule_options
from urdf_tools.cli.output import print_json
from urdf_tools.cli.output import print_line
from urdf_tools.cli.output import print_lines
from urdf_tools.cli.progress import progress
from urdf_tools.cli.recorded_faults import failing
from urdf_tools.cli.recorded_faults import least_shown
from urdf_tools.cli.recorded_faults import print_report
from urdf_tools.cli.recorded_faults import RECORDING_LIMITS
from urdf_tools.cli.recorded_faults import run_on_recordings
from urdf_tools.doctor.graph_rules import as_data
from urdf_tools.doctor.graph_rules import CATEGORIES
from urdf_tools.doctor.graph_rules import Changes
from urdf_tools.doctor.graph_rules import finding_data
from urdf_tools.doctor.graph_rules import GraphFinding
from urdf_tools.doctor.observation import Observation
from urdf_tools.doctor.rules import GRAPH_RULES
from urdf_tools.findings.report import Report
from urdf_tools.model.messages import count

_REPORTS = 'urdf_tools.nodes.model_monitor.graph_reports:graph_reports'
"""The only function of this verb that needs ROS."""

OPTIONS = {
    **rule_options(CATEGORIES, GRAPH_RULES, 'info'),
    '--format': {'choices': ('text', 'json', 'sarif', 'junit')}, **RECORDING_LIMITS}


def run(arguments: argparse.Namespace) -> int:
    """Print what is found in the graph."""
    if arguments.explain is not None:
        print_lines(explanation(arguments.explain, GRAPH_RULES, 'doctor', lambda rule: (
            f'Example: {rule.text.example}', f'Fix: {rule.fix}.')))
        return 0
    for name in (*arguments.select, *arguments.ignore):
        known(name, (*CATEGORIES, *GRAPH_RULES), 'rule or category',
              '"urdf-tools doctor --explain" lists the rules')
    ignore = GRAPH_RULES.unwanted(arguments.select, arguments.ignore)
    if arguments.recordings:
        return run_on_recordings(arguments, ignore)
    for option, given in (('model', arguments.file), ('report', arguments.report),
                          ('rates', arguments.rates), ('policy', arguments.policy)):
        if given:
            raise CommandError(f'--{option} needs a recording')
    if arguments.watch and arguments.format in ('sarif', 'junit'):
        raise CommandError(f'--format {arguments.format} has one report; --watch takes json')
    if find_spec('rclpy') is None:
        raise CommandError(
            'doctor observes a ROS 2 graph, but the Python package rclpy is not installed here; '
            'source a ROS 2 installation in this terminal, for example with '
            '". /opt/ros/kilted/setup.sh"')
    changes, is_first = Changes(), True
    with closing(resolve_name(_REPORTS)(arguments.seconds, ignore)) as reports:
        for report, observation in _of_robots(reports, arguments):
            _print(report, observation, changes, is_first, arguments)
            is_first = False
            if not arguments.watch:
                return int(report.fails(failing(arguments)))
    return 2


def _of_robots(reports: Iterator[tuple[Report, Observation]], arguments: argparse.Namespace
               ) -> Iterator[tuple[Report, Observation]]:
    """Yield the reports of graphs that have nodes."""
    alone = False
    while True:
        with progress(f'observing the graph for {arguments.seconds:g} s'):
            report, observation = next(reports)
        if observation.graph.nodes:
            yield report, observation
        elif not arguments.watch:
            raise CommandError(_no_node())
        elif not alone:
            print_line(f'urdf-tools: {_no_node()}', sys.stderr)
        alone = not observation.graph.nodes


def _no_node() -> str:
    # ROS reads the same variables.
    return (f'There is no node in ROS domain {os.environ.get("ROS_DOMAIN_ID") or 0}; start the '
            'robot, or set ROS_DOMAIN_ID and ROS_AUTOMATIC_DISCOVERY_RANGE to its values')


def _print(report: Report, observation: Observation, changes: Changes, is_first: bool,
           arguments: argparse.Namespace) -> None:
    """Print a report in the format of the arguments, or what is new and what is gone."""
    minimum = least_shown(arguments)
    fresh, gone = changes.update(report)
    shown = [finding for finding in gone if finding.severity >= minimum]
    if arguments.format == 'json' and arguments.watch:
        for change, findings in ('new', fresh.at_least(minimum)), ('gone', shown):
            for finding in findings:
                if isinstance(finding, GraphFinding):
                    print_json({'change': change, 'at': round(time.time(), 3),
                                **finding_data(finding)}, indent=None)
    elif arguments.format == 'json':
        print_json(as_data(report, observation, minimum))
    elif arguments.format in ('sarif', 'junit'):
        print_report(report, arguments)
    elif is_first or fresh.at_least(minimum) or shown:
        robots = ', '.join(map(repr, observation.robot_names)) or 'no robot'
        nodes = count(len(observation.graph.nodes), 'node')
        print_line(f'graph: {nodes}, {robots}, observed for {observation.seconds:.1f} s'
                   if is_first else time.strftime('graph: at %H:%M:%S'))
        print_lines(f'{finding.file("graph")}: no longer: {finding.message} [{finding.code}]'
                    for finding in shown)
        print_report(fresh, arguments)
    sys.stdout.flush()
