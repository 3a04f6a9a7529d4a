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
The plugin of pytest: with ``--urdf``, each robot description is a test.

pytest imports this module in every run of an environment that has urdf_tools, so it imports
nothing else before the option is given.
"""

from __future__ import annotations

import pytest

_HELP = 'check the robot descriptions (*.urdf and *.xacro) with urdf-tools'


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option, and the key for the configuration file of pytest."""
    parser.getgroup('urdf-tools').addoption(
        '--urdf', action='store_true', default=False, help=_HELP)
    parser.addini('urdf', _HELP, type='bool', default=False)


def pytest_configure(config: pytest.Config) -> None:
    """Register the collector of descriptions if the option is set."""
    if config.getoption('urdf') or config.getini('urdf'):
        if int(pytest.__version__.partition('.')[0]) < 7:
            raise pytest.UsageError('--urdf needs pytest 7.0 or later')
        from urdf_tools.check.testing.description_tests import DescriptionCollector
        config.pluginmanager.register(
            DescriptionCollector(config.rootpath), 'urdf_tools_descriptions')
