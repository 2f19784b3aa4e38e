import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findYarn } from '@tributary/migrate-repo/io/find-yarn';
import { yarnEnvironment } from '@tributary/migrate-repo/io/yarn-environment';
import type { MigrateResult } from '@tributary/migrate-repo/result';
import { parseAbsolutePath, parseRepoPath, type RepoFolder } from '@tributary/model/paths';
import type { Environment } from '@tributary/process/environment';
import { discoverWorkspaces, type Workspace } from '@tributary/workspaces/discover';
import { readManifestGraph } from '@tributary/workspaces/manifest-graph';
import { orderWorkspaces } from '@tributary/workspaces/order';
import { type CommandLine, lastLines, outerPath, runScript, type ScriptResult } from './run-script.js';
import { hasScript } from './scripts-of.js';
import { NO_TESTS, type TestBed, testRun } from './test-run.js';

/** A clone of the migrated branch, installed. */
interface Migrated {
  readonly folder: string;
  readonly env: Environment;
  readonly yarn: CommandLine;
}

/**
 * Tests packages where they are now: in a fresh clone of the migrated branch, installed `--immutable`, everything built in the order of the
 * dependencies. A package that has no script `build` is built by `prepare`, which npm and Yarn 1 ran at every installation. Throws
 * an `Error` with what Yarn said if the branch cannot be installed.
 */
export async function openMigrated(clone: string, packages: MigrateResult['packages'], work: string): Promise<TestBed> {
  const folder = parseAbsolutePath(clone);
  const env = yarnEnvironment(folder, { PATH: outerPath(), CI: 'true', NO_COLOR: '1' });
  const { program, args } = await findYarn(folder);
  const migrated = { folder, env, yarn: [program, ...args] as const };
  const install = [program, ...args, 'install', '--immutable'] as const;
  const { ended, output } = await runScript({ command: install, cwd: folder, env, log: join(work, 'logs', 'install.log') });
  if (ended !== 'well') throw new Error(`yarn install --immutable ended ${ended} in a clone of the branch:\n${lastLines(output)}`);
  const notBuilt = await buildInOrder(migrated, packages, work);
  return async (name) => {
    const unbuilt = notBuilt.get(name);
    if (unbuilt !== undefined) return testRun(unbuilt, 'not built');
    const path = packages.find((one) => one.name === name)?.path ?? '';
    if (!hasScript(join(folder, path), 'test')) return NO_TESTS;
    return testRun(await runIn(migrated, name, 'test', join(work, 'logs', name, 'migrated.log')));
  };
}

/** Those whose build failed. */
async function buildInOrder(
  migrated: Migrated,
  packages: MigrateResult['packages'],
  work: string,
): Promise<ReadonlyMap<string, ScriptResult>> {
  const failed = new Map<string, ScriptResult>();
  for (const { name, path } of inOrder(migrated.folder, packages)) {
    const script = ['build', 'prepare'].find((one) => hasScript(join(migrated.folder, path), one));
    if (script === undefined) continue;
    const outcome = await runIn(migrated, name, script, join(work, 'logs', name, 'build.log'));
    if (outcome.ended !== 'well') failed.set(name, outcome);
  }
  return failed;
}

/** Only what came: the monorepo has its own ways. */
function inOrder(folder: string, packages: MigrateResult['packages']): readonly Workspace[] {
  const folders: RepoFolder[] = ['', ...packages.map(({ path }) => parseRepoPath(path))];
  const readManifest = (path: RepoFolder): string => readFileSync(join(folder, path, 'package.json'), 'utf8');
  const { order } = orderWorkspaces(readManifestGraph(discoverWorkspaces({ folders, readManifest })));
  return order.filter(({ path }) => path !== '');
}

function runIn({ folder, env, yarn }: Migrated, name: string, script: string, log: string): Promise<ScriptResult> {
  return runScript({ command: [...yarn, 'workspace', name, 'run', script], cwd: folder, env, log });
}
