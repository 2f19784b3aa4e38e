// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of GitHub look like those of templates
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { sceneOf, textOf, withTexts, wordsOf } from '../carry-over.fixture.js';
import { carryOver } from '../carry-over.js';
import { moveWorkflow, ODD_WORKFLOW } from './workflow.fixture.js';

/** Returns the lines that only the first text has (`gone`) and those that only the second has (`come`), without indentation. */
function changesOf(before: string, after: string): { readonly gone: readonly string[]; readonly come: readonly string[] } {
  const less = (one: string, other: string): readonly string[] => {
    const rest = other.split('\n');
    return one.split('\n').flatMap((line) => {
      const at = rest.indexOf(line);
      if (at !== -1) rest.splice(at, 1);
      return at === -1 ? [line.trim()] : [];
    });
  };
  return { gone: less(before, after), come: less(after, before) };
}

describe('a workflow with all that is easily moved wrongly', () => {
  const files = { '.nvmrc': '18', '.github/tsc.json': '{}', '.github/workflows/called.yml': 'on: workflow_call\njobs: {}\n' };
  const { text, findings } = moveWorkflow(ODD_WORKFLOW, files);

  test('says at its top what it did, and what is proposed for what was there', () => {
    expect(text.slice(0, text.indexOf('\n# What it may do.'))).toBe(
      [
        '# Licence of the workflow.',
        'name: "All of it"',
        '# From packages/x/.github/workflows/ci.yml (migrate-repo). It runs only by hand and when called. It ran:',
        '#   on:',
        '#     push:',
        '#       branches: [main]',
        "#       paths-ignore: ['docs/**']",
        '#     pull_request:',
        '#       paths:',
        '#         - src/**',
        "#         - '!src/gen/**'",
        '#         - .github/workflows/ci.yml',
        '#     schedule:',
        "#       - cron: '0 0 * * *' # at night",
        '#     release: { types: [published] }',
        '#     workflow_call:',
        '#       inputs:',
        '#         tag:',
        '#           type: string',
        '#     workflow_dispatch:',
        '#       inputs:',
        '#         tag:',
        '#           type: string',
        '# Proposed under push:',
        '#   paths:',
        "#     - 'packages/x/**'",
        "#     - '!packages/x/docs/**'",
        '# Proposed under pull_request:',
        '#   paths:',
        "#     - 'packages/x/src/**'",
        "#     - '!packages/x/src/gen/**'",
        "#     - '.github/workflows/x-ci.yml'",
        '# If restored, release would start it for all packages.',
        'on:',
        '  workflow_call:',
        '    inputs:',
        '      tag:',
        '        type: string',
        '  workflow_dispatch:',
        '    inputs:',
        '      tag:',
        '        type: string',
        '',
      ].join('\n'),
    );
  });

  test('names everything by where it is now, and nothing else changes', () => {
    const body = (one: string): string => one.slice(one.indexOf('# What it may do.'));
    expect(changesOf(body(ODD_WORKFLOW), body(text))).toEqual({
      gone: [
        'working-directory: lib',
        '- run: git config --global core.autocrlf false',
        'node-version-file: .nvmrc',
        'sub/deps.txt',
        '.cache/build',
        "key: ${{ runner.os }}-${{ hashFiles('package-lock.json', 'src/**') }}-${{ hashFiles('**/*.ts') }}",
        "restore-keys: '${{ hashFiles(''tsconfig.json'', ''lib/**'') }}'",
        'echo "::add-matcher::.github/tsc.json"',
        'working-directory: ./packages/one',
        'working-directory: ${{ matrix.dir }}',
        '- { run: npm run more, working-directory: "sub" }',
        '- uses: ./.github/actions/setup',
        '- uses: ./',
        'dist/${{ matrix.os }}',
        '!dist/**/*.map',
        "with: { name: report, path: './report' }",
        '- uses: actions/download-artifact@v4',
        'uses: ./.github/workflows/called.yml',
      ],
      come: [
        'working-directory: packages/x',
        'working-directory: packages/x/lib',
        '- working-directory: .',
        'run: git config --global core.autocrlf false',
        'node-version-file: packages/x/.nvmrc',
        'packages/x/sub/deps.txt',
        'packages/x/.cache/build',
        "key: ${{ runner.os }}-${{ hashFiles('package-lock.json', 'packages/x/src/**') }}-${{ hashFiles('packages/x/**/*.ts') }}",
        "restore-keys: '${{ hashFiles(''packages/x/tsconfig.json'', ''packages/x/lib/**'') }}'",
        'echo "::add-matcher::packages/x/.github/tsc.json"',
        'working-directory: packages/x/packages/one',
        'working-directory: packages/x/${{ matrix.dir }}',
        '- { run: npm run more, working-directory: "packages/x/sub" }',
        '- uses: ./packages/x/.github/actions/setup',
        '- uses: ./packages/x',
        'packages/x/dist/${{ matrix.os }}',
        '!packages/x/dist/**/*.map',
        "with: { name: report, path: 'packages/x/report' }",
        '- with:',
        'path: packages/x',
        'uses: actions/download-artifact@v4',
        'defaults:',
        'run:',
        'working-directory: .',
        'defaults:',
        'run:',
        'working-directory: .',
        'uses: ./.github/workflows/x-called.yml',
      ],
    });
  });

  test('what is not certain is told, with its line in the source', () => {
    const remarks = findings.find(({ file }) => file.endsWith('ci.yml'))?.remarks ?? [];
    const left = remarks.find(({ text: words }) => words.startsWith('It refers to'))?.detail ?? '';
    const lineOf = (part: string): number => ODD_WORKFLOW.split('\n').findIndex((line) => line.includes(part)) + 1;
    for (const part of [
      `line ${lineOf('            package-lock.json')}: \`cache-dependency-path: package-lock.json\``,
      `line ${lineOf("hashFiles('package-lock")}: \`package-lock.json\``,
      `line ${lineOf('  other:')}: the job other`,
      `line ${lineOf('folder: ./dist')}: \`folder: ./dist\``,
    ])
      expect(left).toContain(part);
    expect(wordsOf(...remarks)).toContain('npm ci, package-lock.json, the cache of npm');
    expect(wordsOf(...remarks)).toContain(`other workflows. (line ${lineOf('concurrency:')})`);
  });
});

/** Returns the job that a workflow with these steps becomes, as a value. The steps follow the checkout. */
function jobOf(steps: string, before = ''): Record<string, unknown> {
  const text = `on: push\njobs:\n  a:\n    runs-on: x\n${before}    steps:\n      - uses: actions/checkout@v4\n${steps}`;
  return (parse(moveWorkflow(text).text) as { jobs: { a: Record<string, unknown> } }).jobs.a;
}

describe('a working directory', () => {
  test.each([
    ['sub', 'packages/x/sub'],
    ['./sub/', 'packages/x/sub/'],
    ['.', 'packages/x'],
    ['./', 'packages/x'],
    ['"a b"', 'packages/x/a b'],
    ['/tmp', '/tmp'],
    ['${{ github.workspace }}', '${{ github.workspace }}/packages/x'],
    ['${{ github.workspace }}/sub', '${{ github.workspace }}/packages/x/sub'],
    ['${{ inputs.dir }}', '${{ inputs.dir }}'],
    ['../other', '../other'],
  ])('%s becomes %s', (written, moved) => {
    const { steps } = jobOf(`      - run: ls\n        working-directory: ${written}\n`);
    expect((steps as Record<string, unknown>[])[1]?.['working-directory']).toBe(moved);
  });

  test('of a job counts for it alone, so it is named in defaults that do not', () => {
    expect(jobOf('      - run: ls\n', '    defaults:\n      run:\n        shell: bash\n')['defaults']).toEqual({
      run: { 'working-directory': 'packages/x', shell: 'bash' },
    });
    expect(jobOf('      - run: ls\n', '    defaults: { run: { shell: bash } }\n')['defaults']).toEqual({
      run: { 'working-directory': 'packages/x', shell: 'bash' },
    });
    expect(jobOf('      - run: ls\n')['defaults']).toBeUndefined();
  });

  test('is not named where nothing is checked out', () => {
    const { text } = moveWorkflow('on: push\njobs:\n  a:\n    runs-on: x\n    steps:\n      - run: ls\n');
    expect(text).not.toContain('working-directory');
  });
});

describe('triggers', () => {
  const headOf = (on: string): string => {
    const { text } = moveWorkflow(`${on}\njobs:\n  a:\n    runs-on: x\n    steps:\n      - run: ls\n`);
    return text.slice(0, text.indexOf('jobs:'));
  };

  test.each([
    ['on: schedule', [], 'workflow_dispatch:'],
    ['on: [push, pull_request]', ['# Proposed under push and pull_request:', '#   paths:', "#     - 'packages/x/**'"], ''],
    ['on:\n  push:\n    tags: [v*]', ['# All packages share the tags of one repository: list those that should start it.'], ''],
    [
      'on:\n  workflow_run:\n    workflows: [CI]',
      ['# workflow_run matches the name of a workflow, which workflows of other packages may have too.'],
      '',
    ],
    ['on: [issues, release]', ['# If restored, issues and release would start it for all packages.'], ''],
  ])('%j: only what is true of what was there is said', (on, lines) => {
    const lost = headOf(on)
      .split('\n')
      .filter((line) => /^# (?! {2}|From)|^# {3}(?=paths:| {2}- 'packages)/.test(line));
    expect(lost).toEqual(lines);
  });

  test.each(['on: workflow_call', 'on:\n  workflow_dispatch:\n    inputs:\n      a:\n        type: string'])(
    '%j: one that starts by hand or where it is called stays as it is',
    (on) => {
      expect(headOf(on)).toBe(`# From packages/x/.github/workflows/ci.yml (migrate-repo).\n${on}\n`);
    },
  );

  test('line ends of the file stay', () => {
    const { text } = moveWorkflow(
      'name: a\r\non: push\r\njobs:\r\n  a:\r\n    runs-on: x\r\n    steps:\r\n      - uses: actions/checkout@v4\r\n      - run: ls\r\n',
    );
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(text).toContain('working-directory: packages/x\r\njobs:');
  });
});

test('a version file that was taken away, because the root says the same, is that of the root', () => {
  const text =
    'on: push\njobs:\n  a:\n    runs-on: x\n    steps:\n      - uses: actions/checkout@v4\n      - uses: actions/setup-node@v4\n        with:\n          node-version-file: .nvmrc\n';
  expect(moveWorkflow(text, { '.nvmrc': '20' }, { '.nvmrc': '20' }).text).toContain('node-version-file: .nvmrc\n');
  expect(moveWorkflow(text, { '.nvmrc': '18' }, { '.nvmrc': '20' }).text).toContain('node-version-file: packages/x/.nvmrc\n');
});

test('a file that another action names is left, because that writes it at the root', () => {
  const upload = (path: string): string => `      - uses: actions/upload-artifact@v4\n        with:\n          path: ${path}\n`;
  const text = `on: push\njobs:\n  a:\n    runs-on: x\n    steps:\n      - uses: actions/checkout@v4\n      - uses: ossf/scorecard-action@v2\n        with:\n          results_file: results.sarif\n${upload('results.sarif')}${upload('dist')}`;
  const moved = moveWorkflow(text);
  expect(moved.text).toContain(`${upload('results.sarif')}${upload('packages/x/dist')}`);
  expect(wordsOf(...(moved.findings[0]?.remarks ?? []))).toMatch(/line 9: `results_file: results\.sarif`, line 12: `path: results\.sarif`/);
});

describe('what is dangerous is named', () => {
  const risksOf = (body: string, on = 'on: push'): string => wordsOf(...(moveWorkflow(`${on}\n${body}`).findings[0]?.remarks ?? []));
  const job = (steps: string): string => `jobs:\n  a:\n    runs-on: x\n    steps:\n${steps}`;

  test.each([
    ['all rights', `permissions: write-all\n${job('      - run: ls\n')}`, /write everything.*line 2/],
    [
      'all secrets',
      'jobs:\n  a:\n    uses: o/r/.github/workflows/a.yml@v1\n    secrets: inherit\n',
      /all secrets.*line 5.*`o\/r\/\.github\/workflows\/a\.yml@v1`/,
    ],
    [
      'a title in a script',
      job('      - run: |\n          ls\n          echo "${{ github.event.pull_request.title }}"\n'),
      /Strangers.*`github\.event\.pull_request\.title` in line 8/,
    ],
    ['a branch in a script', job('      - run: echo ${{ github.head_ref }}\n'), /`github\.head_ref` in line 6/],
    [
      'a text in JavaScript',
      job('      - uses: actions/github-script@v7\n        with:\n          script: console.log(`${{ github.event.comment.body }}`)\n'),
      /`github\.event\.comment\.body` in line 8/,
    ],
    [
      'the message of a commit',
      job('      - run: echo ${{ github.event.commits[0].message }}\n'),
      /`github\.event\.commits\[0\]\.message` in line 6/,
    ],
    [
      'the name of a foreign branch',
      job('      - run: echo ${{ github.event.pull_request.head.repo.default_branch }}\n'),
      /head\.repo\.default_branch` in line 6/,
    ],
    [
      'actions of others',
      job('      - uses: acme/deploy@v1\n      - uses: actions/checkout@v4\n'),
      /pinned to a tag.*\(`acme\/deploy@v1`\)/,
    ],
  ])('%s', (_, body, pattern) => {
    expect(risksOf(body)).toMatch(pattern);
  });

  test('one that strangers start', () => {
    expect(risksOf(job('      - run: ls\n'), 'on: [pull_request_target]')).toMatch(/code from strangers.*`pull_request_target`/);
  });

  test.each([
    ['NPM_TOKEN', 's3cr3t-s3cr3t-s3cr3t'],
    ['RUN', `curl -H token:ghp_${'a1B2'.repeat(9)}`],
  ])('a credential that is written out (%s), which is not shown', (key, secret) => {
    const body = job(`      - run: ls\n        env:\n          ${key}: ${secret}\n`);
    expect(risksOf(body)).toMatch(/seems to contain a credential.*line 8/);
    expect(risksOf(body)).not.toContain(secret);
  });

  test('nothing is said of what is harmless', () => {
    const pinned = `acme/deploy@${'ab'.repeat(20)} # v1`;
    const steps = `      - uses: ${pinned}\n        env:\n          TOKEN: \${{ secrets.TOKEN }}\n          TITLE: \${{ github.event.issue.title }}\n      - run: echo "$TITLE" \${{ github.event.issue.number }} \${{ github.event.repository.default_branch }}\n`;
    expect(moveWorkflow(`on: push\npermissions:\n  contents: read\n${job(steps)}`).findings[0]?.remarks).toMatchObject([
      { topic: 'workflows', detail: expect.stringContaining('the secrets TOKEN') },
    ]);
  });
});

describe('an action of its own', () => {
  const action = `name: Set up
runs:
  using: composite
  steps:
    - run: npm ci
      shell: bash
    - uses: ./.github/actions/other
    - run: ls
      shell: bash
      working-directory: sub
`;
  const scene = sceneOf({}, { '.github/actions/setup/action.yml': action });
  const { edits } = carryOver(scene);

  test('runs its steps in the folder of the package', () => {
    expect(textOf(edits, 'packages/x/.github/actions/setup/action.yml')).toBe(
      action
        .replace('    - run: npm ci', '    - working-directory: packages/x\n      run: npm ci')
        .replace('./.github', './packages/x/.github')
        .replace('working-directory: sub', 'working-directory: packages/x/sub'),
    );
  });

  test('is not moved twice', () => {
    expect(carryOver(withTexts(scene, edits)).edits).toEqual(new Map());
  });
});

test.each([
  ['on one line', '{ on: push, jobs: { a: { runs-on: x, steps: [{ run: ls }] } } }'],
  ['with aliases', 'on: push\njobs:\n  a: &a\n    runs-on: x\n    steps:\n      - run: ls\n  b: *a\n'],
  ['that is no YAML', 'on: [push'],
  ['without jobs', 'on: push\n'],
])('one %s stays, and is told', (_, text) => {
  const { edits, findings } = carryOver(sceneOf({}, { '.github/workflows/ci.yml': text }));
  expect(edits.size).toBe(0);
  expect(wordsOf(...(findings.find(({ rule }) => rule === 'GitHub workflows')?.remarks ?? []))).toContain('by hand');
});
