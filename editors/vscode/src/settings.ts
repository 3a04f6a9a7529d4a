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

/** The xacro arguments of a robot, and those that it lacks, with values that were found and where. */
export interface Arguments {
  names: string[];
  lacking: { name: string; values: { value: string; source: string }[] }[];
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

/** Let the user choose the arguments that a robot lacks, and keep them; return whether all are chosen. */
export async function chooseArguments(lacking: Arguments['lacking']): Promise<boolean> {
  const chosen: Record<string, string> = {};
  for (const { name, values } of lacking) {
    const title = `The robot needs the argument ${name}`;
    const other = { label: 'Another value ...', description: '' };
    const found = values.map(({ value, source }) => ({ label: value, description: source }));
    const pick = found.length === 0 ? other : await window.showQuickPick(
      [...found, other], { title, placeHolder: `Kept in ${SECTION}.arguments in the settings of the workspace` });
    const value = pick === other ? await window.showInputBox({ title, prompt: 'Its value' }) : pick?.label;
    if (value === undefined) {
      return false;
    }
    chosen[name] = value;
  }
  await workspace.getConfiguration(SECTION).update(
    'arguments', { ...setting('arguments', {}), ...chosen },
    workspace.workspaceFolders?.length ? ConfigurationTarget.Workspace : ConfigurationTarget.Global);
  return true;
}

/** The arguments of xacro files, as far as the server was asked for them. */
export const argumentNames = new Map<string, string[]>();

/** Return the arguments of the command for a file, which may be named in a shorter way, and for packages. */
export function descriptionArguments(file: string, name = file): string[] {
  const { arguments: values, packages } = options();
  const names = argumentNames.get(file);
  return [
    ...Object.entries(packages).flatMap(([name, folder]) => ['--package', `${name}=${folder}`]),
    name,
    ...(file.endsWith('.xacro') ? Object.entries(values).filter(([name]) => !names?.length || names.includes(name)).map(
      ([name, value]) => `${name}:=${value}`) : []),
  ];
}

/** Return the setup file of a ROS workspace that is open and trusted, if there is one. */
export function setupCandidates(): string[] {
  return workspace.isTrusted
    ? (workspace.workspaceFolders ?? []).map(folder => join(folder.uri.fsPath, 'install', 'setup.bash')) : [];
}
