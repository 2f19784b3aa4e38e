import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { circleci } from '../engines/circleci.js';
import { sameTime } from '../engines/plan.fixture.js';

const ci = join(findProjectRoot(), 'ci');
const files = readdirSync(ci, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(ci.length + 1));
const texts = [
  ...files.map((file): [string, string] => [file, readFileSync(join(ci, file), 'utf8')]),
  ['what is emitted for CircleCI', circleci.emit(sameTime(1))] as [string, string],
];

// A name that nobody has registered is whoever's comes first, and the jobs that start it hold tokens and judge the receipts.
describe.each(texts)('%s', (_, text) => {
  test('starts nothing out of a registry', () => {
    expect([...text.matchAll(/npx --yes (\S+?)['}]?(?=\s)/g)].filter(([, what]) => what !== './ci/affected.tgz')).toEqual([]);
    expect(text).not.toContain('@tributary/');
  });
});

test('each engine starts the package in the repository', () => {
  const starting = texts.filter(([, text]) => text.includes('npx --yes ./ci/affected.tgz')).map(([file]) => file.split('/')[0]);
  expect(new Set(starting)).toEqual(new Set([...readdirSync(ci), 'what is emitted for CircleCI']));
});

test('a gate that begins in an empty folder checks out the package', () => {
  const text = Object.fromEntries(texts);
  expect(text['github/workflow.yml']).toMatch(/^ {2}gate:\n(?: {4}.*\n|\n)*? {6}- uses: actions\/checkout@/m);
  expect(text['azure/azure-pipelines.yml']).toMatch(/- job: gate\n(?: {4}.*\n)*? {6}- checkout: self/);
  expect(text['jenkins/Jenkinsfile']).toMatch(/void demandProof\(.*\n {4}checkout scm/);
  expect(text['what is emitted for CircleCI']).toMatch(/^ {2}gate:\n(?: {4}.*\n)*? {6}- checkout\n/m);
});
