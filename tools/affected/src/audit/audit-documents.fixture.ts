import type { AuditedMutant, AuditResult } from '../result.js';
import { ID } from '../result-documents.fixture.js';

/** As `affected audit --json` prints them: with every kind of change and every outcome. */
export function audits(): readonly AuditResult[] {
  const outcomes = ['killed', 'survived', 'all', 'stopped', 'unclear'] as const;
  const kinds = ['source', 'data', 'support', 'package'] as const;
  const what = kinds.flatMap((kind) => outcomes.map((outcome) => ({ kind, outcome })));
  const mutants = what.map(({ kind, outcome }, at): AuditedMutant => {
    const failed = outcome === 'killed' ? ['a', 'b'] : [];
    const line = kind === 'package' ? null : 3;
    const change = { file: 'packages/a/x.js', line, before: 'return 1;', after: 'return 2;' };
    return { number: at + 1, kind, ...change, selected: 1, spared: ['c'], outcome, failed, missed: failed.slice(1) };
  });
  const counts = {
    workspaces: 3,
    unstable: ['c'],
    mutants,
    killed: 4,
    trials: 4,
    narrowed: 4,
    missed: 4,
    bound: 1,
    warnings: ['Nothing.'],
  };
  return (['off', 'narrow'] as const).map((observed) => ({ schemaVersion: 1, head: ID, task: 'test', seed: 1, observed, ...counts }));
}
