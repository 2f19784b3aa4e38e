import type { AllReason, ChangedFile } from '@tributary/model/changeset';
import { COMPLETE_CLONE } from '../io/partial-clone.js';
import type { ReferencesRead } from './reference-map.js';

type Missing = Pick<ReferencesRead, 'missing'>;

/** How many missing files a message names. */
const NAMED = 3;

/** Returns the warning of an answer for which sources were missing, if any were. */
export function missingWarnings(...read: readonly (Missing | undefined)[]): readonly string[] {
  const files = [...new Set(read.flatMap((one) => one?.missing ?? []))].sort();
  if (files.length === 0) return [];
  const [are, they] = files.length === 1 ? ['file is', 'it refers'] : ['files are', 'they refer'];
  return [`${files.length} ${are} missing in this clone, so what ${they} to is unknown: ${listOf(files)}. ${COMPLETE_CLONE}`];
}

/**
 * Returns why every workspace is selected although the changed files are known: a source that is missing may import any workspace, and a root
 * file may do so for everybody.
 *
 * What only the base lacks does not count if it changed, because that change selects the owner and the readers of the file anyway. So a team
 * that clones with `--filter=blob:none`, checks out the head and forbids fetching keeps narrow answers: it lacks only the old texts of changed files.
 */
export function whyMissing(head: Missing, base: Missing | undefined, changed: readonly ChangedFile[]): AllReason | undefined {
  const replaced = new Set(changed.map(({ path }) => path));
  const files = [...new Set([...head.missing, ...(base?.missing.filter((path) => !replaced.has(path)) ?? [])])].sort();
  const [subject] = files;
  if (subject === undefined) return undefined;
  return {
    code: 'SOURCES_MISSING',
    reason: `Sources are missing in this clone, and may refer to any workspace: ${listOf(files)}.`,
    subject,
  };
}

/** Names the first few. */
export function listOf(files: readonly string[]): string {
  const more = files.length > NAMED ? `, and ${files.length - NAMED} more` : '';
  return files.slice(0, NAMED).join(', ') + more;
}
