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

"""Expressions of xacro files use values only, and reach nothing of Python."""

import json
import os
from pathlib import Path
import subprocess
import sys

import pytest

xacro = pytest.importorskip('xacro')

from urdf_tools.cli import main  # noqa: E402
from urdf_tools.formats.description_files import load  # noqa: E402
from urdf_tools.model.errors import DescriptionError  # noqa: E402
from urdf_tools.xacro.guard import guarded  # noqa: E402
from urdf_tools.xacro.guard import MAX_CHARACTERS  # noqa: E402
from urdf_tools.xacro.guard import safe_eval  # noqa: E402
from urdf_tools.xacro.guard import UnsafeExpression  # noqa: E402

FILE = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">\n{}<link name="{}"/></robot>'
SUBCLASSES = '().__class__.__bases__[0].__subclasses__()'
ESCAPE = (f"[c for c in {SUBCLASSES} if c.__name__=='BuiltinImporter'][0]"
          ".load_module('os').system('touch PWN')")


@pytest.mark.parametrize('expression', [
    f'(lambda: {ESCAPE})()', f'[{ESCAPE} for x in [1]]', f'list({ESCAPE} for x in [1])',
    f'{{x: {ESCAPE} for x in [1]}}', f'f"{{{SUBCLASSES}}}"', '(lambda __x: 1)(1)', 'dict(__x=1)',
    '(__x := 1)', '__import__', 'len.__self__', 'x._private', '__urdf_tools_get__("", "upper")',
    '().#\n_\uff3fclass_\uff3f', '(x).\\\n_\uff3fclass_\uff3f', '(x).# c\n__class__', '(y := 1)',
    '(await x)', '(yield x)', '[0 for x.__class__ in [1]]',
    '(' * 5000 + '1' + ')' * 5000, '1+' * MAX_CHARACTERS + '1'])
def test_what_is_refused(expression):
    with pytest.raises((UnsafeExpression, SyntaxError)):
        guarded(expression)


@pytest.mark.parametrize('expression', [
    '(x for x in ()).gi_frame', '(lambda: 1).func_globals', 'f.f_globals', 'int.mro()', 'f.real',
    'str.format_map', 'table.root', 'table.parent', 'table.unevaluated', 'map(str, ()).real',
    '[m for m in (1,) if (lambda: 0).func_code]'])
def test_attributes_that_are_not_of_values(expression):
    symbols = {'int': int, 'map': map, 'str': str, 'f': len, 'table': xacro.NameSpace()}
    with pytest.raises(UnsafeExpression, match='through which Python can be reached'):
        safe_eval(expression, symbols)


@pytest.mark.parametrize('template', [
    "'{0.real}'", "'{0[0]}'", "'{x.real}'", "'{:{0.real}}'", "('{0.' + 'real}')"])
@pytest.mark.parametrize('call', [
    '{}.format([1], x=1)', 'str.format({}, [1], x=1)', '(lambda f: f({}, [1], x=1))(str.format)',
    'list(map({}.format, [[1]]))', 'python["str"].format({}, [1], x=1)'])
def test_formats_that_reach_into_values(template, call):
    symbols = {'list': list, 'map': map, 'str': str, 'python': {'str': str}}
    with pytest.raises(UnsafeExpression):
        safe_eval(call.format(template), symbols)


@pytest.mark.parametrize('expression, value', [
    ('1 + 2', 3), ("'{:.2f} {a}'.format(3.14159, a='x')", '3.14 x'), ("f'{1 + 1:03d}'", '002'),
    ('[x * 2 for x in (1, 2)]', [2, 4]), ('(lambda x: x + 1)(1)', 2), ("'a-b'.split('-')[1]", 'b'),
    ('_x_ + 1', 2), ('sorted(y.keys())', ['arm']), ('y.arm.l', 7), ('str.upper("a")', 'A'),
    ('m.pi', 3.5), ('(0.5).is_integer()', False), ('[1,2].index(2)', 1),
    ("''.join([s.upper() for s in 'ab'])", 'AB'), ('x if x else 0', 5)])
def test_what_is_evaluated(expression, value):
    space = xacro.NameSpace()
    space['pi'] = 3.5
    symbols = {'x': 5, '_x_': 1, 'str': str, 'sorted': sorted, 'm': space,
               'y': xacro.YamlDictWrapper(arm=xacro.YamlDictWrapper(l=7))}
    assert safe_eval(expression, symbols) == value


@pytest.mark.parametrize('before, name', [
    ('', f'${{(lambda: {ESCAPE})()}}'), ('', '$(eval open)'), ('', '$(eval [x for x in exec])'),
    ('', '$(eval breakpoint)'),
    (f'<xacro:property name="p" value="${{[{ESCAPE} for x in [1]]}}"/>', '${p}'),
    (f'<xacro:if value="${{(lambda: {ESCAPE})()}}"><link name="b"/></xacro:if>', 'a'),
    ('<xacro:property name="p" value="${xacro.load_yaml(\'p.yaml\')}"/>', '${p}'),
    ('', '${python.vars(python.type(1))}'), ('', "${python.type('X', (), dict())}"),
    ('', '${xacro.load_yaml.__globals__}')])
def test_nothing_runs(tmp_path, monkeypatch, capsys, before, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'p.yaml').write_text(f'x: !degrees "(lambda: {ESCAPE})()"\n')
    (tmp_path / 'r.urdf.xacro').write_text(FILE.format(before, name))
    assert main(['check', 'r.urdf.xacro']) == 2
    assert 'r.urdf.xacro:' in capsys.readouterr().out
    assert sorted(os.listdir(tmp_path)) == ['p.yaml', 'r.urdf.xacro']


@pytest.mark.parametrize('seed, count', [
    (1, 2000), pytest.param(2, 100_000, marks=pytest.mark.slow)])
def test_nothing_but_what_is_listed_runs(seed, count):
    """The audit hooks of the interpreter see nothing else."""
    attack = Path(__file__).resolve().parents[1] / 'support' / 'expression_attack.py'
    result = subprocess.run([sys.executable, attack, str(seed), str(count)], capture_output=True,
                            text=True, env={**os.environ, 'PYTHONPATH': os.pathsep.join(sys.path)})
    counts = json.loads(result.stdout)
    assert 'faults' not in counts, result.stderr
    assert sum(counts.values()) == count
    assert counts['evaluated'] > count / 20 and counts['refused'] > count / 4


@pytest.mark.parametrize('expression', [
    'load_yaml', 'str(load_yaml)', '[sorted]', 'lambda: 1', "'a'.join", '(x for x in [1])'])
@pytest.mark.parametrize('before, name', [
    ('', '${{{}}}'), ('<gazebo>${{{}}}</gazebo>', 'a'),
    ('<xacro:property name="p" value="${{{}}}"/>', '${{p}} b')])
def test_no_address_of_memory_is_written(tmp_path, expression, before, name):
    file = tmp_path / 'r.urdf.xacro'
    file.write_text(FILE.format(before.format(expression), name.format(expression)))
    with pytest.raises(DescriptionError, match='an expression gives no value, but the ') as caught:
        load(file)
    assert '0x' not in str(caught.value)


def test_a_property_may_be_a_function(tmp_path):
    file = tmp_path / 'r.urdf.xacro'
    file.write_text(FILE.format(
        '<xacro:property name="f" value="${lambda x: x + 1}"/><!-- &lt;f at 0x12> -->', '${f(1)}'))
    assert list(load(file).links) == ['2']


def test_the_error_names_the_line_and_the_name(tmp_path):
    file = tmp_path / 'r.urdf.xacro'
    file.write_text(FILE.format('', '${(x for x in ()).gi_frame}'))
    with pytest.raises(DescriptionError, match="it uses 'gi_frame'") as caught:
        load(file)
    assert caught.value.line == 2


def test_xacro_itself_is_left_alone_in_this_process():
    code = ('import xacro; from xacro import substitution_args; import urdf_tools.model.loader; '
            'print(xacro.safe_eval.__module__, hasattr(substitution_args, "eval"))')
    result = subprocess.run(
        [sys.executable, '-c', code], capture_output=True, text=True, check=True)
    assert result.stdout == 'xacro False\n'
