import type { Git } from '@tributary/git/git';
import { streamObjects } from '@tributary/git/objects';
import { parseCommit } from '@tributary/migrate-repo/history/commit';
import type { ObjectId } from '@tributary/model/ids';
import { runProgram } from '@tributary/process/spawn';

/**
 * Writes a moved history with `git fast-import`, one `M 040000 <tree> <path>` for each commit. It cannot keep signatures and unknown
 * headers, so it serves only as a comparison (docs/decisions/0009).
 */
export async function moveByFastImport(
  git: Git,
  ids: readonly ObjectId[],
  place: { readonly gitDir: string; readonly path: string },
): Promise<void> {
  const marks = new Map(ids.map((id, at) => [id, at + 1]));
  const pieces: Buffer[] = [];
  for await (const group of streamObjects(git, ids)) {
    for (const { id, content } of group) pieces.push(...commandFor(content, { mark: marks.get(id) ?? 0, marks, path: place.path }));
  }
  const args = [`--git-dir=${place.gitDir}`, 'fast-import', '--quiet', '--force', '--depth=0', '--date-format=raw-permissive'];
  await runProgram({ program: 'git', args, env: { PATH: process.env['PATH'] ?? '' }, input: Buffer.concat(pieces) });
}

function commandFor(
  content: Buffer,
  made: { readonly mark: number; readonly marks: ReadonlyMap<ObjectId, number>; readonly path: string },
): Buffer[] {
  const { tree, parents, rest } = parseCommit(content);
  const end = rest.indexOf('\n\n');
  const people = rest
    .toString('latin1', 0, end)
    .split('\n')
    .filter((line) => /^(author|committer) /.test(line));
  const message = rest.subarray(end + 2);
  const from = parents.map((parent, at) => `${at === 0 ? 'from' : 'merge'} :${made.marks.get(parent)}\n`).join('');
  const head = `commit refs/bench/moved\nmark :${made.mark}\n${people.join('\n')}\ndata ${message.length}\n`;
  return [Buffer.from(head, 'latin1'), message, Buffer.from(`\n${from}M 040000 ${tree} ${made.path}\n\n`)];
}
