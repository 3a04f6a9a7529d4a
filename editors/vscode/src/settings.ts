// Copyright 2026 The urdf_tools authors
//
// Licensed under the Apache License, Version 2.0 (the "License");
// you may not use this file except in compliance with the License.
// You may obtain a copy of the License at
//
//     http://www.apache.org/licenses/LICENSE-2.0
//
// Unless required by applicable law or agreed to in writing, software
// distributed under the License is distributed on an "AS IS" BASIS,
// WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
// See the License for the specific language governing permissions and
// limitations under the License.

/** What the user wants and allows, from the settings and VS Code's workspace trust. */

import { homedir } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';
import { commands, ConfigurationTarget, Uri, window, workspace } from 'vscode';

export const SECTION = 'urdf-tools';

/** What the language server takes as initialization options. */
export interface Options {
  trusted: string[];
  arguments: Record<string, string>;
  packages: Record<string, string>;
}

export function setting<T>(name: string, otherwise: T): T {
  return workspace.getConfiguration(SECTION).get<T>(name, otherwise);
}

export function options(): Options {
  return { trusted: trustedFolders(), arguments: setting('arguments', {}), packages: setting('packages', {}) };
}

/** Return the folders whose xacro files may be expanded; none in Restricted Mode. */
export function trustedFolders(): string[] {
  if (!workspace.isTrusted) {
    return [];
  }
  const folders = setting<string[]>('trustedFolders', []).map(
    folder => resolve(folder.replace(/^~(?=$|[\\/])/, homedir())));
  if (setting('expandInTrustedWorkspaces', true)) {
    folders.push(...(workspace.workspaceFolders ?? []).map(folder => folder.uri.fsPath));
  }
  return folders;
}

/** Return whether the user lets a file be expanded, after asking where nothing is known of it. */
export async function mayExpand(file: Uri): Promise<boolean> {
  const isIn = (folder: string): boolean => file.fsPath.startsWith(folder.endsWith(sep) ? folder : folder + sep);
  if (trustedFolders().some(isIn)) {
    return true;
  }
  if (!workspace.isTrusted) {
    await askForTrust('Robots are shown and expanded only in a workspace that you trust.');
    return false;
  }
  const folder = dirname(file.fsPath);
  const trust = 'Trust the Folder';
  const answer = await window.showWarningMessage(`Do you trust ${folder}?`, {
    modal: true,
    detail: 'To show a robot, its xacro files are expanded, which evaluates the expressions in them.',
  }, trust);
  if (answer !== trust) {
    return false;
  }
  await workspace.getConfiguration(SECTION).update(
    'trustedFolders', [...setting<string[]>('trustedFolders', []), folder], ConfigurationTarget.Global);
  return true;
}

export async function askForTrust(reason: string): Promise<void> {
  const manage = 'Manage Workspace Trust';
  if (await window.showInformationMessage(reason, manage) === manage) {
    await commands.executeCommand('workbench.trust.manage');
  }
}

/** Return the arguments of the command for xacro arguments and packages. */
export function descriptionArguments(file: string): string[] {
  const { arguments: values, packages } = options();
  return [
    ...Object.entries(packages).flatMap(([name, folder]) => ['--package', `${name}=${folder}`]),
    file,
    ...(file.endsWith('.xacro') ? Object.entries(values).map(([name, value]) => `${name}:=${value}`) : []),
  ];
}

/** Return the setup file of a ROS workspace that is open and trusted, if there is one. */
export function setupCandidates(): string[] {
  return workspace.isTrusted
    ? (workspace.workspaceFolders ?? []).map(folder => join(folder.uri.fsPath, 'install', 'setup.bash')) : [];
}
