import { posix } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { listFolder, takeAlong } from './files.js';
import { META, seeScope } from './modules.js';
import { recordGap, see } from './record.js';

// What Node reads before the hooks, or because of an option or a variable.

/** Options with which Node reads no other files than without, except modules. */
const HARMLESS =
  /^(?:-[rep]|-pe|--(?:require|import|eval|print|input-type|test|test-(?:reporter|reporter-destination|name-pattern|skip-pattern|only|concurrency|timeout|force-exit|shard)|conditions|(?:no-)?(?:warnings|deprecation|strip-types|experimental-(?:require-module|detect-module|vm-modules|strip-types|websocket))|disable-warning|trace-(?:warnings|deprecation|uncaught|exit)|pending-deprecation|throw-deprecation|unhandled-rejections|max-old-space-size|max-semi-space-size|expose-gc|stack-size|stack-trace-limit))(?:=|$)/;

/** Variables that make Node, or the system, read folders, or files that name others. */
const FOLDERS = /^(?:LD_|DYLD_|OPENSSL_|NODE_(?:ICU_DATA|COMPILE_CACHE|V8_COVERAGE|REPL_EXTERNAL_MODULE)$)/;

/** `ours`: the option of `NODE_OPTIONS` that loads the hooks. */
export function seeEarlier(ours: string): void {
  for (const name of ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR']) takeAlong(process.env[name]);
  const folders = Object.keys(process.env).find((name) => FOLDERS.test(name));
  if (folders !== undefined) recordGap('not-hooked', folders);
  const given = process.env['NODE_OPTIONS'] ?? '';
  const before = given.slice(0, Math.max(0, given.indexOf(ours)));
  if (/(?:^|\s)(?:-r|--require|--import|--(?:experimental-)?loader)\b/.test(before))
    recordGap('not-hooked', `${before} is before the hooks`);
  const options = [...given.replace(ours, '').split(/\s+/), ...process.execArgv];
  for (const [at, option] of options.entries()) lookAt(option, options[at + 1]);
  const isCode =
    /^(?:undefined|-)$/.test(String(process.argv[1])) && !options.some((one) => /^(?:-[ep]|-pe|--(?:eval|print|test)\b)/.test(one));
  if (isMainThread && isCode) recordGap('not-hooked', 'code from stdin');
  seeScope('.');
  if (process.execArgv.includes('--test')) seeSearch(process.argv.slice(1));
}

function lookAt(option: string, next: string | undefined): void {
  const [, file] = /^--env-file(?:-if-exists)?(?:=(.*))?$/s.exec(option) ?? [option, false];
  if (file !== false) see('read', file ?? next);
  if ((option.startsWith('-') && !HARMLESS.test(option.replaceAll('_', '-'))) || META.test(option)) recordGap('not-hooked', option);
}

/** `node --test` lists folders before the hooks. Of a pattern, everything below its fixed part may be listed. */
function seeSearch(patterns: readonly string[]): void {
  for (const pattern of patterns.length === 0 ? ['.'] : patterns) {
    const fixed = pattern.replaceAll('\\', '/').replace(/(?:^|\/)[^/]*[*?{[(].*$/, '');
    if (fixed === pattern && !posix.isAbsolute(fixed) && fixed.includes('.test.')) see('read', fixed);
    else listFolder(fixed === '' ? '.' : fixed, { isRecursive: true });
  }
}
