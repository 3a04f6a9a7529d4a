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

"""How Sphinx builds the site: ``make docs``, or ``sphinx-build docs build/site`` anywhere."""

from __future__ import annotations

from pathlib import Path
import re
import sys
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / 'tools')]

from site_pages import filled_in  # noqa: E402, I100, I202
from site_pages import home_of  # noqa: E402
from site_pages import write_pages  # noqa: E402

from urdf_tools import __version__  # noqa: E402

project = 'urdf_tools'
author = 'The urdf_tools authors'
copyright = f'2026, {author}'  # noqa: A001
release = version = __version__

extensions = ['myst_parser', 'sphinx.ext.autodoc', 'sphinx_copybutton']

# Of a console only the commands are copied, without what they print.
copybutton_prompt_text = '$ '
copybutton_copy_empty_lines = False

html_theme = 'furo'
html_favicon = 'favicon.svg'
html_title = f'urdf_tools {release}'
html_copy_source = False
html_show_sourcelink = False

myst_heading_anchors = 4

autodoc_class_signature = 'mixed'
autodoc_typehints = 'signature'
autodoc_typehints_format = 'short'
autodoc_type_aliases = {name: name.rpartition('.')[2] for name in (
    'Array', 'Indices', 'npt.ArrayLike')}
python_maximum_signature_line_length = 80

# What others document is text: to link it, the build would need the network.
nitpick_ignore_regex = [
    ('py:.*', r'(numpy|np|npt|collections|os|pathlib|typing|enum|types|xml)\..*'),
    ('py:.*', r'Array|ArrayLike|NDArray|Indices|Path|PathLike|Mapping|Iterable|Sequence|Any|Enum'),
    # What is not public is text.
    ('py:.*', r'urdf_tools\.[a-z_]+\..*'),
    ('py:.*', 'Comment|Element.origin|PackageLookup|ResourceError|XacroSources|negate_products'),
    ('py:.*', 'Viewer')]

_ALIAS = re.compile(r"TypeAliasForwardRef\('(\w+)'\)")


def setup(app: Any) -> None:
    """Connect what makes pages, and what completes them."""
    app.connect('builder-inited', lambda app: write_pages())
    app.connect('source-read', complete)
    app.connect('missing-reference', resolve)
    app.connect('autodoc-process-signature', name_aliases)


def complete(app: Any, page: str, source: list[str]) -> None:
    """Put what is made from the code into a page."""
    source[0] = filled_in(page, source[0])


def resolve(app: Any, env: Any, node: Any, content: Any) -> Any:
    """Return a reference to the public name of a class whose module is named."""
    target = home_of(node.get('reftarget', ''))
    if node.get('refdomain') != 'py' or target is None:
        return None
    domain = env.get_domain('py')
    return domain.resolve_xref(
        env, node['refdoc'], app.builder, 'obj', target, node, content)


def name_aliases(
        app: Any, what: str, name: str, value: Any, options: Any, signature: str | None,
        result: str | None) -> tuple[str | None, str | None]:
    """Return a signature with the plain names of :data:`autodoc_type_aliases`."""
    return (signature and _ALIAS.sub(r'\1', signature)), (result and _ALIAS.sub(r'\1', result))
