import { monorepoFiles } from '@tributary/test-repo/temp-monorepo';
import type { Files } from '@tributary/test-repo/temp-repo';

/** One test file: its approximate computing and waiting time, in seconds. */
interface TestFile {
  readonly computes: number;
  readonly waits: number;
}

/** A test runner: what Yarn installs for it, and what a workspace needs for it. */
interface Runner {
  readonly script: string;
  readonly needs: Readonly<Record<string, string>>;
  /** The path of a test file without its number, and the text before its tests. */
  readonly file: string;
  readonly head: string;
  readonly files?: Files;
}

/** Versions that still run on Node 20. */
const RUNNERS: readonly Runner[] = [
  { script: 'jest --testTimeout=600000', needs: { jest: '30.5.2' }, file: '.test.js', head: '' },
  {
    script: 'vitest run --testTimeout=600000',
    needs: { vitest: '4.1.12' },
    file: '.test.mjs',
    head: "import { test } from 'vitest';\n",
    files: { 'vitest.config.mjs': 'export default {};\n' },
  },
  { script: 'mocha --timeout=600000 "test/**/*.test.js"', needs: { mocha: '11.8.0' }, file: '.test.js', head: 'const test = it;\n' },
  { script: 'node --test', needs: {}, file: '.test.js', head: "const { test } = require('node:test');\n" },
];

/** Typical suites: most are short; some compute, some wait for a server or a timer, some have several files for several workers. */
const KINDS: readonly (readonly TestFile[])[] = [
  [{ computes: 0, waits: 1 }],
  [{ computes: 1.5, waits: 0 }],
  [{ computes: 0, waits: 3 }],
  [
    { computes: 0.7, waits: 0 },
    { computes: 0.7, waits: 0 },
    { computes: 0.7, waits: 0 },
  ],
  [{ computes: 0.5, waits: 2 }],
  [{ computes: 0.2, waits: 0 }],
  [{ computes: 2.5, waits: 0 }],
];
/** The longest ones. */
const LONG: Readonly<Record<number, readonly TestFile[]>> = {
  4: [{ computes: 0, waits: 11 }],
  17: [
    { computes: 3, waits: 1 },
    { computes: 3, waits: 1 },
    { computes: 0, waits: 3 },
  ],
  26: [{ computes: 6, waits: 0 }],
};

const NUMBERS = Array.from({ length: 30 }, (_, number) => number);

/** Returns a monorepo of thirty suites, for Yarn and turborepo. Two of three need the build of a library. */
export function suiteFiles(): Files {
  return {
    ...monorepoFiles({
      // Mirrors lack packages of its latest version for some platforms.
      root: { devDependencies: { turbo: '2.11.9' }, resolutions: { 'unrs-resolver': '1.12.2' } },
      packages: {
        'packages/lib': { name: '@suites/lib', scripts: { build: `node -e "${compute(1)}"` } },
        ...Object.fromEntries(NUMBERS.map((number) => [folderOf(number), manifestOf(number)])),
      },
    }),
    ...Object.fromEntries(
      NUMBERS.flatMap((number) => Object.entries(filesOf(number)).map(([path, text]) => [`${folderOf(number)}/${path}`, text])),
    ),
    'turbo.json': `${JSON.stringify({ tasks: { build: { dependsOn: ['^build'] }, test: { dependsOn: ['^build'] } } })}\n`,
    '.yarnrc.yml': 'enableTelemetry: false\nnodeLinker: node-modules\n',
    'yarn.lock': '',
    '.gitignore': 'node_modules\n.turbo\n.yarn\n.tributary\n',
  };
}

/** Returns a change in each suite, so that all of them are planned. */
export function changedSuites(): Files {
  return Object.fromEntries(NUMBERS.map((number) => [`${folderOf(number)}/source.txt`, '2\n']));
}

function folderOf(number: number): string {
  return `packages/suite-${String(number).padStart(2, '0')}`;
}

function runnerOf(number: number): Runner {
  const runner = RUNNERS[number % RUNNERS.length];
  if (runner === undefined) throw new Error('no runner');
  return runner;
}

function manifestOf(number: number): Readonly<Record<string, unknown>> {
  const { script, needs } = runnerOf(number);
  const dependencies = number % 3 === 0 ? {} : { '@suites/lib': 'workspace:^' };
  return { name: `@suites/suite-${String(number).padStart(2, '0')}`, scripts: { test: script }, devDependencies: needs, dependencies };
}

function filesOf(number: number): Files {
  const { file, head, files = {} } = runnerOf(number);
  const tests = LONG[number] ?? KINDS[number % KINDS.length] ?? [];
  return {
    ...files,
    'source.txt': '1\n',
    ...Object.fromEntries(tests.map((one, at) => [`test/file-${at}${file}`, `${head}${testText(one, file)}`])),
  };
}

function testText({ computes, waits }: TestFile, file: string): string {
  const get = file.endsWith('.mjs') ? "import crypto from 'node:crypto';\n" : '';
  return `${get}test('works', async () => {
  ${compute(computes).replace("require('node:crypto')", file.endsWith('.mjs') ? 'crypto' : "require('node:crypto')")}
  await new Promise((done) => setTimeout(done, ${waits * 1000}));
});
`;
}

/** Returns code for a fixed amount of work instead of time: another task on the same processor makes it take longer. */
function compute(seconds: number): string {
  return seconds === 0 ? '' : `require('node:crypto').pbkdf2Sync('a', 'b', ${Math.round(seconds * ITERATIONS_A_SECOND)}, 64, 'sha512');`;
}

/** For a typical processor. */
const ITERATIONS_A_SECOND = 1_500_000;
