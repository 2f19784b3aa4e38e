import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AbsolutePath, parseAbsolutePath } from '@tributary/model/paths';
import { yarnRelease } from './project-root.js';

/**
 * Returns a program that runs the Yarn release committed in the project, with the code that V8 compiled the last time. Compiling is half of
 * what a short command of Yarn costs, and the tests start hundreds. The cache is made by the first run; V8 refuses one of another version.
 */
export function quickYarn(root: AbsolutePath): AbsolutePath {
  const release = yarnRelease(root);
  const folder = join(root, 'node_modules/.cache/quick-yarn');
  const program = join(folder, 'yarn-4.18.1.cjs');
  const text = textFor(release, join(folder, process.version));
  if (!existsSync(program) || readFileSync(program, 'utf8') !== text) {
    // Other workers of Jest may be reading it.
    const written = `${program}.${process.pid}`;
    mkdirSync(folder, { recursive: true });
    writeFileSync(written, text, { mode: 0o755 });
    renameSync(written, program);
  }
  return parseAbsolutePath(program);
}

function textFor(release: string, cache: string): string {
  return `#!/usr/bin/env node
const fs = require('node:fs');
const vm = require('node:vm');
const [release, cache] = ${JSON.stringify([release, cache])};
const cachedData = fs.existsSync(cache) ? fs.readFileSync(cache) : undefined;
const text = require('node:module').wrap(fs.readFileSync(release, 'utf8').replace(/^#!.*/, ''));
const script = new vm.Script(text, { filename: release, cachedData, importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER });
if (cachedData === undefined || script.cachedDataRejected)
  process.on('exit', () => {
    fs.writeFileSync(cache + process.pid, script.createCachedData());
    fs.renameSync(cache + process.pid, cache);
  });
script.runInThisContext().call(exports, exports, require, module, release, require('node:path').dirname(release));
`;
}
