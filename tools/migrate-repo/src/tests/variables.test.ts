import { expect, test } from '@jest/globals';
import { whyRefused, withVariables } from './variables.js';

test.each([
  ['GITHUB_TOKEN', 'x', 'secret'],
  ['NODE_AUTH_TOKEN', undefined, 'secret'],
  ['PGPASSWORD', 'x', 'secret'],
  ['npm_config__authToken', 'x', 'closed'],
  ['SSH_AUTH_SOCK', '/x', 'closed'],
  ['PATH', '/x', 'closed'],
  ['PLAIN', `ghp_${'a'.repeat(36)}`, 'secret'],
  ['PROXY', 'http://user:secret@example.com', 'secret'],
  ...['DB_PASS', 'PASS', 'MYSQLPASS', 'APIKEY', 'OPENAI_APIKEY', 'AWSACCESSKEY', 'AWS_CREDS', 'JWT', 'BEARER', 'OTP'].map(
    (name) => [name, 'x', 'secret'] as const,
  ),
  ...['AUTHORIZATION', 'HTTP_AUTHORIZATION', 'XAUTHORITY', 'DOCKER_AUTH_CONFIG'].map((name) => [name, 'x', 'secret'] as const),
  ...['sk_live_abcdefghijkl', 'sk-proj-abcdef', 'Bearer abc', 'basic eDp5', 'bob:hunter2@proxy:3128', 'postgres://bob:pa$s@db/x'].map(
    (value) => ['PLAIN', value, 'secret'] as const,
  ),
  ...['Server=x;User Id=u;Password=p;', 'server=x;pwd=p', 'AccountName=a;AccountKey=abc'].map(
    (value) => ['PLAIN', value, 'secret'] as const,
  ),
  ...['sk_SK.UTF-8', 'sk-SK', 'node:22@sha256:0123', 'postgres://db:5432/x', '@acme/ui', 'mara@example.com', 'desk-top-machine'].map(
    (value) => ['PLAIN', value, undefined] as const,
  ),
  ...['AUTHOR', 'PACKAGE_AUTHORS', 'PASSIVE', 'COMPASSES', 'KEYMAP'].map((name) => [name, 'x', undefined] as const),
  ['CHROME_BIN', '/usr/bin/chromium', undefined],
  ['GIT_AUTHOR_NAME', 'Mara', undefined],
  ['KEYBOARD', 'de', undefined],
] as const)('%s=%s is refused as %s', (name, value, reason) => expect(whyRefused(name, value)).toBe(reason));

test('a change sets a variable or takes it out', () => {
  expect(withVariables({ A: '1', B: '2' }, { B: undefined, C: '3' })).toEqual({ A: '1', C: '3' });
});
