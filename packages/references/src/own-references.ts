import { isInside, type RepoFolder, type RepoPath, relativeTo } from '@tributary/model/paths';
import { parentFolder, resolveFolder } from '@tributary/workspaces/folders';
import { isCodeSettings } from './file-kinds.js';
import { roleOf } from './file-roles.js';
import { detach } from './read-references.js';
import type { FileReferences, ManifestFacts, NeededTask, OpaquePlace, Scope, StartedCommand } from './reference.js';
import { NAMED_IN_DATA } from './settings/data-texts.js';
import { cleanModule, packageOf } from './tree.js';

/** Where something is named. */
export interface Place {
  readonly file: RepoPath;
  /** From 1; missing for a symbolic link, which names its target as a whole. */
  readonly line?: number;
  /** As in the source; the text of a script. */
  readonly specifier: string;
}

/** A path that leaves a workspace. */
export interface NamedPath {
  /** Relative to the project's root. Of several, the first that leads to files counts. */
  readonly paths: readonly RepoFolder[];
  /**
   * `files`: the start of a pattern, so everything below. `opaque`: what it reads below is unknown. `perhaps`: so only if a program starts
   * in the project's root.
   */
  readonly kind: 'path' | 'files' | 'opaque' | 'perhaps';
  /** `text`: it may be no path, and counts only if it leads to files. */
  readonly form: 'path' | 'text';
  /** As in `OpaquePlace`. */
  readonly isVague?: true;
  /** As in `ScannedImport`. */
  readonly ending?: string;
  readonly isCapture?: true;
  /** The key of a settings file. */
  readonly key?: string;
  /** The workspace for which a settings file names it; `*` for all. */
  readonly reader?: string;
  /** The path, if it is relative to the folder of that workspace. */
  readonly fromReader?: string;
  readonly place: Place;
}

/**
 * What a workspace, or a file outside of all, refers to beyond itself: of each name the first place, if possible in sources, and in code
 * rather than settings. Of paths, each test counts, because others may use one of them.
 */
export interface OwnReferences {
  readonly packages: readonly {
    readonly name: string;
    readonly key?: string;
    readonly place: Place;
    /** Whether nothing but tests names it. */
    readonly isInTests?: true;
    /** As in `SettingPath`. */
    readonly isLengthened?: true;
  }[];
  readonly paths: readonly NamedPath[];
  /** Files of other packages that are no sources, by name: `@acme/ui/package.json`. */
  readonly files: readonly {
    readonly name: string;
    readonly place: Place;
    /** Whether it is found rather than read, as in `dirname(require.resolve('@acme/ui/package.json'))`. */
    readonly isFolder?: true;
    /** Of a mocked package, the mocks that lie next to its files. */
    readonly ending?: '__mocks__';
  }[];
  /** All names that code imports, in full; only where a path continues with a part of one. */
  readonly imported?: readonly string[];
  /** For each tsconfig, what it extends, and for other data, what it names, if that is there; also within the workspace. */
  readonly extended: readonly {
    readonly file: RepoPath;
    readonly path: RepoFolder;
    readonly form: 'path' | 'text';
    readonly place: Place;
  }[];
  readonly manifest?: ManifestFacts;
  readonly tasks?: readonly PlacedTask[];
  /** What code and shell files of a workspace start. */
  readonly commands?: readonly CommandPlace[];
}

/** With the settings file that says it. */
export interface PlacedTask extends NeededTask {
  readonly file: RepoPath;
}

/** A command, as the specifier. */
export interface CommandPlace extends Place, Pick<StartedCommand, 'isPerhaps'> {}

/** The texts of a commit, collected by owner. */
export interface Collected {
  /** By index; the root's has only what its manifest says. */
  readonly workspaces: ReadonlyMap<number, OwnReferences>;
  /** By path, the files outside of all workspaces. */
  readonly rootFiles: ReadonlyMap<string, OwnReferences>;
}

/** The owner of some files. */
export interface Owner {
  /** `undefined` for files outside of all workspaces: everything that they name is outside of them. */
  readonly folder: RepoFolder | undefined;
  /** The folders of workspaces inside. */
  readonly nested: readonly RepoFolder[];
  /** The folders inside with a package.json that belongs to no workspace. */
  readonly otherManifests: ReadonlySet<string>;
  /** The names at the top of the project. */
  readonly entries: ReadonlySet<string>;
}

/** Returns what counts in an owner's files. */
export function scopeOf({ folder, nested, entries }: Owner): Scope {
  if (folder === undefined) return { reach: 'everywhere', entries };
  if (nested.length === 0) return { reach: 'upwards', entries };
  // Its programs start in its own folder, too.
  const own = nested.map((one) => relativeTo(folder, one).split('/')[0] ?? '');
  return { reach: 'inside', entries: new Set([...entries, ...own]) };
}

/** Tells whether a package is named for a tool, which may be one that no test loads. */
export function isInSettings({ key, place }: OwnReferences['packages'][number]): boolean {
  return key !== undefined || isCodeSettings(place.file);
}

/** Collects what the files of one owner refer to. */
export function collectReferences(owner: Owner, files: readonly FileReferences[]): OwnReferences {
  const packages = new Map<string, OwnReferences['packages'][number]>();
  const paths = new Map<string, NamedPath>();
  const deep = new Map<string, OwnReferences['files'][number]>();
  const extended: OwnReferences['extended'][number][] = [];
  let manifest: ManifestFacts | undefined;
  for (const { file, isTest } of sourcesFirst(owner, files)) {
    if (file.manifest !== undefined && parentFolder(file.path) === (owner.folder ?? '')) manifest = file.manifest;
    const isDoubtful = hasOwnManifest(owner, file.path);
    const inTests = isTest ? ({ isInTests: true } as const) : {};
    const test = isTest ? file.path : '';
    for (const name of file.names.map(withoutContent)) {
      const key = 'key' in name ? { key: name.key } : {};
      const place = { file: file.path, line: name.line, specifier: detach(name.specifier) };
      const found = resolveName(owner, file.path, name);
      const reader = readerOf(name);
      if (found.paths.length > 0 || reader.fromReader !== undefined) {
        const kind =
          name.form === 'start' || isFromRoot(owner, name) ? 'perhaps' : 'isPattern' in name && name.isPattern === true ? 'files' : 'path';
        const form = name.form === 'text' || name.form === 'start' || name.specifier.startsWith('/') ? 'text' : 'path';
        const ending = name.ending === undefined ? {} : { ending: detach(name.ending) };
        const isCapture = name.isCapture === true ? ({ isCapture: true } as const) : {};
        addPath(paths, { paths: found.paths, kind, form, ...ending, ...isCapture, ...key, ...reader, place }, test);
      }
      // Below another package.json, a name may belong to another package.
      if (found.name !== undefined && !isDoubtful && name.isMadeUp !== true) {
        const known = packages.get(found.name);
        const lengthened = 'isLengthened' in name && name.isLengthened === true ? ({ isLengthened: true } as const) : {};
        const now = { name: found.name, ...key, place, ...lengthened };
        if (known === undefined) packages.set(found.name, { ...now, ...inTests });
        else if (isInSettings(known) && (!isInSettings(now) || (known.isLengthened === true && now.isLengthened === undefined)))
          packages.set(found.name, known.isInTests === true ? { ...now, ...inTests } : now);
      }
      if (found.file !== undefined) {
        const isFolder = name.by === 'resolve' && found.file.endsWith('/package.json') ? ({ isFolder: true } as const) : {};
        const id = `${'isFolder' in isFolder ? `${found.file}/..` : found.file} ${test}`;
        if (!deep.has(id)) deep.set(id, { name: found.file, place, ...isFolder });
      }
      if (name.by === 'mock') {
        const mocks = found.paths.map((path) => path.replace(/[^/]*$/, '__mocks__/$&') as RepoFolder);
        if (mocks.length > 0) addPath(paths, { paths: mocks, kind: 'path', form: 'text', place }, test);
        const id = `${found.name} __mocks__ ${test}`;
        if (found.name !== undefined && !deep.has(id)) deep.set(id, { name: found.name, place, ending: '__mocks__' });
      }
      if (found.extended !== undefined)
        extended.push({ file: file.path, path: found.extended, form: name.form === 'text' ? 'text' : 'path', place });
    }
    for (const place of file.opaque) addOpaque(owner, paths, { file: file.path, place, test });
  }
  const all = { packages: [...packages.values()], paths: [...paths.values()], files: [...deep.values()], extended };
  const imported = all.paths.some(({ isCapture }) => isCapture === true) ? { imported: importedBy(files) } : {};
  const tasks = files.flatMap(({ path, tasks: own = [] }) => own.map((task) => ({ ...task, file: path })));
  const commands = owner.folder === undefined ? [] : commandsOf(files);
  return {
    ...all,
    ...imported,
    ...(manifest === undefined ? {} : { manifest }),
    ...(tasks.length === 0 ? {} : { tasks }),
    ...(commands.length === 0 ? {} : { commands }),
  };
}

/** So a test never hides a source that names the same. */
function sourcesFirst(
  { folder }: Owner,
  files: readonly FileReferences[],
): readonly { readonly file: FileReferences; readonly isTest: boolean }[] {
  const isTest = ({ path }: FileReferences): boolean =>
    folder !== undefined && isInside(path, folder) && roleOf(relativeTo(folder, path)) === 'tests';
  const judged = files.map((file) => ({ file, isTest: isTest(file) }));
  return [...judged.filter((one) => !one.isTest), ...judged.filter((one) => one.isTest)];
}

/** Each text once; first those that are certain. */
function commandsOf(files: readonly FileReferences[]): readonly CommandPlace[] {
  const places = files.flatMap(({ path, commands = [] }) => commands.map((command) => ({ file: path, ...command })));
  const found = new Map<string, CommandPlace>();
  for (const { text, ...place } of places.toSorted((a, b) => Number(a.isPerhaps ?? false) - Number(b.isPerhaps ?? false)))
    if (!found.has(text)) found.set(text, { ...place, specifier: detach(text) });
  return [...found.values()];
}

function importedBy(files: readonly FileReferences[]): readonly string[] {
  const names = files.flatMap((file) => file.names.filter((name) => !isRelative(name)).map(({ specifier }) => specifier));
  return unique(names).map(detach);
}

/** Tells whether a word in a script of a workspace is a path only if the script runs in the root. */
function isFromRoot({ folder }: Owner, name: Name): boolean {
  return folder !== undefined && 'key' in name && name.key === 'commands' && name.base === '';
}

function readerOf(name: Name): Pick<NamedPath, 'reader' | 'fromReader'> {
  const reader = 'reader' in name ? name.reader : undefined;
  if (reader === undefined) return {};
  return name.form === 'text' ? { reader, fromReader: detach(name.specifier) } : { reader };
}

/** `test`: the file, if it is one of tests. */
function addPath(paths: Map<string, NamedPath>, named: NamedPath, test: string): void {
  const id = [
    test,
    named.kind,
    named.isVague === true ? 'vague' : '',
    named.ending ?? '',
    named.isCapture === true ? 'capture' : '',
    named.form,
    named.fromReader ?? '',
    named.reader ?? '',
    named.key === undefined ? '' : named.place.file,
    ...named.paths,
  ].join('\0');
  if (!paths.has(id)) paths.set(id, named);
}

function addOpaque(
  owner: Owner,
  paths: Map<string, NamedPath>,
  { file, place, test }: { readonly file: RepoPath; readonly place: OpaquePlace; readonly test: string },
): void {
  const bases = place.form === 'text' ? [parentFolder(file), owner.folder ?? ''] : [parentFolder(file)];
  const folders = place.folder === '/' ? [''] : bases.map((base) => resolveFolder(base, place.folder));
  const outside = unique(folders.flatMap((path) => (path === undefined || isAlone(owner, path as RepoFolder) ? [] : [path as RepoFolder])));
  const specifier = place.folder === '/' ? '' : `${place.folder}/…`;
  const isVague = place.isVague === true ? ({ isVague: true } as const) : {};
  for (const path of outside)
    addPath(paths, { paths: [path], kind: 'opaque', form: 'path', ...isVague, place: { file, line: place.line, specifier } }, test);
}

interface ResolvedName {
  readonly name: string | undefined;
  /** As in `OwnReferences.files`. */
  readonly file?: string | undefined;
  readonly paths: readonly RepoFolder[];
  readonly extended: RepoFolder | undefined;
}

type Name = FileReferences['names'][number];

const BUILT_IN = /^(?:node|bun|file|data|https?|virtual):/;

function resolveName(owner: Owner, file: RepoPath, name: Name): ResolvedName {
  const found = { name: undefined, paths: [], extended: undefined };
  const isPattern = 'isPattern' in name && name.isPattern === true;
  if (!isRelative(name)) return BUILT_IN.test(name.specifier) ? found : { ...found, ...nameOf(name.specifier, isPattern) };
  const candidates = candidatesOf(owner, file, name);
  const installed = candidates.map((path) => /(?:^|\/)node_modules\/(.+)$/.exec(path)?.[1]);
  if (installed[0] !== undefined) return { ...found, ...nameOf(installed[0], isPattern) };
  // From the folder in which a program starts, a folder above tells nothing.
  const isVague = (path: RepoFolder, at: number): boolean => at > 0 && isInside(owner.folder ?? '', path);
  const isElsewhere = (path: RepoFolder, at: number): boolean => hasOtherwise(name) || (!isAlone(owner, path) && !isVague(path, at));
  const paths = unique(candidates.filter((path, at) => installed[at] === undefined && isElsewhere(path, at)));
  const isExtended = 'key' in name && (name.key === NAMED_IN_DATA || /^extends(\.\d+)?$/.test(name.key));
  return { ...found, paths, extended: isExtended ? candidates[0] : undefined };
}

/** A runner that makes a package up only has to find it. */
function withoutContent(name: Name): Name {
  const { isMadeUp, ...rest } = name;
  if (isMadeUp !== true) return name;
  return packageOf(name.specifier) === name.specifier ? { ...name, specifier: `${name.specifier}/package.json` } : rest;
}

/** `isFolder`: what follows the name is unknown, so it may be any file. */
function nameOf(written: string, isFolder: boolean): Pick<ResolvedName, 'name' | 'file'> {
  const specifier = cleanModule(written);
  const name = packageOf(specifier);
  const below = name === undefined ? '' : specifier.slice(name.length + 1);
  // As a folder, `test` is one of tests, too; and so is `a.test`, with the extension that a resolver adds.
  const isSource = !isFolder && (below === '' || [below, `${below}/`, `${below}.js`].every((path) => roleOf(path) === 'source'));
  return { name, file: isSource ? undefined : detach(specifier) };
}

function hasOtherwise(name: Name): boolean {
  return 'otherwise' in name && name.otherwise !== undefined;
}

/** Returns what a relative name may mean. */
function candidatesOf(owner: Owner, file: RepoPath, name: Name): readonly RepoFolder[] {
  const path = cleanPath(name.specifier);
  // Some bundlers resolve `/packages/ui/a.js` from the project's root; on disk it leads anywhere.
  if (path.startsWith('/')) return [resolveFolder('', path.slice(1))].filter((one): one is RepoFolder => one !== undefined && one !== '');
  if (name.form === 'start') {
    const starts = owner.folder !== undefined && owner.nested.length > 0 ? ['', owner.folder] : [''];
    return starts.map((one) => (one === '' ? path : `${one}/${path}`) as RepoFolder);
  }
  const base = 'base' in name ? name.base : parentFolder(file);
  // Text that is not an import may be relative to the folder in which a program starts.
  const further = 'otherwise' in name && name.otherwise !== undefined ? [name.otherwise] : [];
  const bases = name.form === 'text' ? [base, owner.folder ?? ''] : [base, ...further];
  return bases.map((one) => resolveFolder(one, path)).filter((one): one is RepoFolder => one !== undefined);
}

/** Removes what bundlers and test runners add: `?raw`, `<rootDir>/`. */
function cleanPath(specifier: string): string {
  return detach(specifier.replace(/[?#].*$/s, '').replace(/^(<rootDir>|\$\{configDir\})\//, './'));
}

/** Tells whether a name is a path relative to its file, or an absolute one, rather than the name of a package. */
export function isRelative({ specifier, form }: Name): boolean {
  return form !== 'module' || /^\.{0,2}(\/|$)|^<rootDir>\//.test(specifier);
}

function isOwn({ folder, nested }: Owner, path: RepoFolder): boolean {
  return folder !== undefined && isInside(path, folder) && !nested.some((one) => isInside(path, one));
}

/** Tells whether everything at a path is the owner's: a folder around a workspace inside is not. */
function isAlone(owner: Owner, path: RepoFolder): boolean {
  return isOwn(owner, path) && !owner.nested.some((one) => isInside(one, path));
}

function hasOwnManifest({ folder, otherManifests }: Owner, file: RepoPath): boolean {
  if (otherManifests.size === 0) return false;
  for (let at = parentFolder(file); at !== (folder ?? '') && at !== ''; at = parentFolder(at)) if (otherManifests.has(at)) return true;
  return false;
}

function unique<T>(values: readonly T[]): readonly T[] {
  return [...new Set(values)];
}

/** Returns by workspace what its code and shell files start. */
export function commandsIn({ workspaces }: Collected): ReadonlyMap<number, readonly CommandPlace[]> {
  return new Map([...workspaces].flatMap(([member, { commands }]) => (commands === undefined ? [] : [[member, commands]])));
}
