import crypto from 'node:crypto';
import Module, { createRequire } from 'node:module';
import { posix } from 'node:path';
import { listFolder } from './files.js';
import { recordGap, see } from './record.js';

// What reads files without `fs`: each makes the observation incomplete, or is recorded here.

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;
type Functions = Record<string, AnyFunction | undefined>;

export function hookUnseen(): void {
  const own = process as unknown as Functions;
  tell(own, 'dlopen', ([, file]) => recordGap('native-addon', String(file)));
  for (const name of ['binding', '_linkedBinding'])
    tell(own, name, ([module]) => recordGap('not-hooked', `process.${name}("${String(module)}")`));
  tell(own, 'execve', ([program]) => recordGap('native-program', String(program)));
  tell(own, 'loadEnvFile', ([path]) => see('read', path ?? '.env'));
  tell(crypto as unknown as Functions, 'setEngine', ([engine]) => recordGap('native-addon', String(engine)));
  for (const [name, part] of [
    ['node:wasi', 'WASI'],
    ['node:sqlite', 'DatabaseSync'],
  ] as const)
    hookConstructor(name, part);
}

function tell(owner: Functions, name: string, look: (args: readonly unknown[]) => void): void {
  const original = owner[name];
  if (original === undefined) return;
  owner[name] = function (...args) {
    look(args);
    return Reflect.apply(original, this, args);
  };
}

/** Loads a module of Node that warns about itself. */
function hookConstructor(name: string, part: string): void {
  if (!Module.isBuiltin(name)) return;
  const emitWarning: unknown = Reflect.get(process, 'emitWarning');
  process.emitWarning = () => undefined;
  try {
    const module = createRequire(__filename)(name) as Record<string, new () => object>;
    const original = module[part];
    if (original === undefined) return;
    module[part] = new Proxy(original, {
      construct(target, args, newTarget) {
        recordGap('not-hooked', `${name}.${part}`);
        return Reflect.construct(target, args, newTarget) as object;
      },
    });
  } finally {
    Object.assign(process, { emitWarning });
  }
}

/** Variables that name files which Node reads by itself. */
const FILE_VARIABLES = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'OPENSSL_CONF', 'NODE_ICU_DATA'];
/** Options that name such files. */
const FILE_OPTIONS =
  /^--(?:env-file|env-file-if-exists|openssl-config|icu-data-dir|snapshot-blob|experimental-config-file|experimental-policy)=?/;

/** Records what Node reads before these hooks. */
export function seeEarlier(): void {
  for (const name of FILE_VARIABLES) if (process.env[name] !== undefined) see('read', process.env[name]);
  const options = [...(process.env['NODE_OPTIONS'] ?? '').split(/\s+/), ...process.execArgv];
  for (const [at, option] of options.entries())
    if (FILE_OPTIONS.test(option)) see('read', option.replace(FILE_OPTIONS, '') || options[at + 1]);
  if (options.some((option) => option.startsWith('--experimental-default-config-file'))) see('read', 'node.config.json');
  if (process.execArgv.includes('--test')) seeSearch(process.argv.slice(1));
}

/** `node --test` lists folders before the hooks. Of a pattern, everything below its fixed part may be listed. */
function seeSearch(patterns: readonly string[]): void {
  for (const pattern of patterns.length === 0 ? ['.'] : patterns) {
    const fixed = pattern.replaceAll('\\', '/').replace(/(?:^|\/)[^/]*[*?{[(].*$/, '');
    if (fixed === pattern && !posix.isAbsolute(fixed) && fixed.includes('.test.')) see('read', fixed);
    else listFolder(fixed === '' ? '.' : fixed, { isRecursive: true });
  }
}
