import { describe, expect, test } from '@jest/globals';
import { carry } from './carry-settings.fixture.js';
import type { Edits } from './project.js';

describe('a credential', () => {
  const SECRETS = [
    'npm_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8',
    'ghp_0123456789abcdefABCDEF0123456789abcd',
    'c2VjcmV0OnNlY3JldA==',
    '0123456789abcdef0123456789abcdef',
    'glpat-Zx9_yW8vU7tS6rQ5pO4n',
    'hunter2-hunter2',
    'eyJhbGciOiJIUzI1NiJ9.e30.abc',
  ];
  const SHAPES: Readonly<Record<string, readonly [file: string, text: (secret: string) => string]>> = {
    'a token of npm': ['.npmrc', (secret) => `//host.example/:_authToken=${secret}\n`],
    'a token in quotes': ['.npmrc', (secret) => `//host.example/:_authToken = "${secret}"\n`],
    'an old token': ['.npmrc', (secret) => `_auth=${secret}\n`],
    'a password': ['.npmrc', (secret) => `//host.example/:_password=${secret}\n//host.example/:username=${secret}\n`],
    'a user of an address': ['.npmrc', (secret) => `@acme:registry=https://user:${secret}@host.example/\n`],
    'a user alone': ['.npmrc', (secret) => `registry=https://${secret}@host.example/\n`],
    'a query': ['.npmrc', (secret) => `@acme:registry=https://host.example/?token=${secret}\n`],
    'a line of its own': ['.npmrc', (secret) => `${secret}\nlegacy-peer-deps=${secret}\n`],
    'a token of Yarn': ['.yarnrc.yml', (secret) => `npmAuthToken: "${secret}"\n`],
    'an identity of Yarn': [
      '.yarnrc.yml',
      (secret) => `npmScopes:\n  acme:\n    npmAuthIdent: "user:${secret}"\n    npmRegistryServer: "https://host.example"\n`,
    ],
    'a token of a scope': [
      '.yarnrc.yml',
      (secret) => `npmScopes:\n  acme:\n    npmRegistryServer: "https://a:${secret}@host.example"\n    npmAuthToken: ${secret}\n`,
    ],
    'a token of a registry': ['.yarnrc.yml', (secret) => `npmRegistries:\n  "//host.example":\n    npmAuthToken: ${secret}\n`],
    'a fallback of a variable': ['.yarnrc.yml', (secret) => `npmRegistryServer: "https://\${TOKEN:-${secret}}@host.example"\n`],
    'a file that is no YAML': ['.yarnrc.yml', (secret) => `npmAuthToken: *${secret}\n`],
    'an anchor': ['.yarnrc.yml', (secret) => `npmAuthToken: &x ${secret}\nnpmAuthIdent: *x\n`],
    'the address of a plugin': [
      '.yarnrc.yml',
      (secret) => `plugins:\n  - path: .yarn/plugins/p.cjs\n    spec: "https://user:${secret}@host.example/plugin.js"\n`,
    ],
    'the linker, by mistake': ['.yarnrc.yml', (secret) => `nodeLinker: ${secret}\n`],
    'Yarn 1': ['.yarnrc', (secret) => `"//host.example/:_authToken" "${secret}"\nregistry "https://u:${secret}@host.example"\n`],
  };

  test.each(Object.entries(SHAPES))('%s reaches neither an edit nor a finding', (_, [file, text]) => {
    for (const secret of SECRETS) {
      const { edits, findings } = carry({ files: { [file]: text(secret) } });
      expect(JSON.stringify([[...(edits as Edits)], findings])).not.toContain(secret);
    }
  });

  test.each([
    ['an override', (at: string) => ({ manifest: { dependencies: { a: '1' }, resolutions: { a: at } } })],
    ['a catalog', (at: string) => ({ files: { '.yarnrc.yml': `catalog:\n  a: "${at}"\n` } })],
    ['an extension', (at: string) => ({ files: { '.yarnrc.yml': `packageExtensions:\n  a@*:\n    dependencies:\n      b: "${at}"\n` } })],
  ])('in the address of %s, it stays where it is', (_, fixtureAt) => {
    for (const secret of SECRETS) {
      for (const at of [
        `https://u:${secret}@host.example/a.tgz`,
        `git+https://${secret}@host.example/a.git`,
        `https://host.example/a.tgz?access_token=${secret}`,
      ]) {
        const { edits, findings } = carry(fixtureAt(at));
        expect(JSON.stringify([[...edits], findings])).not.toContain(secret);
        expect(findings[0]?.decision).toContain('credential');
      }
    }
  });

  test('in the path of an address, the path is kept back, whatever it is', () => {
    for (const secret of SECRETS) {
      const { findings } = carry({ files: { '.npmrc': `@acme:registry=https://npm.host.example/${secret}/me/\n` } });
      expect(JSON.stringify(findings)).not.toContain(secret);
      expect(findings[0]?.decision).toContain('at `npm.host.example`');
    }
  });
});
