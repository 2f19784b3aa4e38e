import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Git } from '@tributary/git/git';
import { readObjects } from '@tributary/git/objects';
import type { ListedFile } from '@tributary/git/parse';
import { nameAsText } from '@tributary/git/tree';
import { ToolError } from '@tributary/model/errors';
import type { CommitId } from '@tributary/model/ids';
import type { RepoUrl } from '@tributary/model/repo-url';
import { pointedTo } from '../lfs-pointer.js';
import type { LocalRepository } from './target.js';

export interface LfsQuestion {
  readonly target: LocalRepository;
  readonly url: RepoUrl;
  readonly tip: CommitId;
  readonly pointers: 'refuse' | 'accept';
}

/**
 * Rejects missing Git LFS files: git moves their pointers, but not the files. Throws `SOURCE_LFS_MISSING` if the last
 * commit has a pointer whose file is not in the monorepo's own LFS store, unless pointers are accepted. Source: the Git
 * LFS specification, v1.
 */
export async function refuseMissingLfs(git: Git, files: readonly ListedFile[], question: LfsQuestion): Promise<void> {
  if (question.pointers === 'accept' || !(await usesLfs(git, question.tip))) return;
  // A pointer is a text of three short lines.
  const small = files.filter((file) => file.mode.startsWith('100') && file.size !== undefined && file.size >= 100 && file.size < 1024);
  const objects = await readObjects(
    git,
    small.map((file) => file.id),
  );
  const missing = small.filter((_, at) => {
    const oid = pointedTo(objects[at]?.content.toString('latin1') ?? '');
    return oid !== undefined && !isStored(question.target, oid);
  });
  if (missing.length > 0) throw missingFiles(question.url, missing);
}

/** Whether any folder sets the filter: files in a folder of a repository also follow the .gitattributes above it. */
async function usesLfs(git: Git, tip: CommitId): Promise<boolean> {
  const answer = await git.attempt(['grep', '--quiet', '--word-regexp', '-e', 'filter=lfs', tip, '--', ':(glob)**/.gitattributes']);
  return answer.exit !== 1;
}

/** Whether the LFS store of a repository has an object. */
export function isStored(target: LocalRepository, oid: string): boolean {
  return existsSync(join(target.gitDir, 'lfs', 'objects', oid.slice(0, 2), oid.slice(2, 4), oid));
}

function missingFiles(url: RepoUrl, missing: readonly ListedFile[]): ToolError {
  const paths = missing.map((file) => nameAsText(file.path));
  return new ToolError({
    code: 'SOURCE_LFS_MISSING',
    message: `${paths.length} files of ${url} are in Git LFS, but their content is not in the monorepo: ${paths.slice(0, 3).join(', ')}${paths.length > 3 ? ', …' : ''}.`,
    hint: 'Fetch it first ("git lfs fetch --all" in the source, then copy its .git/lfs/objects into the monorepo\'s .git/lfs/objects), or import only the pointers with --lfs-pointers.',
    data: { paths },
  });
}
