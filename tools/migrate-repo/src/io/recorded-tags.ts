import type { Git } from '@tributary/git/git';
import { compareTags, type NamedTag } from '../history/tag-marks.js';
import type { FoundImport } from './imports.js';
import { listRefs } from './refs.js';

/**
 * Returns the tags of this clone that an import brought, and tags with the same names that hold something else now.
 * Both are ordered by name. Throws `GIT_FAILED`.
 */
export async function readRecordedTags(
  git: Git,
  { record }: Pick<FoundImport, 'record'>,
): Promise<{ readonly came: NamedTag[]; readonly moved: NamedTag[] }> {
  if (record.tags === undefined) return { came: [], moved: [] };
  const tags = await listRefs(git, ['refs/tags']);
  const here = tags.map(({ id, name }) => ({ id, name: name.slice('refs/tags/'.length) }));
  return compareTags(record.tags.marks, here);
}
