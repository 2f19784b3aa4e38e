import { shortRef } from '@tributary/model/ids';
import type { AskedRef } from '../io/read-ref.js';
import type { SurveyedImport } from '../io/survey.js';
import type { ContainedImport } from '../result/import-result.js';

/** Describes how a ref contains an import, for people and programs. */
export function describeContained({ merge, mergedBy, branch, state }: SurveyedImport, ref: AskedRef): ContainedImport {
  return {
    ref: ref.name,
    refCommit: ref.head,
    merge,
    mergedBy: mergedBy ?? null,
    contained: mergedBy !== undefined ? 'merged' : branch === undefined ? 'on its line' : 'branch of the migration',
    branch: branch === undefined ? null : shortRef(branch),
    movedTo: state.kind === 'held' ? (state.to ?? null) : null,
  };
}
