import type { FileRule } from '@tributary/model/config';
import { ownerOf } from '@tributary/references/tree';
import { buildFileRules } from '@tributary/workspaces/file-rules';
import type { BrokenPromise } from '../check/finding.js';
import { type Searched, verdictOf } from '../reasons/verdict.js';

/** Finds rules of tributary.json with a reason (`because`) that somebody reads a file of who is not selected by it. */
export function findBrokenPromises(searched: Searched, rules: readonly FileRule[]): readonly BrokenPromise[] {
  const { tree } = searched.map;
  return rules.flatMap(({ files, affects, because }): readonly BrokenPromise[] => {
    if (because === undefined || affects === 'all') return [];
    const isMatch = buildFileRules([{ files, affects }], []);
    const matched = tree.sorted.filter(
      (path) => ownerOf(tree, path) === tree.root && isMatch(path, 'outside')?.source === 'tributary.json',
    );
    const verdict = verdictOf(searched, matched);
    const allowed = new Set(typeof affects === 'string' ? [] : affects);
    if (verdict.who === 'some' && verdict.workspaces.every((name) => allowed.has(name))) return [];
    return [{ kind: 'broken-promise', severity: 'hole', subject: files[0] ?? '', because, evidence: verdict.evidence }];
  });
}
