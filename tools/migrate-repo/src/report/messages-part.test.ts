import { expect, test } from '@jest/globals';
import type { MigrateResult, PackageResult } from '../result/result.js';
import { formatReport } from './markdown.js';
import { messageSentences } from './messages-part.js';

const ID = 'ab12'.repeat(10);
const ONE: PackageResult = {
  name: 'left-pad',
  path: 'packages/left-pad',
  source: '/left-pad',
  sourceRef: 'refs/heads/main',
  sourceCommit: ID,
  subdirectory: null,
  registration: 'covered',
  cleanUp: [],
  tags: [],
  leftOutTags: [],
  messages: {
    repository: 'acme/left-pad',
    changed: 1,
    references: 1,
    unqualified: 0,
    closingWords: 1,
    mentions: 0,
    commitIds: 0,
    untouched: 0,
    samples: [{ commit: ID, before: '~~~ fixes #1', after: '~~~ fixes the issue acme/left-pad#1' }],
  },
  falseSignatures: 1,
  lockfile: null,
  proof: null,
  commits: null,
};
const RESULT: MigrateResult = {
  schemaVersion: 1,
  state: 'migrated',
  branch: 'migrate/left-pad',
  base: ID,
  tip: ID,
  strategy: 'rewrite',
  packages: [ONE],
  alignment: null,
  replaced: null,
  dependencies: null,
  locked: null,
  constraint: null,
  installation: null,
  tests: null,
  leftOut: [],
  warnings: [],
  milliseconds: 1,
};

test('the report counts what was done, shows lines of it, and says where the original is', () => {
  expect(formatReport(RESULT)).toContain(`## What was changed

### Messages and signatures

- Rewrote the messages of 1 commit: 1 reference named in full, 1 closing word broken.
- Moved 1 signature into separate headers: no signature matches a rewritten commit or tag.

~~~diff
- ~~~ fixes #1
+ ~~~ fixes the issue acme/left-pad#1
~~~

\`git cat-file -p <commit>\` shows the original message and signature.
`);
});

test('messages that could not be changed are told', () => {
  const messages = ONE.messages && { ...ONE.messages, changed: 0, untouched: 2 };
  expect(messageSentences([{ ...ONE, messages, falseSignatures: 0 }], 'planned')).toEqual([
    '2 messages cannot be changed, because of the encoding. They may close issues and notify people.',
  ]);
});

test('several packages are added up, and where nothing is done nothing is said', () => {
  expect(messageSentences([ONE, { ...ONE, messages: null, falseSignatures: 2 }], 'planned')).toEqual([
    'Rewrites the messages of 1 commit: 1 reference named in full, 1 closing word broken.',
    'Moves 1 signature into separate headers: no signature matches a rewritten commit or tag.',
    '2 signatures do not match the rewritten commits and tags, and with --exact they stay.',
  ]);
  expect(messageSentences([{ ...ONE, messages: null, falseSignatures: 0 }], 'planned')).toEqual([]);
  expect(formatReport({ ...RESULT, packages: [{ ...ONE, messages: null, falseSignatures: 0 }] })).not.toContain('Messages and signatures');
});
