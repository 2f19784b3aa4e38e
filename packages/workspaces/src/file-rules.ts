import type { FileRule } from '@tributary/model/config';
import { isPlainObject } from '@tributary/model/plain-object';
import picomatch from 'picomatch';
import { readJsonWithComments } from './json.js';
import type { TaskKind } from './task-kinds.js';

/** The rule that decided about a file. */
export interface RuleMatch {
  readonly affects: FileRule['affects'];
  /** The glob that matched, as it is written. */
  readonly rule: string;
  readonly source: 'tributary.json' | 'built-in' | 'turbo.json';
}

/** Where a file lies: below the folder of a workspace other than the root, or `outside` of all of them. */
export type FilePlace = 'workspace' | 'outside';

/** Who a changed file counts for; `undefined` where no rule says it. Paths count from the root of the project. */
export type FileRules = (file: string, place: FilePlace) => RuleMatch | undefined;

/**
 * Builds the question that each changed file is put to. For files of workspaces too: `rules`, of which the first that matches decides;
 * then `globalDependencies` as turbo.json writes them, which count for all. Then, for files outside of workspaces only, `builtInRules`.
 * A glob that begins with `!` takes files out of its own rule again. Globs match hidden files.
 */
export function buildFileRules(rules: readonly FileRule[], globalDependencies: readonly string[], kind: TaskKind = 'test'): FileRules {
  const own = rules.map((rule) => buildRule(rule, 'tributary.json'));
  // As for turbo itself, which asks them of every file.
  own.push(buildTurboRule(globalDependencies));
  const outside = builtInRules(kind).map((rule) => buildRule(rule, 'built-in'));
  return (file, place) => {
    // To picomatch, `**` is what `.` is to an expression, and that is no line end; git knows files with one in the name.
    const path = file.replace(/[\n\r\u2028\u2029]/g, '_');
    // A README beside the project is as harmless as one in it.
    return firstMatch(own, path) ?? (place === 'outside' ? firstMatch(outside, path.replace(/^(\.\.\/)+/, '')) : undefined);
  };
}

/** A rule that holds for tasks of some kinds; for all where none are named. */
interface BuiltInRule extends FileRule {
  readonly tasks?: readonly TaskKind[];
}

/** They run code, and read no texts and no settings of linters. */
const NO_SOURCES: readonly TaskKind[] = ['test', 'build'];
/** They have nothing to do with commits, reviews and releases. */
const NO_RELEASES: readonly TaskKind[] = ['test', 'build', 'lint', 'format'];

const RULES: readonly BuiltInRule[] = [
  {
    // Texts for people. Where the tests are, a Markdown file can be what is tested.
    files: ['**/*.md', '**/*.mdx', '!**/{__fixtures__,__mocks__,__snapshots__,__tests__,e2e,fixtures,spec,specs,test,tests}/**'],
    affects: 'none',
    tasks: NO_SOURCES,
  },
  {
    // Not `README*`: that would be README.test.js too.
    files: [
      '{README,CHANGELOG,CHANGES,CONTRIBUTING,CODE_OF_CONDUCT,SECURITY,GOVERNANCE,MAINTAINERS,AUTHORS,CONTRIBUTORS}{,.txt,.rst,.adoc}',
      '{LICENSE,LICENCE,COPYING,NOTICE,THIRD-PARTY-NOTICES}{,-*,.txt,.rst,.adoc}',
    ],
    affects: 'none',
    tasks: NO_SOURCES,
  },
  {
    // What GitHub reads apart from its workflows and actions.
    files: [
      '{,.github/,docs/}CODEOWNERS',
      '.github/FUNDING.yml',
      '.github/{ISSUE_TEMPLATE,PULL_REQUEST_TEMPLATE,DISCUSSION_TEMPLATE}/**',
      '.github/dependabot.{yml,yaml}',
      '{,.github/}renovate.{json,json5}',
      '.renovaterc{,.json,.json5}',
      '.mailmap',
      '.git-blame-ignore-revs',
    ],
    affects: 'none',
    tasks: NO_RELEASES,
  },
  {
    // What editors and formatters read.
    files: [
      '.editorconfig',
      '.prettierignore',
      '.prettierrc{,.*}',
      'prettier.config.*',
      '.vscode/**',
      '.idea/**',
      '.zed/**',
      '.devcontainer/**',
      '.yarn/sdks/**',
    ],
    affects: 'none',
    tasks: NO_SOURCES,
  },
  {
    // What git hooks and release tools read.
    files: ['.husky/**', '.lintstagedrc{,.*}', 'lint-staged.config.*', '.commitlintrc{,.*}', 'commitlint.config.*', '.yarn/versions/**'],
    affects: 'none',
    tasks: NO_RELEASES,
  },
  {
    // Texts, which linters and formatters read.
    files: ['.changeset/**'],
    affects: 'none',
    tasks: NO_SOURCES,
  },
  {
    // What scanners for secrets, licences and flaws read, and services that look at pull requests.
    files: [
      '.gitguardian.{yml,yaml}',
      '.gitleaks.toml',
      '.{gitleaks,trivy,semgrep,dcilint}ignore',
      '.snyk',
      '.{codacy,codeclimate,coderabbit,mergify}.{yml,yaml}',
      '{sonar-project,.sonarcloud}.properties',
      '.all-contributorsrc',
    ],
    affects: 'none',
    tasks: NO_SOURCES,
  },
  {
    // What linters read.
    files: [
      'eslint.config.*',
      '.eslintrc{,.*}',
      '.eslintignore',
      '.eslintcache',
      'eslint-suppressions.json',
      '.oxlintrc.json',
      'biome.{json,jsonc}',
      '.biomeignore',
      '.stylelintrc{,.*}',
      'stylelint.config.*',
      '.markdownlint{,-cli2}.*',
      '.markdownlintignore',
      '{,.}cspell.{json,yml,yaml}',
      '{,.}knip.{json,jsonc}',
      'knip{,.config}.{ts,mts,cts,js,mjs,cjs}',
      '.dprint.json',
      'dprint.json',
      '.yamllint{,.*}',
      'yarn.config.cjs',
      '.depcheckrc{,.*}',
      '.syncpackrc{,.*}',
    ],
    affects: 'none',
    tasks: NO_SOURCES,
  },
  {
    // Which Node, which Yarn, with what environment.
    files: ['.nvmrc', '.node-version', '.tool-versions', '.npmrc', '.env*', '.yarn/releases/**', '.yarn/plugins/**'],
    affects: 'all',
  },
  {
    // What workspaces extend or are built and tested with.
    files: [
      'tsconfig*.json',
      'jsconfig*.json',
      'babel.config.*',
      '.babelrc{,.*}',
      '.swcrc',
      '.browserslistrc',
      'jest.config.*',
      'jest.setup.*',
      'vitest.*',
      'turbo.{json,jsonc}',
    ],
    affects: 'all',
  },
  {
    // What CI engines run, and what that includes.
    files: [
      '.github/workflows/**',
      '.github/actions/**',
      '.gitlab-ci.yml',
      '.gitlab/**/*.{yml,yaml}',
      '.circleci/**',
      '.buildkite/**',
      'azure-pipelines*.{yml,yaml}',
      'Jenkinsfile',
    ],
    affects: 'all',
  },
  {
    // .gitattributes decides which bytes are checked out (line ends, LFS). .gitignore looks harmless, and is not: `yarn pack` leaves out
    // what it names, turbo does not hash it, and Tailwind does not look for classes in it.
    files: ['.gitattributes', '.gitignore', '.gitmodules'],
    affects: 'all',
  },
];

/**
 * For files outside of every workspace; the first that matches decides. `none` is for what no task of this kind reads: of a task that
 * nobody knows, nothing is. `all` only gives a reason to what would count for all anyway, as every file does that no rule claims: code in
 * `docs`, for one.
 */
export function builtInRules(kind: TaskKind): readonly FileRule[] {
  return RULES.filter(({ tasks }) => tasks?.includes(kind) !== false).map(({ files, affects }) => ({ files, affects }));
}

/**
 * The globs for which turbo takes a change as one of everything: `globalDependencies`, or `global.inputs`, as it is called behind the
 * flag `globalConfiguration`. As they are written; none where the file names none. Comments and commas at the end are fine.
 */
export function readGlobalDependencies(turboJsonText: string): readonly string[] | { readonly problem: string } {
  const reading = readJsonWithComments(turboJsonText);
  if ('problem' in reading) return { problem: `line ${reading.line} is not JSON` };
  const { value } = reading;
  if (!isPlainObject(value)) return { problem: 'it must be a JSON object' };
  const { globalDependencies, global } = value;
  if (global !== undefined && global !== null && !isPlainObject(global)) return { problem: 'its "global" must be an object' };
  const lists = [globalDependencies ?? [], global?.['inputs'] ?? []];
  const globs: readonly unknown[] = lists.flat();
  return lists.every(Array.isArray) && globs.every((glob) => typeof glob === 'string')
    ? globs
    : { problem: 'its global dependencies must be a list of globs' };
}

type PathTest = (path: string) => boolean;

/** One rule, made ready: the match if it decides about a file. */
type Rule = (file: string) => RuleMatch | undefined;

interface Glob {
  readonly written: string;
  readonly patterns: readonly string[];
}

function firstMatch(rules: readonly Rule[], file: string): RuleMatch | undefined {
  for (const rule of rules) {
    const match = rule(file);
    if (match !== undefined) return match;
  }
  return undefined;
}

function buildRule(rule: FileRule, source: RuleMatch['source']): Rule {
  const [positive, negative] = [rule.files.filter((glob) => !isNegative(glob)), rule.files.filter(isNegative)];
  return buildGlobs(
    positive.map((glob) => ({ written: glob, patterns: [glob] })),
    { not: negative.map((glob) => glob.slice(1)), affects: rule.affects, source },
  );
}

/**
 * A glob of turbo also matches what lies below a folder that it matches; a lone `*` is said to mean the files in a folder, and no more.
 * Source: "Glob patterns" in turbo's reference, 2.x.
 */
function buildTurboRule(globs: readonly string[]): Rule {
  // Before turbo 2 a name behind `$` was a variable of the environment.
  const files = globs.filter((glob) => !/^!?\$(?!TURBO_ROOT\$)/.test(glob));
  const negative = files.filter(isNegative).filter((glob) => !hasUnknownSyntax(glob));
  return buildGlobs(
    files.filter((glob) => !isNegative(glob)).map((glob) => ({ written: glob, patterns: withContents(glob) })),
    { not: negative.flatMap((glob) => withContents(glob.slice(1))), affects: 'all', source: 'turbo.json' },
  );
}

function withContents(glob: string): readonly string[] {
  const fromRoot = glob.replace(/^(\$TURBO_ROOT\$)?\/*/, '').replace(/^(\.\/+)+/, '');
  const names = fromRoot.replace(/\/+$/, '').split('/');
  const unknown = names.findIndex(hasUnknownSyntax);
  // Too much rather than too little.
  if (unknown !== -1) return [[...names.slice(0, unknown), '**'].join('/')];
  const pattern = names.join('/');
  return names.at(-1) === '*' || names.at(-1) === '**' ? [pattern] : [pattern, `${pattern}/**`];
}

/** What turbo's globs have and ours do not: `<a:1,2>` for repetition, `(?i)` for flags, `$` for the shortest match. */
function hasUnknownSyntax(glob: string): boolean {
  return /[<>$]|\(\?/.test(glob.replace(/^!?\$TURBO_ROOT\$/, ''));
}

function buildGlobs(globs: readonly Glob[], rest: { not: readonly string[] } & Omit<RuleMatch, 'rule'>): Rule {
  const { not, affects, source } = rest;
  const tests = globs.map(({ written, patterns }) => [written, anyOf(patterns)] as const);
  const isTakenOut = anyOf(not);
  return (file) => {
    const found = tests.find(([, matches]) => matches(file));
    return found === undefined || isTakenOut(file) ? undefined : { affects, rule: found[0], source };
  };
}

function anyOf(globs: readonly string[]): PathTest {
  const tests = globs.map(buildGlobTest);
  return (path) => tests.some((test) => test(path));
}

/** What picomatch says. It takes longer to make a hundred globs ready than to read the graph, and few are ever asked in earnest. */
function buildGlobTest(glob: string): PathTest {
  const start = literalStart(glob);
  let test: PathTest | undefined;
  return (path) => {
    if (!path.startsWith(start)) return false;
    test ??= picomatch(glob, { dot: true, windows: false });
    return test(path);
  };
}

/** What every path that a glob matches begins with; `docs` for `docs/**`, which matches `docs` too. */
function literalStart(glob: string): string {
  // A bar means "or", also outside of parentheses; picomatch drops a `./`.
  if (glob.includes('|') || glob.startsWith('./')) return '';
  return (/^[\w. /-]*/.exec(glob)?.[0] ?? '').replace(/\/+$/, '');
}

function isNegative(glob: string): boolean {
  return glob.startsWith('!') && glob[1] !== '(';
}
