import { expect, test } from '@jest/globals';
import type { DecisionResult, MigrateResult } from '../result/result.js';
import { formatReport } from './markdown.js';

const RESULT: MigrateResult = {
  schemaVersion: 1,
  state: 'migrated',
  branch: 'migrate/a',
  base: '1'.repeat(40),
  tip: '2'.repeat(40),
  strategy: 'rewrite',
  packages: [],
  alignment: [],
  replaced: [],
  dependencies: [],
  locked: null,
  constraint: null,
  installation: 'done',
  tests: null,
  leftOut: [],
  warnings: [],
  milliseconds: 1,
};

function decision(text: string, more: Partial<DecisionResult> = {}): DecisionResult {
  return { id: '0a1b2c3d', decided: null, risk: 'none', text, byDefault: 'It stays.', toChange: '`do it`', findings: [], ...more };
}

function reportOf(...decisions: readonly DecisionResult[]): string {
  return formatReport({ ...RESULT, alignment: [{ step: 'carry-over', commit: null, files: [], changes: [], decisions }] });
}

const findings = [{ text: 'It does.', about: ['a', 'b'].map((name) => ({ package: name, place: 'f', detail: null })) }];

test('what may break comes first, and each decision says what was done and how that is changed', () => {
  expect(reportOf(decision('Choose.'), decision('Fails.', { risk: 'builds', findings }))).toContain(`## Breaks

This breaks or may break. Its default holds until you change it.

1. **Fails.** \`0a1b2c3d\`
   - Default: It stays.
   - To change: \`do it\`
   - It does.
     - a, b: \`f\`

## Decide

It works, but you may want to change it.

2. **Choose.** \`0a1b2c3d\`
   - Default: It stays.
   - To change: \`do it\`

To answer a decision permanently, write its id into tributary.json`);
});

test('many places are folded', () => {
  const many = [{ text: 'It does.', about: ['a', 'b', 'c', 'd', 'e'].map((name) => ({ package: name, place: name, detail: null })) }];
  const report = reportOf(decision('Fails.', { findings: many }), decision('Choose.'));
  expect(report).toContain('\n\n   <details><summary>5 places in 5 packages</summary>\n\n   - It does.\n     - a: `a`\n');
  expect(report).toContain('\n\n   </details>\n\n2. **Choose.**');
});

test('what was decided before is folded away, with the reason', () => {
  const report = reportOf(decision('Choose.', { decided: 'We looked.', findings }));
  expect(report).toContain('No open decision was found.');
  expect(report).toContain(
    '<summary>One decision already answered in tributary.json</summary>\n\n- Choose. **We looked.**\n  - a, b: `f`\n\n</details>',
  );
  expect(report).not.toContain('To answer a decision');
});
