import { expect, test } from '@jest/globals';
import { actorTest } from './actor.js';

test.each([
  ['dependabot[bot]', '49699333+dependabot[bot]@users.noreply.github.com', 'bot'],
  ['Renovate', '29139614+renovate[bot]@users.noreply.github.com', 'bot'],
  ['semantic-release-bot', 'semantic-release-bot@martynus.net', 'bot'],
  ['Deploy Robot', 'robot@acme.example', 'bot'],
  ['GREENKEEPER', 'support@greenkeeper.example', 'bot'],
  ['Ada', 'ada@acme.example', 'person'],
  ['Abbot', 'abbot@acme.example', 'person'],
  ['', '', 'person'],
])('%s <%s> is a %s', (name, email, expected) => {
  expect(actorTest(['deploy robot'])({ name, email })).toBe(expected);
});
