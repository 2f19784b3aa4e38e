import { describe, expect, test } from '@jest/globals';
import { parseLock } from '@tributary/lockfile/testing/lock-text';
import { diffTexts, type LockText } from './lock-side.fixture.js';

function side(text: string): LockText {
  return { text };
}

/** Returns changes as `packages/app a: b@npm:^1 b@npm:1.0.0 -> b@npm:1.1.0`, one line per change. */
function changes(base: LockText, head: LockText): readonly string[] | string {
  const diff = diffTexts(base, head);
  if (diff.kind === 'unknown') return `${diff.code} ${diff.reason}`;
  return [...diff.changed].flatMap(([folder, list]) =>
    list.map(({ dependency, entry, from, to }) => `${folder || '.'} ${dependency}: ${entry} ${from} -> ${to}`),
  );
}

describe('peer dependencies of workspaces', () => {
  const withPeer = (text: string, peer: string) =>
    parseLock(text).replace('resolution: "ui@workspace:packages/ui"\n', `$&  peerDependencies:\n    ${peer}: "*"\n`);

  test('come from who depends on the workspace, and from the root', () => {
    const text = 'root: tool ^1\napp: ui workspace:^, react ^1\nui:\nother: react ^2\nreact@^1 = 1.0.0\nreact@^2 = 2.0.0\ntool@^1 = 1.0.0';
    const peer = (one: string) =>
      changes(side(withPeer(text, 'react')), side(withPeer(text.replace(one, `${one.slice(0, -1)}9`), 'react')));
    expect(peer('react@^1 = 1.0.0')).toEqual([
      'packages/app react: react@npm:^1 react@npm:1.0.0 -> react@npm:1.0.9',
      'packages/ui react: react@npm:^1 react@npm:1.0.0 -> react@npm:1.0.9',
    ]);
    expect(peer('react@^2 = 2.0.0')).toEqual(['packages/other react: react@npm:^2 react@npm:2.0.0 -> react@npm:2.0.9']);
    expect(changes(side(withPeer(text, 'tool')), side(withPeer(text.replace('tool@^1 = 1.0.0', 'tool@^1 = 1.0.9'), 'tool')))).toEqual([
      '. tool: tool@npm:^1 tool@npm:1.0.0 -> tool@npm:1.0.9',
      'packages/ui tool: tool@npm:^1 tool@npm:1.0.0 -> tool@npm:1.0.9',
    ]);
  });

  test('that nobody provides count by name', () => {
    const text = 'app: ui workspace:^\nui:\nother: react ^2\nreact@^2 = 2.0.0';
    expect(changes(side(withPeer(text, 'react')), side(withPeer(text.replace('= 2.0.0', '= 2.0.9'), 'react')))).toEqual([
      'packages/other react: react@npm:^2 react@npm:2.0.0 -> react@npm:2.0.9',
      'packages/ui react: react@npm:^2 react@npm:2.0.0 -> react@npm:2.0.9',
    ]);
  });
});
