import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError } from '@tributary/model/errors';
import type { AbsolutePath } from '@tributary/model/paths';
import { compareLocks, type Survival } from '../align/lock/survival.js';
import { findNewCode, hasGitPackages, refuseCode } from '../align/runs-code.js';
import type { MayAsk } from '../align/who-asks.js';
import { installFailure } from './install-failure.js';
import { runYarn, WITH_GIT, type YarnContext, type YarnMessage } from './yarn.js';

export interface InstallInput {
  /** The root of the monorepo with the imported packages and a seeded yarn.lock, outside any repository of the user. */
  readonly folder: AbsolutePath;
  /** The monorepo's yarn.lock before the import. */
  readonly before: string;
  /** Workspaces that an error may name, the imported packages first. */
  readonly askers: readonly MayAsk[];
}

export interface Installation extends Survival {
  /** The final text of yarn.lock. */
  readonly lock: string;
  /** Yarn's warnings, in order. */
  readonly warnings: readonly YarnMessage[];
  readonly scripts: 'run' | 'skipped';
}

/**
 * Updates the lockfile, checks that no version of the root changed, and installs everything with `--immutable
 * --check-resolutions`. Unless scripts may run, nothing is built (`--mode=skip-build`), and only packages that the
 * monorepo had before may come from a git repository. Throws `INSTALL_FAILED`, `INSTALL_MOVES_VERSIONS`,
 * `INSTALL_RUNS_CODE`, `REGISTRY_UNREACHABLE`, `REGISTRY_REFUSED`, `INSTALL_GIT_UNREADABLE`, and as `runYarn`.
 */
export async function installMonorepo(context: YarnContext, input: InstallInput): Promise<Installation> {
  const { messages, ...resolved } = await resolveMonorepo(context, input);
  context.onPhase?.('Installing');
  const installed = await installLocked(context, input);
  return {
    ...resolved,
    warnings: [...messages, ...installed].filter(({ type }) => type === 'warning'),
    scripts: context.scripts ?? 'skipped',
  };
}

/**
 * Updates the lockfile, and checks that no version of the root changed, and that only packages which the monorepo had
 * before need code to be installed. Yarn downloads only packages without a checksum. Throws as `installMonorepo`.
 */
export async function resolveMonorepo(
  context: YarnContext,
  input: InstallInput,
): Promise<Survival & Pick<Installation, 'lock'> & { readonly messages: readonly YarnMessage[] }> {
  const settings = readSettings(input.folder);
  context.onPhase?.('Updating yarn.lock');
  const messages = await run(context, input, ['install', '--mode=update-lockfile']);
  const lock = readFileSync(join(input.folder, 'yarn.lock'), 'utf8');
  const survival = compareLocks(input.before, lock);
  const strangers = survival.newHosts.filter((host) => !settings.includes(host));
  if (survival.movedOfRoot.length > 0 || strangers.length > 0) throw disturbed(survival, strangers);
  if (context.scripts !== 'run') refuseCode(findNewCode(input.before, lock));
  return { ...survival, lock, messages };
}

/** Installs from the lockfile. Nothing is resolved any more, so git only reaches repositories of the monorepo's own dependencies. */
async function installLocked(context: YarnContext, input: InstallInput): Promise<readonly YarnMessage[]> {
  const args = ['install', '--immutable', '--check-resolutions'];
  if (context.scripts === 'run') return run(context, input, args);
  const env = { ...context.env, ...(hasGitPackages(input.before) ? WITH_GIT : {}) };
  return run({ ...context, env }, input, [...args, '--mode=skip-build']);
}

async function run(context: YarnContext, { folder, askers }: InstallInput, args: readonly string[]): Promise<readonly YarnMessage[]> {
  const { succeeded, messages } = await runYarn(context, args, folder);
  if (!succeeded)
    throw installFailure([...(await findBroken(context, { folder, askers }, messages)), ...messages], { folder, workspaces: askers });
  return messages;
}

/** Returns the violated constraints, those of imported packages first. The installation reports only that there are some (YN0084). */
async function findBroken(
  context: YarnContext,
  { folder, askers }: Pick<InstallInput, 'folder' | 'askers'>,
  messages: readonly YarnMessage[],
): Promise<readonly YarnMessage[]> {
  const failure = messages.find(({ type, code }) => type === 'error' && code === 'YN0084');
  if (failure === undefined) return [];
  const found = (await runYarn({ ...context, onMessage: undefined }, ['constraints'], folder)).messages;
  return askers.flatMap(({ member: { name, path } }) => {
    const start = `${name}@workspace:${path === '' ? '.' : path}: `;
    return found
      .filter(({ code, text }) => code === 'YN0084' && text.startsWith(start))
      .map((message) => ({ ...message, step: failure.step }));
  });
}

function disturbed({ movedOfRoot: moved }: Survival, hosts: readonly string[]): ToolError {
  const [first] = moved;
  const what =
    first === undefined
      ? `yarn.lock would refer to the host ${hosts[0]}`
      : `the monorepo would get ${first.to} for ${first.descriptor}, but has ${first.from} locked${moved.length > 1 ? `, and ${moved.length - 1} more` : ''}`;
  return new ToolError({
    code: 'INSTALL_MOVES_VERSIONS',
    message: `With the imported packages, ${what}.`,
    hint: 'Run "yarn install" in the monorepo, commit its yarn.lock, and run the same command again.',
    data: { moved, hosts },
  });
}

function readSettings(folder: AbsolutePath): string {
  const file = join(folder, '.yarnrc.yml');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
