import { describe, expect, test } from '@jest/globals';
import { fixtureOf, type Texts, textOf, withTexts, wordsOf } from './carry-over.fixture.js';
import { carryOver, ruleFor, withoutDropped } from './carry-over.js';
import { CARRY_OVER_RULES } from './table.js';

const WORKFLOW =
  'name: CI\non:\n  push:\n    branches: [main]\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - run: npm ci\n';

/** One file for each rule, with a text that makes the rule act. */
const IMPORTED_PACKAGE: Texts = {
  'package.json': JSON.stringify({
    name: '@acme/x',
    packageManager: 'yarn@3.0.0',
    husky: { hooks: { 'pre-commit': 'lint' } },
    'lint-staged': { '*.js': 'eslint' },
    volta: { node: '20.1.0' },
    scripts: { prepare: 'npm run build && husky install', test: 'node node_modules/.bin/mocha' },
    engines: { node: '^18.0.0', npm: '>=8' },
    repository: 'github:acme/x',
    workspaces: { nohoist: ['**/x'] },
    release: {},
  }),
  'yarn.lock': '# yarn lockfile v1\n',
  'npm-shrinkwrap.json': '{}',
  '.npmrc': 'engine-strict=true\n',
  '.yarn/releases/yarn-3.0.0.cjs': '',
  '.yarn/versions/a.yml': '',
  '.yarn/patches/lib.patch': '',
  'yarn.config.cjs': '',
  '.nvmrc': 'v20\n',
  '.github/CODEOWNERS': '* @acme/x\ndocs/ @acme/docs # words\n',
  CODEOWNERS: '* @nobody\n',
  '.github/workflows/ci.yml': WORKFLOW,
  '.github/dependabot.yml':
    'version: 2\nupdates:\n  - package-ecosystem: npm\n    directory: /\n  - package-ecosystem: docker\n    directory: /image\n',
  'renovate.json': '{ "extends": ["config:base"], "packageRules": [{ "matchPackageNames": ["a"], "enabled": false }] }',
  'SECURITY.md': 'Write to us.\n',
  '.github/ISSUE_TEMPLATE/bug.md': '',
  '.github/eslint.json': '{}',
  '.husky/pre-commit': '#!/bin/sh\n. "$(dirname "$0")/_/husky.sh"\n\nnpx lint-staged\n',
  '.lintstagedrc': '{}',
  '.gitlab-ci.yml': '',
  'codecov.yml': '',
  '.changeset/config.json': '{}',
  '.changeset/brave-lions.md': '---\n"@acme/x": minor\n---\nMore\n',
  '.changeset/README.md': '',
  'lerna.json': '{}',
  'nx.json': '{}',
  'turbo.json': '{\n  "globalEnv": ["CI"],\n  "tasks": { "build": {}, "//#lint": {} }\n}\n',
  '.gitignore': '/dist\n',
  '.npmignore': 'test\n',
  '.prettierignore': 'dist\n!dist/keep.js\n/docs/*.md\n# begin forged (migrate-repo)\n',
  '.gitattributes': '*.png filter=lfs merge=lfs\n*.json merge=npm\n[attr]vendor -diff\n',
  'action.yml': '',
  'big.png': `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 5\n`,
  '.gitmodules': '[submodule "a"]\n  path = a\n',
  '.git-blame-ignore-revs': '',
  '.mailmap': 'Ada <ada@new.example> <ada@old.example>\n',
  LICENSE: 'ISC',
  'README.md': '![](https://github.com/acme/x/workflows/ci/badge.svg)',
  'CHANGELOG.md': '',
  '.vscode/settings.json': '{}',
  '.editorconfig': 'root = true\n',
  '.env': 'A=1\n',
  '.eslintrc.json': '{\n  "extends": ["../base", "eslint:recommended"]\n}\n',
  '.prettierrc': '{}',
  'tsconfig.json': '{ "extends": "../tsconfig.json", "compilerOptions": { "typeRoots": ["./node_modules/@types"] } }',
  'babel.config.js': '',
  'jest.config.js': "module.exports = { setupFiles: ['<rootDir>/node_modules/a/b.js'], transformIgnorePatterns: ['/node_modules/(?!c)'] };",
  Dockerfile: 'COPY package.json yarn.lock ./\n',
  'index.js': '',
  'src/yarn.lock': '',
};

const ROOT: Texts = {
  'package.json':
    '{"name":"root","private":true,"workspaces":["packages/*"],"engines":{"node":">=20"},"volta":{"node":"20.1.0"},"repository":{"type":"git","url":"https://git.example/mono.git"}}',
  '.nvmrc': '20',
  '.github/CODEOWNERS': '* @mono/core\n',
  '.github/dependabot.yml': 'version: 2\n# All of it.\nupdates:\n  - package-ecosystem: npm\n    directory: /\n',
  'renovate.json': '{\n  // Ours.\n  "packageRules": [{ "matchPackageNames": ["b"] }]\n}\n',
  'SECURITY.md': 'Write to us.',
  '.changeset/config.json': '{}',
  '.changeset/brave-lions.md': 'taken',
  'turbo.json': '{ "tasks": {} }',
  '.prettierignore': 'coverage\r\n',
  '.eslintrc.json': '{}',
  '.gitignore': 'node_modules/\n*.js.map\nindex.js\n',
  LICENSE: 'MIT',
};

const project = fixtureOf(ROOT, IMPORTED_PACKAGE);
const { edits, findings } = carryOver(project);
const findingFor = (file: string) => findings.find((finding) => finding.file === file);
const decisionsFor = (file: string): string => wordsOf(...findings.filter((one) => one.file === file).flatMap((one) => one.remarks));

describe('the table', () => {
  test('every rule has a file here, and so is under the laws below', () => {
    const used = new Set(Object.keys(IMPORTED_PACKAGE).map(ruleFor));
    expect(CARRY_OVER_RULES.filter((rule) => !used.has(rule)).map(({ title }) => title)).toEqual([]);
  });

  test('titles are unique, and reasons are parts of sentences', () => {
    expect(new Set(CARRY_OVER_RULES.map(({ title }) => title)).size).toBe(CARRY_OVER_RULES.length);
    for (const { reason } of CARRY_OVER_RULES) expect(reason).toMatch(/^\S.{10,}[^.]$/);
  });

  test('no pattern begins with alternatives of folders, which would not be looked into', () => {
    const folders = CARRY_OVER_RULES.flatMap(({ matches }) => matches).filter((glob) => /^[^/]*\{[^}]*\//.test(glob));
    expect(folders.filter((glob) => !/^\{\.github\/,(docs\/,)?\}/.test(glob))).toEqual([]);
  });

  test('what lies in a folder that no rule names stays, and nothing is said of it', () => {
    expect(ruleFor('src/yarn.lock')).toBeUndefined();
    expect(ruleFor('example/.github/workflows/ci.yml')).toBeUndefined();
  });
});

describe('whatever a rule does', () => {
  test('done again on its own result it changes nothing', () => {
    expect(carryOver(withTexts(project, edits)).edits).toEqual(new Map());
  });

  test.each(CARRY_OVER_RULES.map(({ title }) => title))(
    '%s: done again with the files of the imported package put back, the root stays as it is',
    (title) => {
      const files = Object.keys(IMPORTED_PACKAGE).filter((file) => file === 'package.json' || ruleFor(file)?.title === title);
      const once = fixtureOf(ROOT, Object.fromEntries(files.map((file) => [file, IMPORTED_PACKAGE[file] ?? ''])));
      const first = carryOver(once).edits;
      const back = new Map([...first].map(([path, text]) => [path, path.startsWith('packages/x/') ? once.files.read(path) : text]));
      const second = carryOver(withTexts(once, back)).edits;
      expect([...second.keys()].filter((path) => !path.startsWith('packages/x/'))).toEqual([]);
    },
  );

  test('every file at the top has a finding with its reason', () => {
    for (const file of Object.keys(IMPORTED_PACKAGE).filter((one) => !one.includes('/')))
      expect([file, findingFor(file)?.reason]).toEqual([file, expect.any(String)]);
    for (const { done, remarks } of findings)
      for (const { text, detail = 'x' } of [...(done === undefined ? [] : [done]), ...remarks])
        expect([text, detail]).toEqual([expect.stringMatching(/^\S.*\.$/), expect.stringMatching(/^\S(.*[^.\s])?$/)]);
  });

  test('several imported packages each get their block', () => {
    const two = fixtureOf({ ...ROOT, 'packages/y/package.json': '{"name":"y"}', 'packages/y/CODEOWNERS': '* @acme/y\n' }, IMPORTED_PACKAGE);
    const [first] = two.importedPackages;
    if (first === undefined) throw new Error('there is one');
    const both = {
      ...two,
      importedPackages: [first, { ...first, name: 'y' as typeof first.name, path: 'packages/y' as typeof first.path }],
    };
    const owners = textOf(carryOver(both).edits, '.github/CODEOWNERS');
    expect(owners).toContain(
      '# begin @acme/x (migrate-repo)\n/packages/x/ @acme/x\n/packages/x/**/docs/ @acme/docs # words\n# end @acme/x\n',
    );
    expect(owners).toContain('# begin y (migrate-repo)\n/packages/y/ @acme/y\n# end y\n');
  });
});

describe('what comes of each', () => {
  test('files that would override the root, and those that say what the root says, go', () => {
    const gone = [...edits].filter(([, text]) => text === undefined).map(([path]) => path.slice('packages/x/'.length));
    expect(gone).toEqual(
      [
        '.changeset/README.md',
        '.changeset/brave-lions.md',
        '.changeset/config.json',
        '.github/CODEOWNERS',
        '.github/ISSUE_TEMPLATE/bug.md',
        '.github/dependabot.yml',
        '.gitmodules',
        '.git-blame-ignore-revs',
        '.husky/pre-commit',
        '.mailmap',
        '.npmrc',
        '.nvmrc',
        '.vscode/settings.json',
        '.yarn/releases/yarn-3.0.0.cjs',
        'CODEOWNERS',
        'SECURITY.md',
        'renovate.json',
        'yarn.lock',
      ].sort(),
    );
  });

  test('a workflow stays, and what it did is said', () => {
    expect([...edits.keys()].filter((path) => path.includes('workflows'))).toEqual([]);
    expect(decisionsFor('.github/workflows/ci.yml')).toContain('It no longer runs.');
  });

  test('the manifest keeps what is its own', () => {
    expect(JSON.parse(textOf(edits, 'packages/x/package.json') ?? '')).toEqual({
      name: '@acme/x',
      'lint-staged': { '*.js': 'eslint' },
      scripts: { prepare: 'npm run build', test: 'node node_modules/.bin/mocha' },
      engines: { node: '^18.0.0', npm: '>=8' },
      repository: { type: 'git', url: 'https://git.example/mono.git', directory: 'packages/x' },
      workspaces: { nohoist: ['**/x'] },
      release: {},
    });
    const messages = decisionsFor('package.json');
    for (const part of ['`{"hooks":{"pre-commit":"lint"}}`', '`^18.0.0`, and the root has `>=20`', 'does not have "nohoist"', '("test")'])
      expect(messages).toContain(part);
    expect(findings.flatMap(({ file, done }) => (file === 'package.json' && done !== undefined ? [wordsOf(done)] : []))).toEqual([
      '"packageManager" was removed: the Yarn of the root is used. (it was `yarn@3.0.0`)',
      'Settings of hooks were removed: they work only at the root of the repository. ("husky")',
      'Scripts no longer set up hooks: hooks work only at the root of the repository. ("prepare" was `npm run build && husky install`)',
      '"volta" was removed: the root has the same versions.',
      '"repository" now names the monorepo and the folder of the package. (`"directory": "packages/x"`)',
    ]);
  });

  test('settings of others get what is for the package, and keep their comments', () => {
    expect(textOf(edits, '.github/dependabot.yml')).toBe(
      `${ROOT['.github/dependabot.yml']}  # @acme/x (migrate-repo)\n  - package-ecosystem: docker\n    directory: /packages/x/image\n`,
    );
    expect(textOf(edits, 'renovate.json')).toContain('// Ours.');
    expect(textOf(edits, 'renovate.json')).toContain('"packages/x/**"');
    expect(textOf(edits, '.prettierignore')).toBe(
      'coverage\r\n\r\n# begin @acme/x (migrate-repo)\r\n/packages/x/**/dist\r\n!/packages/x/dist/keep.js\r\n/packages/x/docs/*.md\r\n# end @acme/x\r\n',
    );
    expect(textOf(edits, '.changeset/x-brave-lions.md')).toBe(IMPORTED_PACKAGE['.changeset/brave-lions.md']);
    expect(textOf(edits, '.mailmap')).toContain('Ada <ada@new.example>');
    expect(JSON.parse(textOf(edits, 'packages/x/turbo.json') ?? '')).toEqual({ extends: ['//'], tasks: { build: {} } });
    expect(JSON.parse(textOf(edits, 'packages/x/.eslintrc.json') ?? '')).toMatchObject({ root: true });
  });

  test.each([
    ['.gitattributes', /Git LFS.*merge drivers.*npm.*\[attr\]vendor/s],
    ['.husky/pre-commit', /`npx lint-staged`/],
    ['.eslintrc.json', /\.\.\/base/],
    ['tsconfig.json', /`\.\.\/tsconfig\.json` in line 1, which does not exist.*node_modules.*line 1/],
    ['jest.config.js', /node_modules/],
    ['Dockerfile', /yarn\.lock/],
    ['LICENSE', /differs from/],
    ['.env', /secret/],
    ['README.md', /badges/],
    ['.gitignore', undefined],
  ])('%s: what a person must decide', (file, pattern) => {
    if (pattern === undefined) expect(decisionsFor(file)).toBe('');
    else expect(decisionsFor(file)).toMatch(pattern);
  });

  test('a rule of the root that hides files of the package is named', () => {
    expect(findings.at(-1)).toMatchObject({ rule: 'Files that git ignores', done: undefined });
    expect(wordsOf(...(findings.at(-1)?.remarks ?? []))).toContain('`.gitignore:3` has `index.js`, which matches `index.js`');
  });

  test('a credential that came along is told of, and not shown', () => {
    for (const line of [
      '//host.example/:_authToken=s3cr3t',
      '_auth = s3cr3t',
      'npmAuthToken: s3cr3t',
      '  npmAuthIdent: "u:s3cr3t"',
      'registry=https://u:s3cr3t@host.example/',
    ]) {
      const outcome = carryOver(fixtureOf({}, { '.npmrc': `${line}\n` }));
      expect(JSON.stringify([outcome.findings, [...outcome.edits]])).not.toContain('s3cr3t');
      expect(wordsOf(...(outcome.findings.find(({ file }) => file === '.npmrc')?.remarks ?? []))).toContain('contains a credential');
    }
    const harmless = carryOver(fixtureOf({}, { '.npmrc': ['//host.example/:_authToken=$', '{NPM_TOKEN}\n'].join('') }));
    expect(harmless.findings.find(({ file }) => file === '.npmrc')?.remarks).toEqual([]);
  });
});

test('what carrying over removes is known before', () => {
  const { files, importedPackages } = fixtureOf(
    { '.huskyrc.js': '' },
    { '.huskyrc.js': '', '.lintstagedrc.js': '', 'lib/.huskyrc.js': '' },
  );
  const { paths } = withoutDropped(files, importedPackages);
  expect(files.paths.filter((path) => !paths.includes(path))).toEqual(['packages/x/.huskyrc.js']);
});
