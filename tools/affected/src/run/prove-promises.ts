import type { AffectedConfig, FileRule } from '@tributary/model/config';
import type { BrokenPromise } from '../check/finding.js';
import { unitOfGlob } from '../root-uses/units.js';
import type { Snapshot } from '../snapshot.js';
import { proveDependencies } from './dependency-users.js';
import type { SearchScene } from './find-users.js';
import { proveUnits } from './prove-units.js';

/** Finds entries of tributary.json whose stated reason no longer holds. Throws `GIT_FAILED`. */
export async function findBrokenPromises(
  scene: SearchScene,
  side: Snapshot,
  { rules, rootOnlyBecause }: AffectedConfig,
): Promise<readonly BrokenPromise[]> {
  return [...(await inRules(scene, rules)), ...(await inDependencies(scene, side, rootOnlyBecause))];
}

async function inRules(scene: SearchScene, rules: readonly FileRule[]): Promise<readonly BrokenPromise[]> {
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

async function inDependencies(
  scene: SearchScene,
  side: Snapshot,
  rootOnlyBecause: AffectedConfig['rootOnlyBecause'],
): Promise<readonly BrokenPromise[]> {
  const names = Object.keys(rootOnlyBecause);
  if (names.length === 0) return [];
  const proven = await proveDependencies(scene, side, names);
  return names
    .filter((name) => !proven.has(name))
    .map((name) => brokenPromise(name, rootOnlyBecause[name] ?? '', 'something else names it'));
}

function brokenPromise(subject: string, because: string, evidence: string): BrokenPromise {
  return { kind: 'broken-promise', severity: 'hole', subject, because, evidence };
}
