import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readObjects } from '@tributary/git/objects';
import { type Config, DEFAULT_CONFIG } from '@tributary/model/config';
import { ToolError } from '@tributary/model/errors';
import type { WorkspaceName } from '@tributary/model/ids';
import { type AbsolutePath, joinRepoPath, parseAbsolutePath, parseRepoPath, type RepoPath } from '@tributary/model/paths';
import { parseRepoUrl, type RepoUrl } from '@tributary/model/repo-url';
import { readTextFile } from '@tributary/process/unusable-file';
import { parseConfigFile } from '@tributary/workspaces/config-file';
import type { SourceRequest } from '../plan/facts.js';
import type { PublishedRepository } from './registry.js';
import type { Target } from './target.js';

/** The options about sources. Paths are relative to the user's folder. */
export interface SourceChoices {
  readonly from: string | undefined;
  readonly cwd: AbsolutePath;
  readonly to: RepoPath | undefined;
  readonly sourceBranch: string | undefined;
  readonly subdirectory: RepoPath | undefined;
  /** Asks the user before fetching from an address that only the registry names. Throws `SOURCE_NOT_CONFIRMED`. */
  readonly confirm: (finding: string) => Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * Reads the configuration of the monorepo: from its work tree, where users edit it; for a bare repository, from its
 * commit. Throws `CONFIG_INVALID`.
 */
export async function readConfig(folder: AbsolutePath, target: Target): Promise<Config> {
  const text = target.workTree === undefined ? await readCommitted(target) : readIfThere(join(folder, 'tributary.json'));
  return text === undefined ? DEFAULT_CONFIG : parseConfigFile(text, 'tributary.json');
}

async function readCommitted(target: Target): Promise<string | undefined> {
  const file = target.facts.files.find(({ path }) => path === joinRepoPath(target.facts.root, 'tributary.json'));
  const [object] = file === undefined ? [] : await readObjects(target.git, [file.id]);
  return object?.content.toString('utf8');
}

function readIfThere(file: string): string | undefined {
  return existsSync(file) ? readTextFile(file) : undefined;
}

/**
 * Returns the source of a package: `--from`, else its entry in tributary.json, else the `repository` field in the
 * registry, which must be confirmed. Throws `SOURCE_UNKNOWN`, `SOURCE_NOT_CONFIRMED`, `URL_REFUSED`.
 */
export async function locateSource(
  name: WorkspaceName,
  choices: SourceChoices,
  monorepo: { readonly folder: AbsolutePath; readonly config: Config },
): Promise<SourceRequest> {
  const entry = monorepo.config.migrate.packages[name];
  const common = {
    name,
    branch: choices.sourceBranch ?? entry?.branch,
    path: choices.to ?? (entry?.path === undefined ? undefined : parseRepoPath(entry.path)),
  };
  const subdirectory = choices.subdirectory ?? (entry?.subdirectory === undefined ? undefined : parseRepoPath(entry.subdirectory));
  if (choices.from !== undefined) return { ...common, url: addressFrom(choices.from, choices.cwd), subdirectory };
  if (entry !== undefined) return { ...common, url: addressFrom(entry.source, monorepo.folder), subdirectory };
  const { askRegistry, unknownSource } = await import('./registry.js');
  const published = await askRegistry(name, monorepo.folder, choices.signal);
  const url = addressFrom(published.repository, monorepo.folder);
  // What others publish must not select a folder on this machine.
  if (url.kind === 'path' || /^file:/i.test(url.toString()))
    throw unknownSource(name, `the registry names a folder on this machine, ${url}`);
  const inside = subdirectory ?? folderOf(published, (why) => unknownSource(name, why));
  await choices.confirm(`The registry says that ${name} comes from ${url}${inside === undefined ? '' : `, folder ${inside}`}.`);
  return { ...common, url, subdirectory: inside };
}

/** Returns the published folder. If it is invalid, the registry is wrong, not the command line. */
function folderOf({ directory }: PublishedRepository, unknown: (why: string) => ToolError): RepoPath | undefined {
  try {
    return directory === undefined ? undefined : parseRepoPath(directory);
  } catch (error) {
    throw unknown(`the registry names an invalid folder: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function addressFrom(text: string, base: AbsolutePath): RepoUrl {
  return parseRepoUrl(text, (path) => parseAbsolutePath(resolve(base, path)));
}

/** Returns the error for a registry's address that was not confirmed. `finding` is the sentence with that address. */
export function notConfirmed(name: WorkspaceName, finding: string): ToolError {
  return new ToolError({
    code: 'SOURCE_NOT_CONFIRMED',
    message: `${name} was not migrated, because its address was not confirmed. ${finding}`,
    hint: 'Run the command again with --yes, or name the repository with --from or in tributary.json.',
  });
}
