import { readdirSync, realpathSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { callProgram } from '@tributary/process/spawn';
import { isCountedTest, isNodeTest, type ListedTests, listArguments, parseListed, type Runner } from '../plan/runner.js';

/** A suite whose runner can list its files. */
export interface Suite {
  /** The absolute folder of the workspace. */
  readonly folder: string;
  readonly task: string;
  /** The script of the task. */
  readonly script: string;
  readonly runner: Runner;
  /** Returns the variables that turborepo passes to the task; `undefined` if they are unknown. */
  readonly environment: () => Promise<Readonly<Record<string, string>> | undefined>;
}

const LIMIT_MS = 120_000;

/**
 * Returns the test files of a suite, relative to its folder, as listed by its runner; for node, which lists none, by its rule. `undefined`
 * if they are unknown. Throws `INTERRUPTED`.
 */
export async function listTestFiles(suite: Suite, signal: AbortSignal): Promise<ListedTests | undefined> {
  if (suite.runner === 'node') return nodeTests(suite.folder);
  const args = listArguments(suite.runner, suite);
  if (args === undefined) return undefined;
  const env = await suite.environment();
  if (env === undefined) return undefined;
  const call = { program: 'yarn', args, cwd: suite.folder, env, timeoutMs: LIMIT_MS, signal };
  const result = await callProgram(call).catch((error: unknown) => {
    if (signal.aborted) throw error;
    return undefined;
  });
  const listed = result?.exit === 0 ? parseListed(suite.runner, result.stdout.toString('utf8')) : undefined;
  return listed && { ...listed, files: listed.files.map((file) => fromFolder(suite.folder, file)) };
}

function fromFolder(folder: string, file: string): string {
  const home = realpathSync(folder);
  return relative(home, resolve(home, file)).split(sep).join('/');
}

/** Returns files that look like tests by name, for runners that list none; relative to the workspace, sorted. */
export function filesLikeTests(folder: string): readonly string[] {
  const isTest = (path: string): boolean => isCountedTest(path) || isNodeTest(path.replace(/ts$/, 'js'));
  return entriesBelow(folder, '')
    .map(({ path }) => path)
    .filter(isTest)
    .sort();
}

/** `undefined`: it depends on the version of Node whether it runs tests behind symbolic links, and those in TypeScript. */
function nodeTests(folder: string): ListedTests | undefined {
  const all = entriesBelow(folder, '');
  if (all.some(({ path, isLink }) => isLink || isNodeTest(path.replace(/ts$/, 'js')) !== isNodeTest(path))) return undefined;
  return { files: all.map(({ path }) => path).filter(isNodeTest) };
}

/** Returns files and symbolic links. */
function entriesBelow(folder: string, below: string): readonly { readonly path: string; readonly isLink: boolean }[] {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === 'node_modules' || entry.name === '.git' ? [] : entriesBelow(folder, path);
    return entry.isFile() || entry.isSymbolicLink() ? [{ path, isLink: entry.isSymbolicLink() }] : [];
  });
}
