import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { CloneStory, Collecting, eventLines } from '../collect/story.fixture.js';

let core: CloneStory;
let app: CloneStory;
let collecting: Collecting;
beforeEach(() => {
  core = new CloneStory();
  app = new CloneStory();
  core.repo.git('remote', 'add', 'origin', 'https://host.example/acme/core.git');
  app.repo.git('remote', 'add', 'origin', 'https://host.example/acme/app.git');
  collecting = new Collecting();
});
afterEach(() => {
  core.repo.dispose();
  app.repo.dispose();
  collecting.dispose();
});

function lock(version: string): Readonly<Record<string, string>> {
  const entry = `"core@npm:^1.0.0":\n  version: ${version}\n  resolution: "core@npm:${version}"\n  languageName: node\n  linkType: hard\n`;
  return { 'yarn.lock': `__metadata:\n  version: 8\n\n${entry}` };
}

/** The lockfile of a monorepo that still installs a published copy of a package, beside the workspace. */
const APP = { name: 'app', version: '1.0.0', dependencies: { core: '^1.0.0' } };

/** Release 1.n.0 of core at hour 10n, with a change an hour before; the consumer takes it and is published within two hours. */
function release(minor: number): string {
  const change = core.at(minor * 10 - 1).commit(`Change (#${minor})`, { 'a.js': `${minor}` });
  core.at(minor * 10).version(`1.${minor}.0`, { name: 'core', version: `1.${minor}.0` });
  core.repo.tag(`v1.${minor}.0`);
  return change;
}

function upgrade(minor: number): void {
  app.at(minor * 10 + 1).commit('Upgrade core', lock(`1.${minor}.0`));
  app.at(minor * 10 + 2).version(`1.${minor}.0`, { ...APP, version: `1.${minor}.0` });
  app.repo.tag(`v1.${minor}.0`);
}

/** Both begin with 1.0.0; then so many changes reach the consumer's releases, one with each. */
function releases(count: number): readonly string[] {
  core.at(1).version('Start', { name: 'core', version: '1.0.0' });
  core.repo.tag('v1.0.0');
  app.at(2).commit('Start', { 'package.json': `${JSON.stringify(APP)}\n`, ...lock('1.0.0') });
  app.repo.tag('v1.0.0');
  return Array.from({ length: count }, (_, at) => {
    const change = release(at + 1);
    upgrade(at + 1);
    return change;
  });
}

/** Writes the library into the repository of the consumer, as people do by hand. */
function commitIn(hour: number, version: string): void {
  app.at(hour).commit('Move core in', {
    'package.json': `${JSON.stringify({ ...APP, workspaces: ['packages/*'] })}\n`,
    'packages/core/package.json': `${JSON.stringify({ name: 'core', version })}\n`,
  });
}

test('what reached the consumer stays recorded when the library moves into its repository', async () => {
  const changes = releases(12);
  const { upgrades } = await collecting.run([core, app]);
  const before = collecting.events().filter(({ consumer }) => consumer === 'acme/app');
  expect(before).toHaveLength(24);
  commitIn(130, '1.12.0');
  const after = await collecting.run([core, app]);
  expect(after.repositories.map(({ events }) => events.retracted)).toEqual([0, 0]);
  expect(after.upgrades).toContainEqual(upgrades[0]);
  const fresh = new Collecting();
  try {
    await fresh.run([core, app]);
    const ofConsumer = fresh.events().filter(({ consumer, repo }) => consumer === 'acme/app' && repo === 'acme/core');
    expect(ofConsumer.map(({ id }) => id).sort()).toEqual(before.map(({ id }) => id).sort());
    expect(eventLines(fresh.events(), changes[11] ?? '').slice(2)).toEqual([
      'core in acme/app upgrade-merge 120:00 to 121:00',
      'core in acme/app publish 1.12.0 (latest) 122:00',
    ]);
  } finally {
    fresh.dispose();
  }
});

test('while a package is a workspace nothing is an upgrade, and after it moved out only what came out since', async () => {
  releases(2);
  commitIn(30, '1.2.0');
  // A copy from the registry comes with another package: the workspace is what the consumer uses.
  const inside = release(4);
  app.at(41).commit('Refresh', lock('1.4.0'));
  app.at(45).commit('Move core out', {
    'package.json': `${JSON.stringify(APP)}\n`,
    'packages/core/package.json': null,
    ...lock('1.4.0'),
  });
  const outside = release(6);
  upgrade(6);
  const { upgrades } = await collecting.run([core, app]);
  expect(eventLines(collecting.events(), inside).filter((line) => line.includes('in acme/app'))).toEqual([]);
  expect(eventLines(collecting.events(), outside)).toContain('core in acme/app upgrade-merge 60:00 to 61:00');
  expect(upgrades).toContainEqual({ package: 'core', consumer: 'acme/app', taken: 3, skipped: 0, open: 0 });
});
