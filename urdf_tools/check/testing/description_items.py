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

"""Robot descriptions as files and items that pytest collects."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from urdf_tools.check.testing.description_checks import DescriptionCheck
from urdf_tools.check.testing.description_checks import PackageChecks
from urdf_tools.check.workspace.settings import SettingsError

_SUFFIXES = ('.urdf', '.xacro')


class DescriptionCollector:
    """
    Collects descriptions, wherever pytest looks for tests.

    :param root: the folder of descriptions that are in no package.
    """

    def __init__(self, root: Path):
        self._checks = PackageChecks(root)

    def pytest_collect_file(
            self, file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
        """Collect a URDF or xacro file."""
        if not file_path.name.lower().endswith(_SUFFIXES):
            return None
        file = DescriptionFile.from_parent(parent, path=file_path)
        file.checks = self._checks
        return file


class DescriptionFile(pytest.File):
    """
    A file with a description, or with macros only, which is no test.

    :ivar checks: those of all descriptions.
    """

    checks: PackageChecks

    def collect(self) -> Iterator[pytest.Item]:
        """Yield a test for each combination of xacro arguments."""
        try:
            checks = self.checks.of_file(self.path)
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
