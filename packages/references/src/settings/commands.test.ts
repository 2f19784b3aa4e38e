import { expect, test } from '@jest/globals';
import type { RepoPath } from '@tributary/model/paths';
import { readReferences } from '../read-references.js';

test.each<readonly [file: string, text: string, paths: readonly string[]]>([
  ['Makefile', 'test:\n\tnode tools/run.js\n', [':tools/run.js']],
  ['scripts/a.sh', 'source ./b.sh\ncp data/x.json /tmp\n', [':./b.sh', ':data/x.json']],
  ['packages/a/run.sh', 'cd ../..\nnode ../b/x.js\n', ['packages/a:../..', 'packages/a:../b/x.js']],
  ['.github/workflows/ci.yml', 'jobs:\n  a:\n    steps:\n      - run: bash bin/check.sh --all\n', [':bin/check.sh']],
  ['.gitlab-ci.yml', 'a: {script: [sh ci/a.txt, yarn b], image: {name: ci/b.txt}}\n', [':ci/a.txt', ':ci/b.txt']],
  ['Jenkinsfile', "sh 'node bin/x.mjs'\n", [':bin/x.mjs']],
])('%s with %j names %j', (file, text, paths) => {
  const found = readReferences(file as RepoPath, text).names.map((name) => ('base' in name ? `${name.base}:${name.specifier}` : ''));
  expect(found).toEqual(expect.arrayContaining([...paths]));
});
