import { ToolError } from '@tributary/model/errors';
import type { AskedRef } from '../io/read-ref.js';
import type { ImportSurvey, Orphan, SurveyedImport } from '../io/survey.js';
import { missingProof, type UnprovenImport, type UnprovenState } from '../plan/missing-proof.js';

/**
 * Returns the import of a package that a ref contains. Throws `PROOF_MISSING`, `PROOF_FAILED` for an unreadable record,
 * `IMPORT_NOT_FOUND`.
 */
export function chooseImport(survey: ImportSurvey, ref: AskedRef, name: string): SurveyedImport {
  const candidates = survey.imports.filter(({ record }) => record.package === name);
  const unreadable = survey.unreadable.filter(({ isContained }) => isContained);
  const claimed = unreadable.find(({ claims }) => claims === name || (claims === undefined && candidates.length === 0));
  if (claimed !== undefined) throw unreadableRecord(claimed);
  const held = candidates.find(({ state }) => state.kind === 'held');
  if (held !== undefined) return held;
  const [unproven] = candidates.filter(isUnproven).sort((a, b) => rankOf(a.state) - rankOf(b.state));
  if (unproven !== undefined) throw missingProof(withTogether(unproven, survey), ref);
  const orphan = survey.orphans.find((one) => one.package === name);
  throw orphan === undefined ? notFound(survey, ref, name) : lostOrphan(orphan, ref);
}

/** An import whose history a ref lacks, or whose folder on the ref has another origin. */
type Unproven = SurveyedImport & { readonly state: UnprovenState };

function isUnproven(one: SurveyedImport): one is Unproven {
  return one.state.kind !== 'held' && one.state.kind !== 'superseded' && one.state.kind !== 'synced';
}

/** Adds the folders of all imports that were lost in the same way. */
export function withTogether(one: Unproven, { imports }: ImportSurvey): UnprovenImport {
  const isAlike = ({ state, branch }: SurveyedImport): boolean =>
    state.kind === one.state.kind &&
    branch === one.branch &&
    (branch !== undefined || ('by' in state && 'by' in one.state && state.by === one.state.by));
  return { ...one, together: imports.filter(isAlike).map(({ record }) => record.path) };
}

/** Whether the ref has the files of an import, but not its history. */
export function isLost(one: SurveyedImport): one is Unproven {
  return isUnproven(one) && rankOf(one.state) < RANKS.indexOf('removed');
}

/** The most informative state first. */
const RANKS: readonly UnprovenState['kind'][] = ['squashed', 'rebased', 'rewritten', 'copied', 'replaced', 'removed', 'waiting'];

function rankOf({ kind }: UnprovenState): number {
  return RANKS.indexOf(kind);
}

/** Returns the error for a merge commit with an import record that cannot be read. */
export function unreadableRecord({ merge, problem }: ImportSurvey['unreadable'][number]): ToolError {
  return new ToolError({
    code: 'PROOF_FAILED',
    message: `The import record in ${merge} is not readable: ${problem}.`,
    hint: 'A different release of Tributary may have written it. If its message was edited, "git show" shows what is wrong.',
    data: { merge, why: problem },
  });
}

/** Returns the error for commits of a migration that reached the ref without the import. */
export function lostOrphan({ package: name, commit }: Orphan, ref: AskedRef): ToolError {
  return new ToolError({
    code: 'PROOF_MISSING',
    message: `${ref.name} (${ref.head.slice(0, 10)}) has ${commit.slice(0, 10)} of the migration of ${name}, but not the import: it was rebased or squashed, and its history is lost.`,
    hint: 'Fetch the branch of the migration, if it still exists. Otherwise remove the folder in a separate commit, then run the migration again, and merge it with a merge commit.',
    data: { name, path: null, ref: ref.name, commit: ref.head, state: 'rebased', by: commit, branch: null },
  });
}

function notFound(survey: ImportSurvey, ref: AskedRef, name: string): ToolError {
  const known = [...new Set(survey.imports.map(({ record }) => record.package))];
  const imported = known.length === 0 ? 'Nothing was imported here yet' : `Known imports: ${known.join(', ')}`;
  return new ToolError({
    code: 'IMPORT_NOT_FOUND',
    message: `No commit of ${ref.name} or of a branch records an import of ${name}.`,
    hint: `${imported}. Fetch the branch if somebody else imported it. If its pull request was squashed or rebased, the record and the history are lost.`,
    data: { name, known },
  });
}
