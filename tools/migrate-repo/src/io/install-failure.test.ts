import { afterEach, describe, expect, test } from '@jest/globals';
import type { RepoFolder } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import { parseManifest } from '@tributary/workspaces/manifest';
import type { MayAsk } from '../align/who-asks.js';
import { installFailure } from './install-failure.js';
import type { YarnMessage } from './yarn.js';

// Messages of Yarn 4.18.1, and the sentences made of them. The long tests check with Yarn itself that it says so.

const cleanUp = cleanUpIn(afterEach);

const MANIFEST = {
  name: 'app',
  dependencies: { lib: '^1.0.0', 'git-lib': 'git+ssh://git@example.com/lib.git', ms: 'patch:ms@npm%3A2.1.3#./a.patch' },
};
const APP: MayAsk = {
  member: { name: 'app' as MayAsk['member']['name'], path: 'packages/app' as RepoFolder },
  manifest: parseManifest(JSON.stringify(MANIFEST), 'package.json'),
  isNew: true,
  lockFolder: 'packages/app' as RepoFolder,
};

function failure(
  code: string,
  texts: readonly string[],
  before: readonly Partial<YarnMessage>[] = [],
  workspaces: readonly MayAsk[] = [APP],
): ReturnType<typeof installFailure> {
  const folder = cleanUp.add(new TempFolder());
  const error = (text: string): YarnMessage => ({ type: 'error', code, step: 'Fetch step', text: text.replaceAll('FOLDER', folder.path) });
  const earlier = before.map((message): YarnMessage => ({ type: 'warning', code: 'YN0000', step: '', text: '', ...message }));
  const last: YarnMessage = { type: 'error', code: 'YN0000', step: 'Fetch step', text: 'Failed with errors in 1s' };
  return installFailure([...earlier, ...texts.map(error), last], { folder: folder.path, workspaces });
}

const ANSWER = (status: string): readonly string[] => [
  'lib@npm:^1.0.0: The remote server failed to provide the requested resource',
  `  Response Code: ${status}`,
  '  Request Method: GET',
  '  Request URL: https://npm.example.com:4873/…',
];
const GIT = (...errors: readonly string[]): readonly string[] => [
  'git-lib@git+ssh://git@example.com/lib.git: Failed listing refs',
  '  Repository URL: ssh://git@example.com/lib.git',
  ...errors,
  '  Exit Code: 128',
];

const CASES: readonly (readonly [string, string, readonly string[], string])[] = [
  [
    'YN0082',
    'INSTALL_FAILED',
    ['lib@npm:^1.0.0: No candidates found'],
    'requires lib@^1.0.0|, YN0082): no version in the registry satisfies its range.',
  ],
  ['YN0035', 'INSTALL_FAILED', ANSWER('404 (Not Found)'), 'requires lib@^1.0.0|, YN0035): npm.example.com:4873 does not have it.'],
  [
    'YN0035',
    'INSTALL_FAILED',
    ANSWER("418 (I'm a Teapot)"),
    "requires lib@^1.0.0|, YN0035): npm.example.com:4873 answers 418 (I'm a Teapot).",
  ],
  ['YN0035', 'REGISTRY_REFUSED', ANSWER('403 (Forbidden)'), 'requires lib@^1.0.0|, YN0035): npm.example.com:4873 answers 403 (Forbidden).'],
  ['YN0035', 'REGISTRY_UNREACHABLE', ANSWER('503'), 'requires lib@^1.0.0|, YN0035): npm.example.com:4873 answers 503.'],
  [
    'YN0041',
    'REGISTRY_REFUSED',
    ['lib@npm:^1.0.0: Invalid authentication (as an anonymous user)'],
    'requires lib@^1.0.0|, YN0041): the registry requires a valid credential.',
  ],
  [
    'YN0001',
    'REGISTRY_UNREACHABLE',
    ['SyntaxError: lib@npm:^1.0.0: Unexpected token \'<\', "<html><bod"... is not valid JSON\n    at JSON.parse (<anonymous>)'],
    'requires lib@^1.0.0|): the answer is not JSON, so it is not from a registry: a proxy or a login page may be in between.',
  ],
  [
    'YN0001',
    'INSTALL_GIT_UNREADABLE',
    GIT('  Git@example.com Error: Permission denied (publickey).', '  Fatal Error: Could not read from remote repository.'),
    'requires git-lib@git+ssh://git@example.com/lib.git|): its git repository cannot be read: Permission denied (publickey).',
  ],
  [
    'YN0001',
    'INSTALL_GIT_UNREADABLE',
    GIT('  Fatal Error: Could not read from remote repository.', '  Ssh Error: x'),
    'requires git-lib@git+ssh://git@example.com/lib.git|): its git repository cannot be read: Could not read from remote repository.',
  ],
  [
    'YN0016',
    'INSTALL_FAILED',
    ['lib@npm:^1.0.0: All versions satisfying "^1.0.0" are quarantined'],
    'requires lib@^1.0.0|, YN0016): every version that satisfies it is newer than npmMinimalAgeGate allows.',
  ],
  [
    'YN0080',
    'INSTALL_FAILED',
    ["lib@npm:^1.0.0: Request to 'x' has been blocked because it doesn't match any of the patterns in 'approvedGitRepositories'"],
    'requires lib@^1.0.0|, YN0080): the settings of the monorepo do not allow its git repository (approvedGitRepositories).',
  ],
  [
    'YN0066',
    'INSTALL_FAILED',
    [
      'ms@patch:ms@npm%3A2.1.3#./a.patch::version=2.1.3&hash=1&locator=app: ms@patch:ms@npm%3A2.1.3#./a.patch::version=2.1.3&hash=1&locator=app: Cannot apply hunk #1 (set enableInlineHunks for details)',
    ],
    'requires ms@patch:ms@npm:2.1.3#./a.patch|, YN0066): its patch does not apply: Cannot apply hunk #1.',
  ],
  [
    'YN0001',
    'INSTALL_FAILED',
    [
      "Error: lib@exec:./gen.js::locator=app%40workspace%3Apackages%2Fapp: ENOENT: no such file or directory, open 'FOLDER/packages/app/gen.js'",
    ],
    'lib@exec:./gen.js |): there is nothing at packages/app/gen.js.',
  ],
  [
    'YN0009',
    'INSTALL_FAILED',
    ["app@workspace:packages/app couldn't be built successfully (exit code 3, logs can be found here: /nowhere/x.log)"],
    'app (packages/app) |, YN0009): its build script ended with exit code 3 without output.',
  ],
  [
    'YN0084',
    'INSTALL_FAILED',
    ['app@workspace:packages/app: Missing field license'],
    'app (packages/app) |, YN0084): a constraint of the monorepo does not hold: Missing field license.',
  ],
  [
    'YN0001',
    'REGISTRY_UNREACHABLE',
    ['RequestError: getaddrinfo ENOTFOUND npm.example.com\n    at x'],
    'The monorepo |): the registry cannot be reached: getaddrinfo ENOTFOUND npm.example.com.',
  ],
  ['YN0001', 'REGISTRY_UNREACHABLE', ['RequestError: Bad response: 407\n    at x'], 'The monorepo |): the proxy answers 407.'],
  ['YN0001', 'INSTALL_FAILED', ['TypeError: what is this\n    at x'], 'The monorepo |): what is this.'],
  ['YN0099', 'INSTALL_FAILED', ['lib@npm:^1.0.0: something that is new'], 'requires lib@^1.0.0|, YN0099): something that is new.'],
  [
    'YN0000',
    'INSTALL_FAILED',
    ['Environment variable not found (TOKEN) in FOLDER/.yarnrc.yml (in FOLDER/.yarnrc.yml)'],
    'The monorepo |): Environment variable not found (TOKEN) in .yarnrc.yml.',
  ],
];

describe('who, what, which step, and why', () => {
  test.each(CASES)('%s: %s %j', (code, expected, texts, sentence) => {
    const [subject = '', rest] = sentence.split('|');
    const who = subject.startsWith('requires') ? `app (packages/app) ${subject}, which ` : subject;
    const { code: found, message, data } = failure(code, texts);
    expect([found, message]).toEqual([expected, `${who}cannot be installed (fetch step${rest}`]);
    expect(data['workspace']).toEqual(subject.includes('app (') || subject.startsWith('requires') ? APP.member : undefined);
    expect(JSON.stringify(data)).not.toContain('/tmp/');
  });
});

test('where the registry was not asked, that is why nothing was found', () => {
  const { message } = failure('YN0082', ['lib@npm:^1.0.0: No candidates found'], [{ code: 'YN0090', text: 'Offline work is enabled' }]);
  expect(message).toMatch(/keep Yarn from the registry \(enableOfflineMode\), and its cache has no version that satisfies the range\.$/);
});

test('an error with a code of its own counts more than one without', () => {
  const { data } = installFailure(
    [
      { type: 'error', code: 'YN0001', step: '', text: 'Error: first' },
      { type: 'error', code: 'YN0082', step: '', text: 'lib@npm:^1.0.0: No candidates found' },
    ],
    { folder: cleanUp.add(new TempFolder()).path, workspaces: [APP] },
  );
  expect(data).toMatchObject({ code: 'YN0082', package: 'lib@^1.0.0', messages: ['Error: first', 'lib@npm:^1.0.0: No candidates found'] });
});

test('without a word of Yarn', () => {
  expect(installFailure([], { folder: cleanUp.add(new TempFolder()).path, workspaces: [] }).message).toBe(
    'The monorepo cannot be installed (before the first step): Yarn gave no reason.',
  );
});

test('what neither a manifest nor the lockfile asks for is behind the imported packages, as far as there are some', () => {
  const other = (name: string, isNew: boolean): MayAsk => ({
    member: { name: name as MayAsk['member']['name'], path: `packages/${name}` as RepoFolder },
    manifest: parseManifest(`{ "name": "${name}" }`, 'package.json'),
    isNew,
    lockFolder: `packages/${name}` as RepoFolder,
  });
  const askedBy = (...workspaces: readonly MayAsk[]) => failure('YN0082', ['deep@npm:^3.0.0: No candidates found'], [], workspaces);
  const one = askedBy(APP, other('old', false));
  expect(one.message).toMatch(
    /^deep@\^3\.0\.0, which a dependency of app \(packages\/app\) requires, cannot be installed \(fetch step, YN0082\): no/,
  );
  expect(one.data['workspace']).toEqual(APP.member);
  expect(one.hint).toContain('Lock it to another release in the source');
  const two = askedBy(APP, other('next', true), other('old', false));
  expect(two.message).toMatch(/^deep@\^3\.0\.0, which a dependency of app \(packages\/app\) or of 1 more requires, cannot be installed/);
  expect(two.data['workspace']).toBeUndefined();
  expect(askedBy(other('old', false)).message).toMatch(/^deep@\^3\.0\.0 cannot be installed/);
});

test('what is optional is needed in the registry all the same, and that is said', () => {
  const manifest = parseManifest(JSON.stringify({ name: 'app', optionalDependencies: { lib: '^1.0.0' } }), 'package.json');
  const optional = failure('YN0035', ANSWER('404 (Not Found)'), [], [{ ...APP, manifest }]);
  expect(optional.hint).toMatch(/^Yarn must resolve even optional dependencies/);
  expect(failure('YN0035', ANSWER('404 (Not Found)')).hint).not.toContain('optional');
});
