import { describe, expect, test } from '@jest/globals';
import { DEFAULT_CONFIG } from '@tributary/model/config';
import { layOut, projectOf } from '../project.fixture.js';
import type { InstalledPeer, Monorepo } from '../project.js';
import { declarePhantoms } from './declare-phantoms.js';
import type { PhantomFinding } from './phantom.js';

const project = projectOf({
  manifests: {
    'packages/x': { name: 'x', dependencies: { c: '^1.0.0' }, devDependencies: { d: '^1.0.0' } },
    'packages/y': { name: 'y' },
    'packages/z': { name: 'z' },
  },
  importedPackages: { 'packages/y': { 'a@^1.0.0': '1.5.0' }, 'packages/x': { 'a@^2.0.0': '2.5.0', 'b@*': '3.0.0' } },
  files: {
    'packages/x/index.js': `require('a'); require('d'); require('y')`,
    'packages/x/test/a.js': `require('b')`,
    'packages/y/index.js': `require('a')`,
    'packages/y/.babelrc': '{{',
    'packages/z/index.js': `require('a')`,
  },
});

const PACKED_BY_YARN = { ...DEFAULT_CONFIG.migrate.internal, packer: 'yarn' } as const;

function say(finding: PhantomFinding): string {
  switch (finding.finding) {
    case 'phantom':
      return `${finding.importedPackage}: ${finding.package} ${finding.problem}`;
    case 'brought peer':
      return `${finding.importedPackage}: ${finding.name} ${finding.declared?.range ?? 'left'}, a peer of ${finding.of.join(' ') || 'itself'}`;
    case 'unread file':
      return `${finding.importedPackage}: ${finding.file} unread`;
  }
}

test('every imported package gets what its own lockfile had; others are left alone', () => {
  const { edits } = declarePhantoms(project, PACKED_BY_YARN);
  expect(Object.fromEntries(edits)).toEqual({
    'packages/y/package.json': layOut({ name: 'y', dependencies: { a: '^1.5.0' } }),
    'packages/x/package.json': layOut({
      name: 'x',
      dependencies: { a: '^2.5.0', c: '^1.0.0', y: 'workspace:^' },
      devDependencies: { b: '^3.0.0', d: '^1.0.0' },
    }),
  });
});

test('findings name the imported package, in the order in which they are merged', () => {
  const messages = declarePhantoms(project).findings.map(say);
  expect(messages).toEqual([
    'y: a third party',
    'y: packages/y/.babelrc unread',
    'x: a third party',
    'x: b third party',
    'x: d development only',
    'x: y workspace',
  ]);
});

test('the range between workspaces is as the team has it', () => {
  const { edits } = declarePhantoms(project, { range: 'workspace:*', convert: 'admitted', packer: 'yarn' });
  expect([...edits.values()].join('')).toContain('"y": "workspace:*"');
});

test('once all is declared nothing is left to do', () => {
  const { edits } = declarePhantoms(project);
  const manifests = Object.fromEntries(
    [...edits].map(([path, text]) => [path.replace('/package.json', ''), JSON.parse(text ?? '') as object]),
  );
  const files = Object.fromEntries(
    project.files.paths.filter((path) => path.endsWith('.js')).map((path) => [path, project.files.read(path) ?? '']),
  );
  const importedPackages = { 'packages/y': { 'a@^1.0.0': '1.5.0' }, 'packages/x': { 'a@^2.0.0': '2.5.0', 'b@*': '3.0.0' } };
  const again = declarePhantoms(projectOf({ manifests: { ...manifests, 'packages/z': { name: 'z' } }, importedPackages, files }));
  expect([...again.edits]).toEqual([]);
});

describe('peers that a package manager has brought', () => {
  function withPeers(manifest: object, peers: readonly InstalledPeer[], files: Readonly<Record<string, string>> = {}): Monorepo {
    const lock = Object.fromEntries(peers.map(({ name, version }) => [`${name}@*`, version]));
    const manifests = { x: { name: 'x', ...manifest }, near: { name: 'near', version: '2.0.0' } };
    const built = projectOf({ manifests, importedPackages: { x: lock }, files });
    return {
      ...built,
      importedPackages: built.importedPackages.map((one) => ({ ...one, oldLock: one.oldLock && { ...one.oldLock, kind: 'npm', peers } })),
    };
  }
  const own: InstalledPeer = { name: 'react', version: '18.2.0', reach: 'package', of: [] };
  const near: InstalledPeer = { name: 'near', version: '1.4.0', reach: 'dependency', of: ['tool@1.0.0'] };
  const behind: InstalledPeer = { name: 'react-dom', version: '18.0.0', reach: 'indirect', of: ['ink@3.0.0'] };
  const manifest = { peerDependencies: { react: '>=17' }, dependencies: { tool: '1' } };

  test('its own and those of its dependencies are declared for development, others are left', () => {
    const { edits, findings } = declarePhantoms(withPeers(manifest, [own, near, behind]));
    expect(findings.map(say)).toEqual([
      'x: react ^18.2.0, a peer of itself',
      'x: near ^1.4.0, a peer of tool@1.0.0',
      'x: react-dom left, a peer of ink@3.0.0',
    ]);
    const devDependencies = { near: '^1.4.0', react: '^18.2.0' };
    expect([...edits.values()]).toEqual([layOut({ name: 'x', ...manifest, devDependencies })]);
  });

  test('where code uses one, the place is told, and it is declared for development all the same', () => {
    const { edits, findings } = declarePhantoms(withPeers(manifest, [own], { 'x/src/index.js': '\nrequire("react");\n' }));
    expect(findings).toMatchObject([
      { finding: 'phantom', package: 'react', file: 'x/src/index.js', line: 2, declared: { block: 'devDependencies' } },
    ]);
    expect([...edits.values()].join('')).toContain('"devDependencies"');
  });

  test('what is a workspace is taken from there, and what it replaces is told', () => {
    const { findings } = declarePhantoms(withPeers(manifest, [near]), { range: 'workspace:^', convert: 'all', packer: 'yarn' });
    expect(findings).toMatchObject([{ declared: { range: 'workspace:^' }, change: { from: '1.4.0', to: '2.0.0', level: 'major' } }]);
  });

  test('once they are declared nothing is left to do', () => {
    const declared = { ...manifest, devDependencies: { react: '^18.2.0' } };
    expect(declarePhantoms(withPeers(declared, [own], { 'x/index.js': 'require("react");\n' })).findings).toEqual([]);
  });
});
