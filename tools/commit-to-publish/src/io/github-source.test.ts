import { expect, test } from '@jest/globals';
import type { AbsolutePath } from '@tributary/model/paths';
import { readGitHubAsked, sourceFor } from './github-source.js';

test('the address and the token come from the environment', () => {
  const asked = { place: { owner: 'acme', repo: 'ui.js' }, branch: undefined };
  expect(readGitHubAsked('acme/ui.js', undefined, { GH_TOKEN: 'b' })).toEqual({ ...asked, apiUrl: 'https://api.github.com', token: 'b' });
  const env = { GITHUB_API_URL: 'https://github.example/api/v3', GITHUB_TOKEN: 'a', GH_TOKEN: 'b' };
  expect(readGitHubAsked('acme/ui.js', 'next', env)).toEqual({ ...asked, branch: 'next', apiUrl: env.GITHUB_API_URL, token: 'a' });
  expect(readGitHubAsked('acme/ui.js', undefined, { GITHUB_TOKEN: '', GH_TOKEN: 'b', GITHUB_API_URL: '' })).toMatchObject({ token: 'b' });
});

test.each([
  ['no token', 'acme/app', {}],
  ['no owner', 'app', { GH_TOKEN: 'b' }],
  ['an address', 'https://github.example/acme/app', { GH_TOKEN: 'b' }],
  ['a way out', '../app/x', { GH_TOKEN: 'b' }],
])('%s', (_, text, env) => {
  expect(() => readGitHubAsked(text, undefined, env)).toThrow(expect.objectContaining({ code: 'USAGE' }));
});

test.each([
  ['https://api.github.com', 'https://github.com/acme/ui', 'acme/ui'],
  ['https://github.example/api/v3', 'https://github.example/acme/ui', 'acme/ui'],
  ['https://api.github.com', 'https://gitlab.example/acme/ui', 'USAGE'],
  ['https://api.github.com', undefined, 'USAGE'],
])('without a name, at %s a clone of %s is %s', (apiUrl, webUrl, expected) => {
  const asked = readGitHubAsked(true, undefined, { GITHUB_TOKEN: 'a', GITHUB_API_URL: apiUrl });
  const found = (): string => {
    const { owner, repo } = sourceFor(asked, { name: webUrl === undefined ? 'ui' : 'acme/ui', webUrl, folder: '/srv/ui' as AbsolutePath });
    return `${owner}/${repo}`;
  };
  if (expected === 'USAGE') expect(found).toThrow(expect.objectContaining({ code: 'USAGE' }));
  else expect(found()).toBe(expected);
});
