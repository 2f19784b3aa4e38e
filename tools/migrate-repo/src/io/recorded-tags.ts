import type { Git } from '@tributary/git/git';
import { parseObjectId } from '@tributary/model/ids';
import { compareTags, type NamedTag } from '../history/tag-marks.js';
import type { FoundImport } from './imports.js';

/**
 * Returns the tags of this clone that an import brought, and tags with the same names that hold something else now.
 * Both are ordered by name. Throws `GIT_FAILED`.
 */
export async function readRecordedTags(
  git: Git,
  { record }: Pick<FoundImport, 'record'>,
): Promise<{ readonly came: NamedTag[]; readonly moved: NamedTag[] }> {
  if (record.tags === undefined) return { came: [], moved: [] };
  const output = await git.text(['for-each-ref', '--format=%(objectname) %(refname:strip=2)', 'refs/tags']);
  const here = output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ id: parseObjectId(line.slice(0, line.indexOf(' '))), name: line.slice(line.indexOf(' ') + 1) }));
  return compareTags(record.tags.marks, here);
}
