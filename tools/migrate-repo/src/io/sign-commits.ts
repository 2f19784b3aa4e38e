import { signing } from '@tributary/git/git';
import { type GitObject, makeObject } from '@tributary/git/object-id';
import { readObjects } from '@tributary/git/objects';
import { ToolError } from '@tributary/model/errors';
import { parseObjectId } from '@tributary/model/ids';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import { parseCommit } from '../history/commit.js';
import { type CommitText, formatCommitText, type SignCommit } from '../history/commit-text.js';
import { parseHeaderBlock } from '../history/header-block.js';
import type { Identity } from '../plan/facts.js';
import type { LocalRepository } from './target.js';

/** Returns what signs commits in an object folder. It also reads the objects in `beside`. */
export type SignerIn = (objects: AbsolutePath, beside: readonly AbsolutePath[]) => SignCommit;

/** Returns the user's way to sign commits; `undefined` if `commit.gpgSign` is not set. Throws `GIT_FAILED`. */
export async function readSigner(target: LocalRepository, identity: Identity, signal: AbortSignal): Promise<SignerIn | undefined> {
  const setting = await target.userGit.attempt(['config', '--type=bool', '--get', 'commit.gpgSign']);
  if (setting.exit !== 0 && setting.exit !== 1)
    throw new ToolError({ code: 'GIT_FAILED', message: `commit.gpgSign cannot be read: ${setting.stderr.trim()}` });
  if (setting.stdout.toString('utf8').trim() !== 'true') return undefined;
  const cwd = parseAbsolutePath(target.workTree ?? target.gitDir);
  return (objects, beside) => {
    const git = signing(cwd, { objects, alternates: beside, ...identity }, { signal });
    return async (commit) => {
      const parents = commit.parents.flatMap((parent) => ['-p', parent]);
      const made = await git.attempt(['commit-tree', '-S', ...parents, commit.tree], { input: commit.message });
      if (made.exit !== 0) throw signingFailed(made.stderr);
      const [object] = await readObjects(git, [parseObjectId(made.stdout.toString('latin1').trim())]);
      if (object === undefined || !isSigned(target, object, { ...commit, identity })) throw signingFailed('git created a different commit');
      return object;
    };
  };
}

/** Whether a commit equals the given one, apart from a signature. */
function isSigned({ format }: LocalRepository, { id, content }: GitObject, commit: CommitText): boolean {
  const { rest, ...parts } = parseCommit(content);
  const { headers, message } = parseHeaderBlock(rest);
  const unsigned = headers.replace(/(?<![^\n])gpgsig(?:-sha256)? [\s\S]*?\n(?! )/g, '');
  const expected = parseCommit(formatCommitText(commit));
  const same = parts.tree === expected.tree && parts.parents.join() === expected.parents.join();
  return (
    same &&
    unsigned !== headers &&
    `${unsigned}\n${message}` === expected.rest.toString('latin1') &&
    makeObject(format, 'commit', content).id === id
  );
}

function signingFailed(stderr: string): ToolError {
  return new ToolError({
    code: 'SIGNING_FAILED',
    message: `commit.gpgSign is set, and git could not sign a commit: ${stderr.trim()}`,
    hint: 'Make "git commit -S" work in the monorepo (gpg.format, user.signingKey), or turn off signing there with "git config commit.gpgSign false".',
    data: { git: stderr },
  });
}
