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

"""Cases of the rules about links that are inside each other."""

from support.validation_cases import Case
from support.validation_cases import example
from urdf_tools.check.rule_examples import CONTEXTS

ARM = CONTEXTS['an arm with a long forearm']

LIMITS = ARM.replace('type="continuous"', 'type="revolute"').replace('<origin xyz="0 0 0.1"/>', """
    <origin xyz="0 0 0.1"/><limit lower="-1" upper="1" effort="9" velocity="1"/>""").replace(
        '<origin xyz="0.2 0 0"/>', """<origin xyz="0.2 0 0"/>
        <limit lower="0" upper="6.283185307179586" effort="9" velocity="1"/>""")

LINK_BETWEEN = ARM.replace("""<link name="upper_arm"><collision><origin xyz="0.15 0 0"/>
<geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>""", '<link name="upper_arm"/>')

CASES = (
    example('link-inside-parent', 4, "Joint 'shoulder' puts 'arm' wholly inside 'base'"),
    example('passes-through-parent', 5,
            "Joint 'slide' moves 'drawer' through 'cabinet' in 85 percent of its range"),
    example('shapes-overlap', 5, "Link 'forearm' is 50 mm inside 'base' at zero"),
    Case(
        'shapes-overlap', LIMITS, '<origin xyz="0.3 0 0"/>', '<origin xyz="0.6 0 0"/>', 5,
        "Link 'forearm' is 50 mm inside 'base' at the middle of the ranges"),
    Case(
        'shapes-overlap', LINK_BETWEEN, '<origin xyz="-0.3 0 0"/>', '<origin xyz="0.3 0 0"/>', 4,
        "Link 'forearm' is 50 mm inside 'base' at zero, to which joints and links without shapes "
        'join it'))
