import { describe, expect, test } from '@jest/globals';
import { nextSteps, renderDiscard, renderMigration, renderPlan, type TerminalStyle } from './render.js';
import { renderSync } from './render-sync.js';
import type { DiscardResult } from './result/import-result.js';
import type { MigrateResult, PackageResult, SyncResult } from './result/result.js';

const PAGE: TerminalStyle = { width: 80, bold: (text) => text };
const ID = 'ab12'.repeat(10);

const leftPad: PackageResult = {
  name: 'left-pad',
  path: 'packages/left-pad',
  source: 'https://example.com/acme/left-pad',
  sourceRef: 'refs/heads/main',
  sourceCommit: ID,
  subdirectory: null,
  registration: 'covered',
  cleanUp: [],
  tags: [
    { from: 'v1.0.0', to: 'left-pad@1.0.0' },
    { from: 'v1.1.0', to: 'left-pad@1.1.0' },
  ],
  leftOutTags: [],
  messages: null,
  falseSignatures: 0,
  lockfile: null,
  proof: null,
  commits: null,
};

const ui: PackageResult = {
  ...leftPad,
  name: '@acme/ui',
  path: 'elsewhere/ui',
  source: 'git@example.com:acme/one-repository-with-a-very-long-name-indeed.git',
  subdirectory: 'libs/ui',
  registration: 'added',
  cleanUp: [{ path: 'yarn.lock', reason: 'the lockfile of the root holds' }],
  tags: [],
};

const plan: MigrateResult = {
  schemaVersion: 1,
  state: 'planned',
  branch: 'migrate/left-pad-and-1-more',
  base: ID,
  tip: null,
  strategy: 'rewrite',
  packages: [leftPad, ui],
  alignment: null,
  replaced: null,
  dependencies: null,
  locked: null,
  constraint: null,
  installation: null,
  tests: null,
  leftOut: [],
  warnings: [],
  milliseconds: 812,
};

const migration: MigrateResult = {
  ...plan,
  state: 'migrated',
  tip: ID,
  milliseconds: 65_400,
  packages: [
    { ...leftPad, proof: { method: 'inverse', commits: 1204, merges: 31, authors: 17, tags: 2, importedTip: ID } },
    { ...ui, proof: { method: 'compared', commits: 9, merges: 0, authors: 1, tags: 0, importedTip: ID } },
  ],
};

const leftOut: MigrateResult['leftOut'] = [
  { name: 'core', code: 'SOURCE_EMPTY', message: 'https://example.com/acme/core has no commits.', hint: 'Check the address.' },
  { name: 'cli', code: 'DEPENDENCY_LEFT_OUT', message: 'cli needs core, which is left out.', hint: null },
];

test('a plan', () => {
  expectPage(
    renderPlan(plan, PAGE),
    `
Plan: 2 packages on the new branch migrate/left-pad-and-1-more

package   path               source                             commit      tags
left-pad  packages/left-pad  https://example.com/acme/left-pad  ab12ab12ab     2
@acme/ui  elsewhere/ui       …with-a-very-long-name-indeed.git  ab12ab12ab     0
total     2 packages                                                           2

Gets an entry in "workspaces" of the root package.json: @acme/ui
Removes yarn.lock from @acme/ui: the lockfile of the root holds
Keeps dependencies unchanged.`,
  );
});

const message = (text: string) => ({ text, about: [] });
const open = (text: string) => ({
  id: '0a1b2c3d',
  decided: null,
  risk: 'none' as const,
  text,
  byDefault: 'It stays.',
  toChange: '`run this`',
  findings: [],
});
const messages = { changes: [message('one'), message('two')], decisions: [open('Choose.')] };
const step = { step: 'internal', commit: null, files: ['a'], ...messages } as const;
const alignment = [step, { ...step, step: 'lockfile', files: [], changes: [], decisions: [] }] as const;
const npm = { file: 'package-lock.json', kind: 'npm' } as const;

test('a plan with an alignment', () => {
  const packages = [
    { ...leftPad, tags: [], lockfile: { file: 'yarn.lock', kind: 'yarn classic' } as const },
    { ...leftPad, lockfile: npm },
  ];
  expect(
    renderPlan({ ...plan, packages, alignment, installation: 'planned' }, PAGE)
      .split('\n')
      .slice(6),
  ).toEqual([
    '',
    "Installs with the monorepo's own Yarn, with the versions locked in yarn.lock (yarn classic) of left-pad, and in package-lock.json (npm) of left-pad.",
    'Aligns with the monorepo, in 1 commit.',
    '',
    'To decide: 1',
    '  1. Choose.',
    '     Default: It stays.',
    '     To change: `run this`',
  ]);
});

test('what may break comes first, with whom it concerns; of more than two places their number', () => {
  const about = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ package: name, place: 'f', detail: name }));
  const findings = ['One.', 'Two.', 'Three.'].map((text) => ({ text, about }));
  const several = [
    {
      ...step,
      decisions: [open('Choose.'), { ...open('Look.'), risk: 'builds' as const, findings: [{ text: 'One.', about: about.slice(0, 1) }] }],
    },
    { ...step, decisions: [{ ...open('Refused.'), risk: 'installation' as const, byDefault: null, toChange: null, findings }] },
  ];
  expect(renderPlan({ ...plan, alignment: several, installation: 'planned' }, PAGE)).toContain(
    `
Breaks or may break: 2
  1. Refused.
     In a, b, c and 2 more: 15 places.
  2. Look.
     a, \`f\`: One (a).
     Default: It stays.
     To change: \`run this\`

To decide: 1
  3. Choose.
     Default: It stays.
     To change: \`run this\`

For all places, use --report <file> or --json.`,
  );
});

const rewritten = {
  repository: 'acme/left-pad',
  changed: 3,
  references: 2,
  unqualified: 0,
  closingWords: 1,
  mentions: 1,
  commitIds: 0,
  untouched: 0,
  samples: [{ commit: ID, before: 'Fixes #12, @ada', after: 'Fixes the issue acme/left-pad#12, @\u200bada' }],
};

test('what is done to messages and signatures, with a line before and after', () => {
  const one = { ...leftPad, tags: [], messages: rewritten, falseSignatures: 2 };
  expect(
    renderPlan({ ...plan, packages: [one] }, PAGE)
      .split('\n')
      .slice(5),
  ).toEqual([
    'Rewrites the messages of 3 commits: 2 references named in full, 1 closing word broken, 1 mention broken.',
    '  - Fixes #12, @ada',
    '  + Fixes the issue acme/left-pad#12, @<zero-width space>ada',
    'Moves 2 signatures into separate headers: no signature matches a rewritten commit or tag.',
    'Keeps dependencies unchanged.',
  ]);
});

test('references that nobody can name, and signatures that stay, are told', () => {
  const unnamed = { ...rewritten, repository: null, changed: 0, references: 0, closingWords: 0, mentions: 0, unqualified: 4, samples: [] };
  const lines = renderMigration(
    {
      ...migration,
      packages: [
        { ...leftPad, messages: unnamed },
        { ...ui, falseSignatures: 1 },
      ],
    },
    PAGE,
  ).split('\n');
  expect(lines).toContainEqual(expect.stringMatching(/^4 references such as #12 in left-pad stay unqualified: /));
  expect(lines).toContain('1 signature does not match the rewritten commits and tags, and with --exact it stays.');
});

test('what was decided before is counted, and not asked again', () => {
  const decided = [{ ...step, decisions: [open('Choose.'), { ...open('Look.'), decided: 'We looked.' }] }];
  expect(renderPlan({ ...plan, alignment: decided, installation: 'planned' }, PAGE)).toContain(
    '\nTo decide: 1\n  1. Choose.\n     Default: It stays.\n     To change: `run this`\n\nDecided before, in tributary.json: 1',
  );
});

test.each([
  ['planned', "Installs with the monorepo's own Yarn, with new versions: no lockfile was imported."],
  ['not asked for', 'Installs nothing, and does not update the lockfile.'],
  ['no lockfile', 'Installs nothing: the monorepo has no yarn.lock of Yarn 2 or later.'],
] as const)('a plan whose installation is %p', (installation, line) => {
  expect(renderPlan({ ...plan, alignment: [], installation }, PAGE)).toContain(`\n${line}\nAligns nothing with the monorepo.`);
});

test('a sync does not say that nothing was aligned: that was done before the merge', () => {
  const lists = { alignment: [], tags: [], movedTags: [], conflicts: [] };
  const nothing = { ...lists, state: 'planned', sourceRef: '', from: '', to: '', compared: null, changed: null, proof: null };
  expect(renderSync(nothing as unknown as SyncResult, PAGE)).toMatch(/^Aligns nothing else with the monorepo\.$/m);
});

test('tags that keep their names are not called renamed', () => {
  const tagsOf = (...names: readonly (readonly [string, string])[]): string => {
    const tags = names.map(([from, to]) => ({ ...leftPad.tags[0], from, to }) as (typeof leftPad.tags)[number]);
    return renderPlan({ ...plan, packages: [{ ...leftPad, tags }] }, PAGE);
  };
  expect(tagsOf(['a@1.0.0', 'a@1.0.0'])).not.toContain('Renames');
  expect(tagsOf(['a@1.0.0', 'a@1.0.0'], ['v2.0.0', 'a@2.0.0'])).toContain('\nRenames tags: v2.0.0 to a@2.0.0\n');
});

test('a plan with one package, and one that is left out', () => {
  expectPage(
    renderPlan({ ...plan, branch: 'migrate/left-pad', packages: [leftPad], leftOut }, PAGE),
    `
Plan: 1 package on the new branch migrate/left-pad

package   path               source                             commit      tags
left-pad  packages/left-pad  https://example.com/acme/left-pad  ab12ab12ab     2
core      left out
cli       left out
total     1 package                                                            2

Renames tags: v1.0.0 to left-pad@1.0.0, v1.1.0 to left-pad@1.1.0
Keeps dependencies unchanged.

Left out: 2
  core: https://example.com/acme/core has no commits. [SOURCE_EMPTY]
    hint: Check the address.
  cli: cli needs core, which is left out. [DEPENDENCY_LEFT_OUT]`,
  );
});

test('a migration', () => {
  expectPage(
    renderMigration(migration, PAGE),
    `
package   path               commits  merges  authors  tags  proof
left-pad  packages/left-pad     1204      31       17     2  inverse
@acme/ui  elsewhere/ui             9       0        1     0  compared
total     2 packages            1213      31              2

2 packages on the new branch migrate/left-pad-and-1-more, in 1 min 05 s.
Verified 1213 commits.
Got an entry in "workspaces" of the root package.json: @acme/ui
Removed yarn.lock from @acme/ui: the lockfile of the root holds`,
  );
});

test('a migration of one commit, with others that were left out', () => {
  const one = { ...leftPad, tags: [], proof: { method: 'ancestor', commits: 1, merges: 0, authors: 1, tags: 0, importedTip: ID } } as const;
  expectPage(
    renderMigration({ ...migration, branch: 'migrate/left-pad', packages: [one], leftOut, milliseconds: 350 }, PAGE),
    `
package   path               commits  merges  authors  tags  proof
left-pad  packages/left-pad        1       0        1     0  ancestor
core                                                         left out
cli                                                          left out
total     1 package                1       0              0

1 package on the new branch migrate/left-pad, in 350 ms.
Verified 1 commit.

Left out: 2
  core: https://example.com/acme/core has no commits. [SOURCE_EMPTY]
    hint: Check the address.
  cli: cli needs core, which is left out. [DEPENDENCY_LEFT_OUT]`,
  );
});

test('many that came before are told in one line', () => {
  const before = Array.from({ length: 6 }, (_, at) => ({
    name: `p${at}`,
    code: 'ALREADY_MIGRATED' as const,
    message: 'There.',
    hint: null,
  }));
  const page = renderMigration({ ...migration, packages: [leftPad], leftOut: [...before, ...leftOut] }, PAGE);
  expect(page).toContain('\n\nImported before: 6; "migrate-repo status" shows them.\n\nLeft out: 2\n');
  expect(page).not.toContain('There.');
});

describe('what comes next', () => {
  test('with tags', () => {
    expect(nextSteps(migration)).toBe(
      'Review it with "git log --oneline --first-parent migrate/left-pad-and-1-more", then merge it with a merge commit ("Create a merge commit" on GitHub): ' +
        'squashing or rebasing would destroy the history; "migrate-repo verify --all" verifies that afterwards. No tag was pushed: push the tags that you want by name.',
    );
  });

  test('without tags', () => {
    expect(nextSteps({ ...migration, packages: [ui] })).not.toContain('ush');
  });
});

const discarded: DiscardResult = {
  schemaVersion: 1,
  branch: 'migrate/left-pad',
  packages: ['left-pad'],
  tags: ['left-pad@1.0.0'],
  keptTags: [],
};

test('what was discarded, and what would be', () => {
  expect(renderDiscard(discarded, 'did')).toBe('Discarded left-pad: the branch migrate/left-pad and 1 tag.');
  expect(renderDiscard({ ...discarded, packages: ['a', 'b'], tags: [] }, 'would')).toBe(
    'Would discard a, b: the branch migrate/left-pad and 0 tags.',
  );
});

test('nothing but sources and branches is cut, and nothing without a terminal', () => {
  const page = { ...PAGE, width: Number.POSITIVE_INFINITY };
  expect(renderPlan(plan, page)).toContain(ui.source);
});

test('titles and the branch are bold where the page has bold', () => {
  const text = renderMigration(migration, { width: 80, bold: (part) => `<${part}>` });
  expect(text).toContain('<package>');
  expect(text).toContain('<migrate/left-pad-and-1-more>');
});

/** Compares a page. `expected` begins with a line break, so that it can stand at the left edge. */
function expectPage(text: string, expected: string): void {
  expect(`\n${text}`).toBe(expected);
}
