import { existsSync, realpathSync, statSync } from 'node:fs';
import { unescape as decodePercents } from 'node:querystring';
import { asUser } from '@tributary/git/git';
import { refuseForeign } from '@tributary/git/ownership';
import { isToolError, ToolError } from '@tributary/model/errors';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import { type RepoUrl, reveal } from '@tributary/model/repo-url';
import { shellWord } from '@tributary/model/shell-word';
import type { LocalRepository } from './target.js';

/** Rejects problems of a source on this machine before git reads it. Throws `SOURCE_UNREACHABLE`, `SOURCE_PARTIAL`. */
export async function refuseLocalTrouble(target: LocalRepository, url: RepoUrl): Promise<void> {
  const path = folderOf(url);
  if (path === undefined) return;
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory() !== true)
    throw unreachable(url, stat === undefined ? 'there is nothing at this path' : 'it is a file, not a folder');
  await refuseForeignSource(url);
  const git = asUser(path);
  const found = await git.attempt(['rev-parse', '--path-format=absolute', '--git-common-dir', '--show-prefix']);
  if (found.exit !== 0) throw unreachable(url, found.stderr.trim().replace(/^fatal: /, ''));
  const [common = '', prefix = ''] = found.stdout.toString('utf8').split('\n');
  if (prefix !== '') throw insideOther(url, path, prefix.replace(/\/$/, ''));
  if (realpathSync.native(common) === target.gitDir) {
    throw new ToolError({
      code: 'SOURCE_IS_TARGET',
      message: `${url} is the monorepo itself.`,
      hint: 'Name the repository to import with --from.',
    });
  }
  // While it is read, a partial clone would fetch missing objects from its origin, and write them to itself.
  const partial = await git.attempt(['config', '--get-regexp', '^(extensions\\.partialclone|remote\\..*\\.promisor)$']);
  if (partial.exit !== 0) return;
  throw new ToolError({
    code: 'SOURCE_PARTIAL',
    message: `${url} is a partial clone: objects of its history are missing.`,
    hint: 'Migrate from a complete clone, or from the address that this one was cloned from.',
  });
}

/**
 * Rejects a source on this machine that git refuses because another user owns it. git itself checks a repository that it fetches from only
 * since 2.39.4. Throws `SOURCE_UNREACHABLE`.
 */
export async function refuseForeignSource(url: RepoUrl): Promise<void> {
  const path = folderOf(url);
  if (path === undefined || statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  try {
    await refuseForeign(path);
  } catch (error) {
    if (!isToolError(error) || error.code !== 'TARGET_NOT_TRUSTED') throw error;
    const { message, hint = '', data } = error;
    throw new ToolError({ code: 'SOURCE_UNREACHABLE', message: `${url} could not be read: ${message}`, hint, data, cause: error });
  }
}

/**
 * Returns the folder of an address on this machine; `undefined` for another machine. `file:` is read as git does:
 * percent signs are decoded, a host becomes a folder, and `.git` may be omitted (connect.c). `fileURLToPath` differs:
 * it ends the path at `?` and `#`.
 */
function folderOf(url: RepoUrl): AbsolutePath | undefined {
  const address = reveal(url);
  if (url.kind === 'path') return parseAbsolutePath(address);
  if (!address.startsWith('file://')) return undefined;
  const decoded = decodePercents(address.slice('file://'.length));
  if (decoded.includes('\0')) throw unreachable(url, 'its path has a NUL character');
  const path = pathOfFileUrl(decoded, process.platform);
  return parseAbsolutePath(!existsSync(path) && existsSync(`${path}.git`) ? `${path}.git` : path);
}

/** `decoded`: what stands behind `file://`. On Windows git takes `file:///C:/lib` and `file://C:/lib` for `C:/lib`. */
export function pathOfFileUrl(decoded: string, platform: NodeJS.Platform): string {
  const drive = platform === 'win32' ? /^\/?([A-Za-z]:[\\/].*)$/s.exec(decoded)?.[1] : undefined;
  return (drive ?? (decoded.startsWith('/') ? decoded : `//${decoded}`)).replace(/(?<=[^/])\/+$/, '');
}

/** git would look for the repository in this very folder. */
function insideOther(url: RepoUrl, path: AbsolutePath, prefix: string): ToolError {
  const repository = path.slice(0, -prefix.length - 1);
  return new ToolError({
    code: 'SOURCE_UNREACHABLE',
    message: `${url} is a folder inside a repository, not a repository.`,
    hint: `Import the folder from its repository: --from ${shellWord(repository)} --subdirectory ${shellWord(prefix)}`,
    data: { repository, subdirectory: prefix },
  });
}

function unreachable(url: RepoUrl, why: string): ToolError {
  return new ToolError({
    code: 'SOURCE_UNREACHABLE',
    message: `${url} could not be read: ${why}.`,
    hint: 'Check the path given with --from or in tributary.json.',
  });
}
