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

"""Robot descriptions as tests: files and items that pytest collects, and a test function."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterator
from functools import cache
from functools import partial
import os
from pathlib import Path
from typing import NamedTuple

import pytest

from urdf_tools.check.workspace.checking import Baselines
from urdf_tools.check.workspace.checking import check_targets
from urdf_tools.check.workspace.descriptions import is_description_file
from urdf_tools.check.workspace.settings import label
from urdf_tools.check.workspace.settings import SettingsError
from urdf_tools.check.workspace.target_selection import find_targets
from urdf_tools.check.workspace.target_selection import Target
from urdf_tools.findings.formats.terminal import render
from urdf_tools.model.errors import InputError
from urdf_tools.model.messages import quote


class DescriptionCheck(NamedTuple):
    """
    The check of one description with one combination of xacro arguments.

    :param target: the description, the combination, and the settings of its project.
    :param baselines: those of the projects, which hide known findings.
    """

    target: Target
    baselines: Baselines

    @property
    def arguments(self) -> str:
        """The xacro arguments as on a command line, such as ``prefix:=left_``."""
        return label(self.target.combinations[0])

    def run(self) -> None:
        """Check the description, and fail the test with its findings as text if that fails."""
        checked, = check_targets([self.target], jobs=1)
        checked = self.baselines.hide(checked)
        if checked.exit_code:
            minimum = min(self.target.settings.minimum('warn'), checked.failing)
            # Failures come first, since pytest shortens the text in JUnit XML.
            pytest.fail(render(checked.report, minimum=minimum, verdict=False), pytrace=False)


class DescriptionCollector:
    """
    Collects descriptions package by package in the folders that pytest searches for tests.

    :param root: the folder of descriptions that are not in a package.
    """

    def __init__(self, root: Path):
        self._root = root
        self._in_folder = cache(partial(_checks_in, allow_none=True))

    def pytest_collect_file(
            self, file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
        """Collect a URDF or xacro file."""
        if not is_description_file(str(file_path)):
            return None
        file = DescriptionFile.from_parent(parent, path=file_path)
        file.checks_of = self._checks_of
        return file

    def _checks_of(self, path: Path) -> list[DescriptionCheck]:
        """
        Return the checks of a description; none if the file only has macros.

        :raises SettingsError: the settings of its project are not valid.
        """
        folder = _package_above(path) or (
            self._root if self._root in path.parents else path.parent)
        return [check for check in self._in_folder(folder)
                if os.path.abspath(check.target.source) == str(path)]


class DescriptionFile(pytest.File):
    """
    A file with a description, or with macros only, for which there is no test.

    :ivar checks_of: returns the checks of a description.
    """

    checks_of: Callable[[Path], list[DescriptionCheck]]

    def collect(self) -> Iterator[pytest.Item]:
        """Yield a test for each combination of xacro arguments."""
        try:
            checks = self.checks_of(self.path)
        except InputError as error:
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
        self.check.run()

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Return the file, and the heading of a failure."""
        return self.path, None, f'{self.path.name} {self.check.arguments}'.rstrip()


def description_test(path: str | os.PathLike[str]) -> Callable[..., None]:
    """
    Return a test of each robot description in a package, with each combination of its arguments.

    The descriptions are those that ``urdf-tools check`` finds, and the settings are those of the
    package in ``urdf-tools.toml``. Where they are not valid, or there is no description, the
    test fails.

    :param path: the file of the test, in a folder of the package or below; or a folder.
    """
    path = Path(path).resolve()
    try:
        folder = path if path.is_dir() else _package_above(path)
        if folder is None:
            raise SettingsError(
                f'No folder above {quote(str(path), 200)} has a package.xml. Give the folder of '
                'the descriptions instead of __file__')
        checks = _checks_in(folder)
    except InputError as error:
        reason = str(error)

        def failing_test() -> None:
            pytest.fail(reason, pytrace=False)
        return failing_test
    ids = [f'{os.path.relpath(check.target.source, folder)} {check.arguments}'.rstrip()
           for check in checks]

    @pytest.mark.parametrize('check', checks, ids=ids)
    def test(check: DescriptionCheck) -> None:
        check.run()
    return test


def _checks_in(folder: Path, *, allow_none: bool = False) -> list[DescriptionCheck]:
    """
    Return the checks of the descriptions in a folder, as ``urdf-tools check`` finds them.

    :param allow_none: whether the folder may have no description.
    :raises SettingsError: the settings are not valid, or there is no description.
    """
    # Messages name a file as a user of the current folder would.
    inside = os.path.relpath(folder)
    name = str(folder) if inside.startswith(os.pardir) else inside
    targets = find_targets([name], allow_none=allow_none).targets
    baselines = Baselines()
    for target in targets:
        baselines.of(target.settings.baseline)
    return [DescriptionCheck(single, baselines)
            for target in targets for single in target.singles()]


def _package_above(path: Path) -> Path | None:
    return next((folder for folder in path.parents if (folder / 'package.xml').is_file()), None)
