import type { EdgesConfig } from '@tributary/model/config';
import type { RepoFolder, RepoPath } from '@tributary/model/paths';
import { isCodeFile } from '@tributary/references/file-kinds';
import { findOuterReaders, type OuterReader } from '@tributary/references/outer-readers';
import type { Place } from '@tributary/references/own-references';
import { isSource, type Reading } from '@tributary/references/reading-search';
import type { ReferenceMap, Referrer } from '@tributary/references/reference-map';
import { NAMED_IN_DATA } from '@tributary/references/settings/data-texts';
import { codeSettingsKind } from '@tributary/references/settings/kinds';
import { ownerOf, resolveFiles, type Tree } from '@tributary/references/tree';
import { allForEverybody, type BearingOf, forEverybody, placeText } from '@tributary/references/users';
import type { FileRules } from '@tributary/workspaces/file-rules';
import { parentFolder } from '@tributary/workspaces/folders';
import { isCiFile } from '../ci-files/file-types.js';
import { isForTestsAlone, undeclaredEdges, unfollowedReadings } from './undeclared.js';
import type { Searched } from './verdict.js';

/** What nearly every answer needs of a commit's references. */
export interface ReferenceFacts {
  /** What workspaces read by path without declaring it. */
  readonly edges: EdgesConfig;
  /** What they import by name without declaring it. */
  readonly named: EdgesConfig;
  /** What they name by the path of a source, or run by a command, without declaring it. */
  readonly sources: EdgesConfig;
  /** The same, where only their own tests do, which nobody else uses. */
  readonly inTests: EdgesConfig;
  /** What turborepo hashes for their own tests alone. */
  readonly forTests: EdgesConfig;
  /** By workspace that settings or scripts of the root use for every workspace, the place. */
  readonly shared: Readonly<Record<string, string>>;
  /** By source of a workspace that settings of the root load for every workspace, the place. */
  readonly loaded: Readonly<Record<string, string>>;
  /** By source of a workspace, who names it of pipelines and of scripts of the root, themselves or through files of the root. */
  readonly inPipelines: Readonly<Record<string, readonly InPipeline[]>>;
  /** The files of the root that tools load for every workspace, and that read the root's package.json. No specifier: through another file. */
  readonly manifestReaders: readonly (Pick<Place, 'file'> & Partial<Pick<Place, 'specifier'>>)[];
  /** By file or folder, who may read what is no source of a workspace. `name`: `*` for every workspace. */
  readonly readers: Readonly<Record<string, readonly FileReader[]>>;
}

export interface InPipeline extends Place {
  /** The key of a script in the root's package.json, which a pipeline may run. */
  readonly key?: string;
}

export interface FileReader extends Pick<OuterReader, 'place' | 'isAlone' | 'ending'> {
  readonly name: string;
}

/** Returns what nearly every answer needs. */
export function factsOf(searched: Searched, rules: FileRules): ReferenceFacts {
  const { map } = searched;
  const shared = [...map.members.keys()].flatMap((member) => {
    const place = sharedPlace(searched, member);
    const name = map.tree.graph.members[member]?.name;
    return place === undefined || name === undefined ? [] : [[name, place] as const];
  });
  const readings = unfollowedReadings(map, rules);
  const edgesOf = (isWanted: (reading: Reading) => boolean): EdgesConfig => undeclaredEdges(map, readings.filter(isWanted));
  return {
    edges: edgesOf((reading) => !isOfPackage(reading) && !isForTestsAlone(reading)),
    named: edgesOf(({ by, isInTests }) => by === 'name' && isInTests !== true),
    sources: edgesOf((reading) => isOfPackage(reading) && reading.by !== 'name' && !isForTestsAlone(reading)),
    inTests: edgesOf(({ isInTests }) => isInTests === true),
    forTests: edgesOf(isForTestsAlone),
    shared: Object.fromEntries(shared),
    loaded: namedSources(searched, false, firstOf),
    inPipelines: namedSources(searched, true, placesOf),
    manifestReaders: manifestReaders(searched),
    readers: Object.fromEntries([...findOuterReaders(map, searched.bearingOf)].map(([path, readers]) => [path, named(map, readers)])),
  };
}

/**
 * Returns, by source, who names it for every workspace: files of the root that tools load, or pipelines and the scripts that they may run.
 * A folder or a pattern says what a tool works on, a source what it loads.
 */
function namedSources<T>(
  { map, bearingOf }: Searched,
  ofPipelines: boolean,
  take: (users: Generator<Referrer>) => T | undefined,
): Readonly<Record<string, T>> {
  const { tree, files } = map;
  const bearing: BearingOf = (file, key = '') => {
    const isScript = key.startsWith('scripts.');
    if (isScript && ofPipelines) return 'everybody';
    if (isScript && !AT_INSTALLATION.test(key)) return 'nobody';
    const own = bearingOf(file, key);
    return own === 'everybody' && isCiFile(file) !== ofPipelines ? 'nobody' : own;
  };
  return Object.fromEntries(
    [...files].flatMap(([path, referrers]) => {
      const file = ownerOf(tree, path) === tree.root ? undefined : loadableAt(tree, path);
      if (file === undefined) return [];
      const ofRoot = referrers.filter(({ by, place, key = '' }) => by.kind === 'file' && !namesMembers(place.file, key));
      const taken = take(allForEverybody(map, ofRoot, bearing));
      return taken === undefined ? [] : [[file, taken]];
    }),
  );
}

/**
 * Returns the file of a workspace that a path names, with or without its extension, if others load it: a source, or a helper of tests, but
 * not the settings of a runner.
 */
function loadableAt(tree: Tree, path: string): RepoPath | undefined {
  const [file, ...others] = resolveFiles(tree, path as RepoFolder).files;
  if (file === undefined || others.length > 0 || parentFolder(file) !== parentFolder(path as RepoPath)) return undefined;
  return isSource(tree, path as RepoFolder) || (isCodeFile(file) && codeSettingsKind(file) === undefined) ? file : undefined;
}

const AT_INSTALLATION = /^scripts\.(?:(?:pre|post)?install|prepare)$/;

/** Returns all places; `undefined` without any. */
function placesOf(users: Generator<Referrer>): readonly InPipeline[] | undefined {
  const places = [...users].map(({ place, key }) => (key?.startsWith('scripts.') === true ? { ...place, key } : place));
  return places.length === 0 ? undefined : places;
}

function firstOf(users: Generator<Referrer>): string | undefined {
  const [first] = users;
  return first === undefined ? undefined : placeText(first.place);
}

function manifestReaders({ map, bearingOf }: Searched): ReferenceFacts['manifestReaders'] {
  const code = map.files.get('package.json')?.filter(({ place }) => isCodeFile(place.file)) ?? [];
  // A script of the root may run the code, but no test loads it then.
  const bearingOfCode: BearingOf = (file, key) => (isCodeFile(file) ? bearingOf(file, key) : 'nobody');
  return code.flatMap((referrer) => {
    const user = forEverybody(map, [referrer], bearingOfCode);
    if (user === undefined) return [];
    const { file, specifier } = user.place;
    return [user === referrer ? { file, specifier } : { file }];
  });
}

/** Tells whether a reading is of nothing but sources. */
function isOfPackage({ target, isOfSources }: Reading): boolean {
  return target.kind === 'workspace' && isOfSources === true;
}

/** Lists each reader once, but each of its tests: others may use one of them. */
function named({ tree }: ReferenceMap, readers: readonly OuterReader[]): readonly FileReader[] {
  const byPlace = new Map<string, FileReader>();
  for (const { member, place, isAlone, ending } of readers) {
    const name = member === '*' ? '*' : (tree.graph.members[member]?.name ?? '');
    const id = JSON.stringify([name, ending, ...(isAlone ? [place.replace(/:\d+$/, '')] : [])]);
    if (!byPlace.has(id)) byPlace.set(id, { name, place, isAlone, ending });
  }
  return [...byPlace.values()].filter(({ name, isAlone, ending }) => !isAlone || !byPlace.has(JSON.stringify([name, ending])));
}

/** The graph has what they say. */
const DECLARATION = /^((dev|peer|optional)?[dD]ependencies|dependenciesMeta|resolutions|workspaces)(\.|$)/;

/** In a tsconfig of the root, `references` order builds, and `paths` only say where a name leads. No tool is known that loads other data. */
function namesMembers(file: string, key: string): boolean {
  if (key === NAMED_IN_DATA) return true;
  return /(^|\/)[jt]sconfig[^/]*\.json$/.test(file) && !/^(extends|compilerOptions\.(types|plugins|jsxImportSource))(\.|$)/.test(key);
}

/** Settings that tools find, and scripts of the root that tasks may run, work for every workspace. */
function sharedPlace({ map, bearingOf }: Searched, member: number): string | undefined {
  const isUse = ({ place, key = '' }: Referrer): boolean => !DECLARATION.test(key) && !namesMembers(place.file, key);
  const user = forEverybody(map, map.members.get(member)?.filter(isUse) ?? [], bearingOf);
  return user === undefined ? undefined : placeText(user.place);
}
