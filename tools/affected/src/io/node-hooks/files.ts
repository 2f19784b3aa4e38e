import fs from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { META } from './modules.js';
import { exists, forget, fullPath, real, recordGap, see, use } from './record.js';
import { attempt } from './replace.js';

/** What is recorded of a call. `before`: with its arguments; `after`: when it has succeeded, also with its result. */
interface Action {
  readonly before?: (args: readonly unknown[]) => void;
  readonly after?: (args: readonly unknown[], result: unknown) => void;
}

const read: Action = { before: ([path]) => see('read', path) };
const look: Action = { before: ([path]) => see('found', path) };
const list: Action = { before: ([path, options]) => listFolder(path, { isRecursive: hasOption(options, 'recursive') }) };
const written = ([path]: readonly unknown[]): void => use('written', path);
const remove: Action = { ...look, after: written };
/** What takes a name that must be free. */
const taking = (from: (path: unknown) => void): Action => ({
  before: ([path, to]) => {
    from(path);
    see('found', to);
  },
  after: ([, to]) => use('written', to),
});
const made: Action = { before: ([path]) => see('found', path), after: (_, result) => use('written', pathIn(result)) };

/** The functions of `fs` that take a path, without `Sync`. */
const ACTIONS: Readonly<Record<string, Action>> = {
  ...named(read, 'openAsBlob truncate'),
  readFile: {
    ...read,
    // Node's loader reads an ES module by its URL. What `import.meta.resolve` looks at in it is not seen.
    after: ([path], result) => {
      if (typeof path === 'object' && META.test(String(result))) recordGap('not-hooked', `import.meta in ${String(fullPath(path))}`);
    },
  },
  ...named(look, 'access exists stat lstat statfs realpath readlink chmod chown lchmod lchown utimes lutimes watch watchFile unwatchFile'),
  ...named(list, 'readdir opendir'),
  ...named(remove, 'unlink rm'),
  rmdir: { ...list, after: written },
  ...named({ ...made, before: () => undefined }, 'mkdtemp mkdtempDisposable'),
  mkdir: { ...made, after: (args, result) => use('written', hasOption(args[1], 'recursive') ? result : args[0]) },
  open: opening(([, flags]) => (typeof flags === 'function' ? 'r' : (flags ?? 'r'))),
  writeFile: opening(([, , options]) => flagIn(options) ?? 'w'),
  appendFile: opening(([, , options]) => flagIn(options) ?? 'a'),
  rename: {
    before: ([from, to]) => {
      takeAlong(from);
      see('found', to);
    },
    after: ([from, to]) => {
      use('written', from);
      use('written', to);
      forget();
    },
  },
  link: taking(takeAlong),
  symlink: {
    // It may lead to anything below its end, and other processes may follow it.
    before: ([end, path]) => {
      see('found', path);
      const text = end instanceof URL ? fullPath(end) : String(end);
      takeAlong(text === undefined || isAbsolute(text) ? text : `${dirname(fullPath(path) ?? '')}/${text}`);
    },
    after: ([, path]) => {
      use('written', path);
      forget();
    },
  },
  copyFile: taking((from) => see('read', from)),
  cp: {
    before: ([from, to]) => {
      readTree(from);
      // What stays in a folder that was there is not written.
      if (exists(fullPath(to) ?? '')) return readTree(to);
      see('found', to);
      use('written', to);
    },
  },
  // It lists folders with functions that nothing can replace.
  ...named({ before: () => recordGap('not-hooked', 'fs.glob') }, 'glob'),
};

/** Functions without a path, or that call `fs.open`. */
const HARMLESS =
  /^(?:(?:close|f(?:chmod|chown|datasync|stat|sync|truncate|utimes)|readv?|writev?)(?:Sync)?|(?:create|File)?(?:Read|Write)Stream|Utf8Stream|Dir|Dirent|Stats|_toUnixTimestamp)$/;

/** Records what is read, looked up, listed and written through `fs` and `fs.promises`. */
export function hookFiles(): void {
  const all = fs as unknown as Functions;
  for (const name of Object.keys(all)) if (typeof all[name] === 'function') wrap(all, name, styleOf(name));
  const { native } = real.realpath;
  const { native: nativeSync } = real.realpathSync;
  Object.assign(fs.realpath, { native: wrapped(native, look, 'callback') });
  Object.assign(fs.realpathSync, { native: wrapped(nativeSync, look, 'sync') });
  const promises = fs.promises as unknown as Functions;
  for (const name of Object.keys(promises)) if (typeof promises[name] === 'function') wrap(promises, name, 'promise');
}

type Functions = Record<string, (this: unknown, ...args: unknown[]) => unknown>;
type Style = 'sync' | 'callback' | 'promise';

function styleOf(name: string): Style {
  return name.endsWith('Sync') ? 'sync' : name === 'openAsBlob' ? 'promise' : 'callback';
}

function wrap(owner: Functions, name: string, style: Style): void {
  const original = owner[name];
  if (original === undefined || HARMLESS.test(name)) return;
  // A function of a later version of Node may read anything.
  const unknown = { before: () => recordGap('not-hooked', `fs.${name}`) };
  const action = ACTIONS[name.replace(/Sync$/, '')] ?? unknown;
  owner[name] = wrapped(original, action, style);
}

function wrapped(original: object, { before, after }: Action, style: Style): Functions[string] {
  const call = original as Functions[string];
  const changed: Functions[string] = function (...args) {
    if (before !== undefined) attempt(() => before(args));
    if (after === undefined) return Reflect.apply(call, this, args);
    const end = (result: unknown): void => attempt(() => after(args, result));
    if (style === 'callback') return Reflect.apply(call, this, withEnd(args, end));
    const result = Reflect.apply(call, this, args);
    if (style === 'promise') (result as Promise<unknown>).then(end, () => undefined);
    else end(result);
    return result;
  };
  // Its name, `realpath.native`, and how `promisify` calls it.
  Object.defineProperties(changed, Object.getOwnPropertyDescriptors(call));
  return changed;
}

function withEnd(args: readonly unknown[], end: (result: unknown) => void): readonly unknown[] {
  const callback = args.at(-1);
  if (typeof callback !== 'function') return args;
  const ended = function (this: unknown, ...results: unknown[]): unknown {
    if (results[0] === null || results[0] === undefined) end(results[1]);
    return Reflect.apply(callback, this, results);
  };
  return [...args.slice(0, -1), ended];
}

function named(action: Action, names: string): Readonly<Record<string, Action>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, action]));
}

function hasOption(options: unknown, name: string): boolean {
  return typeof options === 'object' && options !== null && Boolean((options as Record<string, unknown>)[name]);
}

function flagIn(options: unknown): unknown {
  return typeof options === 'object' && options !== null ? (options as { readonly flag?: unknown }).flag : undefined;
}

/** `mkdtempDisposable` returns an object. */
function pathIn(result: unknown): unknown {
  return typeof result === 'object' && result !== null ? (result as { readonly path?: unknown }).path : result;
}

function opening(flagsIn: (args: readonly unknown[]) => unknown): Action {
  return {
    before: (args) => {
      const { isRead, isNew } = meaningOf(flagsIn(args));
      if (isNew) see('found', args[0]);
      else if (isRead) see('read', args[0]);
    },
    after: (args) => {
      if (meaningOf(flagsIn(args)).isWrite) use('written', args[0]);
    },
  };
}

/** A file that is not emptied counts as read, because its content stays. */
function meaningOf(flags: unknown): { readonly isRead: boolean; readonly isWrite: boolean; readonly isNew: boolean } {
  if (typeof flags !== 'number') {
    const text = String(flags);
    return { isRead: !text.includes('w'), isWrite: /[wa+]/.test(text), isNew: text.includes('x') };
  }
  const { O_CREAT, O_EXCL, O_TRUNC, O_WRONLY, O_RDWR } = fs.constants;
  const isNew = (flags & O_EXCL) !== 0 && (flags & O_CREAT) !== 0;
  return { isRead: (flags & O_TRUNC) === 0, isWrite: (flags & (O_WRONLY | O_RDWR)) !== 0, isNew };
}

/** What moves to another name, with everything below it. */
export function takeAlong(path: unknown): void {
  see('read', path);
  see('moved', path);
}

/** Follows links to folders, as Node does. */
export function listFolder(
  path: unknown,
  { isRecursive, known = new Set() }: { readonly isRecursive: boolean; readonly known?: Set<string> },
): void {
  see('listed', path);
  if (!isRecursive) return;
  for (const entry of entriesOf(path)) {
    const below = join(fullPath(path) ?? '', entry.name);
    if (entry.isSymbolicLink()) see('found', below);
    if (entry.isFile() || real.statSync(below, { throwIfNoEntry: false })?.isDirectory() !== true) continue;
    see('listed', below);
    const folder = real.realpathSync.native(below);
    if (!known.has(folder)) listFolder(below, { isRecursive, known: known.add(folder) });
  }
}

function readTree(path: unknown): void {
  const entries = entriesOf(path);
  see(entries.length === 0 ? 'read' : 'listed', path);
  for (const entry of entries) {
    const below = join(fullPath(path) ?? '', entry.name);
    if (entry.isSymbolicLink()) takeAlong(below);
    else readTree(below);
  }
}

function entriesOf(path: unknown): readonly fs.Dirent[] {
  try {
    return real.readdirSync(fullPath(path) ?? '', { withFileTypes: true });
  } catch {
    // A file, or nothing.
    return [];
  }
}
