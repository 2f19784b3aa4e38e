import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AbsolutePath } from '@tributary/model/paths';
import { isPlainObject } from '@tributary/model/plain-object';
import type { TestCandidates } from '../result/tests-result.js';
import type { TestRun, TestRuns } from '../tests/test-run.js';
import { removeFolder } from './remove-folder.js';

/** Test results of earlier runs of migrate-repo, by everything that determines them. */
export interface KeptTests {
  /** Returns kept runs; `undefined` if there are none, or they are damaged. */
  readonly readRuns: (key: TestKey) => TestRuns | undefined;
  readonly writeRuns: (key: TestKey, runs: TestRuns) => void;
  readonly readCandidates: (key: TestKey) => TestCandidates | undefined;
  readonly writeCandidates: (key: TestKey, candidates: TestCandidates) => void;
}

/** Everything that determines a result, such as commit, lockfile and level. */
export type TestKey = readonly (string | undefined)[];

const LONGEST_DAYS = 30;

/**
 * Opens the results in a folder, which is created with the first result. Results older than a month are removed.
 * `surroundings`: what on this machine may affect a result.
 */
export function openKeptTests(folder: AbsolutePath, surroundings: string): KeptTests {
  removeOld(folder);
  const read = (key: TestKey): unknown => readJson(fileOf(folder, [surroundings, ...key]));
  const write = (key: TestKey, value: unknown): void => {
    mkdirSync(folder, { recursive: true });
    const file = fileOf(folder, [surroundings, ...key]);
    writeFileSync(`${file}.new`, JSON.stringify(value));
    renameSync(`${file}.new`, file);
  };
  return {
    readRuns: (key) => {
      const value = read(key);
      const [first, ...others] = Array.isArray(value) && value.every(isRun) ? value : [];
      return first === undefined ? undefined : [first, ...others];
    },
    writeRuns: write,
    readCandidates: (key) => {
      const value = read(key);
      return isCandidates(value) ? value : undefined;
    },
    writeCandidates: write,
  };
}

function fileOf(folder: string, key: TestKey): string {
  // The machine counts too: native code, and what tests find on it.
  const all = JSON.stringify([7, process.version, process.platform, process.arch, ...key.map((part) => part ?? null)]);
  return join(folder, `${createHash('sha256').update(all).digest('hex').slice(0, 32)}.json`);
}

function removeOld(folder: AbsolutePath): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const days = (Date.now() - (statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0)) / 86_400_000;
    if (days > LONGEST_DAYS) removeFolder(join(folder, name) as AbsolutePath);
  }
}

function readJson(file: string): unknown {
  try {
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  } catch {
    return undefined;
  }
}

function isCandidates(value: unknown): value is TestCandidates {
  return isPlainObject(value) && Array.isArray(value['versions']) && Array.isArray(value['modules']);
}

function isRun(value: unknown): value is TestRun {
  return (
    isPlainObject(value) && typeof value['result'] === 'string' && typeof value['output'] === 'string' && Array.isArray(value['remarks'])
  );
}
