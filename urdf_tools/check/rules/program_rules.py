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
"""Rules whose findings come from the accounts of programs, where no other rule finds anything."""

from urdf_tools.check.registry import INFO
from urdf_tools.check.registry import RULES
from urdf_tools.check.registry import WARN

rule = RULES.in_category('programs')


@rule('program-refuses', INFO, finds=False, fix='Fix it if the robot is meant for that program')
def program_refuses() -> None:
    """
    Check that every program loads the description.

    A program refuses the description for a reason that no rule is about, such as a format of
    meshes that it does not read. It is an error for those who check the description for that
    program; urdf-tools account gives the details.
    """


@rule('program-changes', WARN, finds=False,
      fix='Run urdf-tools account, which lists everything that the program loses')
def program_changes() -> None:
    """
    Check that the programs that the check is for load the robot without changes.

    A program drops, changes or ignores something for a reason that no rule is about; what changes
    neither looks nor motion is left out. It is reported only for the programs that are named.
    """
