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

"""Reports in the XML of JUnit, which CI servers and ``colcon test-result`` read."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree

from urdf_tools.findings.finding import Severity
from urdf_tools.findings.formats import Options
from urdf_tools.findings.formats import OutputFormat
from urdf_tools.findings.formats import Result
from urdf_tools.findings.formats.terminal import render
from urdf_tools.findings.report import Report
from urdf_tools.model.messages import printable


def as_junit(results: Sequence[Result], options: Options) -> str:
    """Return reports as one test suite with a test for each description."""
    tests = [_test(*result, options.verbose) for result in results]
    counts = {
        'tests': len(tests),
        'failures': sum(test.find('failure') is not None for test in tests),
        'errors': sum(test.find('error') is not None for test in tests), 'skipped': 0}
    attributes = {name: str(number) for name, number in counts.items()}
    suites = ElementTree.Element('testsuites', {'name': 'urdf-tools', **attributes})
    suite = ElementTree.SubElement(suites, 'testsuite', {'name': 'urdf-tools', **attributes})
    suite.extend(tests)
    ElementTree.indent(suites)
    return ElementTree.tostring(suites, 'unicode', xml_declaration=False)


def _test(report: Report, failing: Severity, minimum: Severity,
          verbose: bool) -> ElementTree.Element:
    source = printable(report.source)
    test = ElementTree.Element(
        'testcase', {'classname': 'urdf-tools.check', 'name': source, 'file': source})
    # The text of a failed test contains the findings that fail it.
    minimum = min(minimum, failing)
    if not report.at_least(minimum):
        return test
    # colcon test-result shows only the message of a failure, and other readers only the text.
    text = render(report, minimum=minimum, failing=failing, verbose=verbose)
    if report.fails(failing):
        kind = 'failure' if report.was_run else 'error'
        ElementTree.SubElement(test, kind, {'message': text}).text = text
    else:
        ElementTree.SubElement(test, 'system-out').text = text
    return test


FORMAT = OutputFormat('junit', as_junit)
