import { expect, test } from '@jest/globals';
import { suspectVariables, type VariableFacts, whyRefused, withVariables } from './variables.js';

const facts = (more: Partial<VariableFacts>): VariableFacts => ({
  user: {},
  closed: { CI: 'true', NO_COLOR: '1', LC_ALL: 'C' },
  ci: new Map(),
  read: new Set(),
  ...more,
});
const triedIn = (more: Partial<VariableFacts>): readonly unknown[] =>
  suspectVariables(facts(more)).tried.map(({ name, value, from }) => [name, value, from]);
const SAME = { CI: 'true', NO_COLOR: '1', LC_ALL: 'C' };

test('what the closed environment itself sets is tried as the user has it', () => {
  expect(triedIn({ user: { LC_ALL: 'de_DE.UTF-8' } })).toEqual([
    ['CI', undefined, 'user'],
    ['LC_ALL', 'de_DE.UTF-8', 'user'],
    ['NO_COLOR', undefined, 'user'],
  ]);
  expect(triedIn({ user: SAME })).toEqual([]);
});

test('a literal of the workflows is tried, before the value of the user', () => {
  const ci = new Map([
    ['TZ', 'America/New_York'],
    ['CI', 'true'],
    ['HOME', '/root'],
  ]);
  expect(triedIn({ user: { ...SAME, TZ: 'UTC' }, ci })).toEqual([['TZ', 'America/New_York', 'ci']]);
});

test('a literal of the workflows that looks like a secret is not tried, and only named', () => {
  const ci = new Map([
    ['NPM_TOKEN', `npm_${'a'.repeat(36)}`],
    ['PGPASSWORD', 'postgres'],
    ['PLAIN', `npm_${'b'.repeat(36)}`],
    ['LIMIT', '5'],
  ]);
  const { tried, untried, refused } = suspectVariables(facts({ user: { ...SAME, PLAIN: 'mine' }, ci, read: new Set(['PLAIN']) }));
  expect([tried.map(({ name }) => name), untried, refused]).toEqual([['LIMIT'], ['PLAIN'], ['NPM_TOKEN', 'PGPASSWORD', 'PLAIN']]);
});

test('of the user, only the time zone, the language and the terminal are tried: no path, no switch, nothing that could be secret', () => {
  const user = {
    ...SAME,
    TZ: 'UTC',
    LANG: 'sk_SK.UTF-8',
    LC_TOKEN: 'x',
    TERM: 'https://user:secret@example.com',
    DB_FILE: '/dev/null',
    KUBECONFIG: '/dev/null',
    DISPLAY: ':0',
    EDITOR: '/dev/null',
    DATABASE_URL: 'postgres://localhost/x',
    DEPLOY_TO_PRODUCTION: '1',
    NODE_ENV: 'production',
    HOME: '/dev/null',
    NPM_TOKEN: 'x',
    UNREAD: '/dev/null',
  };
  const read = new Set(Object.keys(user).filter((name) => name !== 'UNREAD'));
  expect(triedIn({ user, read })).toEqual([
    ['LANG', 'sk_SK.UTF-8', 'user'],
    ['TZ', 'UTC', 'user'],
  ]);
  const { untried, refused } = suspectVariables(facts({ user, read }));
  expect(untried).toEqual(['DATABASE_URL', 'DB_FILE', 'DEPLOY_TO_PRODUCTION', 'DISPLAY', 'EDITOR', 'KUBECONFIG', 'NODE_ENV']);
  expect(refused).toEqual(['LC_TOKEN', 'NPM_TOKEN', 'TERM']);
});

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
