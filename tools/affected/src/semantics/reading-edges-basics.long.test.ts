import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { runCli } from '@tributary/test-repo/run-cli';
import type { Files } from '@tributary/test-repo/temp-repo';
import { edges, touched } from './reading-edges.fixture.js';
import { type Answer, ask, MonorepoScene } from './scene.fixture.js';

const cleanUp = cleanUpIn(afterAll);

let scene: MonorepoScene;

beforeAll(async () => {
  scene = await MonorepoScene.create(cleanUp);
});

const LIB_READS_ALONE = edges({ 'by-dev': { workspaces: ['alone'] } });
const RULES = { rules: [{ files: 'shared/**', affects: 'none' }] };

const CASES: readonly (readonly [sentence: string, before: Files, changed: readonly string[], affected: Answer])[] = [
  [
    'a change of what is read affects the reader and its dependents',
    LIB_READS_ALONE,
    ['packages/alone/a.js'],
    ['alone', 'by-dev', 'dev-user'],
  ],
  ['the other way round it affects nobody', LIB_READS_ALONE, ['packages/dev-user/a.js'], ['dev-user']],
  [
    'what it reads depends on something',
    edges({ alone: { workspaces: ['dev-user'] } }),
    ['packages/by-dev/a.js'],
    ['alone', 'by-dev', 'dev-user'],
  ],
  [
    'a cycle of edges is walked once',
    edges({ alone: { workspaces: ['tool'] }, tool: { workspaces: ['inner-user'] }, 'inner-user': { workspaces: ['alone'] } }),
    ['packages/tool/a.js'],
    ['alone', 'inner-user', 'monorepo', 'tool'],
  ],
  ['an edge to itself is none', edges({ alone: { workspaces: ['alone'] } }), ['packages/alone/a.js'], ['alone']],
  [
    'an edge to the root carries what changes the root',
    edges({ alone: { workspaces: ['monorepo'] } }),
    ['packages/tool/a.js'],
    ['alone', 'monorepo', 'tool'],
  ],
  ['an edge of the root', edges({ monorepo: { workspaces: ['alone'] } }), ['packages/alone/a.js'], ['alone', 'monorepo']],
  [
    'a file that a rule counts for nobody affects its reader',
    edges({ 'by-dev': { files: ['shared/a.js'] } }, RULES),
    ['shared/a.js'],
    ['by-dev', 'dev-user'],
  ],
  ['a file beside it affects nobody', edges({ 'by-dev': { files: ['shared/a.js'] } }, RULES), ['shared/b.js'], []],
  ['a folder stands for all below it', edges({ 'by-dev': { files: ['shared'] } }, RULES), ['shared/deep/b.js'], ['by-dev', 'dev-user']],
  ['a folder does not stand for one that begins alike', edges({ alone: { files: ['share'] } }, RULES), ['shared/b.js'], []],
  ['a dot stands for the whole project', edges({ alone: { files: ['.'] } }, RULES), ['shared/b.js'], ['alone']],
  [
    'a file of another workspace affects its owner and the reader',
    edges({ alone: { files: ['packages/tool/data.json'] } }),
    ['packages/tool/data.json'],
    ['alone', 'monorepo', 'tool'],
  ],
  [
    'another file of that workspace does not affect the reader',
    edges({ alone: { files: ['packages/tool/data.json'] } }),
    ['packages/tool/a.js'],
    ['monorepo', 'tool'],
  ],
  [
    'a file that no rule claims affects everybody all the same',
    edges({ alone: { files: ['shared/a.js'] } }),
    ['shared/a.js'],
    'all: FILE_UNCLAIMED',
  ],
  [
    'a reader and a target that there never were change nothing',
    edges({ nobody: { workspaces: ['tool'], files: ['shared/a.js'] }, alone: { workspaces: ['nobody'] } }, RULES),
    ['shared/a.js', 'packages/alone/a.js'],
    ['alone'],
  ],
  [
    'names that every object has are none of theirs',
    edges({ constructor: { workspaces: ['tool'] }, alone: { workspaces: ['toString', '__proto__'] } }),
    ['packages/alone/a.js'],
    ['alone'],
  ],
];

test.each(CASES)('%s', async (_, before, changed, affected) => {
  expect(await scene.ask({ before, files: touched(...changed) })).toEqual(affected);
});

describe('a file that is read', () => {
  const before = { ...edges({ alone: { files: ['shared/a.js'] } }, RULES), 'shared/a.js': 'first\n' };

  test('is deleted', async () => {
    expect(await scene.ask({ before, files: { 'shared/a.js': null } })).toEqual(['alone']);
  });

  test('is moved', async () => {
    expect(await scene.ask({ before, files: { 'shared/a.js': null, 'shared/b.js': 'first\n' } })).toEqual(['alone']);
  });

  test('is moved, and the edge with it', async () => {
    const moved = edges({ alone: { files: ['shared/b.js'] } }, RULES);
    expect(await scene.ask({ before, files: { 'shared/a.js': null, 'shared/b.js': 'first\n', ...moved } })).toEqual(['alone']);
  });
});

describe('a change of tributary.json', () => {
  const READS_TOOL = edges({ alone: { workspaces: ['tool'] } });
  const CHANGES: readonly (readonly [sentence: string, before: Files, files: Files, affected: Answer])[] = [
    ['that adds an edge affects the reader and its dependents', edges({}), LIB_READS_ALONE, ['by-dev', 'dev-user']],
    ['that takes one away too', LIB_READS_ALONE, edges({}), ['by-dev', 'dev-user']],
    ['that deletes the file with its edges too', LIB_READS_ALONE, { 'tributary.json': null }, ['by-dev', 'dev-user']],
    ['that is the first, with edges alone', {}, LIB_READS_ALONE, ['by-dev', 'dev-user']],
    [
      'that deletes an edge does not hide that its target breaks',
      READS_TOOL,
      { ...edges({}), ...touched('packages/tool/a.js') },
      ['alone', 'monorepo', 'tool'],
    ],
    [
      'that deletes an edge does not hide a change of what its target depends on',
      edges({ alone: { workspaces: ['dev-user'] } }),
      { 'tributary.json': null, ...touched('packages/by-dev/a.js') },
      ['alone', 'by-dev', 'dev-user'],
    ],
    [
      'that deletes an edge to a file does not hide that the file changes',
      edges({ 'by-dev': { files: ['shared/a.js'] } }, RULES),
      { ...edges({}, RULES), ...touched('shared/a.js') },
      ['by-dev', 'dev-user'],
    ],
    ['that adds an edge follows it', edges({}), { ...READS_TOOL, ...touched('packages/tool/a.js') }, ['alone', 'monorepo', 'tool']],
    [
      'of a proof alone affects nobody',
      READS_TOOL,
      { 'tributary.json': '{"affected": {"edges": {"alone": {"workspaces": {"tool": "elsewhere.js:2"}}}}}' },
      [],
    ],
    ['of comments alone affects everybody', {}, { 'tributary.json': '// Why\n{}' }, 'all: CONFIG_CHANGED'],
    ['of an edge and a rule affects everybody', READS_TOOL, edges({}, RULES), 'all: CONFIG_CHANGED'],
    ['of another block affects everybody', READS_TOOL, { 'tributary.json': '{"migrate": {"path": "libs/{name}"}}' }, 'all: CONFIG_CHANGED'],
    ['that could not be read before affects everybody', { 'tributary.json': '{' }, READS_TOOL, 'all: CONFIG_CHANGED'],
    [
      'is a file that a rule of the project may count for somebody else',
      edges({}, { rules: [{ files: 'tributary.json', affects: ['tool'] }] }),
      edges({ alone: { files: ['x'] } }, { rules: [{ files: 'tributary.json', affects: ['tool'] }] }),
      ['alone', 'monorepo', 'tool'],
    ],
    [
      'is read by a workspace itself',
      edges({ 'by-dev': { files: ['tributary.json'] } }),
      edges({ 'by-dev': { files: ['tributary.json'] }, alone: { workspaces: ['tool'] } }),
      ['alone', 'by-dev', 'dev-user'],
    ],
  ];

  test.each(CHANGES)('%s', async (_, before, files, affected) => {
    expect(await scene.ask({ before, files })).toEqual(affected);
  });

  test('that is not what it says to be is an error, with its place', async () => {
    const files = { 'tributary.json': '{"affected": {"edges": {"alone": {"workspaces": ["tool"]}}}}' };
    expect(await scene.failureOf({ files })).toEqual({ exit: 1, code: 'CONFIG_INVALID' });
  });

  test('is seen where only a list of files is given', async () => {
    const repo = await scene.changed({ before: READS_TOOL, files: { ...edges({}), ...touched('packages/tool/a.js') } });
    const list = (args: readonly string[]): Promise<Answer> => ask(repo, [...args, '--files-from', '-'], { input: 'packages/tool/a.js\n' });
    expect(await list(['--base', 'HEAD~1'])).toEqual(['alone', 'monorepo', 'tool']);
  });

  test('that is not committed is followed too', async () => {
    const repo = await scene.changed({ before: READS_TOOL });
    repo.write({ ...edges({}), ...touched('packages/tool/a.js') });
    expect(await ask(repo, ['--base', 'HEAD', '--uncommitted'])).toEqual(['alone', 'monorepo', 'tool']);
  });
});

describe('the reason', () => {
  test('is told in the answer, by why, and in the graph', async () => {
    const before = edges({ 'by-dev': { workspaces: ['alone'], files: ['shared/a.js'] } }, RULES);
    const repo = await scene.changed({ before, files: touched('shared/a.js') });
    const run = async (...args: readonly string[]): Promise<string> =>
      (await runCli('affected', args, { cwd: repo.path, env: { COLUMNS: '200' } })).stdout;
    expect(await run('--base', 'HEAD~1')).toContain('through by-dev: shared/a.js changed, which packages/a/a.test.js:1 reads');
    repo.commit('Change what is read', { files: touched('packages/alone/a.js') });
    expect(await run('--base', 'HEAD~1')).toContain(
      'through by-dev > alone, by a reference that no manifest declares: packages/alone/a.js changed',
    );
    expect(await run('why', 'by-dev', '--base', 'HEAD~1')).toBe(
      [
        'by-dev is affected:',
        '  through alone, by a reference that no manifest declares: packages/alone/a.js changed',
        '    by-dev reads alone: packages/a/a.test.js:1, which no manifest declares',
        '',
      ].join('\n'),
    );
  });
});
