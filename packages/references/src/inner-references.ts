import { isInside, type RepoFolder, type RepoPath, relativeTo } from '@tributary/model/paths';
import { parentFolder, resolveFolder } from '@tributary/workspaces/folders';
import { isApart, isOfRelease } from '@tributary/workspaces/script-kinds';
import { kindOfTask } from '@tributary/workspaces/task-kinds';
import { roleOf } from './file-roles.js';
import { push } from './groups.js';
import type { Place } from './own-references.js';
import type { FileReferences } from './reference.js';
import { readJsonTexts } from './settings/json-texts.js';
import type { KeyedText } from './settings/keyed-text.js';
import { cleanModule, packageOf } from './tree.js';
import { isOnlyDots } from './written-path.js';

/** The code of a workspace. */
export interface WorkspaceCode {
  readonly name: string;
  readonly folder: RepoFolder;
  /** The text of its package.json. */
  readonly manifest: string;
  /** Its code files, read with the reach `inside`. */
  readonly files: readonly FileReferences[];
  /** Tells whether others refer to a file, so that it counts like a source. */
  readonly isUsedByOthers: (file: RepoPath) => boolean;
}

/** What the sources of a workspace refer to inside of it. Sources are all but its tests, and the tests that sources use. */
export interface InnerReferences {
  /** Returns the place that may read a file of the workspace; `undefined` if none is seen. */
  readonly userOf: (file: RepoPath) => Place | undefined;
  /** The packages that the sources import, by name. */
  readonly packages: ReadonlySet<string>;
}

/** Finds what the sources of a workspace read of their own workspace. Never throws. */
export function findInnerReferences(code: WorkspaceCode): InnerReferences {
  const exact = new Map<string, Place>();
  const folders = new Map<string, Place>();
  // A build may run what only tests import elsewhere: `typedoc --json`.
  const { values } = readJsonTexts(code.manifest);
  const aliased = values.flatMap(({ keys: [block = ''], text }) => (block === 'imports' ? (packageOf(text) ?? []) : []));
  const packages = new Set<string>([...aliased, ...keptScripts(values).flatMap(wordsOf)]);
  const endings = new Map<string, Place>();
  const userOf = (file: RepoPath): Place | undefined =>
    firstOf(namesOf(file, code.folder), exact) ?? firstOf(foldersFrom(file), folders) ?? firstOf(endingsOf(file, code.folder), endings);
  const declared = declaredIn(code.manifest);
  const add = ({ path, isFolder, place }: InnerPath): void => {
    if (!exact.has(path)) exact.set(path, place);
    if (isFolder && !folders.has(path)) folders.set(path, place);
  };
  for (const one of manifestPaths(code)) add(one);
  for (const [ending, place] of builtEntries(code)) endings.set(ending, place);
  const isSource = ({ path }: FileReferences): boolean =>
    roleOf(relativeTo(code.folder, path)) !== 'tests' || code.isUsedByOthers(path) || userOf(path) !== undefined;
  let rest = code.files;
  // What a source uses of the tests is one, too.
  for (let round = rest.filter(isSource); round.length > 0; round = rest.filter(isSource)) {
    const known = new Set(round);
    rest = rest.filter((file) => !known.has(file));
    for (const file of round) {
      for (const one of innerPaths(code, file)) add(one);
      for (const [ending, place] of mappedNames(file, declared)) if (!endings.has(ending)) endings.set(ending, place);
      for (const name of packagesOf(file)) packages.add(name);
    }
  }
  return { userOf, packages };
}

/** Returns the code of a workspace that a file of it leads to, with itself. Never throws. */
export function findInnerUses(code: Omit<WorkspaceCode, 'isUsedByOthers'>, start: RepoPath): ReadonlySet<RepoPath> {
  const files = new Map<string, FileReferences>(code.files.map((file) => [file.path, file]));
  const byName = new Map<string, RepoPath[]>();
  for (const { path } of code.files) for (const name of namesOf(path, code.folder)) push(byName, name, path);
  const found = new Set([start]);
  for (const path of found) {
    const file = files.get(path);
    const used = file === undefined ? [] : innerPaths(code, file);
    for (const one of used) for (const target of byName.get(one.path) ?? []) found.add(target);
    const folders = used.flatMap(({ isFolder, path: folder }) => (isFolder ? [folder] : []));
    if (folders.length > 0)
      for (const other of code.files) if (folders.some((folder) => isInside(other.path, folder))) found.add(other.path);
  }
  return found;
}

function firstOf(names: readonly string[], places: ReadonlyMap<string, Place>): Place | undefined {
  for (const name of names) {
    const place = places.get(name);
    if (place !== undefined) return place;
  }
  return undefined;
}

/**
 * Returns what names of modules end with that `paths` of TypeScript, aliases or `imports` may map to the own workspace: `helper` for
 * `@t/helper`. Whatever the manifest declares is a package.
 */
function mappedNames({ path, names }: FileReferences, declared: ReadonlySet<string>): readonly (readonly [string, Place])[] {
  return names.flatMap(({ specifier, form, line }) => {
    const name = cleanModule(specifier);
    if (form !== 'module' || !name.includes('/') || /^[./]|^[a-z]+:/.test(name) || declared.has(packageOf(name) ?? '')) return [];
    const place = { file: path, line, specifier };
    return [name.replace(/^[#~@]/, ''), name.slice(name.indexOf('/') + 1)].map((ending) => [ending, place] as const);
  });
}

/** `packages/lib/test/a.js` -> `test/a.js`, `test/a`, `a.js`, `a`, and `test/` for what is built from that folder. */
function endingsOf(file: RepoPath, workspace: RepoFolder): readonly string[] {
  const tailsOf = (path: string): readonly string[] => {
    const parts = path.slice(workspace.length + 1).split('/');
    return parts.map((_, at) => parts.slice(at).join('/'));
  };
  const folders = foldersFrom(file).filter((folder) => folder.length > workspace.length && folder !== file);
  return [...namesOf(file, workspace).flatMap(tailsOf), ...folders.flatMap((folder) => tailsOf(folder).map((tail) => `${tail}/`))];
}

function declaredIn(manifest: string): ReadonlySet<string> {
  const { values } = readJsonTexts(manifest);
  return new Set(values.flatMap(({ keys: [block = '', name = ''] }) => (/dependencies$/i.test(block) ? [name] : [])));
}

function packagesOf({ names }: FileReferences): readonly string[] {
  return names.flatMap(({ specifier, form }) => (form === 'module' && !specifier.startsWith('.') ? (packageOf(specifier) ?? []) : []));
}

/**
 * Returns the names by which modules refer to a file: `a/index.js`, `a/index` and `a`; `b.js` for `b.ts`; `c` for `c.native.ts`, but not for
 * `c.test.ts`: no resolver adds what makes it a test.
 */
function namesOf(file: RepoPath, workspace: RepoFolder): readonly string[] {
  const names: string[] = [file];
  const folder = parentFolder(file);
  const start = folder === '' ? 0 : folder.length + 1;
  const extension = file.slice(Math.max(file.lastIndexOf('.'), start));
  for (let end = file.lastIndexOf('.'); end > start; end = file.lastIndexOf('.', end - 1)) {
    const name = file.slice(0, end);
    if (names.length > 1 && roleOf(relativeTo(workspace, `${name}${extension}` as RepoPath)) === 'source') break;
    names.push(name);
  }
  if (/\.[cm]?tsx?$/.test(file)) names.push(file.replace(/\.([cm]?)tsx?$/, '.$1js'), file.replace(/tsx$/, 'jsx'));
  return file.startsWith('index.', start) ? [...names, folder] : names;
}

function foldersFrom(file: RepoPath): readonly string[] {
  const folders: string[] = [file];
  for (let folder = parentFolder(file); folder !== ''; folder = parentFolder(folder)) folders.push(folder);
  return [...folders, ''];
}

interface InnerPath {
  readonly path: RepoFolder;
  /** Whether everything below it may be read. */
  readonly isFolder: boolean;
  readonly place: Place;
}

function innerPaths({ name: own, folder }: Pick<WorkspaceCode, 'name' | 'folder'>, file: FileReferences): readonly InnerPath[] {
  const here = parentFolder(file.path);
  const inside = (bases: readonly RepoFolder[], path: string, rest: Pick<InnerPath, 'isFolder' | 'place'>): readonly InnerPath[] =>
    bases.flatMap((base) => {
      const resolved = resolveFolder(base, path);
      return resolved === undefined || !(isInside(resolved, folder) || isInside(folder, resolved)) ? [] : [{ path: resolved, ...rest }];
    });
  const named = file.names.flatMap((name) => {
    const { specifier, form, line } = name;
    const path = cleanModule(specifier);
    if (path === '') return [];
    const isPattern = 'isPattern' in name && name.isPattern === true;
    // Two dots alone only name a folder.
    const rest = { isFolder: isPattern || (form !== 'module' && !isOnlyDots(path)), place: { file: file.path, line, specifier } };
    if (form === 'start') return inside(['', folder] as readonly RepoFolder[], path, rest);
    if (form !== 'module' || path.startsWith('.')) return inside(['base' in name ? name.base : here, folder], path, rest);
    return packageOf(path) === own ? inside([folder], path.slice(own.length + 1), rest) : [];
  });
  const opaque = file.opaque.flatMap((one) => {
    const place = { file: file.path, line: one.line, specifier: `${one.folder}/…` };
    // A search upwards finds the manifest first.
    if (one.isVague === true) return one.folder === '/' ? [{ path: `${folder}/package.json` as RepoFolder, isFolder: false, place }] : [];
    return one.folder === '/'
      ? inside(['' as RepoFolder], '', { isFolder: true, place })
      : inside([here], one.folder, { isFolder: true, place });
  });
  return [...named, ...opaque];
}

const ENTRY =
  /^(?:main|module|types|typings|typesVersions|browser|exports|imports|bin|source|style|sass|svelte|react-native|unpkg|jsdelivr)$/;

/** Returns what a package is entered by, and the words of the scripts that others may need: all but those of tests, linters and releases. */
function manifestPaths({ folder, manifest }: WorkspaceCode): readonly InnerPath[] {
  const file = `${folder}/package.json` as RepoPath;
  const { values } = readJsonTexts(manifest);
  const kept = keptScripts(values);
  return values.flatMap(({ keys: [block = '', script = ''], text, line }) => {
    // Whoever imports `./package.json` names it.
    if (script === text) return [];
    const isScript = block === 'scripts' && (isKept(script) || kept.some((other) => other.includes(script)));
    // Yarn puts what the manifest says into the environment of scripts.
    const own = isScript && text.includes('npm_package_') ? ['package.json'] : [];
    const words = ENTRY.test(block) ? [text] : isScript ? [...wordsOf(text), ...own] : [];
    return words.flatMap((word): readonly InnerPath[] => {
      // `./src/test-*.js` is what is in `src`.
      const star = word.indexOf('*');
      const path = resolveFolder(folder, star === -1 ? word : word.slice(0, word.lastIndexOf('/', star) + 1));
      const isFolder = isScript || word.includes('*');
      return path === undefined || path === folder || !isInside(path, folder)
        ? []
        : [{ path, isFolder, place: { file, line, specifier: text } }];
    });
  });
}

/**
 * Returns how files end that are built into an entry: `test/helper.js` and `helper.js` for `./dist/test/helper.js`; with a slash behind, a
 * folder: `test/` for `./dist/test/*.js`.
 */
function builtEntries({ folder, manifest, files }: WorkspaceCode): readonly (readonly [string, Place])[] {
  const known = new Set<string>(files.map(({ path }) => path));
  return readJsonTexts(manifest).values.flatMap(({ keys: [block = ''], text, line }) => {
    const path = ENTRY.test(block) ? resolveFolder(folder, text) : undefined;
    if (path === undefined || known.has(path) || !isInside(path, folder)) return [];
    const place = { file: `${folder}/package.json` as RepoPath, line, specifier: text };
    const [below = '', star] = path
      .slice(folder.length + 1)
      .replace(/\.d(?=\.[cm]?ts$)/, '')
      .split('*', 2);
    const parts = below.split('/').slice(1);
    if (star !== undefined) return parts.length > 1 ? [[`${parts.slice(0, -1).join('/')}/`, place] as const] : [];
    return parts.flatMap((_, at) => {
      const ending = parts.slice(at).join('/');
      return [ending, ending.replace(/\.\w+$/, '')].map((one) => [one, place] as const);
    });
  });
}

function isKept(script: string): boolean {
  return kindOfTask(script.replace(/^(?:pre|post)/, '')) !== 'test' && !isApart(script, 'test') && !isOfRelease(script);
}

/** Returns the texts of the scripts that others may need. */
function keptScripts(values: readonly KeyedText[]): readonly string[] {
  return values.flatMap(({ keys: [block, script = ''], text }) => (block === 'scripts' && isKept(script) ? [text] : []));
}

function wordsOf(text: string): readonly string[] {
  return text.split(/[\s'"`|&;<>()=,:]+/);
}
