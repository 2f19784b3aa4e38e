import { expect, test } from '@jest/globals';
import { literalVariables, variablesRead } from './variable-names.js';

test('variables are read by their names, one by one or several at once', () => {
  const lines = [
    'const url = process.env.DATABASE_URL ?? "x";',
    `if (process.env['SLOW'] || process.env["FAST"]) {}`,
    'const { PORT, HOST = "localhost", USER: name } = process.env;',
    'process.env?.MAYBE; process.env[computed]; process.environment.NOT',
  ];
  expect([...variablesRead(lines.join('\n'))].sort()).toEqual(['DATABASE_URL', 'FAST', 'HOST', 'MAYBE', 'PORT', 'SLOW', 'USER']);
});

test('literals of workflows are found at every level, and nothing that is computed', () => {
  const github = `on: push
env: { TZ: America/New_York }
jobs:
  test:
    env: { LIMIT: 5, SECRET: "\${{ secrets.X }}" }
    steps:
      - run: npm test
        env: { FORCE_COLOR: true, TZ: UTC }
`;
  const gitlab = 'variables: { NODE_OPTIONS: --max-old-space-size=4096, REF: $CI_COMMIT_REF }\n';
  expect([...literalVariables([github, gitlab, ': no: yaml: ['])]).toEqual([
    ['TZ', 'America/New_York'],
    ['LIMIT', '5'],
    ['FORCE_COLOR', 'true'],
    ['NODE_OPTIONS', '--max-old-space-size=4096'],
  ]);
});
