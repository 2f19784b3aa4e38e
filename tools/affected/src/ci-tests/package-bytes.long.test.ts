import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { findProjectRoot } from '@tributary/test-repo/project-root';
import { runProcess } from '@tributary/test-repo/run-cli';
import { TempFolder } from '@tributary/test-repo/temp-folder';

// The guide says that a reviewer can build ci/affected.tgz from the same commit and compare it.

const cleanUp = cleanUpIn(afterAll);
const root = findProjectRoot();

/** Makes another clone of the project at another place: not built, with the same packages installed. */
function copyProject(): TempFolder {
  const folder = cleanUp.add(new TempFolder());
  const isSource = (file: string): boolean => !/[\\/](node_modules|dist|out|\.turbo)$/.test(file);
  for (const part of ['package.json', 'tsconfig.base.json', 'scripts', 'packages', 'tools/affected', 'ci'])
    cpSync(join(root, part), folder.join(part), { recursive: true, filter: isSource });
  mkdirSync(folder.join('node_modules'));
  // These links are relative: they lead to the packages of the copy.
  const own = '@tributary';
  cpSync(join(root, 'node_modules', own), folder.join('node_modules', own), { recursive: true, verbatimSymlinks: true });
  for (const name of readdirSync(join(root, 'node_modules')).filter((one) => one !== own))
    symlinkSync(join(root, 'node_modules', name), folder.join('node_modules', name));
  return folder;
}

async function run(cwd: string, [program = '', ...args]: readonly string[]): Promise<string> {
  const env = { PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}` };
  const { code, stdout, stderr } = await runProcess(program, args, { cwd, env, timeoutMs: 300_000 });
  if (code !== 0) throw new Error(`${program} ${args.join(' ')}: ${stdout}${stderr}`);
  return stdout.trim();
}

/** Builds the tool as its `build` script does, and packs it as the guide says. */
async function buildAndPack(): Promise<Buffer> {
  const tool = copyProject().join('tools/affected');
  const { build } = JSON.parse(readFileSync(join(tool, 'package.json'), 'utf8')).scripts;
  for (const step of build.split(' && ')) await run(tool, step.split(' '));
  return readFileSync(join(tool, await run(tool, ['npm', 'pack', '--silent'])));
}

test('the same commit gives the same bytes, wherever it is built and packed', async () => {
  const [one, other] = [await buildAndPack(), await buildAndPack()];
  expect(one.length).toBeGreaterThan(100_000);
  expect(one.equals(other)).toBe(true);
});
