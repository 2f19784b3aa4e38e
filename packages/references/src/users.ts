import type { RepoPath } from '@tributary/model/paths';
import { foldersAbove } from '@tributary/workspaces/folders';
import type { Place } from './own-references.js';
import type { ReferenceMap, Referrer } from './reference-map.js';

/**
 * What a file outside of all workspaces means for their tasks. `nobody`: no task of the kind reads it, such as the settings of a linter.
 * `everybody`: tools read it by themselves. `readers`: whoever refers to it.
 */
export type Bearing = 'nobody' | 'everybody' | 'readers';

/** `key`: that of a settings file. `specifier`: what it names, as written. */
export type BearingOf = (file: RepoPath, key: string | undefined, specifier?: string) => Bearing;

/** Who reads a file outside of all workspaces. */
export type Users =
  /** Every workspace may; `because` says why, without the file: "nothing that was read refers to it". */
  | { readonly who: 'everybody'; readonly because: string }
  | {
      readonly who: 'some';
      /** By index, with the places that lead from the workspace to the file. `opaque`: the last place may read it. */
      readonly workspaces: ReadonlyMap<number, { readonly chain: readonly Place[]; readonly isOpaque: boolean }>;
      /** What refers to it and bears on nobody; empty if only workspaces refer to it. */
      readonly nobody: readonly Place[];
    };

/** Where something is read, with the places that lead from there to the file in question. */
interface Step {
  readonly file: string;
  readonly chain: readonly Place[];
  readonly isOpaque: boolean;
}

/**
 * Finds who reads a file outside of all workspaces, directly or through others of them. It is narrowed only by what refers to it: without
 * a reference, everybody may read it, unless `isOfRoot` knows that only the root does. A place that may read anything around the file
 * counts as a reference to it, but proves nothing.
 */
export function usersOf(map: ReferenceMap, file: string, bearingOf: BearingOf, isOfRoot: (file: string) => boolean = () => false): Users {
  const workspaces = new Map<number, { readonly chain: readonly Place[]; readonly isOpaque: boolean }>();
  const nobody = new Map<string, Place>();
  const queue: Step[] = [{ file, chain: [], isOpaque: false }];
  const queued = new Set<string>([file]);
  for (const step of queue) {
    const found = referrersOf(map, step.file);
    if (!found.some(({ isOpaque }) => !isOpaque) && !isOfRoot(step.file)) return everybody(step, 'nothing that can be read refers to it');
    for (const { referrer, isOpaque, isPerhaps } of found) {
      // Who perhaps reads data does not follow what the data names.
      if (isPerhaps === true && step.chain.length > 0 && DATA.test(step.file)) continue;
      const { by, key, place } = referrer;
      const next = { chain: [place, ...step.chain], isOpaque: isOpaque || step.isOpaque };
      if (by.kind === 'workspace') {
        if (workspaces.get(by.member)?.isOpaque !== false) workspaces.set(by.member, next);
        continue;
      }
      const bearing = bearingOf(by.file, key, place.specifier);
      if (bearing === 'everybody') return everybody(step, `${placeText(place)} ${isOpaque ? 'may read' : 'refers to'} it`);
      if (bearing === 'nobody') nobody.set(placeText(place), place);
      else if (!queued.has(by.file)) {
        queued.add(by.file);
        queue.push({ file: by.file, ...next });
      }
    }
  }
  return { who: 'some', workspaces, nobody: [...nobody.values()] };
}

const DATA = /\.(?:ya?ml|jsonc?|md|toml|txt)$/;

/** Returns the first referrer that counts for every workspace, by itself or through files of the root. */
export function forEverybody(map: ReferenceMap, referrers: readonly Referrer[], bearingOf: BearingOf): Referrer | undefined {
  const [first] = allForEverybody(map, referrers, bearingOf);
  return first;
}

/** Returns all such referrers, one after the other. */
export function* allForEverybody(map: ReferenceMap, referrers: readonly Referrer[], bearingOf: BearingOf): Generator<Referrer> {
  const queue = [...referrers];
  const queued = new Set<string>();
  for (const referrer of queue) {
    const { by, key } = referrer;
    if (by.kind === 'workspace') continue;
    const bearing = bearingOf(by.file, key);
    if (bearing === 'everybody') yield referrer;
    if (bearing !== 'readers' || queued.has(by.file)) continue;
    queued.add(by.file);
    // With a folder or a pattern, a setting names what it works on.
    queue.push(...(map.files.get(by.file) ?? []));
  }
}

function everybody({ file, chain, isOpaque }: Step, because: string): Users {
  const how = isOpaque ? 'may read' : 'refers to';
  return { who: 'everybody', because: chain.length === 0 ? because : `${file} ${how} it, and ${because.replace(/\bit$/, file)}` };
}

/** `a/x.ts:1`, or the path of a link. */
export function placeText({ file, line }: Pick<Place, 'file' | 'line'>): string {
  return line === undefined ? file : `${file}:${line}`;
}

function referrersOf(
  { files, opaque, perhaps }: ReferenceMap,
  file: string,
): readonly { readonly referrer: Referrer; readonly isOpaque: boolean; readonly isPerhaps?: true }[] {
  const above = foldersAbove(file);
  return [
    ...[file, ...above].flatMap((path) => files.get(path) ?? []).map((referrer) => ({ referrer, isOpaque: false })),
    ...above.flatMap((path) => opaque.get(path) ?? []).map((referrer) => ({ referrer, isOpaque: true })),
    ...[file, ...above].flatMap((path) => perhaps.get(path) ?? []).map((referrer) => ({ referrer, isOpaque: true, isPerhaps: true })),
  ].filter(({ referrer: { by } }) => by.kind === 'workspace' || by.file !== file);
}
