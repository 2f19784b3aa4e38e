import { expect, test } from '@jest/globals';
import type { AlignedStepResult, MigrateResult } from '../result.js';
import { decisionId } from './decision-id.js';
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
  leftOut: [],
  warnings: [],
  milliseconds: 1,
};

test('a decision is called by its words: the same in every migration, and other words are another', () => {
  expect(decisionId('carry-over', 'Look at it.')).toMatch(/^[0-9a-f]{8}$/);
  expect(decisionId('carry-over', 'Look at it.')).toBe(decisionId('carry-over', 'Look at it.'));
  expect(decisionId('carry-over', 'Look at it')).not.toBe(decisionId('carry-over', 'Look at it.'));
  expect(decisionId('settings', 'Look at it.')).not.toBe(decisionId('carry-over', 'Look at it.'));
});

test('an open decision says how it is answered for good, and an answered one why', () => {
  const about = ['a', 'b'].map((name) => ({ package: name, place: 'f', detail: null }));
  const step: AlignedStepResult = {
    step: 'carry-over',
    commit: null,
    files: [],
    changes: [],
    decisions: [
      { id: '0a1b2c3d', decided: null, text: 'Look.', about },
      { id: '4e5f6a7b', decided: 'We looked.', text: 'Choose.', about: [] },
    ],
  };
  const report = formatReport({ ...RESULT, alignment: [step] });
  expect(report).toContain('## To decide\n\n1. Look. `0a1b2c3d`\n   - a, b: `f`\n\nWhat holds for all migrations to come');
  expect(report).toContain('<summary>One decision that tributary.json has taken before</summary>\n\n- Choose. **We looked.**\n');
});

test('where all that is open names its package, no answer holds for others, and none is promised to', () => {
  const decisions = [{ id: '0a1b2c3d', decided: null, text: 'a asks for b `^0.9.0`, and it was left.', about: [] }];
  const step: AlignedStepResult = { step: 'internal', commit: null, files: [], changes: [], decisions };
  const report = formatReport({ ...RESULT, alignment: [step] });
  expect(report).toContain(
    '`0a1b2c3d`\n\nWhat is decided, and is not to be asked when this is run again, is written into tributary.json: `"migrate"',
  );
  expect(report).not.toContain('all migrations to come');
});
