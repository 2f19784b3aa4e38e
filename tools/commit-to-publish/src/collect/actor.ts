import type { Person } from '@tributary/git/history';
import type { Event } from '../model/event.js';

const KNOWN = [
  'dependabot',
  'dependabot-preview',
  'renovate',
  'renovate-bot',
  'greenkeeper',
  'greenkeeperio-bot',
  'github-actions',
  'snyk-bot',
  'semantic-release-bot',
  'web-flow',
  'pyup-bot',
  'imgbot',
  'allcontributors',
  'mergify',
  'release-please',
  'lerna-bot',
  'depfu',
];

/** Returns a function that tells bots from people by name and address, and keeps neither. `more`: additional names of bots. */
export function actorTest(more: readonly string[]): (author: Person) => Event['actor'] {
  const names = new Set([...KNOWN, ...more].map((name) => name.toLowerCase()));
  return ({ name, email }) => {
    // `49699333+dependabot[bot]@users.noreply.github.com`
    const local = email.slice(0, Math.max(0, email.lastIndexOf('@'))).replace(/^\d+\+/, '');
    const texts = [name, local, email].map((text) => text.trim().toLowerCase());
    return texts.some((text) => text.endsWith('[bot]') || names.has(text)) ? 'bot' : 'person';
  };
}
