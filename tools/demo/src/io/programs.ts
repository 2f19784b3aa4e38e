import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AbsolutePath } from '@tributary/model/paths';
import { yarnRelease } from '@tributary/test-repo/project-root';
import { quoteWord } from '../narration.js';

/** Disables telemetry, and the warning that turbo is not installed in the monorepo. */
const TURBO_SETTINGS = ['TURBO_TELEMETRY_DISABLED=1', 'TURBO_NO_UPDATE_NOTIFIER=1', 'TURBO_GLOBAL_WARNING_DISABLED=1'] as const;

/** Creates a folder with this project's turbo and yarn: the demo's registry has neither, and nothing is downloaded from a network. */
export function writePrograms(folder: AbsolutePath, root: AbsolutePath): void {
  mkdirSync(folder);
  writeProgram(join(folder, 'turbo'), ['env', ...TURBO_SETTINGS, join(root, 'node_modules/.bin/turbo')]);
  writeProgram(join(folder, 'yarn'), [process.execPath, yarnRelease(root)]);
}

function writeProgram(file: string, words: readonly string[]): void {
  writeFileSync(file, `#!/bin/sh\nexec ${words.map(quoteWord).join(' ')} "$@"\n`, { mode: 0o755 });
}
