import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMochaFile } from '../plan/runner.js';

/** What a package.json of the work tree says; `undefined` where there is none, or none that can be read. */
export function readPackage(folder: string): { readonly name: string; readonly scripts: ReadonlyMap<string, string> } | undefined {
  try {
    const { name, scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name?: unknown; scripts?: unknown };
    const entries = Object.entries(scripts ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    return { name: String(name), scripts: new Map(entries) };
  } catch {
    return undefined;
  }
}

/** The files that mocha runs without being told, sorted, from the folder of the workspace. */
export function testFilesOfMocha(folder: string): readonly string[] {
  const tests = join(folder, 'test');
  return existsSync(tests)
    ? readdirSync(tests)
        .map((name) => `test/${name}`)
        .filter(isMochaFile)
        .sort()
    : [];
}
