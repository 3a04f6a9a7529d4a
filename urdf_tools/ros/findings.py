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

"""Validation of descriptions from a topic or a service."""

from __future__ import annotations

from collections.abc import Collection

from urdf_tools.validation import Report
from urdf_tools.validation import validate
from urdf_tools.validation.finding import Severity

_NOUNS = {Severity.ERROR: 'error', Severity.WARN: 'warning', Severity.INFO: 'note'}


def validate_text(text: str, ignore: Collection[str] = ()) -> Report:
    """
    Validate a text that is never taken for the path of a file.

    :param ignore: codes of rules to leave out.
    """
    source = text if '<' in text else text.encode('utf-8', 'surrogatepass')
    return validate(source, ignore=ignore)


def summary(report: Report) -> str:
    """Return the outcome in one line."""
    counts = (
        f'{report.counts[severity]} {noun}{"" if report.counts[severity] == 1 else "s"}'
        for severity, noun in _NOUNS.items())
    omitted = sum(report.omitted.values())
    return (f'{"Valid" if report.valid else "Invalid"}: {", ".join(counts)}'
            + (f'; {omitted} of them are not listed' if omitted else ''))
