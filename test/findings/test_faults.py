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

import subprocess
import sys

import pytest

from urdf_tools.findings.rules import Faults
from urdf_tools.model.errors import is_lack_of_memory


def test_a_lack_of_memory_is_not_a_fault():
    faults = Faults()
    with pytest.raises(MemoryError), faults.contained('some'):
        raise ValueError('Cannot allocate memory')
    assert not [*faults.findings()]


def test_each_fault_is_reported_once_with_its_parts():
    faults = Faults()
    for part in ('rule a', 'rule b', 'rule a'):
        for text in ('x', '{y}'):
            with faults.contained(part):
                raise ValueError(text)
    found = [str(finding.message) for finding in faults.findings()]
    line = found[0].split(': ')[0]
    assert line.startswith('Rule a and rule b failed at test_faults.py:')
    assert found == [f'{line}: ValueError: x', f'{line}: ValueError: {{y}}']


SEARCH_WITHOUT_MEMORY = """
import resource
from lxml import etree
from urdf_tools.model.errors import is_lack_of_memory
root = etree.fromstring('<a>' + ''.join(f'<b n="{i}"/>' for i in range(100_000)) + '</a>')
search, kinds = etree.XPath('//@n'), set()
limits = resource.getrlimit(resource.RLIMIT_AS)
for extra in range(0, 2**22, 2**19):
    with open('/proc/self/statm') as file:
        size = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (size + extra, limits[1]))
    found = None
    try:
        found = search(root)
    except Exception as error:
        kinds.add((type(error).__name__, is_lack_of_memory(error)))
    resource.setrlimit(resource.RLIMIT_AS, limits)
assert ('XPathEvalError', True) in kinds and all(is_lack for _, is_lack in kinds), kinds
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != 'linux', reason='only Linux limits memory')
def test_a_search_without_memory():
    subprocess.run([sys.executable, '-c', SEARCH_WITHOUT_MEMORY], check=True)


@pytest.mark.parametrize('expression', ['none(.)', '$x', 'count(1)', '//b[', 'id(1, 2)'])
def test_a_wrong_search_is_no_lack_of_memory(expression):
    from lxml import etree
    with pytest.raises(etree.XPathError) as error:
        etree.fromstring('<a/>').xpath(expression)
    assert not is_lack_of_memory(error.value)
