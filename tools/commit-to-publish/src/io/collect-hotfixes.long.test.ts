// Hotfixes: changes that a release branch published before the main line did.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { CloneStory, Collecting, eventLines } from '../collect/story.fixture.js';

let story: CloneStory;
let collecting: Collecting;
beforeEach(() => {
  story = new CloneStory();
  collecting = new Collecting();
  story.repo.git('remote', 'add', 'origin', 'https://github.example/acme/core.git');
  release(0, '1.0.0');
  story.repo.branch('1.x');
});
afterEach(() => {
  story.repo.dispose();
  collecting.dispose();
});

function release(hour: number, version: string): void {
  story.at(hour).version(version, { name: 'core', version });
  story.repo.tag(`v${version}`, { message: version });
}

/** Commits to the branch 1.x, and returns the id. */
function onBranch(hour: number, subject: string, body: string, file = 'fix.js'): string {
  story.repo.checkout('1.x');
  const id = story.at(hour).commit(subject, { [file]: `${hour}` }, {}, body);
  story.repo.checkout('main');
  return id;
}

function releaseBranch(hour: number, version: string): void {
  story.repo.checkout('1.x');
  release(hour, version);
  story.repo.checkout('main');
}

function pickOf(commit: string): string {
  return `(cherry picked from commit ${commit})`;
}

/** Collects, and returns what was published of some commits. */
async function published(...commits: readonly string[]): Promise<readonly (readonly string[])[]> {
  await collecting.run([story], { config: { channels: ['latest'] } });
  return commits.map((commit) => eventLines(collecting.events(), commit).filter((line) => line.includes(' publish ')));
}

const fix = (hour = 20): string => story.at(hour).commit('Fix', { 'fix.js': `${hour}` });

test('a fix that the release branch picked and published counts from there, and nothing else does', async () => {
  const [first, second, other] = [fix(20), fix(21), story.at(22).commit('Other', { 'a.js': '1' })];
  onBranch(23, 'Fix', `${pickOf(first)}\n\nSigned-off-by: A <a@host.example>`);
  onBranch(24, 'Both', `${pickOf(first)}\n${pickOf(second)}`);
  releaseBranch(25, '1.0.1');
  expect(await published(first, second, other)).toEqual([['core publish 1.0.1 (latest) 25:01'], ['core publish 1.0.1 (latest) 25:01'], []]);
  release(40, '1.1.0');
  expect(await published(first, second, other)).toEqual([
    ['core publish 1.0.1 (latest) 25:01'],
    ['core publish 1.0.1 (latest) 25:01'],
    ['core publish 1.1.0 (latest) 40:01'],
  ]);
});

test('a fix comes out once on each channel: on that of the branch with the branch, on latest with the main line', async () => {
  const one = fix();
  onBranch(23, 'Fix', pickOf(one));
  releaseBranch(25, '1.0.1-rc.1');
  releaseBranch(26, '1.0.1-rc.2');
  release(40, '1.1.0');
  expect(await published(one)).toEqual([['core publish 1.0.1-rc.1 (rc) 25:01', 'core publish 1.1.0 (latest) 40:01']]);
});

test('a version of an older line that nothing tags with a channel brings no fix out on latest', async () => {
  release(10, '2.0.0');
  const one = fix();
  onBranch(23, 'Fix', pickOf(one));
  releaseBranch(25, '1.0.1');
  release(40, '2.0.1');
  expect(await published(one)).toEqual([['core publish 2.0.1 (latest) 40:01']]);
});

test('a fix that was reverted on the branch before its release did not come out there; picked again, it did', async () => {
  const one = fix();
  const picked = onBranch(23, 'Fix', pickOf(one));
  onBranch(24, 'Revert "Fix"', `This reverts commit ${picked}.`);
  releaseBranch(25, '1.0.1');
  expect(await published(one)).toEqual([[]]);
  onBranch(26, 'Fix', pickOf(one));
  releaseBranch(27, '1.0.2');
  expect(await published(one)).toEqual([['core publish 1.0.2 (latest) 27:01']]);
});

test.each<readonly [what: string, body: (commit: string) => string]>([
  ['without a line of git', () => ''],
  ['with a quoted one', (commit) => `> ${pickOf(commit)}`],
  ['with a short id', (commit) => pickOf(commit.slice(0, 12))],
  ['of a commit that is nowhere', () => pickOf('0123456789'.repeat(4))],
])('a commit on the branch %s is not seen to be a fix of the main line', async (_, body) => {
  const one = fix();
  onBranch(23, 'Fix', body(one));
  releaseBranch(25, '1.0.1');
  release(40, '1.1.0');
  expect(await published(one)).toEqual([['core publish 1.1.0 (latest) 40:01']]);
});

test('a commit of a merged branch is a part of the change: picked alone it brings out nothing, the merge does', async () => {
  story.repo.git('checkout', '-q', '-b', 'dev');
  const part = fix(20);
  story.at(21).commit('More', { 'more.js': '1' });
  story.repo.checkout('main');
  const merge = story.at(22).repo.merge('dev');
  onBranch(23, 'Fix', pickOf(part));
  releaseBranch(25, '1.0.1');
  expect(await published(merge)).toEqual([[]]);
  onBranch(26, 'All', pickOf(merge), 'more.js');
  releaseBranch(27, '1.0.2');
  expect(await published(merge)).toEqual([['core publish 1.0.2 (latest) 27:01']]);
});

test('a fix made on the branch and published there before it came to main measures nothing on that channel', async () => {
  const origin = onBranch(20, 'Fix', '');
  releaseBranch(25, '1.0.1');
  const [later, sooner] = [
    story.at(30).commit('Fix', { 'fix.js': '20' }, {}, pickOf(origin)),
    story.at(31).commit('Other', { 'a.js': '1' }),
  ];
  release(40, '1.1.0');
  expect(await published(later, sooner)).toEqual([['core publish unmeasured 1.0.1 (latest) 25:01'], ['core publish 1.1.0 (latest) 40:01']]);
});

test('a fix that main reverted after the branch had published it came out', async () => {
  const one = fix();
  onBranch(23, 'Fix', pickOf(one));
  releaseBranch(25, '1.0.1');
  const undoing = story.at(30).commit('Revert "Fix"', { 'fix.js': null }, {}, `This reverts commit ${one}.`);
  release(40, '1.1.0');
  expect(await published(one, undoing)).toEqual([['core publish 1.0.1 (latest) 25:01'], ['core publish 1.1.0 (latest) 40:01']]);
});

test('of two packages, the fix came out with the one that the branch published', async () => {
  story.at(1).commit('Monorepo', { 'package.json': '{"name":"root","private":true,"workspaces":["*"]}' });
  for (const name of ['ui', 'api']) {
    story.at(2).version(`Add ${name}`, { name, version: '1.0.0' }, `${name}/`);
    story.repo.tag(`${name}@1.0.0`, { message: name });
  }
  story.repo.git('branch', '-f', '1.x', 'main');
  const both = story.at(20).commit('Fix', { 'ui/fix.js': '1', 'api/fix.js': '1' });
  story.repo.checkout('1.x');
  story.at(23).commit('Fix', { 'ui/fix.js': '1', 'api/fix.js': '1' }, {}, pickOf(both));
  story.at(25).version('ui', { name: 'ui', version: '1.0.1' }, 'ui/');
  story.repo.tag('ui@1.0.1', { message: 'ui' });
  story.repo.checkout('main');
  expect(await published(both)).toEqual([['ui publish 1.0.1 (latest) 25:01']]);
});
