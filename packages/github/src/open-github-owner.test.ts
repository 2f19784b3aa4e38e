import { afterEach, expect, test } from '@jest/globals';
import { isToolError } from '@tributary/model/errors';
import type { ForgeOwner } from '@tributary/model/forge';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { openGitHubOwner } from './open-github-owner.js';
import { DESCRIBED, startDescribedGitHub } from './testing/described-github.js';
import { type HttpAnswer, type LocalGitHub, refusal, startGitHub } from './testing/local-github.js';

const cleanUp = cleanUpIn(afterEach);

function connect({ apiUrl }: Pick<LocalGitHub, 'apiUrl'>): ForgeOwner {
  return openGitHubOwner({ owner: 'acme', apiUrl, token: 'ghs_x', secondMs: 1 });
}

function repository(name: string, more: object = {}): object {
  const [example] = (DESCRIBED['/orgs/{org}/repos']?.example ?? []) as readonly object[];
  const addresses = { clone_url: `https://github.com/acme/${name}.git`, ssh_url: `git@github.com:acme/${name}.git` };
  return { ...example, name, full_name: `acme/${name}`, fork: false, archived: false, ...addresses, ...more };
}

const many = Array.from({ length: 130 }, (_, at) => repository(`r${at}`));

test.each([
  ['an organisation', 'orgs'],
  ['a person', 'users'],
] as const)('the repositories of %s are listed to the last page', async (_, kind) => {
  const server = await startDescribedGitHub((url) => (url.pathname === `/api/v3/${kind}/acme/repos` ? { entries: many } : undefined));
  cleanUp.add(server);
  const found = await connect(server).readRepositories();
  expect(found.map(({ name }) => name)).toEqual(many.map((_one, at) => `r${at}`));
  expect(found[0]).toEqual({
    name: 'r0',
    addresses: { https: 'https://github.com/acme/r0.git', ssh: 'git@github.com:acme/r0.git' },
    state: 'active',
    origin: 'own',
  });
  expect(server.flaws).toEqual([]);
});

test.each<[string, HttpAnswer | 'hang up', string]>([
  ['401', refusal(401, 'Bad credentials'), 'GITHUB_REFUSED'],
  ['403', refusal(403, 'Resource not accessible'), 'GITHUB_REFUSED'],
  ['404', refusal(404, 'Not Found'), 'GITHUB_REFUSED'],
  ['422', refusal(422, 'Validation Failed'), 'GITHUB_REFUSED'],
  ['500', refusal(500, 'Oops'), 'GITHUB_UNREACHABLE'],
  ['nothing', 'hang up', 'GITHUB_UNREACHABLE'],
  ['another document', { body: { hello: 1 } }, 'GITHUB_UNREACHABLE'],
  ['entries without a name', { body: [{ id: 1 }] }, 'GITHUB_UNREACHABLE'],
])('an answer of %s is a failure, and no empty list', async (_, answer, code) => {
  const server = cleanUp.add(await startGitHub(() => answer));
  const failure: unknown = await connect(server)
    .readRepositories()
    .catch((error: unknown) => error);
  expect(isToolError(failure) ? failure.code : failure).toBe(code);
});

test('a file is read as text; none, a folder and a link are no file; anything else is a failure', async () => {
  const example = DESCRIBED['/repos/{owner}/{repo}/contents/{path}']?.example as Readonly<Record<string, unknown>>;
  const answers: Readonly<Record<string, HttpAnswer>> = {
    app: { body: { ...example, type: 'file', encoding: 'base64', content: Buffer.from('{"name":"ä"}').toString('base64') } },
    none: refusal(404, 'This repository is empty.'),
    folder: { body: [] },
    link: { body: { ...example, type: 'symlink' } },
    large: { body: { ...example, type: 'file', encoding: 'none', content: '' } },
    forbidden: refusal(403, 'Resource not accessible'),
  };
  const server = cleanUp.add(await startGitHub((url) => answers[url.pathname.split('/')[5] ?? ''] ?? 'hang up'));
  const read = (name: string): Promise<string | undefined> => connect(server).readFile(name, 'package.json');
  expect(await Promise.all(['app', 'none', 'folder', 'link'].map(read))).toEqual(['{"name":"ä"}', undefined, undefined, undefined]);
  await expect(read('large')).rejects.toMatchObject({ code: 'GITHUB_UNREACHABLE' });
  await expect(read('forbidden')).rejects.toMatchObject({ code: 'GITHUB_REFUSED' });
});
