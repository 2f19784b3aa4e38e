import { expect, test } from '@jest/globals';
import { readTemplate } from './job.fixture.js';

const github = readTemplate('github');

test('the workflow pins each action of others by its commit, and puts nothing into the text of a script', () => {
  const used = [...github.matchAll(/\buses: (.*)/g)].map(([, action = '']) => action);
  expect(used).toHaveLength(4);
  expect(used.filter((action) => !/^actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
  expect(github).not.toMatch(/run: .*\{\{/);
});

test('the workflow may only read, but for the job that keeps the record and the one that publishes', () => {
  expect(github).toMatch(/^permissions:\n {2}contents: read\n$/m);
  expect([...github.matchAll(/([\w-]+): write\b/g)].map(([, what]) => what)).toEqual(['contents', 'pages', 'id-token']);
  expect(github).toContain('persist-credentials: false');
});

test.each(['github', 'gitlab'] as const)('the template for %s reads the whole history, and lets jobs wait for each other', (template) => {
  const text = readTemplate(template);
  expect(text).toMatch(/fetch-depth: 0|GIT_DEPTH: "0"/);
  expect(text).toMatch(/cancel-in-progress: false|resource_group: lead-time/);
});
