import { join } from 'node:path';
import { registrySettings } from '@tributary/migrate-repo/io/yarn-environment';
import type { PackageResult } from '@tributary/migrate-repo/result';
import { type Environment, installEnvironment } from '@tributary/process/environment';
import { runProgram } from '@tributary/process/spawn';
import { managerOf, type PackageManager } from './package-manager.js';
import { outerPath, runScript, type ScriptResult } from './run-script.js';
import { hasScript } from './scripts-of.js';
import { NO_TESTS, type TestBed, testRun } from './test-run.js';

interface Installed {
  readonly folder: string;
  readonly env: Environment;
  readonly manager: PackageManager;
  readonly outcome: ScriptResult;
  readonly remark: string | undefined;
}

/** Tests packages as their own people do: in clones of their repositories, at the commits that were migrated, installed as their lockfiles say. */
export function openAlone(sources: ReadonlyMap<string, string>, packages: readonly PackageResult[], work: string): TestBed {
  const installed = new Map<string, Promise<Installed>>();
  return async (name) => {
    const ready = installed.get(name) ?? installAlone(name, sources, packages, work);
    installed.set(name, ready);
    const { folder, env, manager, outcome, remark } = await ready;
    if (outcome.ended !== 'well') return testRun(outcome, 'not installed');
    if (!hasScript(folder, 'test')) return NO_TESTS;
    return { ...testRun(await runScript({ command: manager.test, cwd: folder, env, log: join(work, 'logs', name, 'alone.log') })), remark };
  };
}

async function installAlone(
  name: string,
  sources: ReadonlyMap<string, string>,
  packages: readonly PackageResult[],
  work: string,
): Promise<Installed> {
  const [source, commit] = [sources.get(name), packages.find((one) => one.name === name)?.sourceCommit];
  if (source === undefined || commit === undefined) throw new Error(`${name} was not migrated`);
  const env = installEnvironment(process.env, { ...registrySettings(), PATH: outerPath(), CI: 'true', NO_COLOR: '1' });
  const folder = join(work, 'alone', name);
  await runProgram({ program: 'git', args: ['clone', '--quiet', '--no-checkout', source, folder], env });
  await runProgram({ program: 'git', args: ['checkout', '--quiet', '--detach', commit], cwd: folder, env });
  const manager = await managerOf(folder);
  const call = { cwd: folder, env, log: join(work, 'logs', name, 'install.log') };
  const whole = await runScript({ ...call, command: manager.install });
  if (whole.ended === 'well') return { folder, env, manager, outcome: whole, remark: undefined };
  const rest = { ...call, command: manager.installWithoutScripts, log: join(work, 'logs', name, 'install-without-scripts.log') };
  return { folder, env, manager, outcome: await runScript(rest), remark: 'installed without scripts: one of them fails on this machine' };
}
