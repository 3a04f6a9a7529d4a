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

"""The tables of docs/gazebo.md are made from the conversion to SDFormat."""

from site_pages import EVERY_ELEMENT
from site_pages import gazebo_tables

import urdf_tools
from urdf_tools.findings.consequences import Impact
from urdf_tools.programs.gazebo import convert
from urdf_tools.programs.gazebo.extensions import OPTIONS


def test_the_sample_has_each_impact():
    assert {each.impact for each in convert(urdf_tools.load(EVERY_ELEMENT)).account.losses} == {
        Impact.DROPS, Impact.CHANGES, Impact.IGNORES}


def test_each_option_is_on_the_page():
    page = gazebo_tables()
    assert all(f'| `{tag}` |' in page for tag in OPTIONS)
