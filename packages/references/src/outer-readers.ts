import { type RepoFolder, type RepoPath, relativeTo } from '@tributary/model/paths';
import { foldersAbove } from '@tributary/workspaces/folders';
import { roleOf } from './file-roles.js';
import type { ReferenceMap, Referrer } from './reference-map.js';
import { NAMED_IN_DATA } from './settings/data-texts.js';
import { COMMANDS, settingsKind } from './settings/kinds.js';
import { folderOf, ownerOf, resolveFiles } from './tree.js';
import { type BearingOf, placeText } from './users.js';

/** Who may read a file, or everything below a folder. */
export interface OuterReader {
  /** By index; `*`: every workspace, because a tool loads it for all. */
  readonly member: number | '*';
  readonly place: string;
  /** Whether only the workspace itself does, and not through code that others use. */
  readonly isAlone: boolean;
  /** As in `ScannedImport`: of what is below the folder, only this. */
  readonly ending?: string | undefined;
}

/** The graph has what these keys say. */
const DECLARATION = /^(?:(?:dev|peer|optional)?[dD]ependencies|dependenciesMeta|resolutions|workspaces|files|directories)(?:\.|$)/;
const TSCONFIG = /(?:^|\/)[jt]sconfig[^/]*\.json$/;
/** Settings that say what a task or a container reads. Others, such as those of runners and linters, say what a tool works on. */
const SAYS_WHAT_IS_READ = /(?:^|\/)(?:turbo\.jsonc?|nx\.json|project\.json|[^/]*(?:Docker|Container)file[^/]*|[^/]*compose[^/]*\.ya?ml)$/i;

/**
 * Returns, by file or folder, who may read what is no source of a workspace: tests, documentation, manifests. Of most settings, only what
 * names the very file counts.
 */
export function findOuterReaders(map: ReferenceMap, bearingOf: BearingOf): ReadonlyMap<string, readonly OuterReader[]> {
  const { tree } = map;
  const found = new Map<string, OuterReader[]>();
  const add = (path: string, isFile: boolean, referrers: readonly Referrer[]): void => {
    const readers = referrers.flatMap((referrer) =>
      readersOf(map, { referrer, isFile }, bearingOf).map((reader) => ({ ...reader, ending: referrer.ending })),
    );
    if (readers.length > 0) found.set(path, [...(found.get(path) ?? []), ...readers]);
  };
  for (const [path, referrers] of [...map.files, ...map.perhaps]) {
    const owner = ownerOf(tree, path);
    const isFile = resolveFiles(tree, path as RepoFolder).files.includes(path as RepoPath);
    const roleAt = (at: string): string => roleOf(relativeTo(folderOf(tree, owner), at));
    const isSource = isFile && roleAt(path) === 'source';
    // A folder of tests is mapped for what is in it; one of sources for its sources.
    const isApart = isFile || roleAt(`${path}/a.js`) !== 'source';
    if (owner === tree.root ? !tree.above.has(path) : isSource) continue;
    add(
      path,
      isFile,
      referrers.filter((one) => counts(one, isFile, isApart)),
    );
  }
  for (const [path, referrers] of map.opaque) add(path, false, referrers);
  return found;
}

function counts({ by, key, place: { file } }: Referrer, isFile: boolean, isApart = isFile): boolean {
  if (TSCONFIG.test(file)) return isApart && /^(?:extends|compilerOptions\.paths)(?:\.|$)/.test(key ?? '');
  if (DECLARATION.test(key ?? '')) return false;
  // What settings of a workspace name elsewhere, its tests read.
  return (
    isFile ||
    by.kind === 'workspace' ||
    key === undefined ||
    key.startsWith('scripts.') ||
    SAYS_WHAT_IS_READ.test(file) ||
    settingsKind(file) === COMMANDS
  );
}

interface Question {
  readonly referrer: Referrer;
  readonly isFile: boolean;
}

/** Returns the workspaces that refer to something, themselves or through files of the root. */
function readersOf(map: ReferenceMap, { referrer: first, isFile }: Question, bearingOf: BearingOf): readonly OuterReader[] {
  const { tree } = map;
  const found: OuterReader[] = [];
  const queue = [first];
  const queued = new Set<string>();
  const place = placeText(first.place);
  for (const referrer of queue) {
    const { by, key } = referrer;
    if (by.kind === 'workspace') {
      found.push({ member: by.member, place, isAlone: first.isVague === true || isOfTests(map, by.member, referrer) });
      continue;
    }
    const bearing = bearingOf(by.file, key);
    // What a command runs is loaded by no test.
    if (bearing === 'everybody' && isFile && key !== NAMED_IN_DATA && !isCommand(by.file)) return [{ member: '*', place, isAlone: false }];
    if (bearing === 'nobody' || queued.has(by.file)) continue;
    queued.add(by.file);
    found.push({ member: tree.root, place, isAlone: true });
    // Whoever reads a manifest runs none of its scripts.
    if (key?.startsWith('scripts.') === true) continue;
    for (const path of [by.file, ...foldersAbove(by.file)])
      queue.push(...(map.files.get(path) ?? []).filter((one) => counts(one, path === (by.file as string))));
  }
  return found;
}

function isOfTests({ tree }: ReferenceMap, member: number, { place }: Referrer): boolean {
  return ownerOf(tree, place.file) === member && roleOf(relativeTo(folderOf(tree, member), place.file)) === 'tests';
}

function isCommand(file: RepoPath): boolean {
  return file === 'package.json' || settingsKind(file) === COMMANDS;
}
