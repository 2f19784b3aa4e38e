import { shortRef } from '@tributary/model/ids';
import type { AskedRef } from '../io/read-ref.js';
import type { SurveyedImport } from '../io/survey.js';
import type { ContainedResult } from '../result/import-result.js';

/** Describes how a ref contains an import, for people and programs. */
export function describeContained({ merge, mergedBy, branch, fate }: SurveyedImport, ref: AskedRef): ContainedResult {
  return {
    ref: ref.name,
    refCommit: ref.head,
    merge,
    mergedBy: mergedBy ?? null,
    contained: mergedBy !== undefined ? 'merged' : branch === undefined ? 'on its line' : 'branch of the migration',
    branch: branch === undefined ? null : shortRef(branch),
    movedTo: fate.state === 'held' ? (fate.to ?? null) : null,
  };
}
