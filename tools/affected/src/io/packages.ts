import { readFileSync } from 'node:fs';
import { join } from 'node:path';

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
