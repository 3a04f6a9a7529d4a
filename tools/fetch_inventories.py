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
Fetch what references of the site into the documentation of numpy and Python need, once.

The site builds without them, and without the network; those references are plain text then.
"""

from __future__ import annotations

import ast
from pathlib import Path
import shutil
import sys
from urllib.error import URLError
from urllib.request import urlopen

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / '.ros' / 'inventories'

TIMEOUT = 30.0


def addresses() -> dict[str, str]:
    """Return the name and the address of each site, as docs/conf.py has them."""
    tree = ast.parse((ROOT / 'docs' / 'conf.py').read_text(encoding='utf-8'))
    value, = (node.value for node in tree.body if isinstance(node, ast.Assign)
              and getattr(node.targets[0], 'id', '') == 'INVENTORIES')
    sites: dict[str, str] = ast.literal_eval(value)
    return sites


def main() -> int:
    """Fetch the inventories, and return the exit code."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, address in addresses().items():
        partial = FOLDER / f'{name}.part'
        try:
            with urlopen(f'{address}objects.inv', timeout=TIMEOUT) as answer, \
                    open(partial, 'wb') as file:
                shutil.copyfileobj(answer, file)
        except (URLError, OSError) as error:
            partial.unlink(missing_ok=True)
            print(f'{address}: {error}', file=sys.stderr)
            return 1
        partial.rename(FOLDER / f'{name}.inv')
    return 0


if __name__ == '__main__':
    sys.exit(main())
