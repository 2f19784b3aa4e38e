import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { carry, type SettingsFixture } from './carry-settings.fixture.js';

describe('a version that is put in the place of others', () => {
  test('is said for what the imported package itself asks for, and by ranges that nobody else asks for', () => {
    const { root, own, findings } = carry({
      manifest: { dependencies: { lodash: '^4.0.0' }, resolutions: { lodash: '4.17.15' } },
      lock: { 'lodash@^4.0.0': '4.17.15', 'lodash@^4.5.0': '4.17.15' },
      rootLock: { 'lodash@^3.0.0': '3.10.1' },
    });
    expect(root).toEqual({ 'new/lodash': '4.17.15', 'lodash@npm:^4.0.0': '4.17.15', 'lodash@npm:^4.5.0': '4.17.15' });
    expect(own?.['resolutions']).toBeUndefined();
    expect(findings).toMatchObject([{ setting: 'resolutions.lodash', outcome: 'carried', decision: undefined }]);
  });

  test('is not said where others would get another version, and stays where it was', () => {
    const { edits, findings } = carry({
      manifest: { resolutions: { lodash: '4.17.15' } },
      lock: { 'lodash@^4.0.0': '4.17.15' },
      rootLock: { 'lodash@^4.0.0': '4.17.21' },
    });
    expect(edits.size).toBe(0);
    expect(findings[0]?.decision).toMatch(
      /^It would need an entry .*dependents that require \^4\.0\.0 would get 4\.17\.15 instead of 4\.17\.21/,
    );
  });

  test('needs no word where others get that version anyway', () => {
    const { root, own } = carry({
      manifest: { resolutions: { a: '1.0.0' } },
      lock: { 'a@^1.0.0': '1.0.0' },
      rootLock: { 'a@^1.0.0': '1.0.0' },
    });
    expect(root).toBeUndefined();
    expect(own).toEqual({ name: 'new' });
  });

  test('is for nobody where the lockfile does not tell who asks: it would be for all that others bring', () => {
    const fixture: SettingsFixture = { manifest: { resolutions: { a: '1.0.0' } }, lock: { 'a@1.0.0': '1.0.0' }, lockKind: 'yarn' };
    expect(carry(fixture).root).toBeUndefined();
    expect(carry(fixture).findings[0]?.decision).toContain('an entry for all would also apply to other packages');
    expect(carry({ ...fixture, rootLock: { 'a@^2.0.0': '2.0.0' } }).findings[0]?.decision).toContain('its lockfile does not show');
    expect(carry({ ...fixture, rootLock: 'none' }).findings[0]?.decision).toContain('no lockfile');
  });

  test('is for those who ask, so that it holds for nobody who comes later', () => {
    const overrides = { rope: '1.0.0', 'knot@^2.0.0': '2.0.1' };
    const lock = { 'rope@^1.0.0': '1.2.0', 'hook@^1.0.0': '1.0.0', 'reel@^3.0.0': '3.0.0' };
    const askers = { rope: ['hook@1.0.0 ^1.0.0', 'reel@3.0.0 ^1.0.0'], knot: ['reel@3.0.0 ^2.0.0', 'hook@1.0.0 ^1.0.0'] };
    expect(carry({ manifest: { overrides }, lock, askers, rootLock: { 'hook@^0.9.0': '0.9.0' } }).root).toEqual({
      'hook@npm:1.0.0/rope': '1.0.0',
      'reel/rope': '1.0.0',
      'reel/knot@npm:^2.0.0': '2.0.1',
    });
    const shared = carry({ manifest: { overrides: { rope: '1.0.0' } }, lock, askers, rootLock: { 'hook@^1.0.0': '1.0.0' } });
    expect([shared.root, shared.findings[0]?.decision]).toEqual([
      { 'reel/rope': '1.0.0' },
      expect.stringContaining('other packages have hook 1.0.0 too'),
    ]);
  });

  test('is said through who asks, by the version that the imported package alone has', () => {
    const resolutions = { 'express/debug': '2.0.0', '**/koa/debug': '3.0.0' };
    const lock = { 'express@^4.0.0': '4.16.0', 'koa@^2.0.0': '2.1.0' };
    expect(carry({ manifest: { resolutions }, lock, rootLock: { 'express@^4.1.0': '4.18.0' } }).root).toEqual({
      'express@npm:4.16.0/debug': '2.0.0',
      'koa/debug': '3.0.0',
    });
    const shared = carry({ manifest: { resolutions }, lock, rootLock: { 'express@^4.1.0': '4.16.0' } });
    expect(shared.root).toEqual({ 'koa/debug': '3.0.0' });
    expect(shared.own?.['resolutions']).toEqual({ 'express/debug': '2.0.0' });
    expect(shared.findings[0]?.decision).toContain('other packages have express 4.16.0 too');
  });

  test('the overrides of npm, one level deep and by ranges', () => {
    const { root, own, findings } = carry({
      manifest: {
        devDependencies: { a: '^1.0.0' },
        overrides: { a: '$a', 'b@^1.0.0': '1.0.5', c: { '.': '2.0.0', d: '3.0.0', e: { f: '1.0.0' } } },
      },
      lock: { 'b@~1.0.0': '1.0.5', 'b@^2.0.0': '2.0.0', 'c@*': '2.0.0' },
      lockKind: 'npm',
    });
    expect(root).toEqual({ 'new/a': '^1.0.0', 'b@npm:~1.0.0': '1.0.5', 'c@npm:*': '2.0.0', 'c/d': '3.0.0' });
    expect(own?.['overrides']).toEqual({ c: { e: { f: '1.0.0' } } });
    expect(findings.map(({ setting, outcome }) => [setting, outcome])).toEqual([
      ['overrides.a', 'carried'],
      ['overrides.b@^1.0.0', 'carried'],
      ['overrides.c..', 'carried'],
      ['overrides.c.d', 'carried'],
      ['overrides.c.e.f', 'left'],
    ]);
  });

  test('the overrides of pnpm, in the manifest and in a file of their own', () => {
    const { root, own, findings } = carry({
      manifest: { pnpm: { overrides: { 'a>b': '1.0.0', gone: '-' } } },
      files: { 'pnpm-workspace.yaml': 'overrides:\n  c: 2.0.0\n' },
    });
    expect(root).toEqual({ 'a/b': '1.0.0' });
    expect(own?.['pnpm']).toEqual({ overrides: { gone: '-' } });
    expect(findings.find(({ setting }) => setting === 'pnpm.overrides.gone')?.decision).toContain('cannot leave a dependency out');
  });

  test('one for all versions within a range is left to a person where the lockfile does not tell who asks', () => {
    const { edits, findings } = carry({
      manifest: { pnpm: { overrides: { 'a@<2': '2.0.0' } } },
      lock: { 'b@^1.0.0': '1.0.0' },
      lockKind: 'pnpm',
    });
    expect(edits.size).toBe(0);
    expect(findings[0]?.decision).toContain('all within <2');
  });

  test('what the root says otherwise holds', () => {
    const root = { resolutions: { a: '2.0.0' } };
    const { edits, findings } = carry({ manifest: { dependencies: { a: '^1.0.0' }, resolutions: { a: '1.0.0' } }, root });
    expect(edits.size).toBe(0);
    expect(findings[0]?.decision).toContain('the root sets a different a for all workspaces');
    expect(carry({ manifest: { resolutions: { a: '2.0.0' } }, root }).findings[0]).toMatchObject({ outcome: 'equal', decision: undefined });
  });

  test('a path is not carried over: it would be another one', () => {
    expect(carry({ manifest: { resolutions: { a: 'link:./a' } } }).findings[0]?.decision).toContain('path');
  });

  test('never changes what another workspace has, and a second time changes nothing', () => {
    const names = fc.constantFrom('a', 'b');
    const ranges = fc.constantFrom('^1.0.0', '~1.0.0', '1.0.0', '*');
    const versions = fc.constantFrom('1.0.0', '1.0.1', '1.1.0');
    const lock = fc.dictionary(
      fc.tuple(names, ranges).map(([name, range]) => `${name}@${range}`),
      versions,
    );
    const pattern = fc.oneof(
      names,
      fc.tuple(names, names).map((both) => both.join('/')),
      fc.tuple(names, ranges).map(([name, range]) => `${name}@npm:${range}`),
    );
    fc.assert(
      fc.property(
        lock,
        lock,
        fc.dictionary(pattern, versions),
        fc.dictionary(names, ranges),
        (own, rootLock, resolutions, dependencies) => {
          const fixture: SettingsFixture = { manifest: { dependencies, resolutions }, lock: own, rootLock };
          const { root = {}, edits } = carry(fixture);
          for (const [key, to] of Object.entries(root as Record<string, string>)) {
            const [, parent, parentVersion, name = '', range] = /^(?:([^/@]+)(?:@npm:([^/]+))?\/)?([^/@]+)(?:@npm:(.+))?$/.exec(key) ?? [];
            const others = Object.entries(rootLock).filter(([request]) => request.startsWith(`${name}@`));
            if (parent === 'new') continue;
            const askers = Object.entries(rootLock).filter(
              ([request, version]) => request.startsWith(`${parent}@`) && (parentVersion ?? version) === version,
            );
            const changed =
              parent !== undefined
                ? askers
                : others.filter(([request, version]) => (range === undefined || request === `${name}@${range}`) && version !== to);
            expect([key, to, changed]).toEqual([key, to, []]);
          }
          const left = edits.get('packages/new/package.json');
          const again = carry({
            ...fixture,
            manifest: left === undefined ? (fixture.manifest ?? {}) : (JSON.parse(left) as object),
            root: { resolutions: root },
          });
          expect([...again.edits]).toEqual([]);
        },
      ),
    );
  });
});

describe('patches', () => {
  test('are named from the folder of the package, and from the root in its resolutions', () => {
    const { own, root } = carry({
      manifest: {
        dependencies: { a: 'patch:a@npm%3A1.0.0#~/.yarn/patches/a.patch' },
        resolutions: { 'b@npm:^1.0.0': 'patch:b@npm%3A1.0.0#~/.yarn/patches/b.patch', c: 'patch:c@npm%3A1.0.0#./.yarn/patches/c.patch' },
      },
      files: { '.yarn/patches/a.patch': '', '.yarn/patches/b.patch': '', '.yarn/patches/c.patch': '' },
    });
    expect(own?.['dependencies']).toEqual({ a: 'patch:a@npm%3A1.0.0#./.yarn/patches/a.patch' });
    expect(root).toEqual({
      'b@npm:^1.0.0': 'patch:b@npm%3A1.0.0#~/packages/new/.yarn/patches/b.patch',
    });
  });

  test("nested ones, optional ones, Yarn's own, and one that is missing", () => {
    const { own, findings } = carry({
      manifest: {
        dependencies: {
          a: 'patch:a@patch%3Aa@npm%253A1.0.0%23~/p/one.patch#optional!~/p/two.patch',
          b: 'patch:b@npm%3A1.0.0#optional!builtin<compat/b>',
        },
      },
      files: { 'p/one.patch': '' },
    });
    expect(own?.['dependencies']).toEqual({
      a: 'patch:a@patch%3Aa@npm%253A1.0.0%23./p/one.patch#optional!./p/two.patch',
      b: 'patch:b@npm%3A1.0.0#optional!builtin<compat/b>',
    });
    expect(findings.find(({ outcome }) => outcome === 'left')?.decision).toContain('p/two.patch');
  });

  test('those of patch-package and of pnpm are left to a person', () => {
    const { findings, edits } = carry({
      manifest: {
        devDependencies: { 'patch-package': '^8.0.0' },
        pnpm: { patchedDependencies: { 'c@1.0.0': 'patches/c.patch' } },
        patchedDependencies: { 'd@1.0.0': 'patches/d.patch' },
      },
      files: { 'patches/@x+a+1.0.0.patch': '' },
    });
    expect(edits.size).toBe(0);
    expect(findings.map(({ decision }) => decision)).toEqual([
      expect.stringContaining('yarn patch c@1.0.0'),
      expect.stringContaining('yarn patch d@1.0.0'),
      expect.stringContaining('yarn patch @x/a@1.0.0'),
    ]);
  });

  test('overrides of a former root are named only where their dependents and dependencies concern the package', () => {
    const overrides = { 'site>c': '-', 'c>gone': '-', 'site>c@1': '1.0.0', 'c>d': '-' };
    const { root, findings } = carry({ former: { pnpm: { overrides } }, lock: { 'c@^1.0.0': '1.0.0', 'd@^1.0.0': '1.0.0' } });
    expect(findings.map(({ setting }) => setting)).toEqual(['pnpm.overrides.c>d']);
    expect(root).toBeUndefined();
  });

  test('those of a former root that uses pnpm are named where they concern the package', () => {
    const patchedDependencies = { 'c@1.0.0': 'patches/c.patch', '@x/d': 'patches/d.patch' };
    const { findings } = carry({ former: { pnpm: { patchedDependencies } }, lock: { 'c@^1.0.0': '1.0.0' } });
    expect(findings.map(({ file, setting }) => [file, setting])).toEqual([
      ['package.json of the former root', 'patchedDependencies.c@1.0.0'],
    ]);
  });
});

describe('packageExtensions', () => {
  const files = { '.yarnrc.yml': 'nodeLinker: pnp\npackageExtensions:\n  "a@^1.0.0":\n    dependencies:\n      b: "*"\n' };

  test('go to the root where nobody else has the package, and its comments stay', () => {
    const yarnrc = '# Ours.\npackageExtensions:\n  # why\n  x@*:\n    dependencies:\n      y: "1"\n';
    const { edits } = carry({ files, rootFiles: { '.yarnrc.yml': yarnrc }, rootLock: { 'a@^2.0.0': '2.0.0' } });
    expect(edits.get('.yarnrc.yml')).toBe(`${yarnrc}  a@^1.0.0:\n    dependencies:\n      b: "*"\n`);
  });

  test('are left to a person where others would be extended, or the root says something else', () => {
    expect(carry({ files, rootLock: { 'a@^1.0.0': '1.2.0' } }).findings[0]?.decision).toContain('other packages have a 1.2.0');
    const rootFiles = { '.yarnrc.yml': 'packageExtensions:\n  "a@^1.0.0":\n    dependencies:\n      c: "*"\n' };
    expect(carry({ files, rootFiles }).findings[0]?.decision).toContain('a different entry for it');
    expect(carry({ files, rootFiles: files }).findings).toMatchObject([{ outcome: 'equal' }]);
  });

  test('of pnpm get a range, and stay where Yarn cannot have them', () => {
    const packageExtensions = { '@x/a': { peerDependencies: { b: '*' } } };
    const { edits } = carry({ manifest: { pnpm: { packageExtensions } } });
    expect(edits.get('.yarnrc.yml')).toBe('packageExtensions:\n  "@x/a@*":\n    peerDependencies:\n      b: "*"\n');
    const inWorkspace = carry({
      files: { 'pnpm-workspace.yaml': 'packageExtensions:\n  a@1:\n    optionalDependencies:\n      b: "*"\n' },
    });
    expect(inWorkspace.edits.get('.yarnrc.yml')).toBeUndefined();
    expect(inWorkspace.findings).toMatchObject([{ file: 'pnpm-workspace.yaml', setting: 'packageExtensions.a@1', outcome: 'left' }]);
  });
});

describe('catalogs', () => {
  const files = { '.yarnrc.yml': 'catalog:\n  a: ^1.0.0\ncatalogs:\n  old:\n    b: ^2.0.0\n' };

  test('go to those of the root where it has none for the package', () => {
    const { edits, findings } = carry({ files, rootFiles: { '.yarnrc.yml': 'catalog:\n  c: ^3.0.0 # why\n' } });
    expect(edits.get('.yarnrc.yml')).toBe('catalog:\n  c: ^3.0.0 # why\n  a: ^1.0.0\ncatalogs:\n  old:\n    b: ^2.0.0\n');
    expect(findings.map(({ setting, outcome }) => [setting, outcome])).toEqual([
      ['catalog.a', 'carried'],
      ['catalogs.old.b', 'carried'],
    ]);
  });

  test('are left to a person where the root has another range, or its Yarn knows none', () => {
    const manifest = { dependencies: { a: 'catalog:' } };
    const other = carry({ manifest, files, rootFiles: { '.yarnrc.yml': 'catalog:\n  a: ^1.2.0\n' } });
    expect(other.own).toBeUndefined();
    expect(other.findings[0]).toMatchObject({
      setting: 'catalog.a',
      outcome: 'left',
      decision: expect.stringContaining('the package uses it'),
    });
    for (const packageManager of ['yarn@4.9.0', undefined]) {
      const old = carry({ files, root: { packageManager } });
      expect(old.edits.size).toBe(0);
      expect(old.findings[0]?.decision).toContain('need Yarn 4.10 or later, and the root names no such Yarn');
    }
  });

  test.each(['^2.0.0', '^0.9.0', '*', '1', 'latest'])(
    'whose entry at the root is %s leave the range in the package.json that names them',
    (there) => {
      const manifest = {
        dependencies: { a: 'catalog:' },
        peerDependencies: { a: 'catalog:default' },
        devDependencies: { b: 'catalog:old' },
      };
      const own = { '.yarnrc.yml': files['.yarnrc.yml'].replace('^1.0.0', '^1.1.0') };
      const { own: now, edits, findings } = carry({ manifest, files: own, rootFiles: { '.yarnrc.yml': `catalog:\n  a: "${there}"\n` } });
      expect(now).toMatchObject({
        dependencies: { a: '^1.1.0' },
        peerDependencies: { a: '^1.1.0' },
        devDependencies: { b: 'catalog:old' },
      });
      expect(edits.get('.yarnrc.yml')).toContain(`a: "${there}"`);
      expect(findings[0]).toMatchObject({ setting: 'catalog.a', outcome: 'carried', decision: undefined });
    },
  );

  test('the default one of pnpm is the one without a name', () => {
    const { edits } = carry({ files: { 'pnpm-workspace.yaml': 'catalogs:\n  default:\n    a: ^1.0.0\n' } });
    expect(edits.get('.yarnrc.yml')).toBe('catalog:\n  a: ^1.0.0\n');
  });
});

describe('registries', () => {
  test.each([
    ['.yarnrc.yml', 'npmScopes:\n  acme:\n    npmRegistryServer: "https://npm.acme.example/pkgs"\n    npmAlwaysAuth: true\n'],
    ['.npmrc', '@acme:registry=https://npm.acme.example/pkgs\n'],
    ['.yarnrc', '"@acme:registry" "https://npm.acme.example/pkgs"\n'],
  ])('%s: a scope is proposed, and nothing is written', (file, text) => {
    const { edits, findings } = carry({ files: { [file]: text } });
    expect(edits.size).toBe(0);
    const finding = findings.find(({ setting }) => setting === 'registry of @acme');
    expect(finding).toMatchObject({
      file,
      outcome: 'proposed',
      decision: expect.stringContaining('(`npmScopes.acme.npmRegistryServer`, at `npm.acme.example`)'),
    });
  });

  test('one that the root has already is not asked for again', () => {
    const rootFiles = { '.yarnrc.yml': 'npmScopes:\n  acme:\n    npmRegistryServer: "https://npm.acme.example/pkgs"\n' };
    const { findings } = carry({ files: { '.npmrc': '@acme:registry=https://npm.acme.example/pkgs\n' }, rootFiles });
    expect(findings).toMatchObject([{ outcome: 'equal', decision: undefined }]);
  });

  test('only settings that install something else than Yarn are told by name', () => {
    const same = 'legacy-peer-deps=true\nfund=false\nengine-strict = true\nsave-exact=true\nignore-scripts=true\n';
    const { findings } = carry({ files: { '.npmrc': `${same}omit=optional\nauto-install-peers = true\n` } });
    expect(findings.map(({ setting }) => setting)).toEqual(['omit', 'auto-install-peers']);
    // Yarn does not install peers either.
    expect(carry({ files: { '.npmrc': 'auto-install-peers=false\n' } }).findings).toEqual([]);
  });
});

describe('what else Yarn was told', () => {
  test('another linker, plugins that the root does not have, and settings by name alone', () => {
    const { findings } = carry({
      files: {
        '.yarnrc.yml':
          'nodeLinker: node-modules\nenableScripts: false\nplugins:\n  - path: .yarn/plugins/@yarnpkg/plugin-workspace-tools.cjs\n  - .yarn/plugins/plugin-own.cjs\nyarnPath: .yarn/releases/yarn-4.0.0.cjs\n',
      },
    });
    expect(findings.map(({ setting, decision }) => [setting, decision])).toEqual([
      ['nodeLinker', expect.stringContaining('the monorepo uses pnp, the package used node-modules')],
      ['plugins: plugin-own', expect.stringContaining('plugins run for all workspaces')],
      ['enableScripts', expect.stringContaining('the root does not set it')],
    ]);
  });

  test('nothing is said of an imported package without such files', () => {
    expect(carry({ manifest: { dependencies: { a: '1' } } })).toMatchObject({ findings: [], edits: new Map() });
  });
});
