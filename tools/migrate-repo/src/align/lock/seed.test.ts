import { describe, expect, test } from '@jest/globals';
import { parseBerry } from '@tributary/lockfile/berry';
import { discoverWorkspaces, type Workspace } from '@tributary/workspaces/discover';
import { type Seed, seedLock } from './seed.js';

/** Returns a Yarn 4 lockfile, as in `lockOf('lib@^1.0.0, lib@^1.1.0 = 1.2.0')`. */
function lockOf(...entries: readonly string[]): string {
  const blocks = entries.map((entry) => {
    const [left = '', version = ''] = entry.split(' = ');
    const name = left.slice(0, left.indexOf('@', 1));
    const key = left.replaceAll(/(?<=\w)@(?!npm[:%]|patch:|workspace:)/g, '@npm:');
    return `"${key}":\n  version: ${version}\n  resolution: "${name}@npm:${version}"\n  checksum: 10/${name}\n  languageName: node\n  linkType: hard\n`;
  });
  return ['__metadata:\n  version: 8\n  cacheKey: 10\n', ...blocks].join('\n');
}

function workspacesOf(): readonly Workspace[] {
  const manifests: Record<string, object> = {
    '': { name: 'root', workspaces: ['packages/*'] },
    'packages/newer': { name: 'newer', version: '2.0.0' },
  };
  return discoverWorkspaces({
    folders: ['', 'packages/newer' as never],
    readManifest: (folder) => JSON.stringify(manifests[folder]),
  });
}

function seed(rootLock: string, converted: string): Seed {
  return seedLock({ rootLock, converted, workspaces: workspacesOf() });
}

/** Returns every descriptor with its version, as a separate parser reads the file. */
function readAll(text: string): string[] {
  const lock = parseBerry(text);
  if (lock.kind !== 'berry') throw new Error('unreadable');
  return lock.entries.flatMap(({ descriptors, version }) => descriptors.map((descriptor) => `${descriptor} = ${version}`));
}

describe('what is added', () => {
  test('is what the root does not have, as whole entries, behind the root as it is', () => {
    const root = lockOf('lib@^1.0.0 = 1.2.0');
    const { text, added } = seed(root, lockOf('dep@^2.0.0 = 2.1.0', 'lib@^1.0.0 = 1.0.0'));
    expect(added).toEqual(['dep@npm:^2.0.0']);
    expect(text.startsWith(root)).toBe(true);
    expect(text.slice(root.length)).toBe(lockOf('dep@^2.0.0 = 2.1.0').slice(lockOf().length));
  });

  test('of an entry with several descriptors only those that are new', () => {
    const { text } = seed(lockOf('lib@^1.1.0 = 1.9.0'), lockOf('lib@^1.0.0, lib@^1.1.0, lib@~1.2.0 = 1.2.0'));
    expect(readAll(text)).toEqual(['lib@npm:^1.1.0 = 1.9.0', 'lib@npm:^1.0.0 = 1.2.0', 'lib@npm:~1.2.0 = 1.2.0']);
  });

  test('no descriptor stands there twice, even if the converted lockfile repeats one', () => {
    const { text } = seed(lockOf('lib@^1.0.0 = 1.0.0'), lockOf('lib@^2.0.0, lib@^2.1.0 = 2.2.0', 'lib@^2.1.0, lib@^2.2.0 = 2.3.0'));
    expect(readAll(text)).toEqual(['lib@npm:^1.0.0 = 1.0.0', 'lib@npm:^2.0.0 = 2.2.0', 'lib@npm:^2.1.0 = 2.2.0', 'lib@npm:^2.2.0 = 2.3.0']);
  });

  test('a key too long for one line is written as Yarn writes it', () => {
    const many = Array.from({ length: 80 }, (_, at) => `lib@>=1.0.0 <=1.${at}.0`).join(', ');
    const { text } = seed(lockOf('lib@^9.0.0 = 9.0.0'), lockOf(`${many} = 1.0.0`));
    expect(text).toMatch(/\n\? "lib@npm:.*"\n:\n {2}version: 1\.0\.0\n/);
    expect(readAll(text)).toHaveLength(81);
  });

  test('an empty root gets the format of its Yarn', () => {
    expect(seed('', lockOf('lib@^1.0.0 = 1.0.0')).text).toBe(lockOf('lib@^1.0.0 = 1.0.0'));
  });

  test("Yarn's own patch of what the root has is left to Yarn", () => {
    const patch = 'lib@patch:lib@npm%3A^1.0.0#optional!builtin<compat/lib> = 1.0.0';
    expect(seed(lockOf('lib@^1.0.0 = 1.2.0'), lockOf(patch)).added).toEqual([]);
    expect(seed(lockOf('dep@^1.0.0 = 1.2.0'), lockOf(patch)).added).toHaveLength(1);
  });

  test('what a workspace satisfies is not taken from the registry', () => {
    const { added } = seed(lockOf(), lockOf('newer@^2.0.0 = 2.5.0', 'newer@^1.0.0 = 1.0.0'));
    expect(added).toEqual(['newer@npm:^1.0.0']);
  });

  test('what the root has locked at another version stays as it is', () => {
    const root = lockOf('lib@^1.0.0 = 1.9.0');
    expect(seed(root, lockOf('lib@^1.0.0 = 1.0.0')).text).toBe(root);
  });
});

test('a root that cannot be read is an error', () => {
  expect(() => seed(`${lockOf('lib@^1.0.0 = 1.0.0')}<<<<<<< HEAD\n`, lockOf())).toThrow(/conflict marker/);
});
