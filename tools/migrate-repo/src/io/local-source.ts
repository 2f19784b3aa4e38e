import { realpathSync, statSync } from 'node:fs';
import { asUser } from '@tributary/git/git';
import { ToolError } from '@tributary/model/errors';
import { parseAbsolutePath } from '@tributary/model/paths';
import { type RepoUrl, reveal } from '@tributary/model/repo-url';
import type { Repository } from './target.js';

/** What can be said of a source on this machine before git reads it. */
export async function refuseLocalTrouble(target: Repository, url: RepoUrl): Promise<void> {
  if (url.kind !== 'path') return;
  const path = parseAbsolutePath(reveal(url));
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory() !== true)
    throw unreachable(url, stat === undefined ? 'there is nothing at this path' : 'it is a file, not a folder');
  const git = asUser(path);
  const found = await git.attempt(['rev-parse', '--path-format=absolute', '--git-common-dir', '--show-prefix']);
  if (found.exit !== 0) throw unreachable(url, found.stderr.trim().replace(/^fatal: /, ''));
  const [common = '', prefix = ''] = found.stdout.toString('utf8').split('\n');
  if (prefix !== '') throw insideOther(url, prefix.replace(/\/$/, ''));
  if (realpathSync(common) === target.gitDir) {
    throw new ToolError({
      code: 'SOURCE_IS_TARGET',
      message: `${url} is the monorepo itself.`,
      hint: 'Name the repository that is to be merged with --from.',
    });
  }
  // A partial clone would fetch what it lacks from its own origin while it is being read, and write it into itself.
  const partial = await git.attempt(['config', '--get-regexp', '^(extensions\\.partialclone|remote\\..*\\.promisor)$']);
  if (partial.exit !== 0) return;
  throw new ToolError({
    code: 'SOURCE_PARTIAL',
    message: `${url} is a partial clone: it does not have all objects of its own history.`,
    hint: 'Migrate from a complete clone, or from the address that this one was cloned from.',
  });
}

/** git would look for the repository in this very folder. */
function insideOther(url: RepoUrl, prefix: string): ToolError {
  const repository = url.toString().slice(0, -prefix.length - 1);
  return new ToolError({
    code: 'SOURCE_UNREACHABLE',
    message: `${url} is a folder inside a repository, not a repository.`,
    hint: `Take the folder out of its repository: --from ${repository} --subdirectory ${prefix}`,
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
