import { expect, test } from '@jest/globals';
import { suspectVariables, type VariableFacts, whyRefused, withVariables } from './variables.js';

const facts = (more: Partial<VariableFacts>): VariableFacts => ({
  user: {},
  closed: { CI: 'true', NO_COLOR: '1', LC_ALL: 'C' },
  ci: new Map(),
  read: new Set(),
  exists: (path) => path === '/usr/bin/chromium',
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

test('of the user, what describes the machine, a path on it and a switch that is read are tried, and nothing that could be secret', () => {
  const user = {
    ...SAME,
    TZ: 'UTC',
    CHROME_BIN: '/usr/bin/chromium',
    GONE: '/no/such/file',
    DATABASE_URL: 'postgres://localhost/x',
    SLOW: '1',
    FAST: '1',
    API_KEY: '1',
    KEY_FILE: '/usr/bin/chromium',
    HOME: '/usr/bin/chromium',
    NPM_TOKEN: 'x',
    PIN: '1',
    URL: 'https://user:secret@example.com',
  };
  const read = new Set(['GONE', 'DATABASE_URL', 'SLOW', 'API_KEY', 'NPM_TOKEN', 'PIN', 'URL', 'HOME', 'UNSET']);
  expect(triedIn({ user, read })).toEqual([
    ['CHROME_BIN', '/usr/bin/chromium', 'user'],
    ['SLOW', '1', 'user'],
    ['TZ', 'UTC', 'user'],
  ]);
  expect(suspectVariables(facts({ user, read })).untried).toEqual(['API_KEY', 'DATABASE_URL', 'GONE', 'NPM_TOKEN', 'PIN', 'URL']);
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
  ['CHROME_BIN', '/usr/bin/chromium', undefined],
  ['GIT_AUTHOR_NAME', 'Mara', undefined],
  ['KEYBOARD', 'de', undefined],
] as const)('%s=%s is refused as %s', (name, value, reason) => expect(whyRefused(name, value)).toBe(reason));

test('a change sets a variable or takes it out', () => {
  expect(withVariables({ A: '1', B: '2' }, { B: undefined, C: '3' })).toEqual({ A: '1', C: '3' });
});
