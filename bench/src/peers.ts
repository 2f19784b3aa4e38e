import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { isToolError } from '@tributary/model/errors';
import { networkEnvironment } from '@tributary/process/environment';
import { callProgram, type ProgramCall } from '@tributary/process/spawn';
import { findProjectRoot, yarnRelease } from '@tributary/test-repo/project-root';
import type { Command } from './affected-process.js';
import type { Row } from './affected-rows.js';

/** The repository for a peer, and the base commit of the change. */
export interface PeerRepository {
  readonly cwd: string;
  readonly base: string;
}

/** Another tool that answers the same question. */
export interface Peer {
  /** The package to install from npm; missing for the Yarn that is already there. */
  readonly install: string | undefined;
  /** The group in which it is measured: slow ones in fewer rounds. */
  readonly pace: 'quick' | 'slow';
  /** `modules`: the `node_modules` into which it was installed. */
  readonly row: (place: PeerRepository, modules: string) => Row;
}

const TURBO = 'turbo ls, its npm binary';
export const TURBO_RAW = 'turbo ls, its Rust binary';
const PNPM = 'pnpm ls --filter, native';
const YARN = 'yarn workspaces list -R';
const NX = 'nx, no daemon, warm cache';

const node = process.execPath;
const turboEnv = { TURBO_TELEMETRY_DISABLED: '1', TURBO_NO_UPDATE_NOTIFIER: '1' };
const yarnEnv = { YARN_ENABLE_TELEMETRY: '0', YARN_ENABLE_NETWORK: '0', YARN_IGNORE_PATH: '1' };
const nxEnv = { NX_NO_CLOUD: 'true', NX_DAEMON: 'false' };

/** All peers, quick ones first. The versions are those of research and README; a newer one changes this list and the figures. */
export const PEERS: readonly Peer[] = [
  {
    install: 'turbo@2.11.11',
    pace: 'quick',
    row: (place, modules) => turboRow(TURBO, place, [node, join(modules, 'turbo/bin/turbo')]),
  },
  { install: 'turbo@2.11.11', pace: 'quick', row: (place, modules) => turboRow(TURBO_RAW, place, [nativeTurbo(modules)]) },
  { install: 'pnpm@12.21.0', pace: 'quick', row: pnpmRow },
  { install: undefined, pace: 'slow', row: yarnRow },
  { install: 'lage@2.17.0', pace: 'slow', row: lageRow },
  { install: 'nx@24.0.6', pace: 'slow', row: nxRow },
];

/** Where the packages of the peers are, or why they are missing. */
export type Installed = ReadonlyMap<string, { readonly modules: string } | { readonly why: string }>;

/** Installs the peers that `npm install` can provide, each in a separate folder below `work`. Executes none of their code. */
export async function installPeers(specs: Iterable<string>, work: string): Promise<Installed> {
  const settings = Object.entries(process.env).filter(([name]) => /^npm_config_(?!prefix|global)/i.test(name));
  const env = networkEnvironment(process.env, Object.fromEntries(settings.map(([name, value]) => [name, value ?? ''])));
  const installed = new Map<string, { modules: string } | { why: string }>();
  for (const spec of new Set(specs)) {
    const folder = join(work, 'peers', spec);
    mkdirSync(folder, { recursive: true });
    const args = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--no-save', spec];
    const why = await failureOf({ program: 'npm', args, cwd: folder, env, timeoutMs: 180_000 });
    installed.set(spec, why === undefined ? { modules: join(folder, 'node_modules') } : { why: `npm install failed: ${why}` });
  }
  return installed;
}

/** Returns the error; without a registry, npm keeps retrying until the time limit. */
async function failureOf(call: ProgramCall): Promise<string | undefined> {
  try {
    const { exit, stderr } = await callProgram(call);
    return exit === 0 ? undefined : stderr.split('\n', 1)[0];
  } catch (error) {
    if (isToolError(error)) return error.message;
    throw error;
  }
}

function turboRow(name: string, { cwd, base }: PeerRepository, [program = '', ...file]: readonly string[]): Row {
  const env = { ...turboEnv, TURBO_SCM_BASE: base, TURBO_SCM_HEAD: 'HEAD' };
  const found = (stdout: string): number => (JSON.parse(stdout) as { packages: { count: number } }).packages.count;
  return { name, found, command: { program, args: [...file, 'ls', '--affected', '--output=json'], cwd, env } };
}

function nativeTurbo(modules: string): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  return join(modules, '@turbo', `${system}-${process.arch === 'x64' ? '64' : process.arch}`, 'bin/turbo');
}

function pnpmRow({ cwd, base }: PeerRepository, modules: string): Row {
  const program = join(modules, '@pnpm', `exe.${process.platform}-${process.arch}`, 'pnpm');
  // Without the setting it rejects a repository with another packageManager.
  const env = { pnpm_config_pm_on_fail: 'ignore' };
  const args = ['ls', '--depth', '-1', '--filter', `...[${base}]`, '--json'];
  const found = (stdout: string): number => (JSON.parse(stdout) as readonly unknown[]).length;
  return { name: PNPM, found, command: { program, args, cwd, env } };
}

function yarnRow({ cwd, base }: PeerRepository): Row {
  const args = [yarnRelease(findProjectRoot()), 'workspaces', 'list', `--since=${base}`, '-R', '--json'];
  const found = (stdout: string): number => stdout.split('\n').filter((line) => line.includes('"location"')).length;
  return { name: YARN, found, command: { program: node, args, cwd, env: yarnEnv } };
}

export function lageRow({ cwd, base }: PeerRepository, modules: string, task = 'build'): Row {
  const args = [join(modules, 'lage/dist/lage.js'), 'info', task, '--since', base];
  const found = (stdout: string): number => (JSON.parse(stdout) as { data: { scope: readonly string[] } }).data.scope.length;
  return { name: 'lage info --since', found, command: { program: node, args, cwd } };
}

function nxRow({ cwd, base }: PeerRepository, modules: string): Row {
  const found = (stdout: string): number => (JSON.parse(stdout) as readonly string[]).length;
  return { name: NX, found, prepare: () => linkModules(modules, cwd), command: nxCommand({ cwd, base, head: 'HEAD' }, modules) };
}

/** Returns the start file of the Nx in a `node_modules`. */
export function nxProgram(modules: string): string {
  return join(modules, 'nx/dist/bin/nx.js');
}

/** Returns the command that prints the names of the projects that Nx selects. */
export function nxCommand({ cwd, base, head }: PeerRepository & { readonly head: string }, modules: string): Command {
  const args = [nxProgram(modules), 'show', 'projects', '--affected', `--base=${base}`, `--head=${head}`, '--json'];
  return { program: node, args, cwd, env: nxEnv };
}

/** Links a `node_modules` into a repository: nx starts only if it is installed there. */
export function linkModules(modules: string, repository: string): void {
  const place = join(repository, 'node_modules');
  if (!existsSync(place)) symlinkSync(modules, place);
}
