import { isPlainObject } from '@tributary/model/plain-object';
import type { Manifest } from '@tributary/workspaces/manifest';
import { entryPointsOf } from '../align/entry-points.js';
import { classOf, isCode } from '../align/phantoms/file-class.js';
import { readYaml } from '../edit/edit-yaml.js';
import { scriptsOf } from '../fields.js';
import { attributeLines, type Macros, quoted } from './git-attributes.js';
import { ignorePattern } from './git-ignore.js';
import { ignoreExpression, isComparable } from './git-pattern.js';
import { parseOwnersLine } from './rules/code-owners.js';

/**
 * Returns a pattern of a file such as .gitignore or CODEOWNERS for a folder below that file; `undefined` if it matches
 * nothing there. `/packages/*\/dist` is `/dist` for packages/a, and `/packages/` is `*`.
 */
export function patternBelow(pattern: string, folder: string): string | undefined {
  const isAnchored = /\/(?=[^/])/.test(pattern);
  if (!isAnchored || pattern.startsWith('**/')) return pattern;
  const folders = folder.split('/');
  const names = pattern.replace(/^\//, '').replace(/\/$/, '').split('/');
  const end = pattern.endsWith('/') ? '/' : '';
  for (const [at, name] of folders.entries()) {
    const wanted = names[at];
    // From here on it matches everything below.
    if (wanted === undefined) return '*';
    if (wanted === '**') return `${names.slice(at).join('/')}${end}`;
    if (ignoreExpression(wanted)?.test(name) !== true) return undefined;
  }
  const rest = names.slice(folders.length).join('/');
  if (rest === '') return '*';
  return `${rest === '**' || rest === '*' ? '' : '/'}${rest}${end}`;
}

/** Returns the rules of a .gitignore that hold in a folder below it, in order. */
export function ignoredBelow(text: string, folder: string): readonly string[] {
  return text.split('\n').flatMap((line) => {
    const pattern = ignorePattern(line);
    if (pattern === undefined) return [];
    const sign = pattern.startsWith('!') ? '!' : '';
    const below = patternBelow(pattern.slice(sign.length), folder);
    // Nothing of a package that git tracks is ignored as a whole.
    return below === undefined || below === '*' ? [] : [`${sign}${below}`];
  });
}

/** Returns the lines of a .gitattributes that apply to files in a folder below it, in order, with what macros stand for. */
export function attributesBelow(text: string, folder: string, macros: Macros): readonly string[] {
  return attributeLines(text, macros).flatMap(({ pattern, words }) => {
    const below = patternBelow(pattern, folder);
    // A pattern that matches the folder does not apply to its files.
    return below === undefined || (below === '*' && pattern !== '*') ? [] : [[quoted(below), ...words].join(' ')];
  });
}

/** Returns the lines of a CODEOWNERS file that match files of a folder, with patterns relative to it. GitLab's sections stay as they are. */
export function ownersBelow(text: string, folder: string, files: ReadonlySet<string>): string {
  const lines = text.split(/\r?\n/).flatMap((line) => {
    if (isSection(line)) return [line];
    const entry = parseOwnersLine(line);
    const below = entry === undefined ? undefined : ownersPatternBelow(entry.pattern, folder);
    if (entry === undefined || below === undefined || !matchesSome(below, files)) return [];
    return [`${[below, ...entry.owners].join(' ')}${entry.comment}`];
  });
  // The last line that matches a file counts.
  const last = lines.findLastIndex((line) => parseOwnersLine(line)?.pattern === '*');
  if (!lines.some(isSection)) lines.splice(0, Math.max(last, 0));
  return lines.every(isSection) ? '' : `${lines.join('\n')}\n`;
}

/** As `patternBelow`, but `docs/*` of CODEOWNERS matches only the files in that folder, not those in folders below it. */
function ownersPatternBelow(pattern: string, folder: string): string | undefined {
  const names = pattern.replace(/^\//, '').split('/');
  const below = patternBelow(pattern, folder);
  if (pattern === '*' || names.at(-1) !== '*' || names.includes('**')) return below;
  if (names.length <= folder.split('/').length) return undefined;
  return below === '*' ? '/*' : below;
}

function isSection(line: string): boolean {
  return /^\^?\[[^\]]+\]/.test(line.trim());
}

function matchesSome(pattern: string, files: ReadonlySet<string>): boolean {
  if (!isComparable(pattern)) return true;
  const expression = ignoreExpression(pattern);
  if (expression === undefined) return false;
  const places = [...files].flatMap((file) => file.split('/').map((_, at, names) => names.slice(0, at + 1).join('/')));
  return [...new Set(places)].some((place) => expression.test(place));
}

/** Returns a changeset with only what it says of one package; `undefined` if it says nothing of it, or cannot be read. */
export function changesetOf(text: string, name: string): string | undefined {
  const [, front, rest] = /^\s*---\r?\n(.*?)\r?\n?---(\r?\n.*|)$/s.exec(text) ?? [];
  const releases: unknown = front === undefined ? undefined : readYaml(front)?.toJS();
  if (!isPlainObject(releases) || typeof releases[name] !== 'string') return undefined;
  return `---\n${JSON.stringify(name)}: ${releases[name]}\n---${rest ?? ''}`;
}

interface FoundAbove {
  /** The names of its files. */
  readonly files: RegExp;
  /** Its key of package.json. */
  readonly key?: string;
  /** The files that it is for, if these are not in every package. */
  readonly of?: RegExp;
}

/** Settings that tools find in the folders above a file, by tool. */
const FOUND_ABOVE: readonly FoundAbove[] = [
  { files: /^(?:babel\.config\.\w+|\.babelrc(?:\.\w+)?)$/, key: 'babel' },
  { files: /^(?:\.browserslistrc|browserslist)$/, key: 'browserslist' },
  { files: /^(?:\.postcssrc(?:\.\w+)?|postcss\.config\.\w+)$/, key: 'postcss' },
  { files: /^(?:\.eslintrc(?:\.\w+)?|eslint\.config\.\w+)$/, key: 'eslintConfig' },
  { files: /^(?:\.prettierrc(?:\.\w+)?|prettier\.config\.\w+)$/, key: 'prettier' },
  { files: /^(?:\.stylelintrc(?:\.\w+)?|stylelint\.config\.\w+)$/, key: 'stylelint' },
  { files: /^\.mocharc\.\w+$/, key: 'mocha' },
  { files: /^\.swcrc$/ },
  { files: /^\.editorconfig$/ },
  { files: /^tsconfig\.json$/, of: /\.[cm]?tsx?$/ },
];

/** Returns the settings at a former root without those of tools that the package's own manifest sets. */
export function unlessInManifest(settings: readonly string[], manifest: Readonly<Record<string, unknown>>): readonly string[] {
  const own = FOUND_ABOVE.filter(({ key }) => key !== undefined && manifest[key] !== undefined);
  return settings.filter((one) => !own.some(({ files, key }) => files.test(one) || one === keyOf(key)));
}

function keyOf(key: string | undefined): string {
  return `"${key}" of package.json`;
}

/** Returns the settings at the former root that tools found from the package, which has no file of its own for that tool. */
export function settingsAbove(texts: ReadonlyMap<string, string>, root: Manifest | undefined, own: ReadonlySet<string>): readonly string[] {
  return FOUND_ABOVE.flatMap(({ files, key, of = /^/ }) => {
    if ([...own].some((file) => files.test(file)) || ![...own].some((file) => of.test(file))) return [];
    const found = [...texts.keys()].filter((file) => files.test(file)).sort();
    return key !== undefined && root?.raw[key] !== undefined ? [...found, keyOf(key)] : found;
  });
}

/** A package whose former root may have built and tested it. */
export interface FormerMember {
  /** Its files, relative to its folder. */
  readonly files: ReadonlySet<string>;
  readonly manifest: Readonly<Record<string, unknown>>;
}

/** Starts the scripts of workspaces: a workspace without that script was not built or tested so. */
const OF_WORKSPACES = /\b(?:turbo|lerna|nx|rush|wsrun|wireit|workspaces?|recursive|foreach)\b|\s-(?:-workspaces|-filter|r|ws|F)\b/;

/**
 * Returns the scripts of a former root that may have built or tested a package: it has files that need one, and no
 * script of that name.
 */
export function scriptsAbove(root: Manifest | undefined, { files, manifest }: FormerMember): readonly string[] {
  const [above, own] = [scriptsOf(root?.raw ?? {}), scriptsOf(manifest)];
  const isUnbuilt = entryPointsOf({ raw: manifest }).some(({ path }) => !files.has(path));
  const needed = [
    ...(isUnbuilt && !['prepare', 'prepack'].some((name) => name in own) ? ['build'] : []),
    ...([...files].some((file) => isCode(file) && classOf(file) === 'test') ? ['test'] : []),
  ];
  return needed.flatMap((name) => {
    const script = above[name];
    return script === undefined || name in own || OF_WORKSPACES.test(script) ? [] : [`${JSON.stringify(name)}: ${JSON.stringify(script)}`];
  });
}
