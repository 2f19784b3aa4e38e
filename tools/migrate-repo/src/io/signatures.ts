import type { Git } from '@tributary/git/git';
import type { Signatures } from '../plan/source-warnings.js';

/** Counts the commits and tags below a ref prefix that carry a signature, good or bad. Throws `GIT_FAILED`. */
export async function countSignatures(git: Git, prefix: string): Promise<Signatures> {
  const running = git.start(['rev-list', '--header', `--glob=${prefix}*`]);
  running.stdin.end();
  let [commits, ofCommits] = [0, 0];
  let rest = '';
  try {
    for await (const chunk of running.stdout.setEncoding('latin1')) {
      const parts = (rest + String(chunk)).split('\0');
      rest = parts.pop() ?? '';
      ofCommits += parts.length;
      commits += parts.filter(isSigned).length;
    }
  } finally {
    await running.done();
  }
  const tags = await git.text(['for-each-ref', '--format=%(if)%(contents:signature)%(then)signed%(end)', prefix]);
  return { commits, ofCommits, tags: tags.split('\n').filter((line) => line === 'signed').length };
}

/** Behind its headers a commit has an empty line; those that go on begin with a blank. */
function isSigned(commit: string): boolean {
  const end = commit.indexOf('\n\n');
  return /\ngpgsig(?:-sha256)? /.test(end === -1 ? commit : commit.slice(0, end));
}
