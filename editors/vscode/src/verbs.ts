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

/** The commands that show what a verb of urdf-tools prints. */

import { dirname, basename } from 'node:path';
import {
  EventEmitter, languages, ProgressLocation, Range, TextDocument, TextDocumentContentProvider, Uri, ViewColumn, window,
  workspace, WorkspaceEdit,
} from 'vscode';
import { Program, run } from './program';
import { descriptionArguments, SECTION } from './settings';

const PROGRAMS = ['gazebo', 'mujoco', 'drake', 'pybullet', 'pinocchio', 'urdfdom', 'usd', 'mjcf'];

const INERTIA = [
  { label: 'Show masses and inertias', compute: '' },
  { label: 'Compute those that are missing', compute: 'missing' },
  { label: 'Compute those that are physically inconsistent', compute: 'invalid' },
  { label: 'Compute all', compute: 'all' },
];

/** What verbs have printed, as texts that cannot be edited. */
export class Results implements TextDocumentContentProvider {
  private readonly texts = new Map<string, string>();
  private readonly emitter = new EventEmitter<Uri>();
  readonly onDidChange = this.emitter.event;

  provideTextDocumentContent(uri: Uri): string {
    return this.texts.get(uri.path) ?? '';
  }

  async show(name: string, text: string, language = 'plaintext'): Promise<void> {
    const uri = Uri.from({ scheme: SECTION, path: `/${name}` });
    this.texts.set(uri.path, text);
    this.emitter.fire(uri);
    const document = await languages.setTextDocumentLanguage(await workspace.openTextDocument(uri), language);
    await window.showTextDocument(document, { viewColumn: ViewColumn.Beside, preserveFocus: true });
  }
}

/** Save a file and return what a verb prints of it, or nothing; complaints are shown. */
async function runVerb(
    program: Program, document: TextDocument, verb: string, args: string[] = []): Promise<string | undefined> {
  if (document.isDirty && !await document.save()) {
    return undefined;
  }
  const file = document.uri.fsPath;
  const name = basename(file);
  const output = await window.withProgress(
    { location: ProgressLocation.Window, title: `urdf-tools ${verb}` },
    () => run(program, [verb, ...args, ...descriptionArguments(file, name.startsWith('-') ? file : name)], dirname(file)));
  const complaint = [...new Set(output.stderr.trim().split('\n'))].join('\n');
  if (output.code !== 0 && !output.stdout) {
    void window.showErrorMessage(complaint || `urdf-tools ${verb} failed`);
    return undefined;
  }
  if (output.code !== 0 && complaint) {
    // A part of the answer is missing, such as the inertia of a link without a volume.
    void window.showWarningMessage(complaint);
  }
  return output.stdout;
}

export async function expand(program: Program, document: TextDocument, results: Results): Promise<void> {
  const text = await runVerb(program, document, 'expand');
  if (text !== undefined) {
    await results.show(`${basename(document.fileName).replace(/(\.urdf)?\.xacro$/, '')} (expanded).urdf`, text, 'urdf');
  }
}

export async function showAccount(program: Program, document: TextDocument, results: Results): Promise<void> {
  const chosen = await window.showQuickPick(PROGRAMS, {
    canPickMany: true, title: 'Show account for ...', placeHolder: 'Programs that load the robot' });
  if (chosen === undefined || !chosen.length) {
    return;
  }
  const text = await runVerb(program, document, 'account', ['--for', chosen.join(',')]);
  if (text !== undefined) {
    await results.show(`${basename(document.fileName)} for ${chosen.join(', ')}`, text);
  }
}

export async function computeInertia(program: Program, document: TextDocument, results: Results): Promise<void> {
  const chosen = await window.showQuickPick(INERTIA, { title: 'Compute inertia' });
  if (chosen === undefined) {
    return;
  }
  const name = `Inertias of ${basename(document.fileName)}`;
  if (!chosen.compute) {
    const text = await runVerb(program, document, 'inertia');
    await (text && results.show(name, text));
    return;
  }
  const density = await window.showInputBox({
    title: 'Density in kg/m³', value: '1000',
    prompt: chosen.compute === 'all' ? 'For all links, whatever their mass' : 'For links without a mass',
    validateInput: text => Number(text) > 0 ? undefined : 'Write a positive number' });
  if (density === undefined) {
    return;
  }
  const diff = await runVerb(
    program, document, 'inertia', ['--compute', chosen.compute, '--density', density, '--diff']);
  if (diff !== undefined && document.languageId === 'xacro') {
    // It changes the expanded text: where a macro makes several links, their author writes the expressions.
    await results.show(`${name} (computed).diff`, diff, 'diff');
  } else if (diff !== undefined && !await applyDiff(document, diff)) {
    void window.showInformationMessage('There is nothing to compute.');
  }
}

/** Make the changes of a unified diff in an editor, without saving; return whether there are any. */
async function applyDiff(document: TextDocument, diff: string): Promise<boolean> {
  const edit = new WorkspaceEdit();
  let line = 0;
  for (const text of diff.split('\n').slice(2)) {
    const hunk = /^@@ -(\d+)(?:,(\d+))?/.exec(text);
    if (hunk !== null) {
      line = Number(hunk[1]) - (hunk[2] === '0' ? 0 : 1);
    } else if (text.startsWith('-')) {
      edit.delete(document.uri, new Range(line, 0, line + 1, 0));
      line += 1;
    } else if (text.startsWith('+')) {
      edit.insert(document.uri, document.validatePosition(new Range(line, 0, line, 0).start), `${text.slice(1)}\n`);
    } else {
      line += 1;
    }
  }
  return edit.size > 0 && workspace.applyEdit(edit);
}

/** Show what a rule requires, and why. */
export async function explainRule(program: Program, results: Results, given?: string): Promise<void> {
  let code = given;
  if (code === undefined) {
    const { stdout } = await run(program, ['check', '--explain']);
    const chosen = await window.showQuickPick(stdout.split('\n').filter(Boolean), { title: 'Explain a rule' });
    code = chosen?.trim().split(/\s+/)[0];
  }
  if (code !== undefined) {
    const { stdout, stderr } = await run(program, ['check', '--explain', code]);
    await results.show(code, stdout || stderr);
  }
}
