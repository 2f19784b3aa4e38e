import { afterAll, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { runCli } from '@tributary/test-repo/run-cli';
import { TempRepo } from '@tributary/test-repo/temp-repo';

const cleanUp = cleanUpIn(afterAll);

/** Each names a line of aliases of the one before, nine times. */
const BOMB = Array.from(
  { length: 12 },
  (_, at) =>
    `a${at}: &a${at} [${
      at === 0
        ? 'x'
        : Array(9)
            .fill(`*a${at - 1}`)
            .join()
    }]\n`,
).join('');

test.each<[string, Readonly<Record<string, string>>, string]>([
  [
    'names that every object has',
    {
      'p/__proto__/package.json': '{"name":"__proto__","version":"1.0.0","dependencies":{"constructor":"workspace:^"}}',
      'p/constructor/package.json': '{"name":"constructor","version":"1.0.0"}',
      'p/toString/package.json': '{"name":"toString","version":"1.0.0"}',
    },
    '__proto__\nconstructor\ntoString\n',
  ],
  [
    'patterns that lead out of the repository',
    {
      'package.json':
        '{"name":"root","private":true,"workspaces":["p/*","../*","/etc/*","../../**","\\u0000","\\ud800",".git/*","p/a/.."]}',
    },
    '',
  ],
  ['workspaces of the wrong types', { 'package.json': '{"name":"root","private":true,"workspaces":["p/*",null,5,{"a":1}]}' }, ''],
  ['settings that explode', { '.yarnrc.yml': `${BOMB}catalog: *a11\n`, '.github/workflows/ci.yml': `${BOMB}on: *a11\n` }, 'a\nroot\n'],
  ['links in a circle', { 'p/b': 'link', 'p/c': 'link' }, 'a\nroot\n'],
])('%s: an answer', async (_, files, names) => {
  const repo = cleanUp.add(TempRepo.create());
  repo.commit('Start', {
    files: { 'package.json': '{"name":"root","private":true,"workspaces":["p/*"]}', 'p/a/package.json': '{"name":"a","version":"1.0.0"}' },
  });
  const links = { 'p/b': { symlink: 'c' }, 'p/c': { symlink: '../p/b' } };
  repo.commit('Attack', { files: 'p/b' in files ? { ...links, 'x.bin': 'x' } : files });
  const { code, stdout, stderr } = await runCli('affected', ['--base', 'HEAD~1', '--format', 'names'], {
    cwd: repo.path,
    timeoutMs: 20_000,
  });
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  for (const name of names.split('\n')) expect(stdout.split('\n')).toContain(name);
});
