import type { SettingPath } from '@tributary/references/reference';
import { resolveFolder } from '@tributary/workspaces/folders';

/** TypeScript's settings about names that are not packages. */
export interface Aliases {
  /** Whether a specifier is an alias for files of the package. */
  readonly cover: (specifier: string) => boolean;
}

interface Alias {
  readonly before: string;
  /** `undefined`: only `before` itself. */
  readonly after: string | undefined;
  /** A path that may end with a `*`. */
  readonly target: string;
}

const ENDINGS = [
  '',
  '.ts',
  '.tsx',
  '.d.ts',
  '.js',
  '.jsx',
  '.json',
  '/index.ts',
  '/index.tsx',
  '/index.d.ts',
  '/index.js',
  '/package.json',
];

/**
 * Returns the aliases in the settings of all tsconfig files, from `paths` and `baseUrl`. A target in node_modules or
 * outside `folder` is not an alias: its package is needed. A plain `*` and a `baseUrl` cover only existing files.
 */
export function aliasesOf(
  settings: readonly SettingPath[],
  { folder, paths }: { readonly folder: string; readonly paths: ReadonlySet<string> },
): Aliases {
  const isInside = ({ target }: Alias): boolean => target.startsWith(`${folder}/`) && !target.includes('/node_modules/');
  const all = settings.flatMap(readAlias).filter(isInside);
  const isThere = (path: string): boolean => ENDINGS.some((ending) => paths.has(path + ending));
  return { cover: (specifier) => all.some((alias) => covers(alias, specifier, isThere)) };
}

function covers({ before, after, target }: Alias, specifier: string, isThere: (path: string) => boolean): boolean {
  if (!specifier.startsWith(before)) return false;
  if (after === undefined) return specifier === before;
  if (!specifier.endsWith(after) || specifier.length < before.length + after.length) return false;
  const star = specifier.slice(before.length, specifier.length - after.length);
  return before !== '' || after !== '' || isThere(target.replace('*', star));
}

const PATHS = 'compilerOptions.paths.';

function readAlias({ key, specifier, base, isPattern }: SettingPath): readonly Alias[] {
  const target = resolveFolder(base, specifier) ?? '';
  if (key === 'compilerOptions.baseUrl') return [{ before: '', after: '', target: `${target}/*` }];
  if (!key.startsWith(PATHS)) return [];
  // `compilerOptions.paths.a/*.0`
  const [before = '', after] = key.slice(PATHS.length, key.lastIndexOf('.')).split('*');
  return [{ before, after, target: isPattern ? `${target}/*` : target }];
}
