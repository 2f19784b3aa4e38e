import { expect, test } from '@jest/globals';
import { hostedAt } from './hosted-repository.js';

test.each<[address: string, owner: string, repo: string, apiUrl: string]>([
  ['https://github.com/acme/left-pad.git', 'acme', 'left-pad', 'https://api.github.com'],
  ['https://x:token@www.GitHub.com/acme/left-pad/', 'acme', 'left-pad', 'https://api.github.com'],
  ['git@github.com:acme/left.pad.git', 'acme', 'left.pad', 'https://api.github.com'],
  ['ssh://git@ssh.github.com:443/acme/left-pad', 'acme', 'left-pad', 'https://api.github.com'],
  ['https://acme.ghe.com/acme/left-pad', 'acme', 'left-pad', 'https://api.acme.ghe.com'],
  ['https://github.example:8443/acme/left-pad', 'acme', 'left-pad', 'https://github.example:8443/api/v3'],
  ['ssh://git@github.example:2222/acme/left-pad', 'acme', 'left-pad', 'https://github.example/api/v3'],
  ['http://127.0.0.1:80/acme/left-pad', 'acme', 'left-pad', 'http://127.0.0.1:80/api/v3'],
])('%s', (address, owner, repo, apiUrl) => {
  expect(hostedAt(address)).toMatchObject({ owner, repo, apiUrl });
});

test.each([
  '/srv/left-pad',
  'file:///srv/acme/left-pad',
  'https://gitlab.example/a/b/c',
  'https://github.com/acme',
  'C:\\acme\\left-pad',
  '',
])('%s names no repository', (address) => {
  expect(hostedAt(address)).toBeUndefined();
});
