import { expect, test } from '@jest/globals';
import { parseAbsolutePath } from '@tributary/model/paths';
import { parseRepoUrl } from '@tributary/model/repo-url';
import { parseManifest } from '@tributary/workspaces/manifest';
import { nameRepository } from './name-repository.js';

function name(address: string, repository?: unknown): string | undefined {
  const url = parseRepoUrl(address, parseAbsolutePath);
  const found = nameRepository(url, parseManifest(JSON.stringify({ name: 'ui', repository }), 'package.json'));
  return found && `${found.name} (${found.forge})`;
}

const addresses: readonly (readonly [address: string, name: string | undefined])[] = [
  ['https://github.com/acme/ui', 'acme/ui (other)'],
  ['https://github.com/acme/ui.git', 'acme/ui (other)'],
  ['https://user:secret@github.com/acme/ui.git', 'acme/ui (other)'],
  ['git@github.com:acme/ui.git', 'acme/ui (other)'],
  ['ssh://git@github.com/acme/ui.js.git', 'acme/ui.js (other)'],
  ['https://gitlab.com/acme/group/ui.git', 'acme/group/ui (gitlab)'],
  ['git@gitlab.com:acme/ui.git', 'acme/ui (gitlab)'],
  ['https://bitbucket.org/acme/ui', 'acme/ui (other)'],
  ['https://gitlab.host.example/acme/group/sub/ui.git', 'acme/group/sub/ui (gitlab)'],
  ['https://git.host.example:8443/acme/ui.git/', 'acme/ui (other)'],
  ['git@git.host.example:acme/ui.git', 'acme/ui (other)'],
  ['https://host.example/scm/acme/ui.git', undefined],
  ['https://host.example/ui', undefined],
  ['https://gitlab.host.example/ui', undefined],
  ['https://host.example/acme/u%20i', undefined],
  ['file:///somewhere/acme/ui', undefined],
  ['/somewhere/acme/ui', undefined],
];

test.each(addresses)('%s', (address, expected) => {
  expect(name(address)).toBe(expected);
});

const fields: readonly (readonly [field: unknown, name: string | undefined])[] = [
  ['acme/ui', 'acme/ui (other)'],
  ['github:acme/ui', 'acme/ui (other)'],
  ['gitlab:acme/ui', 'acme/ui (gitlab)'],
  [{ type: 'git', url: 'git+https://github.com/acme/ui.git' }, 'acme/ui (other)'],
  [{ url: 'git://github.com/acme/ui.git', directory: 'packages/x' }, 'acme/ui (other)'],
  ['gist:11081aaa281', undefined],
  [{ url: 7 }, undefined],
  [['acme/ui'], undefined],
  [undefined, undefined],
];

test.each(fields)('where the address tells nothing, the manifest does: %j', (field, expected) => {
  expect(name('/somewhere/ui', field)).toBe(expected);
});

test('the address goes first', () => {
  expect(name('https://github.com/acme/ui', 'other/one')).toBe('acme/ui (other)');
});
