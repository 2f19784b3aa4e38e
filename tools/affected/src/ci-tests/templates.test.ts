import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { ENGINES } from '../engines/engines.js';
import { sameTime } from '../engines/plan.fixture.js';

const ci = join(findProjectRoot(), 'ci');
const files = readdirSync(ci, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(ci.length + 1));
const texts = [
  ...files.map((file): [string, string] => [file, readFileSync(join(ci, file), 'utf8')]),
  ...ENGINES.map(({ name, emit }): [string, string] => [`what is emitted/${name}`, emit(sameTime(1))]),
];

// An unregistered name belongs to whoever registers it first. The jobs that start it hold tokens and judge the receipts.
describe.each(texts)('%s', (_, text) => {
  test('starts nothing out of a registry', () => {
    // A package of the repository may be installed: commit-to-publish needs its native part.
    expect(text).not.toMatch(/\bnpx\b|\bnpm (?!pack\b|install --prefix \. [^\n]*"\$archive"\)\n)/);
    expect(text).not.toContain('@tributary/');
  });
});

// template-scripts.long.test.ts runs them.
test('each engine starts the package in the repository by node', () => {
  const starting = texts.filter(([, text]) => /tar -xzf ci\/affected\.tgz -C [^\0]*node \S*\$[^\0]*\/package\/out\/cli\.cjs"/.test(text));
  expect(new Set(starting.map(([file]) => file.split('/')[0]))).toEqual(new Set([...ENGINES.map(({ name }) => name), 'what is emitted']));
});

test('a gate that begins in an empty folder checks out the package', () => {
  const text = Object.fromEntries(texts);
  expect(text['github/workflow.yml']).toMatch(/^ {2}gate:\n(?: {4}.*\n|\n)*? {6}- uses: actions\/checkout@/m);
  expect(text['azure/azure-pipelines.yml']).toMatch(/- job: gate\n(?: {4}.*\n)*? {6}- checkout: self/);
  expect(text['jenkins/Jenkinsfile']).toMatch(/void demandProof\(.*\n {4}checkout scm/);
  expect(text['what is emitted/circleci']).toMatch(/^ {2}gate:\n(?: {4}.*\n)*? {6}- checkout\n/m);
});
