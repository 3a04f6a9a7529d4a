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

"""The public names of the package, as a program and as an editor see them."""

import ast
import importlib
from importlib import metadata
import inspect
import json
import os
from pathlib import Path
import subprocess
import sys
from types import ModuleType
import typing

import numpy as np
from numpy.typing import NDArray
import pytest

import urdf_tools
from urdf_tools import dynamics
from urdf_tools import installation
from urdf_tools import kinematics


def imports_for_editors(package: ModuleType) -> dict[str, str]:
    """Return the names that the stub of a package exports to type checkers, and their modules."""
    tree = ast.parse(Path(package.__file__).with_suffix('.pyi').read_text())
    names = {alias.name: f'{package.__name__}.{node.module}'
             for node in tree.body for alias in node.names}
    assert [*names] == [alias.asname for node in tree.body for alias in node.names]
    return names


MODULES = imports_for_editors(urdf_tools)


@pytest.mark.parametrize('package', [urdf_tools, dynamics, kinematics])
def test_editors_see_the_same_names(package):
    names = {}
    exec(f'from {package.__name__} import *', names)
    assert names.keys() - {'__builtins__'} == {*package.__all__} == {*imports_for_editors(package)}
    assert {*package.__all__} <= {*dir(package)}


def test_names():
    for name in urdf_tools.__all__:
        module = importlib.import_module(MODULES[name])
        assert getattr(urdf_tools, name) is getattr(module, name)


def test_unknown_name():
    with pytest.raises(AttributeError, match="no attribute 'lod'. Did you mean 'load'"):
        urdf_tools.lod
    assert not hasattr(urdf_tools, '__wrapped__')


def test_only_what_is_used_is_imported():
    code = 'import sys, urdf_tools; print("numpy" in sys.modules, "urdf_parser_py" in sys.modules)'
    result = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True,
                            check=True)
    assert result.stdout == 'False False\n'


def test_version_of_an_installation(monkeypatch, tmp_path):
    monkeypatch.setattr(installation, '_MANIFEST', tmp_path / 'package.xml')
    monkeypatch.setattr(metadata, 'version', {'urdf_tools': '1.2.3'}.get)
    assert installation._version() == '1.2.3'


def test_version_of_a_source_tree(monkeypatch, tmp_path):
    manifest = tmp_path / 'package.xml'
    manifest.write_text('<package><name>urdf_tools</name><version>2.3.4</version></package>')
    monkeypatch.setattr(installation, '_MANIFEST', manifest)
    assert installation._version() == '2.3.4'


MADE_HERE = {'Document', 'Finding', 'Report', 'RobotWindow'}
"""Classes of results, which nobody else makes: their constructors are not for users."""


def public_functions(name):
    """Yield the functions that a public name stands for, and its methods and properties."""
    value = getattr(urdf_tools, name)
    if inspect.isfunction(value):
        yield value
    for base in value.__mro__ if inspect.isclass(value) else ():
        for member, method in vars(base).items():
            if base.__module__.startswith('urdf_tools') and (
                    not member.startswith('_') or member == '__call__'
                    or (member == '__init__' and name not in MADE_HERE)):
                for attribute in ('fget', 'func', '__func__'):
                    method = getattr(method, attribute, method)
                if inspect.isfunction(method):
                    yield inspect.unwrap(method)


def classes_in(hint):
    if isinstance(hint, type) and hint.__module__.startswith('urdf_tools'):
        yield hint.__name__
    for argument in typing.get_args(hint):
        yield from classes_in(argument)


def test_what_signatures_name_is_public():
    # Mechanisms are not at the top.
    public = {*urdf_tools.__all__, *importlib.import_module('urdf_tools.kinematics').__all__}
    for name in {*urdf_tools.__all__} - {'__version__', 'Geometry'}:
        for function in public_functions(name):
            module = importlib.import_module(function.__module__)
            hints = typing.get_type_hints(function, vars(module), {'NDArray': NDArray, 'np': np})
            named = {found for hint in hints.values() for found in classes_in(hint)}
            assert named <= public, function


SIGNATURES = """
import importlib, inspect, json, pkgutil, urdf_tools

def callables(module):
    for name, value in vars(module).items():
        if getattr(value, '__module__', None) == module.__name__ and callable(value):
            yield f'{module.__name__}.{name}', value
            for member, method in vars(value).items() if inspect.isclass(value) else ():
                method = inspect.unwrap(getattr(method, '__func__', method))
                if inspect.isfunction(method):
                    yield f'{module.__name__}.{name}.{member}', method

defaults = []
for found in pkgutil.walk_packages(urdf_tools.__path__, 'urdf_tools.'):
    if not found.name.endswith('__main__'):
        try:
            module = importlib.import_module(found.name)
        except ImportError as error:
            assert not (error.name or '').startswith('urdf_tools'), error
            continue
        for name, function in callables(module):
            try:
                parameters = inspect.signature(function).parameters.values()
            except ValueError:  # Some built-in types have none.
                continue
            defaults += [
                (name, parameter.name, repr(parameter.default)) for parameter in parameters
                if parameter.default is not parameter.empty]
print(json.dumps(defaults))
"""


@pytest.fixture(scope='module')
def default_values() -> list[tuple[str, str, str]]:
    """Return the callable, the parameter and the text of each default value of the package."""
    result = subprocess.run(
        [sys.executable, '-c', SIGNATURES], capture_output=True, text=True, check=True,
        env={**os.environ, 'SOME_TOKEN': 'a-secret-of-this-user'})
    return [tuple(default) for default in json.loads(result.stdout)]


@pytest.mark.slow
def test_no_signature_shows_the_machine(default_values):
    """What ``help()`` prints is the same everywhere."""
    assert ('urdf_tools.model.resources.ResourceResolver', 'environment', 'None') in default_values
    private = {
        'a-secret-of-this-user', str(Path.home()), str(Path(__file__).parents[1]), sys.prefix,
        *(value for value in os.environ.values() if len(value) > 10)}
    assert not [(name, parameter) for name, parameter, text in default_values
                if any(value in text for value in private)]


@pytest.mark.slow
def test_signatures_are_short(default_values):
    assert not [(name, parameter) for name, parameter, text in default_values if len(text) > 300]
