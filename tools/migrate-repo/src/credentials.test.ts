import { expect, test } from '@jest/globals';
import { holdsCredential, isCredential, setsCredential } from './credentials.js';

const HELD = [
  'https://s3cr3t@host.example/x.git',
  'git+https://user:s3cr3t@host.example/x.git#main',
  'ssh://user:s3cr3t@host.example/x.git',
  'https://host.example/x.tgz?token=s3cr3t',
  `ghp_${'a1B2'.repeat(9)}`,
  `curl -H "Authorization: token npm_${'a1B2'.repeat(9)}"`,
  `AKIA${'A1B2'.repeat(4)}`,
];

const NOT_HELD = [
  'ssh://git@host.example/x.git',
  'git+ssh://deploy@host.example/x.git',
  'https://host.example/@acme/x',
  'https://host.example/x?version=1',
  ['https://$', '{TOKEN}@host.example/x.git'].join(''),
  ['https://x-access-token:$', '{{ secrets.TOKEN }}@host.example/x.git'].join(''),
  'npm:@acme/x@^1.0.0',
  'someone@mail.example',
];

test.each(HELD)('%s has one', (text) => {
  expect(holdsCredential(text)).toBe(true);
});

test.each(NOT_HELD)('%s has none', (text) => {
  expect(holdsCredential(text)).toBe(false);
});

test('a key tells of one where it is written out', () => {
  expect(isCredential('publishConfig._authToken', 's3cr3t')).toBe(true);
  expect(isCredential('scripts.release', 'npm config set //host.example/:_authToken=s3cr3t')).toBe(true);
  expect(isCredential('dependencies.token', '^1.0.0')).toBe(false);
  expect(isCredential('publishConfig._authToken', '$NPM_TOKEN')).toBe(false);
});

test('a line of settings sets one', () => {
  expect(setsCredential('a=b\n//host.example/:_authToken=s3cr3t\n')).toBe(true);
  expect(setsCredential(['//host.example/:_authToken=$', '{NPM_TOKEN}\n'].join(''))).toBe(false);
});
