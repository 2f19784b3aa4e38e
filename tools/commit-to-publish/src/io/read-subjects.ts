import { readObjects } from '@tributary/git/objects';
import type { ObjectId } from '@tributary/model/ids';
import type { AbsolutePath } from '@tributary/model/paths';
import { openClone } from './open-clone.js';

const LONGEST = 120;

/** Control characters, and marks that change the direction of the text after them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const UNFIT = /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Returns the first lines of commit messages that a clone has, because the record keeps none. Throws the errors of `openClone`. */
export async function readSubjects(
  folder: AbsolutePath,
  commits: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const { git } = await openClone(folder, signal);
  const ids = [...new Set(commits)].filter((id) => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(id));
  // Not as arguments: Windows takes some 800 of them.
  const there = await git.attempt(['rev-list', '--no-walk', '--ignore-missing', '--stdin'], { input: ids.map((id) => `${id}\n`).join('') });
  const known = (there.exit === 0 ? there.stdout.toString('utf8') : '').match(/\S+/g) ?? [];
  const found = await readObjects(git, known as readonly string[] as readonly ObjectId[]);
  return new Map(found.map(({ id, content }) => [id as string, subjectIn(content.toString('utf8'))]));
}

function subjectIn(commit: string): string {
  const subject = (/\n\n([^\n]*)/.exec(commit)?.[1] ?? '').replace(UNFIT, '\ufffd');
  return subject.length > LONGEST ? `${subject.slice(0, LONGEST)}…`.replace(/\p{Surrogate}/gu, '\ufffd') : subject;
}
