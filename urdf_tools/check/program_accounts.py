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
"""The accounts of the programs that a check is for, reusing the results of the rules."""

from __future__ import annotations

from collections.abc import Collection

from urdf_tools.check.indexed_description import Description
from urdf_tools.check.loaded_robot import in_gazebo
from urdf_tools.check.loaded_robot import robot
from urdf_tools.findings.consumers import with_dependencies
from urdf_tools.model.errors import DescriptionError
from urdf_tools.model.errors import is_lack_of_memory
from urdf_tools.programs.accounts import Account
from urdf_tools.programs.accounts import Source
from urdf_tools.programs.gazebo import account_of_report
from urdf_tools.programs.gazebo import ConversionReport
from urdf_tools.programs.models import account_of
from urdf_tools.programs.models import NEWEST


def accounts_of(description: Description, programs: Collection[str]
                ) -> tuple[dict[str, Account] | None, dict[str, Exception]]:
    """
    Return the accounts of programs, and the errors of those models that failed.

    A description that is too large for a conversion has no account there. There are none, and None
    is returned, of a template, whose macros are still to be expanded.

    :param programs: the programs that a check is for; if empty, all that have a model.
    """
    found: dict[str, Account] = {}
    errors: dict[str, Exception] = {}
    if description.robot.tag != 'robot' or description.is_template or description.is_part:
        return None, errors
    wanted = with_dependencies(programs or NEWEST)
    source = Source.of_document(description.document, robot(description))
    for program in (name for name in NEWEST if name in wanted):
        try:
            # The rules use the conversion for Gazebo, too.
            conversion = in_gazebo(description) if program == 'gazebo' else None
            found[program] = account_of_report(ConversionReport(conversion)) if (
                conversion is not None) else account_of(program, source, description.context)
        except DescriptionError:
            continue
        except Exception as error:  # It is reported as a finding.
            if is_lack_of_memory(error):
                raise MemoryError from error
            errors[program] = error
    return found, errors
