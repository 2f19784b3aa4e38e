import { describe, expect, test } from '@jest/globals';
import type { ListedFile } from '@tributary/git/parse';
import { textAsName } from '@tributary/git/tree';
import { ToolError } from '@tributary/model/errors';
import { type CommitId, type ObjectId, parseWorkspaceName, type RefName } from '@tributary/model/ids';
import { parseRepoPath, type RepoFolder } from '@tributary/model/paths';
import { RepoUrl } from '@tributary/model/repo-url';
import { parseManifest } from '@tributary/workspaces/manifest';
import fc from 'fast-check';
import type { SourceFacts, TargetFacts } from './facts.js';
import { type PlanChoices, planMigration } from './plan.js';

const ID = '1'.repeat(40) as ObjectId;
const CHOICES: PlanChoices = {
  dependencies: 'align',
  branch: undefined,
  strategy: 'rewrite',
  messages: 'qualified',
  pathPattern: 'packages/{shortName}',
  tagPattern: '{name}@{version}',
};
const COVERING = '{"private":true,"workspaces":["packages/*"]}';

interface TargetChoice {
  readonly manifest?: string;
  readonly root?: string;
  readonly files?: readonly string[];
  readonly refs?: readonly string[];
  /** Workspace names by folder. */
  readonly workspaces?: Readonly<Record<string, string>>;
}

function target(choice: TargetChoice = {}): TargetFacts {
  const { manifest = COVERING, root = '', files = ['package.json'], refs = [], workspaces = {} } = choice;
  return {
    format: 'sha1',
    head: ID,
    headTree: ID,
    root: root as RepoFolder,
    rootManifestText: manifest,
    refs: new Set(refs),
    workspaces: Object.entries(workspaces).map(([path, name]) => ({
      path: path as RepoFolder,
      name: parseWorkspaceName(name),
      manifest: parseManifest('{}', 'package.json'),
    })),
    files: files.map(listed),
  };
}

const listed = (path: string): ListedFile => ({ mode: '100644', id: ID, size: 1, path: textAsName(path) });

interface SourceChoice {
  readonly tags?: readonly string[];
  readonly path?: string;
  readonly files?: readonly string[];
}

/** Returns a source from a text like `app -> lib core`. */
function source(text: string, choice: SourceChoice = {}): SourceFacts {
  const [name = '', dependsOn = ''] = text.split(' -> ');
  const blocks = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];
  const manifest = dependsOn
    .split(' ')
    .filter((one) => one !== '')
    .map((one, at) => [blocks[at % blocks.length], { [one]: '^1.0.0' }]);
  const path = choice.path === undefined ? undefined : parseRepoPath(choice.path);
  return {
    request: { name: parseWorkspaceName(name), url: new RepoUrl('path', `/${name}`), branch: undefined, subdirectory: undefined, path },
    ref: 'refs/heads/main' as RefName,
    tip: ID as CommitId,
    manifest: parseManifest(JSON.stringify({ name, ...Object.fromEntries(manifest) }), 'package.json'),
    files: (choice.files ?? ['package.json']).map(listed),
    tags: (choice.tags ?? []).map((tag, at) => ({ name: tag, id: String(at + 1).repeat(40) as typeof ID })),
  };
}

const failed = (name: string) => ({
  name: parseWorkspaceName(name),
  error: new ToolError({ code: 'SOURCE_UNREACHABLE', message: `${name} is not there.` }),
});
const plan = (
  facts: TargetFacts,
  sources: readonly SourceFacts[],
  choices: Partial<PlanChoices> = {},
  leftOut: readonly ReturnType<typeof failed>[] = [],
) => planMigration(facts, { sources, leftOut }, { ...CHOICES, ...choices });
const paths = (planned: ReturnType<typeof plan>): string[] => planned.packages.map(({ path }) => path);
const leftOut = (planned: ReturnType<typeof plan>): string[] => planned.leftOut.map(({ name, error }) => `${name}: ${error.code}`);

test('packages go to their folders, dependencies first, with their tags and what is cleaned up', () => {
  const planned = plan(target(), [
    source('app -> lib', { tags: ['v1.0.0', 'nightly'] }),
    source('lib', { files: ['package.json', 'yarn.lock'] }),
  ]);
  expect(planned).toMatchObject({ branch: 'refs/heads/migrate/app-and-1-more', strategy: 'rewrite', leftOut: [] });
  expect(paths(planned)).toEqual(['packages/lib', 'packages/app']);
  expect(planned.packages[1]?.tags.map(({ newName }) => newName)).toEqual(['app@1.0.0', 'app@nightly']);
  expect(planned.packages[0]?.cleanUp.map(({ path }) => path)).toEqual(['yarn.lock']);
});

test('messages are qualified by the name of the source, unless they are to be exact or commits keep their ids', () => {
  const one = { ...source('x'), manifest: parseManifest('{"name":"x","repository":"acme/x"}', 'package.json') };
  const messages = (choices: Partial<PlanChoices>) => plan(target(), [one], choices).packages[0]?.messages;
  expect(messages({})).toEqual({ repository: { name: 'acme/x', forge: 'other' } });
  expect(messages({ messages: 'exact' })).toBe('exact');
  expect(messages({ strategy: 'merge' })).toBe('exact');
});

test('without a pattern for tags, none come along', () => {
  const [one] = plan(target({ refs: ['refs/tags/x@1'] }), [source('x', { tags: ['v1'] })], { tagPattern: undefined }).packages;
  expect(one).toMatchObject({ tags: [], tagPattern: undefined });
});

describe('a path that is taken is refused, with what is there', () => {
  test.each([
    ['by a workspace', 'packages/x/package.json', 'packages/x/package.json'],
    ['by a single file below it', 'packages/x/deep/er/file', 'packages/x/deep/er/file'],
    ['by a file', 'packages/x', 'packages/x'],
    ['by a file where a folder is needed', 'packages', 'packages'],
    ['in other letters', 'Packages/X/index.js', 'Packages/X/index.js'],
  ])('%s', (_title, file, named) => {
    const planned = plan(target({ files: ['package.json', file] }), [source('x')]);
    expect(leftOut(planned)).toEqual(['x: TARGET_PATH_TAKEN']);
    expect(planned.leftOut[0]?.error.message).toBe(`packages/x cannot be used: ${named} exists.`);
  });

  test.each(['packages/xy/a', 'packages/x.md', 'x/a', 'packages-x/a', 'other/packages/x'])('and not by %s', (file) => {
    expect(paths(plan(target({ files: ['package.json', file] }), [source('x')]))).toEqual(['packages/x']);
  });

  test.each([
    ['the same', 'libs/a', 'libs/a'],
    ['the same in other letters', 'libs/a', 'Libs/A'],
    ['inside it', 'libs/a', 'libs/a/b'],
    ['around it', 'libs/a/b', 'libs/a'],
  ])('by another package of the same run: %s', (_title, first, second) => {
    const planned = plan(target(), [source('a', { path: first }), source('b', { path: second })]);
    expect(leftOut(planned)).toEqual(['b: TARGET_PATH_TAKEN']);
  });

  test('by a folder whose name is not ASCII', () => {
    expect(leftOut(plan(target({ files: ['package.json', 'packages/größe/a'] }), [source('x', { path: 'packages/größe' })]))).toEqual([
      'x: TARGET_PATH_TAKEN',
    ]);
  });
});

test.each([
  ['a workspace', { 'libs/old': 'x' }, 'The workspace libs/old already has the name x.'],
  ['the root', { '': 'x' }, 'The root of the monorepo already has the name x.'],
])('the name of %s cannot come again', (_title, workspaces, message) => {
  const planned = plan(target({ workspaces: workspaces as Record<string, string> }), [source('x'), source('y')]);
  expect(planned.leftOut.map(({ error }) => [error.code, error.message])).toEqual([['TARGET_NAME_TAKEN', message]]);
  expect(paths(planned)).toEqual(['packages/y']);
});

test.each([
  ['itself', 'refs/heads/migrate/x', 'The branch migrate/x cannot be created: refs/heads/migrate/x exists.'],
  ['a branch called as its folder', 'refs/heads/migrate', 'The branch migrate/x cannot be created: refs/heads/migrate exists.'],
  ['a branch below it', 'refs/heads/migrate/x/y', 'The branch migrate/x cannot be created: refs/heads/migrate/x/y exists.'],
])('a branch that is taken by %s ends the whole run', (_title, ref, message) => {
  expect(() => plan(target({ refs: [ref] }), [source('x')])).toThrow(expect.objectContaining({ code: 'TARGET_BRANCH_TAKEN', message }));
  expect(plan(target({ refs: [ref] }), [source('x')], { branch: 'other' }).branch).toBe('refs/heads/other');
});

test.each(['-x', 'HEAD', 'a b', 'a..b'])('a branch cannot be called "%s"', (branch) => {
  expect(() => plan(target(), [source('x')], { branch })).toThrow(expect.objectContaining({ code: 'USAGE' }));
});

describe('one that cannot be migrated is left out with all that need it', () => {
  test('and the others go on', () => {
    const planned = plan(target(), [source('app -> lib other'), source('lib -> core'), source('other')], {}, [failed('core')]);
    expect(paths(planned)).toEqual(['packages/other']);
    expect(leftOut(planned)).toEqual(['core: SOURCE_UNREACHABLE', 'lib: DEPENDENCY_LEFT_OUT', 'app: DEPENDENCY_LEFT_OUT']);
    expect(planned.leftOut[2]?.error.message).toBe('app needs lib, which is left out.');
  });

  test('only where its range admits the version', () => {
    const manifest = (version: string) => parseManifest(JSON.stringify({ name: 'lib', version }), 'package.json');
    const family = (version: string) => [source('app -> lib'), { ...source('lib', { tags: ['v1'] }), manifest: manifest(version) }];
    const refs = target({ refs: ['refs/tags/lib@1/x'] });
    expect(leftOut(plan(refs, family('2.0.0')))).toEqual(['lib: TAG_COLLISION']);
    expect(leftOut(plan(refs, family('1.5.0')))).toEqual(['lib: TAG_COLLISION', 'app: DEPENDENCY_LEFT_OUT']);
    expect(leftOut(plan(refs, family('0.0.0-development')))).toEqual(['lib: TAG_COLLISION', 'app: DEPENDENCY_LEFT_OUT']);
  });

  test('also where the plan, and not the fetch, leaves it out', () => {
    const planned = plan(target({ refs: ['refs/tags/lib@1/x'] }), [source('app -> lib'), source('lib', { tags: ['v1'] })]);
    expect(leftOut(planned)).toEqual(['lib: TAG_COLLISION', 'app: DEPENDENCY_LEFT_OUT']);
  });

  test('also where it is in a cycle with them, and comes later', () => {
    const planned = plan(target({ files: ['package.json', 'packages/a/x'] }), [
      source('a -> b'),
      source('b -> a'),
      source('c -> b'),
      source('d'),
    ]);
    expect(paths(planned)).toEqual(['packages/d']);
    expect(leftOut(planned).sort()).toEqual(['a: TARGET_PATH_TAKEN', 'b: DEPENDENCY_LEFT_OUT', 'c: DEPENDENCY_LEFT_OUT']);
  });

  test('and the branch is called after those that come', () => {
    expect(plan(target(), [source('b')], {}, [failed('a')]).branch).toBe('refs/heads/migrate/b');
    const sources = [source('app -> core'), source('web'), source('lib')];
    expect(plan(target(), sources, {}, [failed('core')]).branch).toBe('refs/heads/migrate/lib-and-1-more');
  });

  test('whatever is taken: nobody is planned who needs one that is left out, and nobody is forgotten', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const asked = fc.tuple(
      ...names.map((name) => fc.subarray(names.filter((other) => other !== name)).map((dependsOn) => `${name} -> ${dependsOn.join(' ')}`)),
    );
    fc.assert(
      fc.property(asked, fc.subarray(names), fc.subarray(names), (texts, taken, unreachable) => {
        const sources = texts.filter((text) => !unreachable.includes(text[0] ?? '')).map((text) => source(text));
        const planned = plan(
          target({ files: ['package.json', ...taken.map((name) => `packages/${name}/f`)] }),
          sources,
          {},
          unreachable.map(failed),
        );
        const gone = planned.leftOut.map(({ name }): string => name);
        expect([...gone, ...planned.packages.map(({ source: { request } }) => request.name)].sort()).toEqual(names);
        for (const { source: facts } of planned.packages)
          for (const block of [
            facts.manifest.dependencies,
            facts.manifest.devDependencies,
            facts.manifest.peerDependencies,
            facts.manifest.optionalDependencies,
          ])
            for (const name of block.keys()) expect(gone).not.toContain(name);
      }),
    );
  });
});

describe('tags', () => {
  test('of two packages that would get the same name: the second is left out', () => {
    const planned = plan(target(), [source('a', { tags: ['v1'] }), source('b', { tags: ['v1'] })], { tagPattern: '{tag}' });
    expect(leftOut(planned)).toEqual(['b: TAG_COLLISION']);
  });

  test('that git does not allow leave their package out', () => {
    expect(leftOut(plan(target(), [source('a', { tags: ['v1'] })], { tagPattern: '{name} {tag}' }))).toEqual(['a: USAGE']);
  });

  test('those that the monorepo has already are no collision yet: what they hold is compared once the history is moved', () => {
    const planned = plan(target({ refs: ['refs/tags/a@1', 'refs/tags/b@1'] }), [source('a', { tags: ['v1', 'v2'] })]);
    expect(planned.packages.map(({ knownTags }) => knownTags)).toEqual([['a@1']]);
    const both = plan(target({ refs: ['refs/tags/v1'] }), [source('a', { tags: ['v1'] }), source('b', { tags: ['v1'] })], {
      tagPattern: '{tag}',
    });
    expect(leftOut(both)).toEqual(['b: TAG_COLLISION']);
  });

  test('v1.2.3 and 1.2.3 both come along with a pattern that keeps them apart', () => {
    const [one] = plan(target(), [source('a', { tags: ['1.2.3', 'v1.2.3', 'v2.0.0'] })]).packages;
    expect(one?.tags.map(({ newName }) => newName)).toEqual(['a@1.2.3', 'a@v1.2.3', 'a@2.0.0']);
    expect(one?.apart.map(({ name }) => name)).toEqual(['v1.2.3']);
    expect(leftOut(plan(target(), [source('a', { tags: ['1.2.3', 'v1.2.3'] })], { tagPattern: '{name}@{tag}' }))).toEqual([]);
  });
});

describe('registration', () => {
  const workspaces = (text: string | undefined): unknown =>
    text === undefined ? undefined : (JSON.parse(text) as { workspaces: unknown }).workspaces;

  test('is not needed where a pattern covers the folder', () => {
    expect(plan(target(), [source('x')]).packages[0]?.rootManifestText).toBeUndefined();
  });

  test('of several packages builds on the one before', () => {
    const planned = plan(target({ manifest: '{"workspaces":["apps/*"]}' }), [source('b'), source('a'), source('c', { path: 'apps/c' })]);
    expect(planned.packages.map(({ path, rootManifestText }) => [path, workspaces(rootManifestText)])).toEqual([
      ['packages/a', ['apps/*', 'packages/a']],
      ['packages/b', ['apps/*', 'packages/a', 'packages/b']],
      ['apps/c', undefined],
    ]);
  });

  test('does not mention a package that was left out in the end', () => {
    const facts = target({ manifest: '{"workspaces":[]}', files: ['package.json', 'packages/a/x'] });
    const planned = plan(facts, [source('a -> b'), source('b -> a'), source('c')]);
    expect(workspaces(planned.packages[0]?.rootManifestText)).toEqual(['packages/c']);
  });

  test('counts from the folder of the root manifest, and paths from the root of the repository', () => {
    const facts = target({
      root: 'frontend/js',
      manifest: '{"workspaces":["libs/*"]}',
      files: ['frontend/js/package.json', 'packages/x/a'],
    });
    const planned = plan(facts, [source('x'), source('y', { path: 'libs/y' })]);
    expect(planned.packages.map(({ path, rootManifestText }) => [path, workspaces(rootManifestText)])).toEqual([
      ['frontend/js/packages/x', ['libs/*', 'packages/x']],
      ['frontend/js/libs/y', undefined],
    ]);
  });

  test('keeps the formatting of the file', () => {
    const manifest = '{\n\t"name": "root",\n\t"workspaces": [\n\t\t"apps/*"\n\t]\n}';
    expect(plan(target({ manifest }), [source('x')]).packages[0]?.rootManifestText).toBe(
      manifest.replace('"apps/*"', '"apps/*",\n\t\t"packages/x"'),
    );
  });
});

test('the plan does not depend on the order in which packages were named', () => {
  const sources = [source('a -> c'), source('b', { tags: ['v1'] }), source('c'), source('d -> gone'), source('e', { path: 'packages/b' })];
  const facts = target({ manifest: '{"workspaces":[]}' });
  const expected = plan(facts, sources, {}, [failed('gone')]);
  fc.assert(
    fc.property(fc.shuffledSubarray(sources, { minLength: sources.length }), (shuffled) => {
      expect(plan(facts, shuffled, {}, [failed('gone')])).toEqual(expected);
    }),
  );
});
