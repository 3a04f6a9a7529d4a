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
Write the list of the components of a release (SBOM) in the format of CycloneDX.

It has the files of the release; what the library imports, in the versions of a lock file; and what
the extension for Visual Studio Code contains: each with hashes, and with what it needs.
"""

from __future__ import annotations

import argparse
from base64 import b64decode
from collections import defaultdict
from collections.abc import Iterator
from collections.abc import Mapping
from email.message import Message
from email.parser import HeaderParser
from hashlib import sha256
import json
from pathlib import Path
import re
import sys
from zipfile import ZipFile

from audit import licences
from audit import UNKNOWN
from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.contrib.this.builders import this_component
from cyclonedx.model import ExternalReference
from cyclonedx.model import ExternalReferenceType
from cyclonedx.model import HashAlgorithm
from cyclonedx.model import HashType
from cyclonedx.model import Property
from cyclonedx.model import XsUri
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component
from cyclonedx.model.component import ComponentScope
from cyclonedx.model.component import ComponentType
from cyclonedx.output import make_outputter
from cyclonedx.schema import OutputFormat
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from set_up import read_lock_file
from set_up import ROOT

LOCK = ROOT / 'tools' / 'requirements' / 'library' / 'packages.lock'
EXTENSION = ROOT / 'editors' / 'vscode'

LIBRARY = 'urdf-tools'

NOT_IMPORTED = {'docs', 'mujoco', 'test'}
"""The extras of the library that are for work on it, or for proofs of what it writes."""

BUNDLED = ('vscode-languageclient',)
"""What the sources of the extension import, which is bundled with all that it needs."""

VERSION = SchemaVersion.V1_6


class SbomError(Exception):
    """A list that is not complete or not valid; the text tells the user the reason."""


def main() -> int:
    """Write the list, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.strip().partition('\n')[0])
    parser.add_argument('folder', type=Path, help='contains the wheel and the sdist')
    parser.add_argument('output', type=Path, help='file to write, such as urdf_tools.cdx.json')
    arguments = parser.parse_args()
    try:
        text = sbom(sorted(arguments.folder.iterdir()))
    except SbomError as error:
        print(f'sbom: {error}.', file=sys.stderr)
        return 1
    arguments.output.write_text(text, encoding='utf-8')
    return 0


def sbom(files: list[Path]) -> str:
    """
    Return the list of a release as JSON.

    :param files: what the release consists of: a wheel, and others.
    :raises SbomError: a package that the wheel requires is not locked, or the list is not valid.
    """
    wheel = next(path for path in files if path.suffix == '.whl')
    metadata = wheel_metadata(wheel)
    library = component(PackageURL('pypi', None, LIBRARY, metadata['Version']))
    library.licenses = [LicenseFactory().make_from_string(metadata['License'])]
    library.components = [
        Component(type=ComponentType.FILE, name=path.name, hashes=[
            HashType(alg=HashAlgorithm.SHA_256, content=sha256(path.read_bytes()).hexdigest())])
        for path in files]
    bom = Bom()
    bom.metadata.component = library
    bom.metadata.tools.components.add(this_component())
    add_packages(bom, library, list(requirements(metadata)))
    add_extension(bom, library)
    text = make_outputter(bom, OutputFormat.JSON, VERSION).output_as_string(indent=2)
    if unknown := [part.name for part in bom.components if not part.licenses]:
        print(f'sbom: of unknown licence here: {", ".join(unknown)}', file=sys.stderr)
    if error := JsonStrictValidator(VERSION).validate_str(text):
        raise SbomError(f'the list is not valid: {error}')
    return text + '\n'


def wheel_metadata(wheel: Path) -> Message:
    """Return the fields of a wheel, such as ``Version`` and ``Requires-Dist``."""
    with ZipFile(wheel) as archive:
        name, = (name for name in archive.namelist() if name.endswith('.dist-info/METADATA'))
        return HeaderParser().parsestr(archive.read(name).decode())


def requirements(metadata: Message) -> Iterator[tuple[str, bool]]:
    """Yield the name of each package that a wheel imports, and whether only an extra does."""
    for line in metadata.get_all('Requires-Dist', []):
        requirement = Requirement(line)
        extra = re.search('extra == "(.+?)"', str(requirement.marker))
        if not (extra and extra[1] in NOT_IMPORTED):
            yield canonicalize_name(requirement.name), bool(extra)


def component(purl: PackageURL, **fields) -> Component:
    """Return a component with the name, the version and the known licence of a package."""
    name = f'{purl.namespace}/{purl.name}' if purl.namespace else purl.name
    ecosystem = {'pypi': 'PyPI'}.get(purl.type, purl.type)
    licence = licences().get((ecosystem, name, purl.version), UNKNOWN)
    return Component(
        name=purl.name, group=purl.namespace, version=purl.version, purl=purl,
        bom_ref=purl.to_string(), **fields,
        licenses=[] if licence == UNKNOWN else [LicenseFactory().make_from_string(licence)])


def add_packages(bom: Bom, library: Component, required: list[tuple[str, bool]]) -> None:
    """
    Add the packages of the lock file, which says for which other ones each is there.

    :param required: what the library itself requires, and whether only an extra does.
    :raises SbomError: one of these is not in the lock file.
    """
    packages: dict[str, list[Component]] = defaultdict(list, {LIBRARY: [library]})
    users: dict[str, set[str]] = defaultdict(set)
    parts = []
    for locked in read_lock_file(LOCK):
        name, version = re.match(r'(\S+)==(\S+)', locked).groups()
        package = locked_package(name, version, locked)
        needed_by = re.findall(r'(?:via|#  ) ([\w-]+)', locked)
        packages[name].append(package)
        users[name].update(needed_by)
        parts.append((package, needed_by))
    if missing := {name for name, _ in required} - packages.keys():
        raise SbomError(f"{LOCK.relative_to(ROOT)} lacks {', '.join(sorted(missing))}; "
                        "run 'make lock'")
    needed = closure([name for name, extra in required if not extra], users)
    for package, needed_by in parts:
        package.scope = (
            ComponentScope.REQUIRED if package.name in needed else ComponentScope.OPTIONAL)
        bom.components.add(package)
        for user in needed_by:
            for parent in packages[user]:
                bom.register_dependency(parent, [package])


def locked_package(name: str, version: str, locked: str) -> Component:
    """Return a package of a lock file with the hashes of all its files."""
    purl = PackageURL('pypi', None, name, version)
    hashes = [HashType(alg=HashAlgorithm.SHA_256, content=digest)
              for digest in re.findall('--hash=sha256:(\\w+)', locked)]
    marker = re.match(r'\S+ ; (.*?)(?: \\)?\n', locked)
    return component(
        purl, external_references=[ExternalReference(
            type=ExternalReferenceType.DISTRIBUTION, url=XsUri(purl.to_string()), hashes=hashes)],
        properties=[Property(name='urdf-tools:marker', value=marker[1])] if marker else [])


def closure(names: list[str], users: dict[str, set[str]]) -> set[str]:
    """Return packages with all that they need, directly or not."""
    found = set()
    while names:
        name = names.pop()
        if name not in found:
            found.add(name)
            names += [other for other, needs in users.items() if name in needs]
    return found


def add_extension(bom: Bom, library: Component) -> None:
    """Add the extension, with the library whose wheel it contains and the modules it bundles."""
    manifest, lock = (json.loads(EXTENSION.joinpath(name).read_text(encoding='utf-8'))
                      for name in ('package.json', 'package-lock.json'))
    extension = component(
        PackageURL('vscode-extension', manifest['publisher'], manifest['name'], library.version),
        type=ComponentType.APPLICATION)
    extension.licenses = [LicenseFactory().make_from_string(manifest['license'])]
    needs = bundled(lock['packages'])
    parts = {key: locked_module(key, lock['packages'][key]) if key else extension for key in needs}
    for key, others in needs.items():
        bom.components.add(parts[key])
        bom.register_dependency(parts[key], [parts[other] for other in others])
    bom.register_dependency(extension, [library])


def bundled(locked: dict[str, dict]) -> dict[str, list[str]]:
    """Return what each module of the extension needs, by keys of its lock file, '' for itself."""
    needs: dict[str, list[str]] = {}
    rest = ['']
    while rest:
        key = rest.pop()
        if key not in needs:
            names = locked[key].get('dependencies', ()) if key else BUNDLED
            needs[key] = [key_of(name, key, locked) for name in names]
            rest += needs[key]
    return needs


def key_of(name: str, user: str, locked: Mapping[str, object]) -> str:
    """
    Return the key of the module that another one gets for a name: the innermost one around it.

    :raises SbomError: there is none.
    """
    while (key := f'{user}/node_modules/{name}'.lstrip('/')) not in locked:
        if not user:
            raise SbomError(f'package-lock.json lacks {name}')
        user = user.rpartition('/node_modules/')[0]
    return key


def locked_module(key: str, locked: dict[str, str]) -> Component:
    """Return a module of the extension's lock file with its hash."""
    scope, _, name = key.rpartition('node_modules/')[2].rpartition('/')
    algorithm, _, digest = locked['integrity'].partition('-')
    return component(PackageURL('npm', scope or None, name, locked['version']), hashes=[HashType(
        alg={'sha512': HashAlgorithm.SHA_512}[algorithm], content=b64decode(digest).hex())])


if __name__ == '__main__':
    sys.exit(main())
