import { spawnSync } from 'node:child_process';
import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ToolError } from './errors.js';
import { type AbsolutePath, parseAbsolutePath } from './paths.js';
import { parseRepoUrl, type RepoUrl, redactUrls, reveal } from './repo-url.js';

const SECRET = 'S3CRET';

function resolveInSrv(path: string): AbsolutePath {
  return parseAbsolutePath(path.startsWith('/') ? path : `/srv/${path}`);
}

function parse(text: string): RepoUrl {
  return parseRepoUrl(text, resolveInSrv);
}

/** Returns a value printed in every way in which a person may see it. */
function everyPrintOf(value: unknown): string {
  const inError = new ToolError({ code: 'SOURCE_UNREACHABLE', message: `${value} is gone`, data: { source: value }, cause: value });
  return [
    String(value),
    `${value}`,
    JSON.stringify({ value }),
    JSON.stringify(inError),
    Object.values(value as object).join(' '),
    inspect({ ...(value as object) }, { showHidden: true }),
    ...[value, { value }, inError].map((one) => inspect(one, { showHidden: true, depth: 9, getters: true })),
    String(inError.stack),
  ].join('\n');
}

describe('an address is taken as it is', () => {
  const cases: readonly (readonly [text: string, kind: string, forGit: string])[] = [
    ['https://host.example/team/repo.git', 'remote', 'https://host.example/team/repo.git'],
    ['http://host.example:8080/repo', 'remote', 'http://host.example:8080/repo'],
    ['https://[::1]:8443/repo', 'remote', 'https://[::1]:8443/repo'],
    ['https://host.example/@scope/repo', 'remote', 'https://host.example/@scope/repo'],
    ['HTTPS://host.example/Repo', 'remote', 'https://host.example/Repo'],
    ['FILE:///srv/repo', 'remote', 'file:///srv/repo'],
    ['GIT+SSH://host.example/repo', 'remote', 'ssh://host.example/repo'],
    ['ssh://git@host.example:22/repo', 'remote', 'ssh://git@host.example:22/repo'],
    ['ssh://git@host.example/my repo', 'remote', 'ssh://git@host.example/my repo'],
    ['file:///srv/my repo', 'remote', 'file:///srv/my repo'],
    ['git@host.example:team/repo.git', 'remote', 'git@host.example:team/repo.git'],
    ['host.example:repo', 'remote', 'host.example:repo'],
    ['git@[::1]:repo', 'remote', 'git@[::1]:repo'],
    ['git+https://host.example/repo', 'remote', 'https://host.example/repo'],
    ['git+ssh://git@host.example/repo', 'remote', 'ssh://git@host.example/repo'],
    ['git+file:///srv/repo', 'remote', 'file:///srv/repo'],
    ['../repo', 'path', '/srv/../repo'],
    ['/srv/repo', 'path', '/srv/repo'],
    ['./host:repo', 'path', '/srv/./host:repo'],
    ['a/b:c', 'path', '/srv/a/b:c'],
    ['my repo', 'path', '/srv/my repo'],
    ['C:\\repos\\x', 'path', '/srv/C:\\repos\\x'],
    ['C:/repos/x', 'path', '/srv/C:/repos/x'],
    ['\\\\server\\share', 'path', '/srv/\\\\server\\share'],
  ];
  test.each(cases)('%s is a %s', (text, kind, forGit) => {
    const url = parse(text);
    expect([url.kind, reveal(url)]).toEqual([kind, forGit]);
    expect(String(url)).toBe(forGit);
  });
});

describe('what could run a program or be read as an option is refused', () => {
  const cases = [
    '',
    '-',
    '-u./x:',
    '-u./x:repo',
    '--upload-pack=touch x',
    '--upload-pack=touch x:repo',
    'ext::sh -c touch% x',
    'EXT::sh',
    'fd::17',
    'fd::17/foo',
    '9p::x',
    'https::sh',
    'ext://x',
    'git://host.example/x',
    'ftp://host.example/x',
    'git+ftp://host.example/x',
    'javascript://x',
    'ssh://-oProxyCommand=touch/x',
    'ssh://-oProxyCommand=touch@host.example/x',
    'ssh://git@-oProxyCommand=touch/x',
    'ssh://a@b@-oProxyCommand=touch/x',
    'ssh://[-oProxyCommand=touch]/x',
    'ssh://%2doProxyCommand=touch/x',
    'ssh://git@%5B%2DoProxyCommand=touch%5D/x',
    'git+ssh://-oProxyCommand=touch/x',
    'git@-oProxyCommand=touch:x',
    '[-oProxyCommand=touch]:x',
    'https://-host.example/x',
    'https://',
    'https:///x',
    'https://user@/x',
    'ssh:///x',
    'https://:80/x',
    'git@:x',
    'https://host.example\n/x',
    'https://host.example/x\0',
    'a\rb',
    '\u001b[2Jx',
    'x\u009b2J',
    'x\u2028y',
    'x\u007f',
    'https://host.example/my repo',
    'https://host.example?repo=x',
  ];
  test.each(cases.map((text) => [encodeURI(text), text]))('%s', (_, text) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'URL_REFUSED' }));
  });

  test('also where the folder it counts from makes it so', () => {
    expect(() => parseRepoUrl('x', () => parseAbsolutePath('/srv/a\nb/x'))).toThrow(expect.objectContaining({ code: 'URL_REFUSED' }));
  });

  test('and the refusal cannot forge a line of output', () => {
    expect(() => parse('https://host.example/\n\u001b[31merror: x')).toThrow('The address https://host.example/__[31merror:_x is refused:');
  });
});

test('whatever is accepted can stand in an argument list: no leading dash, no control character, no helper', () => {
  const piece = fc.constantFrom('-', '::', ':', '//', '/', '@', 'ext', 'ssh', 'https', 'git+', '[', ']', '%2d', 'x', '.', '\n', ' ', '\\');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      try {
        const address = reveal(parse(pieces.join('')));
        expect(address).not.toMatch(/^-|\n|^[a-z0-9][a-z0-9+.-]*::|^(ssh|https):\/\/([^/]*@)?(-|\/|$)/);
      } catch (error) {
        expect(error).toMatchObject({ code: 'URL_REFUSED' });
      }
    }),
  );
});

describe('a credential is never printed', () => {
  const cases: readonly (readonly [text: string, shown: string])[] = [
    [`https://${SECRET}@host.example/repo`, 'https://host.example/repo'],
    [`https://user:${SECRET}@host.example/repo`, 'https://host.example/repo'],
    [`https://user:${SECRET}@${SECRET}@host.example/repo`, 'https://host.example/repo'],
    [`https://:${SECRET}@host.example:8443/repo`, 'https://host.example:8443/repo'],
    [`git+https://x-token:${SECRET}@host.example/repo`, 'https://host.example/repo'],
    [`https://host.example/repo?token=${SECRET}`, 'https://host.example/repo'],
    [`https://host.example/repo?token=a@${SECRET}`, 'https://host.example/repo'],
    [`https://host.example/@scope/repo#${SECRET}`, 'https://host.example/@scope/repo'],
    [`ssh://user:${SECRET}@host.example/repo`, 'ssh://host.example/repo'],
    [`file://user:${SECRET}@host.example/repo`, 'file://host.example/repo'],
  ];
  test.each(cases)('%s is shown as %s', (text, shown) => {
    const url = parse(text);
    expect(reveal(url)).toBe(text.replace(/^git\+/, ''));
    expect([String(url), `${url}`, JSON.stringify([url])]).toEqual([shown, shown, JSON.stringify([shown])]);
    expect(everyPrintOf(url)).not.toContain(SECRET);
  });

  test('whatever stands in it, in an address that is accepted and in one that is refused', () => {
    const between = fc.constantFrom(
      '',
      '@',
      ':',
      '/',
      '?',
      '#',
      '&',
      '%',
      "'",
      '"',
      ' ',
      '\t',
      '\n',
      '[',
      ']',
      '\\',
      '<',
      '::',
      '://',
      '-',
      'é',
    );
    // After an "@", a slash begins the path, as in curl: `user:a@b/c@host` is the path `c@host` on the host `b`.
    const secret = fc
      .array(between, { minLength: 1, maxLength: 3 })
      .filter((separators) => !/@.*[/?#]/s.test(separators.join('')))
      .map((separators) => `${SECRET}${separators.join(SECRET)}${SECRET}`);
    const address = fc
      .tuple(fc.constantFrom('https', 'http', 'git+https', 'ftp'), fc.constantFrom('user', 'user-name', ''), secret, fc.boolean())
      .map(([scheme, user, word, inQuery]) =>
        inQuery ? `${scheme}://host.example/repo?token=${word}` : `${scheme}://${user}:${word}@host.example/repo`,
      );
    fc.assert(
      fc.property(address, (text) => {
        let outcome: unknown;
        try {
          outcome = parse(text);
        } catch (error) {
          outcome = error;
        }
        expect(everyPrintOf(outcome)).not.toContain(SECRET);
      }),
    );
  });

  test('the name of a user of ssh is kept, for it is needed to reach the host', () => {
    expect(String(parse('ssh://git@host.example/repo'))).toBe('ssh://git@host.example/repo');
    expect(String(parse('git@host.example:repo'))).toBe('git@host.example:repo');
  });
});

describe('in a text', () => {
  const cases: readonly (readonly [text: string, redacted: string])[] = [
    ['no address at all, but a@b and c?d', 'no address at all, but a@b and c?d'],
    [
      "fatal: unable to access 'https://u:S3CRET@host.example/x/': Could not",
      "fatal: unable to access 'https://host.example/x/': Could not",
    ],
    ["'https://host.example/x?token=S3CRET/': gone", "'https://host.example/x': gone"],
    ['"https://u:S3CRET@host.example/x"', '"https://host.example/x"'],
    ['Did you mean https://host.example/x?', 'Did you mean https://host.example/x?'],
    ['(Did you mean https://host.example/x?)', '(Did you mean https://host.example/x?)'],
    ['really https://host.example/x?! Or https://host.example/y?...', 'really https://host.example/x?! Or https://host.example/y?...'],
    ["is it 'https://host.example/x?'", "is it 'https://host.example/x?'"],
    ['https://host.example/x#: gone', 'https://host.example/x#: gone'],
    ['https://host.example/x??token=S3CRET', 'https://host.example/x'],
    ['https://u:S3CRET@host.example/x and https://v:S3CRET@host.example/y?', 'https://host.example/x and https://host.example/y?'],
    ['https://mirror.example/https://u:S3CRET@host.example/x', 'https://mirror.example/https://host.example/x'],
    ['a=https://host.example/x,https://u:S3CRET@host.example/y', 'a=https://host.example/x,https://host.example/y'],
    ['url_https://u:S3CRET@host.example/x', 'url_https://host.example/x'],
    ['9https://u:S3CRET@host.example/x', '9https://host.example/x'],
    ["https://u:S3'CRET@host.example/x", 'https://host.example/x'],
    ['https://u:S3/CRET@host.example/x', 'https://host.example/x'],
    ['https://u:S3?CRET@host.example/x', 'https://host.example/x'],
    ["https://u#S3'CRET@host", 'https://host'],
    ['https://user:S3?CR"ET@h', 'https://h'],
    ["https://#u'@", 'https://'],
    ['https://u:S3@CR/ET@host.example/x', 'https://host.example/x'],
    ['https://u:/S3CRET@host.example/x', 'https://host.example/x'],
    ['https://ssh://u:S3CRET@host.example/x', 'https://host.example/x'],
    ['https://u:S3/CRET@host.example/@scope/x', 'https://scope/x'],
    ['file:///srv/a@b/x', 'file:///srv/a@b/x'],
    ["Is it 'ssh://git@host.example'?", "Is it 'ssh://git@host.example'?"],
    ['https://[::1]:8443/@scope/x', 'https://[::1]:8443/@scope/x'],
    ['https://u:12@host.example:8443/@scope/x@1', 'https://host.example:8443/@scope/x@1'],
    ['https://host.example:8443/@scope/x', 'https://host.example:8443/@scope/x'],
    ['https://host.example/@scope/x', 'https://host.example/@scope/x'],
    ['postgres://u:S3CRET@host.example/x', 'postgres://host.example/x'],
    ['ssh://git@host.example/x', 'ssh://git@host.example/x'],
    ['ssh://git:S3CRET@host.example/x', 'ssh://host.example/x'],
    ['git+ssh://git@host.example/x', 'git+ssh://git@host.example/x'],
  ];
  test.each(cases)('%s becomes %s', (text, redacted) => {
    expect(redactUrls(text)).toBe(redacted);
  });

  test('what is redacted stays as it is when it is redacted again', () => {
    const piece = fc.constantFrom(
      'https://',
      'ssh://',
      'u',
      ':',
      '@',
      '/',
      '?',
      '#',
      ' ',
      "'",
      '"',
      '[',
      ']',
      'file',
      '7',
      'host.example',
      '.',
      ')',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const once = redactUrls(pieces.join(''));
        expect(redactUrls(once)).toBe(once);
      }),
    );
  });

  test("git's own messages show no password and no token", () => {
    const address = `http://user:${SECRET}@127.0.0.1:1/x?token=${SECRET}`;
    const env = { PATH: process.env['PATH'] ?? '', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', GIT_TRACE: '1', LC_ALL: 'C' };
    const stderr = spawnSync('git', ['ls-remote', '--', address], { env, encoding: 'utf8' }).stderr;
    expect(stderr).toContain(SECRET);
    const redacted = redactUrls(stderr);
    expect(redacted).not.toContain(SECRET);
    expect(redacted).toContain("fatal: unable to access 'http://127.0.0.1:1/x':");
  });

  test('256 KiB from a malicious server is read to its end', () => {
    const pieces = [
      'a',
      'a.',
      'a://',
      'a://b:c',
      'https://a?',
      '://?',
      '@',
      'x:',
      '?.',
      "'",
      'a://b@c/',
      'a://b:c@d.e/',
      'ssh://a@b/',
      ':///',
    ];
    const hostile = pieces.flatMap((piece) => ['', 'x@y', 'a://'].map((start) => `${start}${piece.repeat(2 ** 18 / piece.length)}x@`));
    // Backtracking to the start for every character would take minutes.
    for (const text of [...hostile, ...hostile.map((one) => one.slice(0, -2))]) expect(redactUrls(text).length).toBeGreaterThan(0);
  });
});
