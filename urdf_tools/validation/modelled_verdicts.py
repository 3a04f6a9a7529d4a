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
"""What a program makes of a described robot by the model of its conversion."""

from __future__ import annotations

from urdf_tools.findings.verdict import Verdict
from urdf_tools.model.errors import DescriptionError
from urdf_tools.programs.account_verdict import verdict_of
from urdf_tools.programs.accounts import account_of
from urdf_tools.programs.accounts import Context
from urdf_tools.programs.gazebo.conversion_report import ConversionReport
from urdf_tools.programs.gazebo.gazebo_account import account_of_report
from urdf_tools.programs.gazebo.included_models import included_models
from urdf_tools.programs.source import Source
from urdf_tools.validation.indexed_description import Description
from urdf_tools.validation.loaded_robot import in_gazebo
from urdf_tools.validation.loaded_robot import robot


def modelled_verdict(
        program: str, description: Description, context: Context) -> Verdict | None:
    """
    Return what a program makes of a robot, or None where that is not known.

    It is not if the loader refuses the description, or if it is too large.

    :param program: of :data:`~urdf_tools.programs.accounts.MODELS`.
    """
    loaded = robot(description)
    if loaded is None:
        return None
    conversion = in_gazebo(description) if program == 'gazebo' else None
    if conversion is not None and not any(included_models(conversion.model)):
        # The rules have converted it already, without a look at files.
        return verdict_of(account_of_report(ConversionReport(conversion)))
    try:
        return verdict_of(account_of(program, Source.of_robot(loaded), context))
    except DescriptionError:
        return None
