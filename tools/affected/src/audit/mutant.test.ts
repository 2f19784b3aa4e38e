import { describe, expect, test } from '@jest/globals';
import type { WorkspaceName } from '@tributary/model/ids';
import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import { buildGraph } from '@tributary/workspaces/dependency-graph';
import { Draw } from './draw.js';
import { changedText, drawMutant, type Mutant, placeOf, type Targets, targetFiles } from './mutant.js';
import { mutateText } from './mutate.js';

/** Every line that some seed makes of one. */
function changesOf(path: string, line: string): readonly string[] {
  const made = Array.from({ length: 60 }, (_, seed) => mutateText(path, line, new Draw(seed, '1'))?.after ?? '');
  return [...new Set(made)].sort();
}

describe('a changed line', () => {
  test.each<[path: string, line: string, changes: readonly string[]]>([
    [
      'a.ts',
      'if (a === 1 && b) return a + 2;',
      [
        'if (a !== 1 && b) return a + 2;',
        'if (a === 1 && b) return a + 3;',
        'if (a === 1 && b) return a - 2;',
        'if (a === 1 && b) return void a + 2;',
        'if (a === 1 || b) return a + 2;',
        'if (a === 2 && b) return a + 2;',
      ],
    ],
    ['a.js', "import x from 'module';", ['']],
    ['a.js', "f('left', true);", ["f('left', false);", "f('left~', true);"]],
    ['a.js', '// return 1', ['']],
    ['a.json', '  "size": 7,', ['  "size": 8,']],
    ['a.json', '  "name": "x",', ['  "name": "x~",']],
    ['Makefile', 'all: build', ['all: build~', 'all~: build']],
  ])('of %s: %s', (path, line, changes) => {
    expect(changesOf(path, line)).toEqual(changes);
  });

  test('is one of many, and the rest stays', () => {
    const text = 'a\n// 1\nreturn 2;\n';
    const change = mutateText('x.js', text, new Draw(1, '1'));
    expect(change).toMatchObject({ line: 3, before: 'return 2;', after: expect.stringMatching(/^return (3|void 2);$/) });
    expect(mutateText('x.js', '\n\n', new Draw(1, '1'))).toBeUndefined();
  });
});

const LOCK = `__metadata:\n  version: 8\n\n"left@npm:^1.0.0":\n  version: 1.2.3\n  resolution: "left@npm:1.2.3"\n\n"other@npm:^1.0.0":\n  version: 1.2.3\n  resolution: "other@npm:1.2.3"\n`;

describe('a mutant', () => {
  const members = ['', 'packages/a', 'packages/b'].map((path) => ({ name: (path || 'root') as WorkspaceName, path: path as RepoFolder }));
  const graph = buildGraph(members, []);
  const tracked = [
    'package.json',
    'yarn.lock',
    'turbo.json',
    '.npmrc',
    'README.md',
    'setup.js',
    'packages/a/x.ts',
    'packages/a/x.test.ts',
    'packages/a/package.json',
    'packages/a/fixtures/y.ts',
    'packages/b/data.json',
    'packages/b/.hidden.js',
  ];
  const files = targetFiles(tracked as RepoPath[], graph);
  const texts: Readonly<Record<string, string>> = {
    'yarn.lock': LOCK,
    'setup.js': '1;\n',
    'packages/a/x.ts': '1;\n',
    'packages/a/fixtures/y.ts': '1;\n',
    'packages/b/data.json': '1\n',
  };
  const targets: Targets = { files, packages: [{ name: 'left', version: '1.2.3' }], observed: undefined, read: (path) => texts[path] };

  test('is of a file whose change a test may notice', () => {
    expect(files).toEqual({
      source: ['packages/a/x.ts'],
      data: ['packages/a/fixtures/y.ts', 'packages/b/data.json'],
      support: ['setup.js'],
    });
  });

  test('is the same for the same seed and number, and of every kind', () => {
    const drawn = (seed: number) => Array.from({ length: 80 }, (_, at) => drawMutant(targets, new Draw(seed, String(at))));
    expect(drawn(1)).toEqual(drawn(1));
    expect(drawn(1)).not.toEqual(drawn(2));
    expect(new Set(drawn(1).map((one) => one?.kind))).toEqual(new Set(['source', 'data', 'support', 'package']));
  });

  test('is rarely of a file that no test is known to read', () => {
    const files = new Set(['packages/b/data.json']);
    const observed = { files, packages: new Set<string>() };
    const drawn = Array.from({ length: 200 }, (_, at) => drawMutant({ ...targets, packages: [], observed }, new Draw(1, String(at)))?.file);
    const unread = drawn.filter((file) => file !== undefined && !files.has(file)).length;
    expect(unread).toBeGreaterThan(20);
    expect(unread).toBeLessThan(140);
  });

  test('is rarely of a package that no test is known to use', () => {
    const countOf = (...used: readonly string[]): number => {
      const observed = { files: new Set<string>(), packages: new Set(used) };
      const drawn = Array.from({ length: 200 }, (_, at) => drawMutant({ ...targets, observed }, new Draw(1, String(at))));
      return drawn.filter((one) => one?.kind === 'package').length;
    };
    expect(countOf('left')).toBeGreaterThan(2 * countOf());
  });

  test('changes the version in the entry of the package alone', () => {
    const only = { ...targets, files: { source: [], data: [], support: [] } };
    const mutant = drawMutant(only, new Draw(1, '1'));
    expect(mutant).toMatchObject({ kind: 'package', file: 'yarn.lock', line: null, after: 'left 1001.2.3', breaks: { name: 'left' } });
    const changed = 'version: 1001.2.3\n  resolution: "left@npm:1001.2.3"';
    const text = LOCK.replace('version: 1.2.3\n  resolution: "left@npm:1.2.3"', changed);
    expect(mutant === undefined ? '' : changedText(LOCK, mutant)).toBe(text);
  });

  test('is none where nothing can be changed', () => {
    expect(drawMutant({ ...targets, packages: [], read: () => undefined }, new Draw(1, '1'))).toBeUndefined();
    expect(drawMutant({ ...targets, packages: [], files: { source: [], data: [], support: [] } }, new Draw(1, '1'))).toBeUndefined();
  });
});

describe('changes at once', () => {
  const change = (file: string, line: number, after: string): Mutant => {
    return { kind: 'source', file: file as RepoPath, line, before: '', after, breaks: undefined };
  };

  test('are of different places', () => {
    const [one, same, other, next] = [change('a', 1, 'x'), change('a', 1, 'y'), change('b', 1, 'x'), change('a', 2, 'z')];
    expect([one, same, other, next].map(placeOf)).toEqual(['a 1', 'a 1', 'b 1', 'a 2']);
    expect([one, next].reduce(changedText, '1\n2\n3')).toBe('x\nz\n3');
  });

  test('of packages are made in one lockfile', () => {
    const packages = ['left', 'other'].map((name): Mutant => {
      return { kind: 'package', file: 'yarn.lock' as RepoPath, line: null, before: '', after: '', breaks: { name, version: '1.2.3' } };
    });
    expect(packages.map(placeOf)).toEqual(['yarn.lock left', 'yarn.lock other']);
    expect(packages.reduce(changedText, LOCK)).toBe(LOCK.replaceAll(/(version: |npm:)1\.2\.3/g, '$11001.2.3'));
  });
});
