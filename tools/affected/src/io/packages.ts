import { createRequire } from 'node:module';
import { join } from 'node:path';
import { readTextFile } from '@tributary/process/unusable-file';
import type { Runner } from '../plan/runner.js';

/** Reads a package.json of the working tree; `undefined` if it is missing or invalid. */
export function readPackage(folder: string): { readonly name: string; readonly scripts: ReadonlyMap<string, string> } | undefined {
  try {
    const { name, scripts } = JSON.parse(readTextFile(join(folder, 'package.json'))) as { name?: unknown; scripts?: unknown };
    const entries = Object.entries(scripts ?? {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    return { name: String(name), scripts: new Map(entries) };
  } catch {
    return undefined;
  }
}

/** Returns the installed version of a workspace's runner; '' if Node alone cannot tell, as with Plug'n'Play. */
export function versionOfRunner(runner: Runner, folder: string): string {
  if (runner === 'node') return process.version;
  const name = runner === 'playwright' ? '@playwright/test' : runner;
  try {
    const file = createRequire(join(folder, 'package.json')).resolve(`${name}/package.json`);
    return String((JSON.parse(readTextFile(file)) as { version?: unknown }).version);
  } catch {
    return '';
  }
}
