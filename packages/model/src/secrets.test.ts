import { describe, expect, test } from '@jest/globals';
import { holdsToken, looksSecret, maskFor } from './secrets.js';

// Put together here: services scan public repositories for tokens of their own forms.
const GITHUB = `ghs_${'0123456789abcdefghijABCDEFGHIJ012345'}`;
const NPM = `npm_${'zyxwvutsrqponmlkjihgfedcba9876543210'}`;
const PASSWORD = 'S3cr3t/Pass+word=="quoted"&x';

describe('what looks like a secret', () => {
  test.each(['NPM_TOKEN', 'DB_PASS', 'AWS_SECRET_ACCESS_KEY', 'SENTRY_DSN', 'npm_config__auth', 'SIGNING_KEY', 'CI_JOB_JWT'])(
    '%s',
    (name) => {
      expect(looksSecret(name, undefined)).toBe(true);
    },
  );

  test.each(['PATH', 'GIT_AUTHOR_NAME', 'KEYBOARD', 'TURBO_TEAM', 'LANG'])('%s does not by its name', (name) => {
    expect(looksSecret(name, 'x')).toBe(false);
  });

  test.each(['https://me:pass@host.example', 'Bearer abc', `x ${GITHUB}`])('the value "%s"', (value) => {
    expect(looksSecret('PLAIN', value)).toBe(true);
  });
});

describe('the mask', () => {
  const mask = maskFor({ GITHUB_TOKEN: GITHUB, DB_PASSWORD: PASSWORD, SHORT_SECRET: 'hunter2', DEBUG_TOKEN: 'true', HOME: '/srv/me' });
  const base64 = (text: string): string => Buffer.from(text).toString('base64');

  test.each([
    ['as it is', `a ${PASSWORD} b`, 'a *** b'],
    ['twice', `${GITHUB}${GITHUB} ${GITHUB}`, '*** ***'],
    ['JSON-escaped', JSON.stringify({ a: PASSWORD }), '{"a":"***"}'],
    ['URL-encoded', `?p=${encodeURIComponent(PASSWORD)}&q`, '?p=***&q'],
    ['in base64', `(${base64(PASSWORD)})`, /^\(\*\*\*.{0,3}\)$/],
    ['in base64, behind one character', base64(`u${PASSWORD}`), /^.{2}\*\*\*.{0,3}$/],
    ['in base64, behind two', base64(`u:${PASSWORD}`), /^.{3}\*\*\*.{0,3}$/],
    ['in base64, for URLs', Buffer.from(`x:${GITHUB}`).toString('base64url'), /^.{2,3}\*\*\*.{0,3}$/],
    ['cut at its end', `token ${GITHUB.slice(0, 15)}`, 'token ***'],
    ['cut at its start', `${GITHUB.slice(-13)} was`, '*** was'],
    ['short, as a whole', 'password hunter2!', 'password ***!'],
    ['but not a word that is no secret', 'true is /srv/me', 'true is /srv/me'],
    ['and tokens that no variable has', `npm: ${NPM}, ${NPM.slice(0, 24)}`, 'npm: ***, ***'],
    ['and headers', "headers: { authorization: 'token abc', Accept: 'x' }", "headers: { authorization: '***', Accept: 'x' }"],
    ['and headers as text', 'Authorization: Basic YTpi\nHost: x', 'Authorization: ***\nHost: x'],
    ['and headers in escaped JSON', '"{\\"Authorization\\":\\"Bearer abc\\"}"', '"{\\"Authorization\\":\\"***\\"}"'],
    [
      'and logins in addresses',
      'from redis://:pa55@db.example, postgres://me:pa55@db.example/x',
      'from redis://***@db.example, postgres://***@db.example/x',
    ],
    ['and private keys', 'k -----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- l', 'k *** l'],
    ['and private keys that are cut', 'k -----BEGIN PRIVATE KEY-----\\nMIIE', 'k ***'],
  ])('replaces a value %s', (_, text, masked) => {
    expect(mask(text)).toEqual(typeof masked === 'string' ? masked : expect.stringMatching(masked));
    expect(mask(mask(text))).toBe(mask(text));
  });

  test('leaves text without secrets', () => {
    const text =
      'Expected: "Basic authentication" in packages/auth/token.test.ts:12 of ***, http://localhost:3000/@scope/x?a=b:c@d, npm:x@1';
    expect(mask(text)).toBe(text);
  });

  test('takes each line of a value for a secret', () => {
    expect(maskFor({ DEPLOY_KEY: 'first line 1\nsecond line 2' })('x second line 2 y')).toBe('x *** y');
  });

  test('takes only lines that look secret for secrets, if the name of the variable is innocent', () => {
    const mask = maskFor({ BUILDKITE_MESSAGE: 'Use https://me:pa55word@host.example\n\npassed\nexpected 1' });
    expect(mask('passed, expected 1, https://me:pa55word@host.example')).toBe('passed, expected 1, https://***@host.example');
  });

  test.each(['://a:', '-eyJ', '-SG.aaaaaaaaaa', `${'a'.repeat(7)}\n`])('a variable and a text of nothing but "%s" take no time', (text) => {
    const hostile = text.repeat(130_000 / text.length);
    // Backtracking would take longer than the test may.
    const mask = maskFor({ BUILDKITE_MESSAGE: `${hostile} https://me:pa55word@host.example` });
    expect(mask(hostile.slice(0, 20_000))).not.toBe('');
  });

  test('knows the variables that Buildkite redacts', () => {
    const environment = {
      BUILDKITE_REDACTED_VARS: '*_TOKEN, *_ANSWER,EXACT,PRE_*,*MID*',
      THE_ANSWER: 'forty-two',
      EXACT: 'precise',
      PRE_X: 'prefixed',
      A_MIDDLE: 'in-the-middle',
    };
    expect(maskFor(environment)('forty-two precise prefixed in-the-middle')).toBe('*** *** *** ***');
  });

  test('leaves a path apart from the whole of it', () => {
    expect(maskFor({ SSH_AUTH_SOCK: '/tmp/ssh-1234567890/agent.1' })('/tmp/ssh-1234567890/x and /tmp/ssh-1234567890/agent.1')).toBe(
      '/tmp/ssh-1234567890/x and ***',
    );
  });
});

test('a token is known by its form', () => {
  expect([GITHUB, NPM, 'a sk_live_123', `eyJ${'a'.repeat(12)}.eyJ${'b'.repeat(12)}.c`].map(holdsToken)).toEqual([true, true, false, true]);
});
