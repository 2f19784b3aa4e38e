import { expect, test } from '@jest/globals';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { quickYarn } from '@tributary/test-repo/quick-yarn';
import { type CliResult, runProcess } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';
import type { VersionChoices } from './choices.js';
import { type Exception, exceptionsOf, oneVersionConstraint } from './constraint.js';
import { projectOf } from './project.fixture.js';

/** Runs Yarn's own `constraints` over two workspaces with these manifests. */
async function constrain(declared: readonly [Manifest, Manifest], exceptions: readonly Exception[]): Promise<CliResult> {
  const folder = new TempFolder();
  try {
    const [a, b] = declared.map((manifest, place) => ({ name: 'ab'[place], ...manifest }));
    folder.write('package.json', JSON.stringify({ name: 'root', private: true, workspaces: ['a', 'b'] }));
    folder.write('a/package.json', JSON.stringify(a));
    folder.write('b/package.json', JSON.stringify(b));
    folder.write('yarn.lock', lockOf(declared));
    folder.write('yarn.config.cjs', oneVersionConstraint(exceptions));
    const env = { HOME: folder.path, YARN_IGNORE_PATH: '1', YARN_ENABLE_TELEMETRY: '0', NO_COLOR: '1' };
    return await runProcess(process.execPath, [quickYarn(findProjectRoot()), 'constraints'], { cwd: folder.path, env });
  } finally {
    folder.dispose();
  }
}

type Manifest = Readonly<Partial<Record<'dependencies' | 'devDependencies' | 'peerDependencies', Readonly<Record<string, string>>>>>;

/** Returns a lockfile that lets Yarn answer without asking a registry. */
function lockOf(declared: readonly Manifest[]): string {
  const workspaces = ['.', 'a', 'b'].map((path, place) => {
    const own = Object.entries({ ...declared[place - 1]?.dependencies, ...declared[place - 1]?.devDependencies });
    const lines = own.map(([name, range]) => `    ${name}: "${bound(range)}"\n`).join('');
    const name = path === '.' ? 'root' : path;
    const dependencies = lines === '' ? '' : `  dependencies:\n${lines}`;
    return `"${name}@workspace:${path}":\n  version: 0.0.0-use.local\n  resolution: "${name}@workspace:${path}"\n${dependencies}  languageName: unknown\n  linkType: soft\n`;
  });
  const requests = declared.flatMap((one) => Object.entries({ ...one.dependencies, ...one.devDependencies }));
  const packages = [...new Set(requests.map(([name, range]) => `${name}@${bound(range)}`))].map((request) => {
    const name = request.slice(0, request.indexOf('@'));
    return `"${request}":\n  version: 1.0.0\n  resolution: "${name}@npm:1.0.0"\n  languageName: node\n  linkType: hard\n`;
  });
  return [`__metadata:\n  version: 10\n  cacheKey: 10c0\n`, ...workspaces, ...packages].join('\n');
}

function bound(range: string): string {
  return range.includes(':') ? range : `npm:${range}`;
}

test('Yarn names what has several ranges, on both sides, and nothing else', async () => {
  const a = { dependencies: { x: '^1.0.0', same: '^1.0.0', kept: '1', alias: 'npm:y@1' }, peerDependencies: { x: '*' } };
  const b = { devDependencies: { x: '^2.0.0', same: '^1.0.0', kept: '2', alias: 'npm:y@2' } };
  const { code, stdout } = await constrain([a, b], [{ name: 'kept', ranges: [], because: 'it is configured' }]);
  expect(stdout).toMatch(/x.*conflict[\s\S]*\^1\.0\.0[\s\S]*\^2\.0\.0/i);
  expect(stdout).not.toMatch(/same|kept|alias/);
  expect(code).toBe(1);
});

test('Yarn is content where each has one', async () => {
  const one = { dependencies: { x: '^1.0.0' }, peerDependencies: { same: '*' } };
  const { code } = await constrain([one, one], []);
  expect(code).toBe(0);
});

const KEEP: VersionChoices = {
  policy: 'report',
  exceptions: new Map([
    ['kept', 'keep'],
    ['one', 'highest'],
  ]),
};

test('as the branch is, Yarn is content: what has several ranges there is named, and why', async () => {
  const a = { dependencies: { x: '^1.0.0', kept: '1', one: '1', alias: 'npm:y@1' }, peerDependencies: { one: '*' } };
  const b = { devDependencies: { x: '^2.0.0', kept: '2', one: '1', alias: 'npm:y@2' } };
  const project = projectOf({ manifests: { a: { name: 'a', ...a }, b: { name: 'b', ...b } }, importedPackages: {} });
  const exceptions = exceptionsOf(project, KEEP);
  expect(exceptions).toEqual([
    { name: 'kept', ranges: ['1', '2'], because: 'it is configured' },
    { name: 'x', ranges: ['^1.0.0', '^2.0.0'], because: 'it has several' },
  ]);
  expect((await constrain([a, b], exceptions)).code).toBe(0);
  expect((await constrain([a, b], exceptions.slice(1))).code).toBe(1);
});

test('whatever a name or a range holds, it stays a text or a comment', () => {
  const because = 'it has several';
  const text = oneVersionConstraint([{ name: "a'\\\n", ranges: ['1\u2028process.exit(1)', '*\n/'], because }]);
  expect(text).toContain("const several = new Set([\n  'a\\'\\\\ ', // 1 process.exit(1), * /\n]);");
});
