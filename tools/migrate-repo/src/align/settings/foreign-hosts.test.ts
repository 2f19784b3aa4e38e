import { expect, test } from '@jest/globals';
import type { Monorepo } from '../project.js';
import { carrySettings } from '../settings.js';
import { settingsFixture } from './settings.fixture.js';

/** Returns a project whose imported package has a lockfile with packages from these hosts. */
function fixtureWith(hosts: Readonly<Record<string, readonly string[]>>, rootYarnrc = ''): Monorepo {
  const project = settingsFixture({ lock: { 'lib@1': '1.0.0' }, rootFiles: { '.yarnrc.yml': rootYarnrc } });
  const importedPackages = project.importedPackages.map((one) => ({
    ...one,
    oldLock: one.oldLock && { ...one.oldLock, hosts: new Map(Object.entries(hosts)) },
  }));
  return { ...project, importedPackages };
}

function decided(project: Monorepo): readonly string[] {
  return carrySettings(project).findings.flatMap(({ setting, decision }) =>
    decision === undefined ? [] : [`${setting}: ${decision.detail ?? ''}`],
  );
}

const HOSTS = { 'npm.corp.example:8443': ['@corp/ui', 'left-pad', 'new', 'root'], 'other.example': ['@other/kit'] };

test('each host that the root does not ask, with the packages that came from there; workspaces come from none', () => {
  expect(decided(fixtureWith(HOSTS))).toEqual(['npm.corp.example:8443: @corp/ui, left-pad', 'other.example: @other/kit']);
});

test.each([
  ['npmRegistryServer: https://npm.corp.example:8443/npm/\n', ['other.example: @other/kit']],
  [
    'npmScopes:\n  corp:\n    npmRegistryServer: "https://user:word@npm.corp.example:8443"\n',
    ['npm.corp.example:8443: left-pad', 'other.example: @other/kit'],
  ],
  [
    'npmRegistryServer: https://npm.corp.example:8443\nnpmScopes:\n  corp:\n    npmRegistryServer: https://elsewhere.example\n',
    ['npm.corp.example:8443: @corp/ui', 'other.example: @other/kit'],
  ],
])('what the root asks for a package is not foreign: %j', (yarnrc, hosts) => {
  expect(decided(fixtureWith(HOSTS, yarnrc))).toEqual(hosts);
});

test('of many packages only the first are named', () => {
  const names = Array.from({ length: 30 }, (_, at) => `p${String(at).padStart(2, '0')}`);
  expect(decided(fixtureWith({ 'npm.corp.example': names }))).toEqual([
    'npm.corp.example: p00, p01, p02, p03, p04, p05, p06, p07 and 22 more',
  ]);
});
