import { isPlainObject } from '@tributary/model/plain-object';
import { scriptsOf } from '../../fields.js';
import { listing, type Message } from '../../message.js';
import { shellCommandsIn } from '../../scripts.js';
import { namesModules, OUTSIDE, placeOf } from '../config-paths.js';
import type { FieldOutcome, ManifestSubject } from './field.js';
import { messagesFor } from './lifecycle.js';

/** Reports paths in scripts: the package has other neighbours now, and its dependencies are elsewhere. */
export function scriptPaths({ manifest }: ManifestSubject): FieldOutcome | undefined {
  const scripts = scriptsOf(manifest);
  const remarks = [
    // A path that names a package itself is told once it is known where the package is.
    ...scriptsThat(scripts, (text) => text.includes('node_modules/.bin/') && namesModules(text), INTO_MODULES),
    ...scriptsThat(scripts, leavesPackage, 'Scripts have a path outside the package: check what is there now.'),
  ];
  return { remarks };
}

const INTO_MODULES =
  'Scripts have a path into node_modules: packages are now in the node_modules of the root. Call the program by its name.';

function scriptsThat(scripts: Readonly<Record<string, string>>, isMeant: (text: string) => boolean, text: string): readonly Message[] {
  return messagesFor(
    Object.keys(scripts).filter((name) => isMeant(scripts[name] ?? '')),
    text,
  );
}

/** Whether a command has a path out of the package. Paths after `cd test` are relative to that folder. */
function leavesPackage(text: string): boolean {
  const [, start = ''] = /^(.*?)(?:\bcd\s+(?!\.\.)|$)/s.exec(text) ?? [];
  return /(?:^|[\s"'=])\.\.(?:[/\s]|$)/.test(start);
}

/** Fields that are not settings of a tool. */
const PLAIN =
  /^(?:scripts|files|keywords|description|exports|imports|(?:dev|peer|optional|bundled?)?[dD]ependencies|resolutions|overrides)$/;

/** Reports scripts and settings that read the package's lockfile, which is now the root's. */
export function lockfileNames({ manifest }: ManifestSubject): FieldOutcome | undefined {
  const scripts = scriptsOf(manifest);
  const inScripts = Object.entries(scripts).filter(([, script]) => shellCommandsIn(script).some(({ text }) => readsLockfile(text)));
  const settings = Object.entries(manifest).filter(([key]) => !PLAIN.test(key));
  const inSettings = settings.flatMap(([key, value]) => textsIn(value, key).flatMap(([path, text]) => (readsLockfile(text) ? [path] : [])));
  const found = [...inScripts.map(([name]) => `"scripts.${name}"`), ...inSettings.map((path) => `"${path}"`)];
  const text = 'It reads the former lockfile of the package: the monorepo has only the yarn.lock of the root.';
  return { remarks: listing({ topic: 'behaviour', text }, found, 5) };
}

/** Whether a command reads a lockfile of the package. Removing it, or checking it for changes, does not count. */
function readsLockfile(command: string): boolean {
  return (
    !/^\s*(?:rm|rimraf|del|git)\s|\b(?:rm|unlink)(?:Sync)?\(/.test(command) &&
    /(?:^|[\s"'=])(?!\.\.\/)(?:[^\s"'=]*\/)?(?:package-lock\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?)(?=$|[\s"'),])/.test(command)
  );
}

/** Blocks of tool settings that name files. */
const BLOCKS = ['jest', 'nyc', 'c8', 'ava', 'tap', 'mocha', 'eslintConfig', 'prettier', 'stylelint', 'xo', 'babel', 'config', 'vitest'];

export function settingPaths({ manifest, subject }: ManifestSubject): FieldOutcome | undefined {
  const texts = BLOCKS.flatMap((block) => textsIn(manifest[block], block));
  const outside = texts.filter(([, text]) => /^\.\.(?:\/|$)/.test(text));
  const modules = texts.filter(([, text]) => namesModules(text));
  const remarks = [
    ...listing(
      { topic: 'behaviour', text: OUTSIDE },
      outside.map(([key, path]) => `"${key}": \`${path}\`${placeOf(subject, path)}`),
      5,
    ),
    ...listing(
      { topic: 'behaviour', text: 'Settings have a path into node_modules: packages are now in the node_modules of the root.' },
      modules.map(([key, path]) => `"${key}": \`${path}\``),
      5,
    ),
  ];
  return { remarks };
}

/** Returns every text in a value, with its path: `jest.preset`. */
function textsIn(value: unknown, key: string): readonly (readonly [string, string])[] {
  if (typeof value === 'string') return [[key, value]];
  if (Array.isArray(value)) return value.flatMap((one, at) => textsIn(one, `${key}[${at}]`));
  return isPlainObject(value) ? Object.entries(value).flatMap(([name, one]) => textsIn(one, `${key}.${name}`)) : [];
}
