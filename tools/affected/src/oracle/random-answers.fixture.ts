import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '@tributary/terminal/clock';
import { recordStreams } from '@tributary/terminal/recording-streams';
import { Ui } from '@tributary/terminal/ui';
import { runCli } from '@tributary/test-repo/run-cli';
import type { TempRepo } from '@tributary/test-repo/temp-repo';
import type { AffectedResult } from '../result.js';
import { selectAffected } from '../run/select.js';
import type { RandomQuestion } from './random-questions.fixture.js';

const ui = new Ui(recordStreams(), {}, { quiet: true, verbose: false, color: 'never', input: 'never', json: true });
const services = { ui, clock: systemClock, signal: new AbortController().signal };

type Answer = AffectedResult | { readonly code: string; readonly message: string };

/**
 * Asks a question. Returns the fault of the answer, or `undefined`. Most questions run in this process, because the program takes longer to
 * start than to run.
 */
export async function findFault(repo: TempRepo, question: RandomQuestion): Promise<string | undefined> {
  const isForProgram = question.seed % 10 === 0 && question.task === undefined && question.fetch !== 'never';
  try {
    return faultIn(await (isForProgram ? askProgram : askFunction)(repo, question), question);
  } catch (error) {
    return `ended without an answer: ${error instanceof Error ? error.stack : String(error)}`;
  }
}

async function askProgram(repo: TempRepo, { base, head, list }: RandomQuestion): Promise<Answer> {
  const input = list === undefined ? {} : { input: list };
  const args = [
    ...(base === undefined ? [] : ['--base', base]),
    '--head',
    head,
    '--json',
    ...(list === undefined ? [] : ['--files-from', '-']),
  ];
  const run = await runCli('affected', args, { cwd: repo.path, ...input });
  if (run.code !== 0 && run.code !== 1) throw new Error(`exit ${run.code ?? run.signal}: ${run.stderr}`);
  const document = JSON.parse(run.stdout) as AffectedResult | { error: { code: string; message: string } };
  return 'error' in document ? document.error : document;
}

async function askFunction(repo: TempRepo, { base, head, list, task, seed, fetch = 'allowed' }: RandomQuestion): Promise<Answer> {
  const filesFrom = list === undefined ? undefined : join(repo.path, `list-${seed}`);
  if (filesFrom !== undefined) writeFileSync(filesFrom, list ?? '');
  const change = { cwd: repo.path, base, head, filesFrom, pullRequest: undefined, uncommitted: 'without', fetch } as const;
  try {
    return await selectAffected({ ...change, ...(task === undefined ? {} : { task }) }, services);
  } catch (error) {
    if (error instanceof Error && 'code' in error && typeof error.code === 'string') return { code: error.code, message: error.message };
    throw error;
  }
}

/** The codes of docs/errors.md for refusals of a broken repository. */
const REFUSALS = [
  'CONFIG_INVALID',
  'FILE_LIST_UNREADABLE',
  'LOCKFILE_INVALID',
  'MANIFEST_INVALID',
  'PACKAGE_MANAGER_UNSUPPORTED',
  'WORKSPACE_DUPLICATE_NAME',
];

function faultIn(answer: Answer, { must, mayFail }: RandomQuestion): string | undefined {
  if ('code' in answer)
    return mayFail === false || !REFUSALS.includes(answer.code) ? `refused: ${answer.code} ${answer.message}` : undefined;
  if (mayFail === 'always') return 'was answered, and should be refused';
  if (answer.all !== null) return undefined;
  const selected = answer.workspaces.map(({ name }) => name);
  // A reason for each workspace says the same.
  if (must.all !== undefined && selected.length === answer.workspaceCount) return undefined;
  if (must.all !== undefined) return `selected ${selected.join(', ') || 'nothing'}, and everything is affected: ${must.all}`;
  const missed = [...must.selected].filter(([name]) => !selected.includes(name));
  return missed.length === 0 ? undefined : `missed ${missed.map(([name, why]) => `${name} (${why})`).join(', ')}`;
}
