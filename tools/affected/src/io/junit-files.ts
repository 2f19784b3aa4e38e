import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { orUnusable, readTextFile } from '@tributary/process/unusable-file';
import { type JUnitTime, parseJUnit } from '../timings/junit.js';
import type { FileTimes } from '../timings/timings.js';
import { readPackage } from './packages.js';

/** The times of test files in JUnit reports. */
export interface JUnitTimes {
  /** By workspace name, the times of its test files. */
  readonly workspaces: ReadonlyMap<string, FileTimes>;
  /** A sentence for each skipped report, and for tests whose file is unknown. */
  readonly problems: readonly string[];
}

/**
 * Reads a JUnit report, or all `.xml` files in a folder and below, and finds the tests' files in a project with the root `project`. Throws
 * `FILE_UNUSABLE`.
 */
export function readJUnit(path: string, project: string): JUnitTimes {
  const byWorkspace = new Map<string, Map<string, number>>();
  const problems: string[] = [];
  for (const report of reportsIn(path)) {
    const read = parseJUnit(readTextFile(report));
    if ('problem' in read) problems.push(`${report} is left out: ${read.problem}.`);
    else {
      const found = read.map((time) => ({ time, own: testFileOf(time, { report, project }) }));
      for (const { time, own } of found) if (own !== undefined) add(byWorkspace, own, time.seconds);
      const tests = found.filter(({ time }) => time.kind === 'test');
      const lost = tests.filter(({ own }) => own === undefined).length;
      if (lost > 0) problems.push(`${report}: the file of ${lost} of ${tests.length} tests is unknown.`);
    }
  }
  return { workspaces: new Map([...byWorkspace].map(([name, files]) => [name, Object.fromEntries(files)])), problems };
}

function reportsIn(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  if (!orUnusable(path, 'read', () => statSync(path).isDirectory())) return [path];
  return orUnusable(path, 'read', () => readdirSync(path, { withFileTypes: true }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : reportsIn(join(path, entry.name));
      return entry.name.endsWith('.xml') ? [join(path, entry.name)] : [];
    });
}

interface TestFile {
  readonly workspace: string;
  /** Relative to its folder. */
  readonly file: string;
}

/** Returns the first file that exists, relative to the root, or to a folder between the report and the root. */
function testFileOf(
  { files }: JUnitTime,
  { report, project }: { readonly report: string; readonly project: string },
): TestFile | undefined {
  const root = realpathSync(project);
  for (const file of files) {
    for (let folder = dirname(realpathSync(report)); ; folder = dirname(folder)) {
      const isLast = folder === root || folder === dirname(folder);
      const found = inWorkspace(resolve(isLast ? root : folder, file), root);
      if (found !== undefined) return found;
      if (isLast) break;
    }
  }
  return undefined;
}

function inWorkspace(path: string, root: string): TestFile | undefined {
  if (!existsSync(path) || relative(root, path).startsWith('..')) return undefined;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const workspace = readPackage(folder)?.name;
    if (workspace !== undefined && workspace !== 'undefined') return { workspace, file: relative(folder, path).split(sep).join('/') };
    if (folder === root || folder === dirname(folder)) return undefined;
  }
}

function add(byWorkspace: Map<string, Map<string, number>>, { workspace, file }: TestFile, seconds: number): void {
  const files = byWorkspace.get(workspace) ?? new Map<string, number>();
  files.set(file, (files.get(file) ?? 0) + seconds);
  byWorkspace.set(workspace, files);
}
