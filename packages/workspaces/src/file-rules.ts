import { type FileRule, isNegativeGlob } from '@tributary/model/config';
import { isPlainObject } from '@tributary/model/plain-object';
import { ALL_CI_FILES } from './ci-files.js';
import { compileGlob, type PathTest } from './glob.js';
import { readJsonWithComments } from './json.js';
import type { TaskKind } from './task-kinds.js';

/** The rule that decided about a file. */
export interface RuleMatch {
  readonly affects: FileRule['affects'];
  /** The glob that matched, as written. */
  readonly rule: string;
  readonly source: 'tributary.json' | 'built-in' | 'turbo.json';
}

/** Where a file is: in a workspace other than the root, or `outside` all of them. */
export type FileOwner = 'workspace' | 'outside';

/** Returns which workspaces a changed file selects; `undefined` if no rule matches. Paths are relative to the project root. */
export type FileRules = (file: string, owner: FileOwner) => RuleMatch | undefined;

/**
 * Returns the function that finds the rule for a changed file. First come `rules`, in which the first match decides. Then come
 * `globalDependencies` in the syntax of turbo.json, which select every workspace. Then, only for files outside workspaces, come
 * `builtInRules`. A glob that starts with `!` excludes files from its own rule. Globs match hidden files.
 */
export function buildFileRules(rules: readonly FileRule[], globalDependencies: readonly string[], kind: TaskKind = 'test'): FileRules {
  const own = rules.filter((rule) => isFor(rule, kind)).map((rule) => buildRule(rule, 'tributary.json'));
  // turbo itself checks them for every file, in workspaces too.
  own.push(buildTurboRule(globalDependencies));
  const outside = builtInRules(kind).map((rule) => buildRule(rule, 'built-in'));
  return (file, owner) => {
    // In picomatch, `**` does not match a line end, as `.` in a regular expression; git allows file names with one.
    const path = file.replace(/[\n\r\u2028\u2029]/g, '_');
    // A README next to the project is as harmless as one inside it.
    return firstMatch(own, path) ?? (owner === 'outside' ? firstMatch(outside, path.replace(/^(\.\.\/)+/, '')) : undefined);
  };
}

/** Of a task of another kind than a rule can name, it is unknown what it reads. */
function isFor({ tasks }: FileRule, kind: TaskKind): boolean {
  return tasks === undefined || tasks.some((one) => one === kind);
}

/** Tasks that run code, and read no prose and no linter settings. */
const NO_SOURCES: NonNullable<FileRule['tasks']> = ['test', 'build'];
/** Tasks that do not depend on commits, reviews and releases. */
const NO_RELEASES: NonNullable<FileRule['tasks']> = ['test', 'build', 'lint', 'format'];

const RULES: readonly FileRule[] = [
  {
    // Prose for people. In test folders, a Markdown file may be a test's input.
    files: ['**/*.md', '**/*.mdx', '!**/{__fixtures__,__mocks__,__snapshots__,__tests__,e2e,fixtures,spec,specs,test,tests}/**'],
    affects: 'none',
    tasks: NO_SOURCES,
  },
  {
    // Not `README*`: that would match README.test.js.
    files: [
      '{README,CHANGELOG,CHANGES,CONTRIBUTING,CODE_OF_CONDUCT,SECURITY,GOVERNANCE,MAINTAINERS,AUTHORS,CONTRIBUTORS}{,.txt,.rst,.adoc}',
      '{LICENSE,LICENCE,COPYING,NOTICE,THIRD-PARTY-NOTICES}{,-*,.txt,.rst,.adoc}',
    ],
    affects: 'none',
    tasks: NO_SOURCES,
  },
  {
    // Files that GitHub reads, apart from its workflows and actions.
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
    // Files that editors, their assistants and formatters read.
    files: [
      '.editorconfig',
      '.prettierignore',
      '.prettierrc{,.*}',
      'prettier.config.*',
      '.vscode/**',
      '.{idea,zed,fleet}/**',
      '*.code-workspace',
      '{.vimrc,.nvimrc,.DS_Store}',
      '.{claude,cursor,gemini,windsurf}/**',
      '.{claude,cursor}ignore',
      '.{cursor,windsurf,cline}rules',
      '.mcp.json',
      '.devcontainer/**',
      '.gitpod.{yml,Dockerfile}',
      '.yarn/sdks/**',
    ],
    affects: 'none',
    tasks: NO_SOURCES,
  },
  {
    // Files that git hooks and release tools read.
    files: [
      '.husky/**',
      '.pre-commit-config.{yml,yaml}',
      'lefthook.{yml,yaml}',
      '.lintstagedrc{,.*}',
      'lint-staged.config.*',
      '.commitlintrc{,.*}',
      'commitlint.config.*',
      '.yarn/versions/**',
      '.bumpversion.{cfg,toml}',
      '.release-it.*',
      '.releaserc{,.*}',
      'release.config.*',
      '{,.}release-please-{config,manifest}.json',
      '{.czrc,.cz.{json,toml},cliff.toml}',
      '.versionrc{,.*}',
    ],
    affects: 'none',
    tasks: NO_RELEASES,
  },
  {
    // Prose, which linters and formatters read.
    files: ['.changeset/**', '.nx/version-plans/**', '.chronus/changes/**'],
    affects: 'none',
    tasks: NO_SOURCES,
  },
  {
    // Settings of documentation: Sphinx, Read the Docs, MkDocs, TypeDoc.
    files: ['docs/{,source/}conf.py', '.readthedocs.{yml,yaml}', 'mkdocs.yml', 'typedoc.json', 'CITATION.cff', '.zenodo.json'],
    affects: 'none',
    tasks: NO_SOURCES,
  },
  {
    // Files for scanners of secrets, licences and vulnerabilities, and for services that review pull requests, show coverage or translate.
    files: [
      '.gitguardian.{yml,yaml}',
      '.gitleaks.toml',
      '.{gitleaks,trivy,semgrep,dcilint}ignore',
      '.snyk',
      '.{codacy,codeclimate,coderabbit,hound,kodiak,mergify,pullapprove}.{yml,yaml,toml}',
      '{.deepsource,osv-scanner}.toml',
      '{.whitesource,.imgbotconfig}',
      '{sonar-project,.sonarcloud}.properties',
      '.all-contributorsrc',
      '{,.github/}{,.}codecov.{yml,yaml}',
      '.coveralls.yml',
      '{,.}crowdin.{yml,yaml}',
    ],
    affects: 'none',
    tasks: NO_SOURCES,
  },
  {
    // Files that linters read.
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
      '{,.}{lychee,typos}.toml',
      '.lycheeignore',
      '.vale.ini',
      '.ls-lint.yml',
      '{.jshintrc,tslint.json}',
      '.codespell{rc,ignore}',
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
    // Versions of Node and Yarn, and their environment.
    files: ['.nvmrc', '.node-version', '.tool-versions', '.npmrc', '.env*', '.yarn/releases/**', '.yarn/plugins/**'],
    affects: 'all',
  },
  {
    // Files that workspaces extend, or are built and tested with.
    files: [
      // Compilers and editors find these; a `tsconfig.base.json` is used by whoever names it.
      '{ts,js}config.json',
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
    // In deeper folders GitHub runs no workflows, but other files there may matter to them.
    files: ['.github/workflows/**', ...ALL_CI_FILES],
    affects: 'all',
  },
  {
    // .gitattributes decides which bytes are checked out (line ends, LFS). .gitignore looks harmless but has effects. `yarn pack` leaves
    // out the files that it names, turbo does not hash them, and Tailwind does not search them for classes.
    files: ['.gitattributes', '.gitignore', '.gitmodules'],
    affects: 'all',
  },
];

/**
 * Returns the rules for files outside every workspace; the first match decides. `none` is for files that no task of this kind reads; for
 * tasks of the kind `other`, that is unknown of every file. `all` only gives a reason: a file that no rule matches, such as code in `docs`,
 * selects every workspace anyway.
 */
export function builtInRules(kind: TaskKind): readonly FileRule[] {
  return RULES.filter((rule) => isFor(rule, kind)).map(({ files, affects }) => ({ files, affects }));
}

/**
 * Returns the globs of files for which turbo runs every task: `globalDependencies`, or `global.inputs`, its name with the flag
 * `globalConfiguration`. As written; empty if the file has none. Comments and trailing commas are allowed.
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

/** A compiled rule: returns the match if it decides about a file. */
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
  const [positive, negative] = [rule.files.filter((glob) => !isNegativeGlob(glob)), rule.files.filter(isNegativeGlob)];
  return buildGlobs(
    positive.map((glob) => ({ written: glob, patterns: [glob] })),
    { not: negative.map((glob) => glob.slice(1)), affects: rule.affects, source },
  );
}

/**
 * Compiles globs of turbo. A glob also matches everything below a folder that it matches. According to the reference, a lone `*` matches
 * only the files in a folder. Source: "Glob patterns" in turbo's reference, 2.x.
 */
function buildTurboRule(globs: readonly string[]): Rule {
  // Before turbo 2, a name after `$` was an environment variable.
  const files = globs.filter((glob) => !/^!?\$(?!TURBO_ROOT\$)/.test(glob));
  const negative = files.filter(isNegativeGlob).filter((glob) => !hasUnknownSyntax(glob));
  return buildGlobs(
    files.filter((glob) => !isNegativeGlob(glob)).map((glob) => ({ written: glob, patterns: withContents(glob) })),
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

/**
 * Returns whether a glob has syntax of turbo that picomatch lacks: `<a:1,2>` for repetition, `(?i)` for flags, `$` for the shortest match.
 */
function hasUnknownSyntax(glob: string): boolean {
  return /[<>$]|\(\?/.test(glob.replace(/^!?\$TURBO_ROOT\$/, ''));
}

function buildGlobs(globs: readonly Glob[], rest: { not: readonly string[] } & Omit<RuleMatch, 'rule'>): Rule {
  const { not, affects, source } = rest;
  const tests = globs.map(({ written, patterns }) => [written, patterns.map(buildGlobTest)] as const);
  const exceptions = not.map(buildGlobTest);
  return (file) => {
    for (const [written, patterns] of tests) {
      const matched = anyOf(patterns, file);
      if (matched === 'no') continue;
      const isTakenOut = anyOf(exceptions, file);
      if (isTakenOut === 'yes') return undefined;
      // Where a glob is too much to compare, the file may be any: it selects every workspace.
      return { affects: matched === 'yes' && isTakenOut === 'no' ? affects : 'all', rule: written, source };
    }
    return undefined;
  };
}

/** `too much`: the glob is beyond the limits of `compileGlob`. */
type Matched = 'yes' | 'no' | 'too much';

function anyOf(tests: readonly ((path: string) => Matched)[], path: string): Matched {
  let matched: Matched = 'no';
  for (const test of tests) {
    const one = test(path);
    if (one === 'yes') return one;
    if (one === 'too much') matched = one;
  }
  return matched;
}

/**
 * Returns the test of a glob, compiled on first use. Compiling a hundred globs takes longer than reading the graph, and few are ever needed.
 */
function buildGlobTest(glob: string): (path: string) => Matched {
  const start = literalStart(glob);
  let test: PathTest | 'too much' | undefined;
  return (path) => {
    if (!path.startsWith(start)) return 'no';
    test ??= compileGlob(glob, { dot: true, windows: false }) ?? 'too much';
    return test === 'too much' ? test : path === glob || test(path) ? 'yes' : 'no';
  };
}

/** Returns the beginning of every path that a glob matches; `docs` for `docs/**`, which matches `docs` too. */
function literalStart(glob: string): string {
  // A bar means "or", even outside parentheses; picomatch drops a `./`.
  if (glob.includes('|') || glob.startsWith('./')) return '';
  return (/^[\w. /-]*/.exec(glob)?.[0] ?? '').replace(/\/+$/, '');
}
