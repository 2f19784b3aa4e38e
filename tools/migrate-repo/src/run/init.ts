import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError } from '@tributary/model/errors';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import { writeOutput } from '@tributary/process/output-file';
import { readTextFile } from '@tributary/process/unusable-file';
import type { Services } from '@tributary/terminal/main';
import { parseConfigFile } from '@tributary/workspaces/config-file';
import { setJson } from '../edit/edit-json.js';
import { openOwner } from '../io/open-forge.js';
import { openRepository, readTarget, type Target } from '../io/target.js';
import { leftOutUnread, type SortedRepositories, sortRepositories } from '../plan/sort-repositories.js';
import type { InitResult } from '../result/result.js';
import { mapFew } from './map-few.js';

/** The request of the command line. */
export interface InitRequest {
  readonly owner: string;
  readonly into: AbsolutePath;
  readonly address: 'https' | 'ssh';
  readonly confirmation: 'ask' | 'given';
  readonly extent: 'all' | 'plan only';
}

/**
 * Adds the repositories of an owner to "migrate.packages" of tributary.json. Existing entries stay. Throws
 * `GITHUB_REFUSED`, `GITHUB_UNREACHABLE`, `CONFIG_INVALID`, `SOURCE_NOT_CONFIRMED`; the file is then unchanged.
 */
export async function init(request: InitRequest, services: Services): Promise<InitResult> {
  const target = await readTarget(await openRepository(request.into, services.signal));
  const file = configFile(target);
  const text = existsSync(file) ? readTextFile(file) : undefined;
  const known = text === undefined ? {} : parseConfigFile(text, 'tributary.json').migrate.packages;
  const sources = new Map(Object.entries(known).map(([name, { source }]) => [name, source]));
  const sorted = await askForge(request, { target, sources, services });
  const added = sorted.added.map(({ name, repository }) => ({
    name,
    repository: repository.name,
    source: repository.addresses[request.address],
  }));
  const state = added.length === 0 ? 'nothing new' : request.extent === 'plan only' ? 'planned' : 'written';
  if (state === 'written') {
    await confirm(request, { added, services });
    writeOutput(file, addPackages(text, added));
  }
  const leftOut = sorted.leftOut.map(({ detail, ...one }) => ({ ...one, detail: detail ?? null }));
  return { schemaVersion: 1, state, owner: request.owner, file, added, kept: sorted.kept, leftOut };
}

/** Returns the path of tributary.json. Throws `TARGET_NOT_WRITABLE` for a bare repository, which has no work tree. */
function configFile({ workTree, facts }: Target): AbsolutePath {
  if (workTree !== undefined) return parseAbsolutePath(join(workTree, facts.root, 'tributary.json'));
  throw new ToolError({
    code: 'TARGET_NOT_WRITABLE',
    message: 'This repository is bare, so tributary.json cannot be written.',
    hint: 'Run the command in a clone of it.',
  });
}

async function askForge(
  { owner }: InitRequest,
  { target, sources, services }: { readonly target: Target; readonly sources: ReadonlyMap<string, string>; readonly services: Services },
): Promise<SortedRepositories> {
  const { ui, signal } = services;
  const progress = ui.progress();
  progress.phase(`Asking for the repositories of ${owner}`);
  const onPause = (seconds: number): void => ui.status(`The request limit is reached. Continuing in ${seconds} s.`);
  const forge = await openOwner(owner, signal, onPause);
  const repositories = await forge.readRepositories();
  const origin = await target.git.attempt(['config', '--get', 'remote.origin.url']);
  const monorepo = origin.exit === 0 ? origin.stdout.toString('utf8').trim() : undefined;
  const unread = repositories.map((repository) => ({ repository, reason: leftOutUnread(repository, monorepo) }));
  const wanted = unread.flatMap(({ repository, reason }) => (reason === undefined ? [repository] : []));
  progress.phase('Reading their package.json', wanted.length);
  const read = await mapFew(wanted, async (repository) => {
    const text = await forge.readFile(repository.name, 'package.json');
    progress.step(repository.name);
    return { repository, text };
  });
  progress.done();
  const sorted = sortRepositories(read, sources);
  const left = unread.flatMap(({ repository, reason }) =>
    reason === undefined ? [] : [{ repository: repository.name, reason, detail: undefined }],
  );
  return { ...sorted, leftOut: [...left, ...sorted.leftOut] };
}

/** Asks for confirmation. Throws `SOURCE_NOT_CONFIRMED`. */
async function confirm(
  { confirmation, owner }: InitRequest,
  { added, services }: { readonly added: InitResult['added']; readonly services: Services },
): Promise<void> {
  const what = added.length === 1 ? 'one package' : `${added.length} packages`;
  // List the packages before asking.
  if (confirmation === 'ask') services.ui.status(added.map(({ name, source }) => `  ${name}  ${source}`).join('\n'));
  if (confirmation === 'given' || (await services.ui.confirm(`Write ${what} of ${owner} into tributary.json?`)) === 'yes') return;
  throw new ToolError({
    code: 'SOURCE_NOT_CONFIRMED',
    message: `tributary.json was not changed, because writing ${what} of ${owner} was not confirmed.`,
    hint: 'Review them with --dry-run, then run the command again with --yes.',
  });
}

/** Returns the text of tributary.json with these packages added. `text` is `undefined` if there is no file yet. Existing lines stay. */
function addPackages(text: string | undefined, added: InitResult['added']): string {
  const entries = added.map(({ name, source }) => [name, { source }] as const);
  if (text === undefined || text.trim() === '')
    return `${JSON.stringify({ migrate: { packages: Object.fromEntries(entries) } }, null, 2)}\n`;
  return entries.reduce((all, [name, entry]) => setJson(all, ['migrate', 'packages', name], entry), text);
}
