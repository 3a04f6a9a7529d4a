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

/** The extension: what VS Code starts, and what ends with it. */

import { commands, Disposable, ExtensionContext, TextDocument, tasks, Uri, window, workspace } from 'vscode';
import { Client } from './client';
import { endPreviews, showPreview } from './preview';
import { Program, Programs } from './program';
import { argumentNames, chooseArguments, mayExpand, SECTION } from './settings';
import { CheckTasks } from './tasks';
import { computeInertia, expand, explainRule, Results, showAccount } from './verbs';

let client: Client | undefined;

export function activate(context: ExtensionContext): void {
  const log = window.createOutputChannel(SECTION, { log: true });
  const programs = new Programs(context, log);
  const results = new Results();
  const server = client = new Client(programs, log);

  const restart = (): Promise<void> => {
    programs.forget();
    endPreviews();
    return server.restart();
  };
  const add = (name: string, work: (argument?: unknown) => unknown): Disposable =>
    commands.registerCommand(`${SECTION}.${name}`, work);
  const addVerb = (name: string, work: (program: Program, document: TextDocument) => unknown): Disposable =>
    add(name, async argument => {
      const document = argument instanceof Uri ? await workspace.openTextDocument(argument)
        : window.activeTextEditor?.document;
      if (document?.uri.scheme !== 'file') {
        void window.showInformationMessage('Open a URDF or xacro file, and save it once.');
        return;
      }
      const program = await mayExpand(document.uri) ? await programs.need() : undefined;
      if (program !== undefined && await hasArguments(server, document.uri)) {
        await work(program, document);
      }
    });

  context.subscriptions.push(
    log,
    workspace.registerTextDocumentContentProvider(SECTION, results),
    tasks.registerTaskProvider(SECTION, new CheckTasks(programs)),
    workspace.onDidGrantWorkspaceTrust(restart),
    workspace.onDidChangeWorkspaceFolders(restart),
    workspace.onDidChangeConfiguration(event => event.affectsConfiguration(SECTION) ? restart() : undefined),
    add('restart', restart),
    add('install', async () => await programs.install() && restart()),
    add('explainRule', async code => {
      const program = await programs.need();
      await (program && explainRule(program, results, typeof code === 'string' ? code : undefined));
    }),
    addVerb('preview', async (program, document) => {
      const robot = await chosenRobot(await server.roots(document.uri));
      if (robot !== undefined && await mayExpand(robot) && await hasArguments(server, robot)) {
        showPreview(program, robot, log);
      }
    }),
    addVerb('expand', (program, document) => expand(program, document, results)),
    addVerb('computeInertia', (program, document) => computeInertia(program, document, results)),
    addVerb('showAccount', (program, document) => showAccount(program, document, results)));
  void server.restart();
}

/** Return whether a robot has all the arguments that it needs, after asking for those that it lacks. */
async function hasArguments(server: Client, file: Uri): Promise<boolean> {
  for (;;) {
    const { names, lacking } = await server.arguments(file);
    argumentNames.set(file.fsPath, names);
    if (!lacking.length) {
      return true;
    }
    if (!await chooseArguments(lacking)) {
      return false;
    }
  }
}

async function chosenRobot(robots: Uri[]): Promise<Uri | undefined> {
  if (robots.length === 1) {
    return robots[0];
  }
  const items = robots.map(uri => ({ label: workspace.asRelativePath(uri), uri }));
  return (await window.showQuickPick(items, { title: 'The robot to show' }))?.uri;
}

export async function deactivate(): Promise<void> {
  endPreviews();
  await client?.end();
}
