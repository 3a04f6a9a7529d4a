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

"""Postponed modules are imported when they are used, and nobody can tell otherwise."""

import builtins
from importlib import import_module
import inspect
import sys
from threading import Barrier
from threading import Thread

import pytest
from urdf_tools.lazy_imports import import_late

MODULES = {
    'late/__init__.py': 'import builtins\nbuiltins.late_runs += 1\nANSWER = 42\n',
    'late/part.py': 'PART = 43\n',
    'late_user.py': 'import late\n',
    'late_other_user.py': 'import late\n',
    'late_user_of_name.py': 'from late import ANSWER\n',
    'late_user_of_part.py': 'import late.part\n',
    'late_user_of_part_alone.py': 'from late import part\n',
    'late_user_of_broken.py': 'import late_broken\n',
    'late_user_of_missing.py': 'import late_missing\n',
    'late_broken.py': 'import late_missing\n'}


@pytest.fixture
def runs(tmp_path, monkeypatch):
    """Return what tells how often the module late was executed."""
    for name, text in MODULES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr('builtins.late_runs', 0, raising=False)
    yield lambda: builtins.late_runs
    for name in [name for name in sys.modules if name.partition('.')[0].startswith('late')]:
        del sys.modules[name]


def test_a_module_is_imported_when_an_attribute_is_used(runs):
    import_late('late')
    users = [import_module('late_user'), import_module('late_other_user')]
    assert runs() == 0
    assert [user.late.ANSWER for user in users] == [42, 42]
    assert runs() == 1
    assert sys.modules['late'].ANSWER == 42


def test_a_module_that_was_used_is_as_fast_as_any(runs):
    import_late('late')
    stand_in = import_module('late_user').late
    assert stand_in.ANSWER == 42
    assert vars(stand_in).items() >= vars(sys.modules['late']).items()


def test_a_name_that_is_imported_from_it_is_a_use(runs):
    import_late('late')
    assert import_module('late_user_of_name').ANSWER == 42
    assert runs() == 1


def test_a_module_in_a_postponed_package(runs):
    import_late('late')
    user = import_module('late_user_of_part')
    assert (user.late.part.PART, user.late.ANSWER, runs()) == (43, 42, 1)


def test_a_postponed_module_in_a_package(runs):
    import_late('late.part')
    user = import_module('late_user_of_part_alone')
    assert not hasattr(sys.modules['late'], 'part')
    assert user.part.PART == sys.modules['late'].part.PART == 43


def test_a_module_that_is_imported_already_stays(runs):
    late = import_module('late')
    import_late('late')
    assert sys.modules['late'] is late


def test_a_module_that_does_not_exist_is_missed_by_its_users(runs):
    import_late('late_missing', 'late_missing.part')
    with pytest.raises(ModuleNotFoundError, match='late_missing'):
        import_module('late_user_of_missing')


def test_a_module_that_fails_does_so_at_each_use(runs):
    import_late('late_broken')
    user = import_module('late_user_of_broken')
    for _ in range(2):
        with pytest.raises(ModuleNotFoundError, match='late_missing'):
            user.late_broken.ANSWER


def test_an_attribute_that_does_not_exist(runs):
    import_late('late')
    user = import_module('late_user')
    with pytest.raises(AttributeError, match="'late' has no attribute 'QUESTION'"):
        user.late.QUESTION


def test_looking_through_all_modules_is_no_use(runs):
    """The inspect module does that for each message that rclpy logs."""
    import_late('late')
    inspect.getmodule(compile('', 'nowhere.py', 'exec'))
    assert import_module('late_user').late.__file__.endswith('__init__.py')
    assert runs() == 0


def test_threads_that_use_it_at_once(runs):
    import_late('late')
    late = import_module('late_user').late
    together = Barrier(8)
    answers = []

    def use():
        together.wait()
        answers.append(late.ANSWER)

    threads = [Thread(target=use) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (answers, runs()) == ([42] * 8, 1)
