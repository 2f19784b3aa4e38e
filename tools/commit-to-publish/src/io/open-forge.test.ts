import { expect, test } from '@jest/globals';
import type { AbsolutePath } from '@tributary/model/paths';
import { silentProgress } from '@tributary/terminal/progress';
import { openForge, readForgeRequest } from './open-forge.js';

test('the address and the token come from the environment', () => {
  const asked = { repository: { owner: 'acme', repo: 'ui.js' }, branch: undefined };
  expect(readForgeRequest('acme/ui.js', undefined, { GH_TOKEN: 'b' })).toEqual({ ...asked, apiUrl: 'https://api.github.com', token: 'b' });
  const env = { GITHUB_API_URL: 'https://github.example/api/v3', GITHUB_TOKEN: 'a', GH_TOKEN: 'b' };
  expect(readForgeRequest('acme/ui.js', 'next', env)).toEqual({ ...asked, branch: 'next', apiUrl: env.GITHUB_API_URL, token: 'a' });
  expect(readForgeRequest('acme/ui.js', undefined, { GITHUB_TOKEN: '', GH_TOKEN: 'b', GITHUB_API_URL: '' })).toMatchObject({ token: 'b' });
});

test.each([
  ['no token', 'acme/app', {}],
  ['no owner', 'app', { GH_TOKEN: 'b' }],
  ['an address', 'https://github.example/acme/app', { GH_TOKEN: 'b' }],
  ['a way out', '../app/x', { GH_TOKEN: 'b' }],
])('%s', (_, text, env) => {
  expect(() => readForgeRequest(text, undefined, env)).toThrow(expect.objectContaining({ code: 'USAGE' }));
});

test.each([
  ['https://api.github.com', 'https://github.com/acme/ui', 'acme/ui'],
  ['https://github.example/api/v3', 'https://github.example/acme/ui', 'acme/ui'],
  ['https://api.github.com', 'https://gitlab.example/acme/ui', 'USAGE'],
  ['https://api.github.com', undefined, 'USAGE'],
])('without a name, at %s a clone of %s is %s', async (apiUrl, webUrl, expected) => {
  const request = readForgeRequest(true, undefined, { GITHUB_TOKEN: 'a', GITHUB_API_URL: apiUrl });
  const clone = { name: webUrl === undefined ? 'ui' : 'acme/ui', webUrl, folder: '/srv/ui' as AbsolutePath };
  const opening = openForge(request, clone, { signal: new AbortController().signal, progress: silentProgress });
  if (expected === 'USAGE') await expect(opening).rejects.toMatchObject({ code: 'USAGE' });
  else await expect(opening).resolves.toMatchObject({ repository: expected });
});
