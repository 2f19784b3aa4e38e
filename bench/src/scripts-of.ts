import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Whether the package in a folder has a script of that name. */
export function hasScript(folder: string, script: string): boolean {
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly scripts?: object };
  return Object.hasOwn(scripts ?? {}, script);
}
