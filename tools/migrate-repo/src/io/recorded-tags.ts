import type { Git } from '@tributary/git/git';
import { type ObjectId, parseObjectId } from '@tributary/model/ids';
import { tagAffixes } from '../plan/names.js';
import type { FoundImport } from './imports.js';

export interface RecordedTag {
  readonly name: string;
  readonly id: ObjectId;
}

/**
 * The tags of this clone that may have come with an import: those whose names the recorded pattern can give, on commits that do not contain
 * the merge, for releases made since have such names too. Ordered by name. Throws `GIT_FAILED`.
 */
export async function readRecordedTags(git: Git, { record, merge }: FoundImport): Promise<RecordedTag[]> {
  if (record.tags === undefined) return [];
  const { before, after } = tagAffixes(record.tags.pattern, record.package);
  const output = await git.text(['for-each-ref', '--no-contains', merge, '--format=%(objectname) %(refname:strip=2)', 'refs/tags']);
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ id: parseObjectId(line.slice(0, line.indexOf(' '))), name: line.slice(line.indexOf(' ') + 1) }))
    .filter(({ name }) => name.startsWith(before) && name.endsWith(after) && name.length > before.length + after.length);
}
