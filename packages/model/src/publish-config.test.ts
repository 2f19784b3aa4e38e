import { describe, expect, test } from '@jest/globals';
import { DEFAULT_CONFIG, parseConfig } from './config.js';
import type { KeyPath } from './config-reading.js';

function fail(path: KeyPath, message: string): never {
  throw new Error(`${path.join('.')} ${message}`);
}

const publish = {
  record: 'events',
  channels: ['latest', 'next'],
  ready: 'approved',
  sources: ['tags'],
  deployments: { production: ['app', '@acme/*'] },
  jobs: ['ship'],
  tags: ['release/{shortName}/{version}'],
  registry: 'https://npm.example/packages/',
  teams: { web: ['@acme/ui-*', 'app'] },
  renamed: { pad: '@acme/pad' },
  moved: { pad: '0123abc' },
  bots: ['deploy-robot'],
} as const;

test('every key of the block for commit-to-publish is read, and a default stands for each that is missing', () => {
  expect(parseConfig({ publish }, fail)).toEqual({ ...DEFAULT_CONFIG, publish });
  for (const key of Object.keys(publish) as (keyof typeof publish)[]) {
    const expected = { ...publish, [key]: DEFAULT_CONFIG.publish[key] };
    expect(parseConfig({ publish: { ...publish, [key]: undefined } }, fail).publish).toEqual(expected);
  }
});

describe('what is wrong is refused, with its key', () => {
  test.each([
    [{ renamed: { pad: 1 } }, 'publish.renamed.pad must be a non-empty string'],
    [{ renamed: { pad: 'pad' } }, 'publish.renamed.pad is the same name'],
    [{ renamed: { pad: 'ui', ui: 'pad' } }, 'publish.renamed.pad leads back to "pad"'],
    [{ moved: { pad: 'main' } }, 'publish.moved.pad is not the id of a commit'],
    [{ tags: ['v1'] }, 'publish.tags.0 has no {version}'],
    [{ tags: ['{tag}-{version}'] }, 'publish.tags.0 has {tag}'],
    [{ registry: 'npm.example' }, 'publish.registry must be an address'],
    [{ registry: 'https://user:secret@npm.example' }, 'publish.registry must be an address'],
    [{ sources: ['npm'] }, 'publish.sources.0 must be one of'],
    [{ ready: 'opened' }, 'publish.ready must be one of'],
    [{ deployments: ['production'] }, 'publish.deployments must be an object'],
    [{ deployments: { production: 'app' } }, 'publish.deployments.production must be a list'],
    [{ teams: { web: 'app' } }, 'publish.teams.web must be a list'],
    [{ teams: { '': ['*'] } }, 'publish.teams has an entry without a name'],
    [{ deployments: { ' ': ['*'] } }, 'publish.deployments has an entry without a name'],
    [{ record: '../../outside' }, 'publish.record must be a folder below this file'],
    [{ record: '/srv/record' }, 'publish.record must be a folder below this file'],
    [{ record: '.git' }, 'publish.record must be a folder below this file'],
    [{ people: [] }, 'publish.people is not a known key'],
  ])('%j', (block, message) => {
    expect(() => parseConfig({ publish: block }, fail)).toThrow(message);
  });
});
