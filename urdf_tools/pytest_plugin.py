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

pytest imports this module in every run of an environment that has urdf_tools, so it imports the
rest of the package only where the option is given.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from urdf_tools.testing.description_checks import DescriptionCheck
    from urdf_tools.testing.description_checks import PackageChecks

_HELP = 'check the robot descriptions (*.urdf and *.xacro) with urdf-tools'
_SUFFIXES = ('.urdf', '.xacro')


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option, and the key for the configuration file of pytest."""
    parser.getgroup('urdf-tools').addoption(
        '--urdf', action='store_true', default=False, help=_HELP)
    parser.addini('urdf', _HELP, type='bool', default=False)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect a file that describes a robot."""
    if not file_path.name.lower().endswith(_SUFFIXES):
        return None
    config = parent.config
    if not (config.getoption('urdf', False) or config.getini('urdf')):
        return None
    return DescriptionFile.from_parent(parent, path=file_path)


class DescriptionFile(pytest.File):
    """A file with a description, or with macros only, which is no test."""

    def collect(self) -> Iterator[pytest.Item]:
        """Yield a test for each combination of xacro arguments."""
        from urdf_tools.workspace.settings import SettingsError
        try:
            checks = _checks(self.config).of_file(self.path)
        except SettingsError as error:
            raise self.CollectError(str(error)) from error
        for check in checks:
            name = f'urdf[{check.arguments}]' if check.arguments else 'urdf'
            item = DescriptionItem.from_parent(self, name=name)
            item.check = check
            yield item


class DescriptionItem(pytest.Item):
    """
    The test of a description with one combination of xacro arguments.

    :ivar check: what it runs.
    """

    check: DescriptionCheck

    def runtest(self) -> None:
        """Check the description."""
        failure = self.check.failure()
        if failure:
            pytest.fail(failure, pytrace=False)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Return the file, and the heading of a failure."""
        return self.path, None, f'{self.path.name} {self.check.arguments}'.rstrip()


_CHECKS = pytest.StashKey['PackageChecks']()


def _checks(config: pytest.Config) -> PackageChecks:
    if _CHECKS not in config.stash:
        from urdf_tools.testing.description_checks import PackageChecks
        config.stash[_CHECKS] = PackageChecks(config.rootpath)
    return config.stash[_CHECKS]
