import type { RepoPath } from '@tributary/model/paths';
import { parentFolder, resolveFolder } from '@tributary/workspaces/folders';
import type { SettingText } from './settings.js';

/** TypeScript's settings about names that are not packages. */
export interface Aliases {
  /** Whether a specifier is an alias for files of the package. */
  readonly cover: (specifier: string) => boolean;
}

interface Alias {
  readonly before: string;
  /** `undefined`: only `before` itself. */
  readonly after: string | undefined;
  /** Paths that may contain a `*`. */
  readonly targets: readonly string[];
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
 * Returns the aliases of all given tsconfig files, from `paths` and `baseUrl`. A target in node_modules or outside
 * `folder` is not an alias: its package is needed. A plain `*` and a `baseUrl` cover only existing files.
 */
export function aliasesOf(
  configs: readonly { readonly path: RepoPath; readonly settings: readonly SettingText[] }[],
  { folder, paths }: { readonly folder: string; readonly paths: ReadonlySet<string> },
): Aliases {
  const inside = (path: string): boolean => path.startsWith(`${folder}/`) && !path.includes('/node_modules/');
  const all = configs
    .flatMap(({ path, settings }) => readAliases(path, settings))
    .map((alias) => ({
      ...alias,
      targets: alias.targets.filter(inside),
    }));
  const isThere = (path: string): boolean => ENDINGS.some((ending) => paths.has(path + ending));
  return { cover: (specifier) => all.some((alias) => covers(alias, specifier, isThere)) };
}

function covers({ before, after, targets }: Alias, specifier: string, isThere: (path: string) => boolean): boolean {
  if (targets.length === 0 || !specifier.startsWith(before)) return false;
  if (after === undefined) return specifier === before;
  if (!specifier.endsWith(after) || specifier.length < before.length + after.length) return false;
  const star = specifier.slice(before.length, specifier.length - after.length);
  return before !== '' || after !== '' || targets.some((target) => isThere(target.replace('*', star)));
}

function readAliases(path: RepoPath, settings: readonly SettingText[]): readonly Alias[] {
  const baseUrl = settings.find(({ keys, role }) => role === 'value' && keys.at(-1) === 'baseUrl')?.value;
  const base = resolve(parentFolder(path), baseUrl ?? '.');
  const patterns = settings.filter(({ keys, role }) => role === 'key' && keys.at(-1) === 'paths');
  const aliases = patterns.map(({ value: pattern }): Alias => {
    const [before = '', after] = pattern.split('*');
    const targets = settings.filter(({ keys, role }) => role === 'value' && keys.at(-2) === 'paths' && keys.at(-1) === pattern);
    return { before, after, targets: targets.map(({ value }) => resolve(base, value)) };
  });
  return baseUrl === undefined ? aliases : [...aliases, { before: '', after: '', targets: [`${base}/*`] }];
}

function resolve(folder: string, path: string): string {
  return resolveFolder(folder as RepoPath, path) ?? '';
}
