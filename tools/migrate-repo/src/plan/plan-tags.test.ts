import { expect, test } from '@jest/globals';
import { parseWorkspaceName } from '@tributary/model/ids';
import type { RepoPath } from '@tributary/model/paths';
import type { FoundTag, SourceFacts } from './facts.js';
import { planTags } from './plan-tags.js';

type Release = readonly [tag: string, version?: string, name?: string];

/** Plans tags of packages/deck of a repository with several packages. Each tag has a commit of its own, unless it has the version of another. */
function plan(tags: readonly Release[], pattern = '{name}@{version}') {
  const found = tags.map(([name, version, of = 'pier-deck'], at): FoundTag => {
    const id = String(at + 1).repeat(40) as FoundTag['id'];
    return { name, id, release: version === undefined ? undefined : { name: of, version } };
  });
  const request = { name: parseWorkspaceName('pier-deck'), subdirectory: 'packages/deck' as RepoPath };
  const { otherTags, ...planned } = planTags({ request, tags: found } as unknown as SourceFacts, pattern);
  return { otherTags, tags: planned.tags.map(({ name, newName }) => `${name} = ${newName}`), apart: planned.apart.map(({ name }) => name) };
}

test('in a repository with several packages, a plain tag belongs to the one that had that version there', () => {
  expect(
    plan([
      ['v1.0.0', '1.0.0'],
      ['2.0.0', '0.3.1'],
      ['v0.3.0'],
      ['0.2.0', '0.2.0', 'old-name'],
      ['nightly', '1.0.0'],
      ['pier@3.0.0', '3.0.0'],
      ['pier-v3.0.0', '3.0.0'],
      ['pier-deck-v1.1.0'],
      ['pier-deck@1.2.0', '1.2.0'],
    ]),
  ).toEqual({
    tags: ['v1.0.0 = pier-deck@1.0.0', 'pier-deck-v1.1.0 = pier-deck@1.1.0', 'pier-deck@1.2.0 = pier-deck@1.2.0'],
    otherTags: ['2.0.0', 'v0.3.0', '0.2.0', 'nightly', 'pier@3.0.0', 'pier-v3.0.0'],
    apart: [],
  });
});

test('of two releases of one version, the one that names the package keeps its name, and the other one its own in full', () => {
  const pair: Release[] = [['v1.0.0', '1.0.0'], ['pier-deck@1.0.0']];
  expect(plan(pair)).toEqual({
    tags: ['v1.0.0 = pier-deck@v1.0.0', 'pier-deck@1.0.0 = pier-deck@1.0.0'],
    otherTags: [],
    apart: ['v1.0.0'],
  });
  const others: Release[] = [['1.0.0', '1.0.0'], ['pier-deck-v1.0.0'], ['pier-deck@1.0.0']];
  expect(plan(others)).toEqual({
    tags: ['1.0.0 = pier-deck@1.0.0_2', 'pier-deck-v1.0.0 = pier-deck@pier-deck-v1.0.0', 'pier-deck@1.0.0 = pier-deck@1.0.0'],
    otherTags: [],
    apart: ['1.0.0', 'pier-deck-v1.0.0'],
  });
  expect(plan(pair, '{name}@{tag}').tags).toEqual(['v1.0.0 = pier-deck@v1.0.0', 'pier-deck@1.0.0 = pier-deck@1.0.0']);
});

test('of two tags of one commit that would get one name, one comes and the other is told', () => {
  const [id, target] = ['1', '2'].map((digit) => digit.repeat(40) as FoundTag['id']);
  const found = [
    { name: '1.0.0', id: target },
    { name: 'v1.0.0', id, target },
  ];
  const { tags, otherTags, twins } = planTags(
    { request: { name: 'pier-deck' }, tags: found } as unknown as SourceFacts,
    '{name}@{version}',
  );
  expect([tags, twins].map((list) => list.map(({ name }) => name))).toEqual([['v1.0.0'], ['1.0.0']]);
  expect(otherTags).toEqual([]);
});
