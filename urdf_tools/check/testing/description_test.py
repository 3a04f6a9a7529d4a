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

"""The test function that a package has for its descriptions."""

from __future__ import annotations

from collections.abc import Callable
import os
from pathlib import Path

import pytest

from urdf_tools.check.testing.description_checks import checks_in
from urdf_tools.check.testing.description_checks import DescriptionCheck
from urdf_tools.check.testing.description_checks import package_folder
from urdf_tools.check.workspace.settings import SettingsError


def description_test(path: str | os.PathLike[str]) -> Callable[..., None]:
    """
    Return a test of each robot description in a package, with each combination of its arguments.

    The descriptions are those that ``urdf-tools check`` finds, and the settings are those of the
    package in ``urdf-tools.toml``. Where they are not valid, or there is no description, the
    test fails.

    :param path: the file of the test, in a folder of the package or below; or a folder.
    """
    folder = Path(path).resolve()
    try:
        if not folder.is_dir():
            folder = package_folder(folder)
        checks = checks_in(folder)
    except SettingsError as error:
        return _failing_test(str(error))
    ids = [check.name(folder) for check in checks]

    @pytest.mark.parametrize('check', checks, ids=ids)
    def test(check: DescriptionCheck) -> None:
        failure = check.failure()
        if failure:
            pytest.fail(failure, pytrace=False)
    return test


def _failing_test(reason: str) -> Callable[[], None]:
    def test() -> None:
        pytest.fail(reason, pytrace=False)
    return test
