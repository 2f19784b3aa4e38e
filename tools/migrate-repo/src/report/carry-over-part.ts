import type { RepoFolder } from '@tributary/model/paths';
import type { CarryOverFinding } from '../carry-over/rule.js';
import type { PackedPackage } from '../run/compare-packed.js';
import { grouped } from './grouped.js';
import { code, type ReportPart } from './part.js';

/** What simply stays in the package is not told. */
export function carryOverPart(findings: readonly CarryOverFinding[], packed: readonly PackedPackage[], root: RepoFolder): ReportPart {
  if (root !== '') return { step: 'carry-over', decisions: [inFolder(root)], changes: [] };
  const decided = findings.map((one) => ({ newcomer: one.newcomer, text: one.decision && `${code(one.file)}: ${one.decision}` }));
  const published = packed.map(({ name, decision }) => ({ newcomer: name, text: decision }));
  const changed = findings.map((one) => ({ newcomer: one.newcomer, text: changeOf(one) }));
  const packs = packed.map(({ name, done }) => ({ newcomer: name, text: done === '' ? undefined : done }));
  // That npm would publish the same is worth a word only where something was carried.
  const isQuiet = [...changed, ...published].every(({ text }) => text === undefined);
  return { step: 'carry-over', decisions: grouped([...decided, ...published]), changes: isQuiet ? [] : grouped([...changed, ...packs]) };
}

function inFolder(root: RepoFolder): string {
  return `The monorepo lies in ${code(root)} of its repository, so code owners, workflows and other files that work at the root of a repository alone were left where they are, in the packages.`;
}

function changeOf({ action, file, done }: CarryOverFinding): string | undefined {
  return action === 'keep' ? undefined : `${code(file)}: ${done}`;
}
