import type { FileRule } from '@tributary/model/config';
import type { BrokenPromise } from '../check/finding.js';
import { unitOfGlob } from '../root-uses/units.js';
import type { SearchScene } from './find-users.js';
import { proveUnits } from './prove-units.js';

/** Finds rules of tributary.json whose stated reason no longer holds. Throws `GIT_FAILED`. */
export async function findBrokenPromises(scene: SearchScene, rules: readonly FileRule[]): Promise<readonly BrokenPromise[]> {
  const promises = rules.flatMap(({ files, affects, because }) =>
    because === undefined || affects === 'all' ? [] : files.map((glob) => ({ glob, affects, because, unit: unitOfGlob(glob) })),
  );
  const known = promises.flatMap((promise) => (promise.unit === undefined ? [] : [{ ...promise, unit: promise.unit }]));
  const verdicts =
    known.length === 0
      ? []
      : await proveUnits(
          scene,
          known.map(({ unit }) => unit),
        );
  const broken = known.flatMap(({ glob, affects, because }, at) => {
    const verdict = verdicts[at];
    const allowed = new Set(typeof affects === 'string' ? [] : affects);
    if (verdict === undefined || (verdict.who === 'some' && verdict.workspaces.every((name) => allowed.has(name)))) return [];
    return [brokenPromise(glob, because, verdict.evidence)];
  });
  const unclear = promises.filter(({ unit }) => unit === undefined);
  return [...broken, ...unclear.map(({ glob, because }) => brokenPromise(glob, because, 'it is not one file or one folder (folder/**)'))];
}

function brokenPromise(subject: string, because: string, evidence: string): BrokenPromise {
  return { kind: 'broken-promise', severity: 'hole', subject, because, evidence };
}
