import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { isToolError, ToolError } from '@tributary/model/errors';
import { parseObjectId } from '@tributary/model/ids';
import { type AbsolutePath, joinRepoPath, parseAbsolutePath, type RepoFolder } from '@tributary/model/paths';
import { endProcessesWith } from '@tributary/process/contained';
import { takeLock } from '@tributary/process/lock';
import { nameFailure } from '@tributary/process/unusable-file';
import type { Services } from '@tributary/terminal/main';
import type { Progress } from '@tributary/terminal/progress';
import { readLockMembers } from '@tributary/workspaces/lock/members';
import { orDiskFull } from '../../io/full-disk.js';
import { locked } from '../../io/locked.js';
import { homeOf } from '../../io/staging-area.js';
import { type LocalRepository, openRepository, readTarget } from '../../io/target.js';
import { makeTemporary, removeTemporary } from '../../io/temporary.js';
import { testMark } from '../../io/test-mark.js';
import type { MigrateResult, PackageResult } from '../../result/result.js';
import type { PackageTestsResult, SideTestsResult, TestLevel, TestsResult } from '../../result/tests-result.js';
import { isGood, lastOf, outcomeOf, type TestRuns } from '../../tests/test-run.js';
import type { TestVariables } from '../../tests/variables.js';
import { workspaceClosures } from '../../tests/workspace-closures.js';
import { type ComparedPackage, compareTests } from './compare-tests.js';
import { type MigratedBranch, openMigratedTests } from './migrated-tests.js';
import { openSourceTests, type TestedSource } from './source-tests.js';
import { logOf, type TestBed, type TestSettings } from './test-steps.js';

export interface TestOrder {
  readonly level: TestLevel;
  /** The script that runs the tests. */
  readonly script: string;
  readonly timeoutMs: number;
  readonly variables: TestVariables;
  /** The monorepo, or a folder in it. */
  readonly into: AbsolutePath;
}

/**
 * Tests the migrated packages on both sides and compares the results. The branch must be in the repository. Writes only
 * logs there, into the tool's own folder beside the objects. Throws `TARGET_LOCKED`, `YARN_MISSING`,
 * `GIT_FAILED`, `DISK_FULL`, `FILE_UNUSABLE` if tests broke their folder, `INTERRUPTED`. Each error says that the
 * migration is done.
 */
export async function testMigration(result: MigrateResult, order: TestOrder, services: Services): Promise<TestsResult> {
  const { tip, installation } = result;
  if (tip === null || installation !== 'done') return { level: 'off', reason: 'no lockfile', variables: [], packages: [] };
  try {
    const repository = await openRepository(order.into, services.signal);
    return await withTestFolder(repository, services.ui, (folders) =>
      testIn(repository, folders, { result: { ...result, tip }, order, services }),
    );
  } catch (error) {
    throw isToolError(error) ? afterMigration(error, result.branch) : error;
  }
}

interface TestFolders {
  /** Has the logs, and what identifies processes of a killed run. */
  readonly home: AbsolutePath;
  /** Removed at the end. */
  readonly work: AbsolutePath;
}

async function withTestFolder<T>(repository: LocalRepository, ui: Services['ui'], work: (folders: TestFolders) => Promise<T>): Promise<T> {
  const home = parseAbsolutePath(join(homeOf(repository), 'tests'));
  mkdirSync(homeOf(repository), { recursive: true });
  const unlock = takeLock(home, locked);
  try {
    // Processes of a killed run.
    await endProcessesWith(testMark(home));
    clear(home, ui);
    const temporary = makeTemporary(home);
    // Check for a full disk before the files of the tests are removed.
    return await work({ home, work: temporary }).catch((error: unknown) => {
      throw nameDisturbance(orDiskFull(error, temporary), temporary);
    });
  } finally {
    clear(home, ui);
    unlock();
  }
}

/**
 * Removes temporary files. Tests may leave folders without write permission; the results are still reported, and the
 * next run tries again.
 */
function clear(home: AbsolutePath, ui: Services['ui']): void {
  try {
    removeTemporary(home);
    rmSync(join(home, 'temporary'), { force: true });
  } catch (error) {
    ui.warning(`The folder of the test runs could not be removed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

interface Testing {
  readonly result: MigrateResult & { readonly tip: string };
  readonly order: TestOrder;
  readonly services: Services;
}

async function testIn(repository: LocalRepository, folders: TestFolders, testing: Testing): Promise<TestsResult> {
  const { result, order, services } = testing;
  const settings = settingsOf(repository, folders, testing);
  const branch = await readBranch(repository, result.tip);
  const sources = result.packages.map(sourceOf);
  const progress = services.ui.progress();
  progress.phase(PHASES[order.level], sources.length);
  const source = openSourceTests(settings, sources);
  const migrated = openMigratedTests(settings, branch);
  for (const { name } of sources) rmSync(logOf(settings, name), { force: true });
  const compared = await compareTests(
    sources.map(({ name }) => name),
    {
      before: tellingOf(progress, 'before', source.test),
      after: tellingOf(progress, 'after', migrated),
      atOnce: Math.min(2, availableParallelism()),
      onTested: (name) => progress.step(name),
      onSettled: ({ name }) => source.close(name),
    },
  );
  const packages = compared.map((one) => describeTested(one, existing(logOf(settings, one.name))));
  progress.done();
  return { level: order.level, reason: null, variables: Object.keys(order.variables), packages };
}

/** Returns a file; `undefined` if somebody has removed it. */
function existing(file: AbsolutePath): AbsolutePath | undefined {
  return existsSync(file) ? file : undefined;
}

function sourceOf({ name, sourceCommit, subdirectory }: PackageResult): TestedSource {
  return { name, commit: parseObjectId(sourceCommit), subdirectory: subdirectory ?? undefined };
}

function tellingOf(progress: Progress, side: string, bed: TestBed): TestBed {
  return (name) => {
    progress.message(`${name}, ${side}`, 'aside');
    return bed(name);
  };
}

const PHASES: { readonly [Level in TestLevel]: string } = {
  install: 'Installing before and after',
  build: 'Building before and after',
  test: 'Testing before and after',
};

function settingsOf(repository: LocalRepository, { home, work }: TestFolders, { order, services }: Omit<Testing, 'result'>): TestSettings {
  const logs = parseAbsolutePath(join(home, 'logs'));
  mkdirSync(logs, { recursive: true });
  rmSync(join(logs, 'monorepo.log'), { force: true });
  const { gitDir, format } = repository;
  return {
    gitDir,
    format,
    work,
    logs,
    mark: testMark(home),
    level: order.level,
    script: order.script,
    variables: order.variables,
    timeoutMs: order.timeoutMs,
    signal: services.signal,
  };
}

async function readBranch(repository: LocalRepository, tip: string): Promise<MigratedBranch> {
  const { root } = (await readTarget(repository)).facts;
  const lock = await repository.git.text(['cat-file', 'blob', `${tip}:${joinRepoPath(root as RepoFolder, 'yarn.lock')}`]);
  const members = readLockMembers(lock);
  if (members.kind !== 'berry') throw new Error('the branch was installed, but its yarn.lock lists no workspaces');
  return { tip: parseObjectId(tip), root, members: members.graph.members, closures: workspaceClosures(members.graph) };
}

/** Names an error about a folder that tests removed or closed. It is not an internal error. */
function nameDisturbance(error: unknown, folder: AbsolutePath): unknown {
  const { path } = error as NodeJS.ErrnoException;
  return path?.startsWith(folder) === true ? nameFailure(error, { path, what: 'written' }) : error;
}

/** Adds to an error that the migration itself is done. */
function afterMigration(error: ToolError, branch: string): ToolError {
  return new ToolError({
    code: error.code,
    message: `${error.message} The tests were not compared.`,
    hint: `The migration itself is complete, on the branch ${branch}. ${error.hint ?? ''} Before the next try, run "migrate-repo discard ${branch}".`,
    data: error.data,
    cause: error,
  });
}

/** Returns the test results of a package for people and programs. */
function describeTested(one: ComparedPackage, log: string | undefined): PackageTestsResult {
  return {
    name: one.name,
    outcome: outcomeOf(one),
    before: describeSide(one.before),
    after: describeSide(one.after),
    log: log ?? null,
  };
}

/** Describes one side by its last run. The output is that of the last failed run, which says more. */
function describeSide(runs: TestRuns): SideTestsResult {
  const { result, counts, coverage, remarks } = lastOf(runs);
  const bad = runs.findLast((run) => !isGood(run));
  return {
    result,
    runs: runs.length,
    passed: counts?.passed ?? null,
    failed: counts?.failed ?? null,
    coverage: coverage ?? null,
    output: bad?.output ?? '',
    remarks,
  };
}
