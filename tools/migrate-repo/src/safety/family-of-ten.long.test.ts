import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { formatManifest } from '@tributary/test-repo/temp-monorepo';
import type { MigrateResult } from '../result/result.js';
import { createFixture, createSource, type MigrationFixture } from './migration.fixture.js';

const cleanUp = cleanUpIn(afterAll);
const NAMES = ['core', 'cli', 'web', 'api', 'log', 'git', 'npm', 'ui', 'doc', 'test-kit'].map((name) => `@acme/${name}`);

let fixture: MigrationFixture;
let result: MigrateResult;
let terminal: string;
let report: string;

beforeAll(async () => {
  fixture = createFixture(cleanUp, { devDependencies: { eslint: '9.0.0' }, volta: { node: '22.0.0' } } as never);
  const packages = Object.fromEntries(NAMES.map((name, at) => [name, { source: createMember(name, at) }]));
  fixture.monorepo.commit('Configure', {
    files: { 'tributary.json': JSON.stringify({ migrate: { packages } }), '.nvmrc': '22\n', '.gitignore': '*.log\n' },
  });
  const file = join(cleanUp.add(fixture.home).path, 'report.md');
  const command = [...NAMES, '--no-install', '--report', file];
  terminal = (await fixture.accepted([...command, '--dry-run'])).stdout;
  result = JSON.parse((await fixture.accepted([...command, '--json'])).stdout) as MigrateResult;
  report = readFileSync(file, 'utf8');
});

/** Creates a member with what most packages have, and with something that only a few others have. */
function createMember(name: string, at: number): string {
  const other = NAMES[(at + 1) % NAMES.length] ?? '';
  const source = createSource(cleanUp, name, {
    version: '0.0.0-development',
    type: 'module',
    engines: { node: '>=24', npm: '>=10' },
    scripts: { pretest: 'npm run lint', test: 'node_modules/.bin/ava', prepare: 'husky', prepublishOnly: 'npm test', release: 'np' },
    dependencies: at === 0 ? {} : { [other]: '^4.0.0' },
    devDependencies: { ava: `8.0.${at % 3}`, eslint: `9.${at % 4}.0`, prettier: `3.${at}.0`, execa: at % 2 === 0 ? '^9.0.0' : '^10.0.0' },
    peerDependencies: { '@acme/core': '>=20' },
    resolutions: { [`left${at}/ms`]: '2.0.0' },
    release: { branches: ['main'] },
    'lint-staged': { '*.js': 'eslint' },
  });
  source.commit('Add', { files: { ...COMMON, ...SPECIAL[at % SPECIAL.length] } });
  return source.path;
}

const CHECKOUT = '      - uses: actions/checkout@v4\n      - uses: actions/setup-node@v4\n        with:\n          cache: npm\n';
const COMMON = {
  '.github/workflows/test.yml': `on: [push, pull_request]\njobs:\n  test:\n    runs-on: x\n    steps:\n${CHECKOUT}      - run: npm ci\n      - run: npm test\n`,
  '.github/workflows/release.yml': `on: push\njobs:\n  go:\n    runs-on: x\n    steps:\n${CHECKOUT}      - run: npm ci\n      - run: npx semantic-release\n`,
  '.github/workflows/shared.yml': 'on: push\njobs:\n  lint:\n    uses: acme/ci/.github/workflows/lint.yml@main\n    secrets: inherit\n',
  '.github/dependabot.yml': 'version: 2\nupdates:\n  - package-ecosystem: npm\n    directory: /\n',
  '.husky/pre-commit': 'npx lint-staged\n',
  '.nvmrc': '24\n',
  'README.md': 'https://github.com/acme/x/actions/workflows/test.yml/badge.svg\n',
  'eslint.config.js': 'export { default } from "../shared/eslint.js";\n',
  'tsconfig.json': '{ "extends": "../tsconfig.base.json", "include": ["node_modules/@acme/types/index.d.ts"] }\n',
  'src/index.js': 'import "undeclared";\nimport ms from "ms";\n',
  'test/fixtures/a.log': 'line\n',
};

const SPECIAL: readonly Readonly<Record<string, string>>[] = [
  { '.travis.yml': 'script: npm test\n', 'renovate.json': '{ "extends": ["config:base"] }\n' },
  { '.changeset/config.json': '{}\n', '.changeset/one.md': '---\n"@acme/cli": minor\n---\nText\n', 'turbo.json': '{ "tasks": {} }\n' },
  { '.npmrc': 'registry=https://npm.example.com/\nlegacy-peer-deps=true\n', '.gitattributes': '*.txt filter=secret\n[attr]x text\n' },
  { Dockerfile: 'RUN npm ci\n', '.releaserc.json': '{}\n', 'babel.config.json': '{}\n' },
];

function open(): NonNullable<MigrateResult['alignment']>[number]['decisions'] {
  return (result.alignment ?? []).flatMap(({ decisions }) => decisions).filter(({ decided }) => decided === null);
}

test('ten packages leave at most ten decisions, each with what was done and how that is changed', () => {
  expect(result.packages).toHaveLength(10);
  expect(open().map(({ text }) => text)).toEqual([...new Set(open().map(({ text }) => text))]);
  expect(open().length).toBeLessThanOrEqual(10);
  for (const { byDefault, toChange } of open())
    expect({ byDefault, toChange }).toEqual({ byDefault: expect.any(String), toChange: expect.any(String) });
});

test('equal findings are one line with their packages, in decisions and in what was changed', () => {
  for (const { findings } of open()) expect(findings.map(({ text }) => text)).toEqual([...new Set(findings.map(({ text }) => text))]);
  const changes = (result.alignment ?? []).flatMap((step) => step.changes).filter(({ about }) => about.length > 0);
  expect(changes.map(({ text }) => text)).toEqual([...new Set(changes.map(({ text }) => text))]);
  const pretest = report.split('\n').filter((line) => line.includes('Yarn does not run "pre" and "post" scripts'));
  expect(pretest).toHaveLength(1);
  const [line = ''] = report.split('\n').filter((one) => one.includes('"pretest"') && one.includes('@acme/'));
  for (const name of NAMES) expect(line).toContain(name);
});

test('the report, the terminal and the data tell the same decisions in the same order, what may break first', () => {
  const inReport = [...report.matchAll(/^\d+\. \*\*(.*)\*\* `([0-9a-f]{8})`$/gm)].map(([, text]) => text);
  const inTerminal = [...terminal.matchAll(/^ {2}\d+\. (.*)$/gm)].map(([, text]) => text);
  expect(inReport).toEqual(inTerminal);
  expect([...inReport].sort()).toEqual(
    open()
      .map(({ text }) => text)
      .sort(),
  );
  expect(report.indexOf('## Breaks')).toBeLessThan(report.indexOf('## Decide'));
  expect(report.indexOf('## Decide')).toBeLessThan(report.indexOf('## What was changed'));
});

test('the same packages give the same ids again, and an answer is not asked for again', async () => {
  const ids = open().map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  await fixture.discarded(result.branch);
  const config = JSON.parse(fixture.monorepo.git('show', 'HEAD:tributary.json')) as { migrate: object };
  const decided = Object.fromEntries(ids.map((id) => [id, 'We looked.']));
  fixture.monorepo.commit('Decide', { files: { 'tributary.json': formatManifest({ migrate: { ...config.migrate, decided } } as never) } });
  const again = JSON.parse((await fixture.accepted([...NAMES, '--no-install', '--dry-run', '--json'])).stdout) as MigrateResult;
  const left = (again.alignment ?? []).flatMap(({ decisions }) => decisions).filter((one) => one.decided === null);
  expect(left).toEqual([]);
});
