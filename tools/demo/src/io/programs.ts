import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AbsolutePath } from '@tributary/model/paths';
import { yarnRelease } from '@tributary/test-repo/project-root';
import { quoteWord } from '../narration.js';

/** Nothing is sent anywhere, and it does not say each time that it is not installed in the monorepo. */
const TURBO_SETTINGS = ['TURBO_TELEMETRY_DISABLED=1', 'TURBO_NO_UPDATE_NOTIFIER=1', 'TURBO_GLOBAL_WARNING_DISABLED=1'] as const;

/** Makes a folder with turbo and yarn as this project has them: the registry of the demo has neither, and nothing is taken from a network. */
export function writePrograms(folder: AbsolutePath, root: AbsolutePath): void {
  mkdirSync(folder);
  writeProgram(join(folder, 'turbo'), ['env', ...TURBO_SETTINGS, join(root, 'node_modules/.bin/turbo')]);
  writeProgram(join(folder, 'yarn'), [process.execPath, yarnRelease(root)]);
}

function writeProgram(file: string, words: readonly string[]): void {
  writeFileSync(file, `#!/bin/sh\nexec ${words.map(quoteWord).join(' ')} "$@"\n`, { mode: 0o755 });
}
