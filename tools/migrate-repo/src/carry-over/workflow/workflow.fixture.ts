import { sceneOf, type Texts } from '../carry-over.fixture.js';
import { carryOver } from '../carry-over.js';
import type { CarryOverFinding } from '../rule.js';

/** FOR TESTS. Returns what the workflow `ci.yml` of a package at packages/x becomes, with the findings about it. */
export function moveWorkflow(
  text: string,
  files: Texts = {},
  root: Texts = {},
): { readonly text: string; readonly findings: readonly CarryOverFinding[] } {
  const { edits, findings } = carryOver(sceneOf(root, { '.github/workflows/ci.yml': text, ...files }));
  const moved = [...edits].find(([path]) => path === '.github/workflows/x-ci.yml')?.[1];
  return { text: moved ?? '', findings: findings.filter(({ rule }) => rule === 'GitHub workflows') };
}

/** A workflow that GitHub accepts, with the parts that are easily moved wrongly. */
export const ODD_WORKFLOW = `# Licence of the workflow.
name: "All of it"
on:
  push:
    branches: [main]
    paths-ignore: ['docs/**']
  pull_request:
    paths:
      - src/**
      - '!src/gen/**'
      - .github/workflows/ci.yml
  schedule:
    - cron: '0 0 * * *' # at night
  release: { types: [published] }
  workflow_call:
    inputs:
      tag:
        type: string
  workflow_dispatch:
    inputs:
      tag:
        type: string

# What it may do.
permissions:
  contents: read
concurrency:
  group: ci-\${{ github.ref }}
defaults:
  run:
    shell: bash
env:
  CI: '1'
jobs:
  test:
    runs-on: \${{ matrix.os }}
    strategy:
      matrix:
        os: [ubuntu-latest, windows-latest]
        dir: [a, b/c]
    defaults:
      run:
        shell: bash
        working-directory: lib
    steps:
      - run: git config --global core.autocrlf false
      - name: Check out
        uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version-file: .nvmrc
          cache: npm
          cache-dependency-path: |
            package-lock.json
            sub/deps.txt
      - uses: actions/cache@v4
        with:
          path: |
            ~/.npm
            node_modules
            .cache/build
          key: \${{ runner.os }}-\${{ hashFiles('package-lock.json', 'src/**') }}-\${{ hashFiles('**/*.ts') }}
          restore-keys: '\${{ hashFiles(''tsconfig.json'', ''lib/**'') }}'
      - run: |
          echo "::add-matcher::.github/tsc.json"
          npm test
        working-directory: ./packages/one
      - run: npm run build
        working-directory: \${{ matrix.dir }}
      - { run: npm run more, working-directory: "sub" }
      - uses: ./.github/actions/setup
      - uses: ./
      - uses: actions/upload-artifact@v4
        with:
          name: dist
          path: |
            dist/\${{ matrix.os }}
            !dist/**/*.map
      - uses: actions/upload-artifact@v4
        with: { name: report, path: './report' }
      - uses: actions/download-artifact@v4
      - uses: acme/deploy@v1
        with:
          folder: ./dist
  notify:
    runs-on: ubuntu-latest
    needs: test
    steps:
      - run: echo done
  other:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          path: here
      - run: npm ci
        working-directory: here
  call:
    uses: ./.github/workflows/called.yml
    with:
      tag: \${{ inputs.tag }}
`;
