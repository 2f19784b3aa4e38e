import { hasTwoRanges } from './graph.fixture.js';
import { type OracleMember, type OracleProject, ownerOf } from './project.fixture.js';
import { resolve } from './resolve.fixture.js';
import { asObject, type Json, textOf, textsIn } from './side.fixture.js';

/** The kinds of files whose changes reach no dependents by themselves: the rows of `affected.reach`, and `source` for all others. */
export type Kind = 'source' | 'tests' | 'documentation' | 'manifest';

const TEST_FOLDER = /^(__\w+__|tests?|specs?|e2e|cypress)$/;
const TEST_NAME = /[._-](test|spec|cy|e2e|test-d)\.\w+$|^tests?\.\w+$|^test-|\.snap$|\.stories\./;
const TEST_SETTING =
  /^\.?(jest|vitest|ava|karma|playwright|cypress|web-test-runner|wdio|mocharc|nycrc|c8rc|eslint|prettier|stylelint|oxlint|markdownlint)/;
const DOCUMENT = /\.(md|markdown|rst|adoc)$/;
const DOCUMENT_NAME = /^(readme|change|history|licen[sc]e|copying|notice|author|contribut|code_of_conduct|security|third-party)/i;
const CODE = /\.([cm]?[jt]sx?|json|ya?ml|mdx|vue|svelte|astro)$/;

/** Returns the kind of a file by its name. In doubt it is no source, because nothing is claimed of the others. */
export function kindOf(path: string, owner: OracleMember | undefined): Kind {
  const below = owner === undefined || owner.path === '.' ? path : path.slice(owner.path.length + 1);
  if (below === 'package.json') return 'manifest';
  const folders = below.split('/');
  const name = folders.pop() ?? '';
  if (folders.some((folder) => TEST_FOLDER.test(folder)) || TEST_NAME.test(name) || TEST_SETTING.test(name)) return 'tests';
  const isPicture = /^docs?$/.test(folders[0] ?? '') && /\.(png|jpe?g|gif|svg|webp|avif|ico)$/.test(name);
  return isPicture || DOCUMENT.test(name) || (DOCUMENT_NAME.test(name) && !CODE.test(name)) ? 'documentation' : 'source';
}

/** Returns the kind of a file at one side. */
export function kindAt(project: OracleProject, path: string): Kind {
  return kindOf(path, ownerOf(project, path));
}

const DESCRIBING = new Set([
  ...['version', 'description', 'keywords', 'homepage', 'bugs', 'repository', 'funding', 'publishConfig'],
  ...['author', 'contributors', 'maintainers', 'license'],
]);
const BLOCKS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];
const TEST_TOOL =
  /jest|vitest|mocha|chai|sinon|ava\b|tape|tap\b|jasmine|karma|nyc|c8|cypress|playwright|nock|msw|supertest|uvu|expect|should|proxyquire|mock|testing|fast-check|web-test-runner|open-wc|jsdom|happy-dom|pg-mem|memfs|tsd\b|testdouble|prettier|pretty-quick|oxfmt|dprint|eslint|oxlint|biome|stylelint|markdownlint|cspell|knip|depcheck|syncpack|sort-package-json|publint|arethetypeswrong|husky|lint-staged|nano-staged|lefthook|git-hooks|commitizen|^cz-|commitlint|changesets|semantic-release|release-it|auto-changelog|conventional-changelog|auto-it|npm-check-updates|all-contributors|typedoc/;

/** Returns whether a workspace uses a dependency at most for its tests. */
export function isForTests({ manifest }: OracleMember, name: string): boolean {
  return TEST_TOOL.test(name) && BLOCKS.every((block) => block === 'devDependencies' || asObject(manifest[block])?.[name] === undefined);
}

/** Returns whether the manifests of a workspace differ in more than its version, what describes it, and what leads to the same. */
export function manifestReaches(before: OracleProject, after: OracleProject, folder: string): boolean {
  const [earlier, member] = [before, after].map(({ members }) => members.find(({ path }) => path === folder));
  if (earlier === undefined || member === undefined) return true;
  const [old, now] = [earlier.manifest, member.manifest];
  return keysOf(old, now).some((key) => {
    if (!differs(old[key], now[key]) || DESCRIBING.has(key)) return false;
    if (!BLOCKS.includes(key)) return true;
    const [oldRanges, ranges] = [new Map(textsIn(old[key])), new Map(textsIn(now[key]))];
    return [...new Set([...oldRanges.keys(), ...ranges.keys()])].some((name) => {
      if (oldRanges.get(name) === ranges.get(name)) return false;
      if (key === 'devDependencies' && TEST_TOOL.test(name)) return false;
      if (hasTwoRanges(earlier, name) || hasTwoRanges(member, name)) return false;
      const target = leadsTo(before, earlier, { name, range: oldRanges.get(name), key });
      return target === undefined || target !== leadsTo(after, member, { name, range: ranges.get(name), key });
    });
  });
}

interface Request {
  readonly name: string;
  readonly range: string | undefined;
  readonly key: string;
}

/** Returns the folder of the workspace that a dependency leads to. */
function leadsTo(project: OracleProject, member: OracleMember, { name, range, key }: Request): string | undefined {
  if (range === undefined) return undefined;
  if (key === 'peerDependencies') return project.members.find((one) => one.name === name)?.path;
  const version = textOf(member.manifest['version']) || '0.0.0';
  const locator = `${member.name}@workspace:${member.path}`;
  const target = resolve(project, name, range, { name: member.name, version, folder: member.path, locator, locked: false });
  return target !== undefined && 'member' in target ? target.member.path : undefined;
}

function keysOf(...manifests: readonly Json[]): string[] {
  return [...new Set(manifests.flatMap((manifest) => Object.keys(manifest)))];
}

/** Order tells nothing for certain. */
function differs(one: unknown, other: unknown): boolean {
  return JSON.stringify(inOrder(one)) !== JSON.stringify(inOrder(other));
}

function inOrder(value: unknown): unknown {
  const object = asObject(value);
  if (object === undefined) return value;
  return Object.fromEntries(
    Object.entries(object)
      .map(([key, inner]) => [key, inOrder(inner)] as const)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}

/** Returns whether a workspace is entered by a file, or runs it in its build. */
export function isEntry({ path: folder, manifest }: OracleMember, path: string): boolean {
  const { main, module, types, bin, exports, imports, scripts } = manifest;
  const build = textOf(asObject(scripts)?.['build']).split(' ');
  const texts = [...[main, module, types, bin, exports, imports].flatMap(textsBelow), ...build].filter((text) => /\.\w+$/.test(text));
  return texts.some((text) => {
    const [start = '', end] = `${folder}/${text.replace(/^\.\//, '')}`.split('*');
    return end === undefined ? path === start : path.startsWith(start) && path.endsWith(end);
  });
}

function textsBelow(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Object.values(asObject(value) ?? {}).flatMap(textsBelow);
}
