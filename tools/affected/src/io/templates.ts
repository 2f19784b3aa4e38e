import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Returns the package folder of this program; the bundle is in its folder `out`. */
export function packageFolder(): string {
  return dirname(__dirname);
}

/** Returns a CI template, by its path below `ci/` in the repository of Tributary. */
export function readTemplate(name: string): string {
  return readFileSync(join(__dirname, 'templates', name), 'utf8');
}
