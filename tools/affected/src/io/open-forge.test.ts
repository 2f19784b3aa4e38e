import { expect, test } from '@jest/globals';
import { repositoryIn } from './open-forge.js';

test.each<[url: string, found: ReturnType<typeof repositoryIn>]>([
  ['git@github.com:acme/app.git', { host: 'github.com', path: 'acme/app' }],
  ['https://github.example:8443/acme/app', { host: 'github.example', path: 'acme/app' }],
  ['ssh://git@github.example/acme/app.git/', { host: 'github.example', path: 'acme/app' }],
  ['/srv/acme/app.git', undefined],
  ['C:/acme/app', undefined],
  ['C:\\acme\\app', undefined],
])('the remote %s is the repository %j', (url, found) => expect(repositoryIn(url)).toEqual(found));
