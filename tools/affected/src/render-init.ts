import { countOf } from './describe.js';
import { exampleOf, titleOf } from './describe-finding.js';
import type { AffectedInitResult, NextStep, ProposedFile, Survey } from './init/init-result.js';
import { tasksInWords } from './init/judge-survey.js';
import type { Page } from './render.js';

/** Renders the survey and the proposed files. */
export function renderProposal({ project, findings, engines, files, problems, tasks, taken }: AffectedInitResult, page: Page): string {
  return [
    page.bold('Found'),
    ...describeSurvey(project).map((line) => `  ${line}`),
    `  CI: ${engines.length === 0 ? 'no committed files of a CI engine' : engines.map(({ title, files: all }) => `${title} (${countOf(all.length, 'file')})`).join(', ')}`,
    ...describeFindings(findings).map((line) => `  ${line}`),
    '',
    page.bold('Proposed'),
    ...files.map(({ path, state }) => `  ${STATES[state]}  ${path}`),
    ...describeTasks(tasks, project.workflow).map((line) => `  ${line}`),
    ...taken.map((one, at) => `  ${at === 0 ? 'given' : '     '}     ${one}`),
    ...files.filter(({ state }) => state === 'differs').flatMap((file) => ['', ...showFile(file)]),
    ...problems.flatMap(({ message, hint }) => ['', `! ${message}`, `  ${hint}`]),
    '',
    '',
  ].join('\n');
}

function describeTasks(tasks: readonly string[], workflow: Survey['workflow']): readonly string[] {
  if (tasks.length === 0 || workflow === null) return [];
  const seen = tasks.length === 1 ? '' : `: ${workflow.path} runs them`;
  const staying = workflow.tasks.flatMap(({ task, stays }) => (stays === null || tasks.includes(task) ? [] : [`${task} (${stays})`]));
  return [`tasks     ${tasks.join(', ')}${seen}`, ...(staying.length === 0 ? [] : [`left to ${workflow.path}: ${staying.join(', ')}`])];
}

/** The most that are shown. */
const MOST = 5;

function describeFindings(findings: AffectedInitResult['findings']): readonly string[] {
  if (findings === null) return [];
  if (findings.length === 0) return ['affected check: nothing to mend'];
  const shown = findings.slice(0, MOST).map((one) => `  ${[titleOf(one), ...exampleOf(one)].join(': ')}`);
  const more = findings.length > MOST ? [`  and ${findings.length - MOST} more`] : [];
  return [`affected check: ${countOf(findings.length, 'finding')}`, ...shown, ...more];
}

const STATES: Readonly<Record<ProposedFile['state'], string>> = {
  new: 'new      ',
  same: 'unchanged',
  differs: 'by hand  ',
};

/** Renders the next steps for people. */
export function renderNext({ next }: AffectedInitResult, page: Page): string {
  return [page.bold('Next'), ...next.flatMap(renderStep)].join('\n');
}

function renderStep({ text, command }: NextStep, at: number): readonly string[] {
  const lines = [`  ${at + 1}. ${text}`];
  return command === null ? lines : [...lines, `     ${command}`];
}

function describeSurvey(survey: Survey): readonly string[] {
  const { packageManager, version, linker, workspaces, tested, runners, turbo, turboJson, turboTasks, root, node, workflow } = survey;
  const manager = { yarn: 'Yarn', npm: 'npm', unknown: 'unknown package manager' }[packageManager];
  const called = runners.map((one) => `${one.name === 'other' ? 'no known runner' : one.name} (${one.workspaces})`).join(', ');
  return [
    `${manager}${version === null ? '' : ` ${version}`}, linker ${linker}, ${countOf(workspaces, 'workspace')}${root === '' ? '' : ` in ${root}`}`,
    `${tested} with a script "test"${called === '' ? '' : `: ${called}`}`,
    turboTasks === null
      ? { read: '', missing: 'no turbo.json', invalid: 'a turbo.json that is invalid' }[turboJson]
      : `turborepo ${turbo ?? '(not in package.json)'}, tasks: ${turboTasks.length === 0 ? 'none' : turboTasks.join(', ')}`,
    describeNode(node),
    ...(workflow === null || workflow.tests.length === 0
      ? []
      : [`${tasksInWords({ workflow })} run in ${workflow.path}: ${workflow.tests.join('; ')}`]),
  ];
}

function describeNode(node: Survey['node']): string {
  if (node === null) return 'no file that names the version of Node';
  return node.version === null ? `Node by ${node.from}` : `Node ${node.version} (${node.from})`;
}

/** Shows the proposed text of a file that exists with other content and is not overwritten. */
function showFile({ path, content }: ProposedFile): readonly string[] {
  const lines = content.trimEnd().split(/\r?\n/);
  return [`${path} exists and is not overwritten. The proposed text:`, ...lines.map((line) => `  + ${line}`.trimEnd())];
}
