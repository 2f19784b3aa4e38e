import { describe, expect, test } from '@jest/globals';
import { discoverWorkspaces } from '@tributary/workspaces/discover';
import { withoutAnswered } from './without-answered.js';

const HEAD = '__metadata:\n  version: 8\n  cacheKey: 10c0\n';

function entry(key: string, resolution: string): string {
  return `\n"${key}":\n  version: ${/[\d.]+$/.exec(resolution)?.[0]}\n  resolution: "${resolution}"\n  languageName: node\n  linkType: hard\n`;
}

const [, ...IMPORTED_PACKAGES] = discoverWorkspaces({
  folders: ['', 'packages/color'] as never[],
  readManifest: (folder) => JSON.stringify(folder === '' ? { workspaces: ['packages/*'] } : { name: 'color', version: '3.1.0' }),
});

const OTHER = entry('other@npm:^1.0.0', 'other@npm:1.0.0');

describe('from a lockfile', () => {
  test.each<[what: string, lock: string, expected: string]>([
    ['what an imported package answers is taken', entry('color@npm:1 - 3, color@npm:^3.0.0', 'color@npm:3.0.1'), ''],
    ['a range that it does not satisfy stays', entry('color@npm:^2.0.0', 'color@npm:2.0.0'), entry('color@npm:^2.0.0', 'color@npm:2.0.0')],
    [
      'of an entry only the ranges that it satisfies are taken',
      entry('color@npm:^3.0.0, color@npm:3.0.1', 'color@npm:3.0.1'),
      entry('color@npm:3.0.1', 'color@npm:3.0.1'),
    ],
    ['an alias of it is taken', entry('paint@npm:color@^3.0.0', 'color@npm:3.0.1'), ''],
    [
      'what only has its name as an alias stays',
      entry('color@npm:paint@^3.0.0', 'paint@npm:3.0.1'),
      entry('color@npm:paint@^3.0.0', 'paint@npm:3.0.1'),
    ],
  ])('%s', (_, lock, expected) => {
    expect(withoutAnswered(`${HEAD}${lock}${OTHER}`, IMPORTED_PACKAGES)).toBe(`${HEAD}${expected}${OTHER}`);
  });
});
