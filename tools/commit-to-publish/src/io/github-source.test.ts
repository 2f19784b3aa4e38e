import { expect, test } from '@jest/globals';
import { readGitHubSource } from './github-source.js';

test('the address and the token come from the environment', () => {
  const source = { owner: 'acme', repo: 'ui.js', branch: undefined };
  expect(readGitHubSource('acme/ui.js', undefined, { GH_TOKEN: 'b' })).toEqual({ ...source, apiUrl: 'https://api.github.com', token: 'b' });
  const env = { GITHUB_API_URL: 'https://github.example/api/v3', GITHUB_TOKEN: 'a', GH_TOKEN: 'b' };
  expect(readGitHubSource('acme/ui.js', 'next', env)).toEqual({ ...source, branch: 'next', apiUrl: env.GITHUB_API_URL, token: 'a' });
  expect(readGitHubSource('acme/ui.js', undefined, { GITHUB_TOKEN: '', GH_TOKEN: 'b', GITHUB_API_URL: '' })).toMatchObject({ token: 'b' });
});

test.each([
  ['no token', 'acme/app', {}],
  ['no owner', 'app', { GH_TOKEN: 'b' }],
  ['an address', 'https://github.example/acme/app', { GH_TOKEN: 'b' }],
  ['a way out', '../app/x', { GH_TOKEN: 'b' }],
])('%s', (_, text, env) => {
  expect(() => readGitHubSource(text, undefined, env)).toThrow(expect.objectContaining({ code: 'USAGE' }));
});
