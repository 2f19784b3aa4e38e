import type { PublishedPackage } from '@tributary/test-repo/local-registry';
import type { Manifest } from '@tributary/test-repo/temp-monorepo';
import type { Files } from '@tributary/test-repo/temp-repo';
import type { Story, StoryEvent } from './story.js';

/** An event with everything that follows from the events before it. */
export interface Act {
  readonly event: StoryEvent;
  /** In seconds since 1970, never decreasing. */
  readonly seconds: number;
  /** For a commit that changes a manifest: all manifests after it. */
  readonly project: Project | undefined;
}

/** The input of a package manager. */
export interface Project {
  readonly manifest: Manifest;
  /** The manifests below the root, as text by path. */
  readonly workspaces: Readonly<Record<string, string>>;
}

export interface Replay {
  readonly acts: readonly Act[];
  /** The root manifest at the end. */
  readonly manifest: Manifest & { readonly name: string };
}

// People commit at irregular intervals. The mean is 1.
const RHYTHM = [0.4, 1.7, 0.8, 0.1, 2] as const;

/** Replays the events of a story. Branches are not tracked: of two open branches, only one may change the manifest. */
export function replay(story: Story): Replay {
  let seconds = Date.parse(story.begin) / 1000;
  let project: Project = { manifest: {}, workspaces: {} };
  const acts = story.events.map((event, at): Act => {
    if (at > 0) seconds += secondsUntil(event, story.hoursBetween, at);
    const next = projectAfter(project, event);
    const changed = next !== project;
    project = next;
    return { event, seconds, project: changed ? next : undefined };
  });
  const { name } = project.manifest;
  if (typeof name !== 'string') throw new Error(`The story of ${story.folder} never names its package.`);
  return { acts, manifest: { ...project.manifest, name } };
}

/** Returns every released version of a story, older ones first, as in a registry: with all files except hidden ones such as `.npmrc`. */
export function releasesOf(story: Story): PublishedPackage[] {
  let manifest: Manifest = {};
  let files: Files = {};
  return replay(story).acts.flatMap(({ event, project }) => {
    manifest = project?.manifest ?? manifest;
    if (event.kind === 'commit') files = filesAfter(files, event.files ?? {});
    return event.kind === 'tag' ? [{ manifest, files: packed(files) }] : [];
  });
}

/** Returns the files after a change; `null` removes a file or a folder. */
function filesAfter(files: Files, changes: Files): Files {
  const removed = Object.keys(changes).filter((path) => changes[path] === null);
  const kept = Object.entries({ ...files, ...changes }).filter(
    ([path]) => !removed.some((one) => path === one || path.startsWith(`${one}/`)),
  );
  return Object.fromEntries(kept);
}

/** Returns the packed files, without links, hidden files and the manifest, which the registry writes. */
function packed(files: Files): NonNullable<PublishedPackage['files']> {
  const kept = Object.entries(files).filter(([path]) => !/(?:^|\/)\.|^package\.json$/.test(path));
  return Object.fromEntries(
    kept.filter((entry): entry is [string, string | Uint8Array] => typeof entry[1] === 'string' || ArrayBuffer.isView(entry[1])),
  );
}

function secondsUntil(event: StoryEvent, hoursBetween: number, at: number): number {
  switch (event.kind) {
    case 'commit':
    case 'merge':
      // Avoids times on the hour.
      return Math.round(hoursBetween * (RHYTHM[at % RHYTHM.length] ?? 1)) * 3600 + at * 97;
    case 'tag':
      return 60;
    case 'branch':
    case 'switch':
      return 0;
  }
}

function projectAfter(project: Project, event: StoryEvent): Project {
  if (event.kind !== 'commit') return project;
  const added = Object.entries(event.files ?? {}).flatMap(([path, content]) =>
    path.endsWith('/package.json') && typeof content === 'string' ? [[path, content] as const] : [],
  );
  if (event.manifest === undefined && added.length === 0) return project;
  return {
    manifest: event.manifest === undefined ? project.manifest : layOver(project.manifest, event.manifest),
    workspaces: { ...project.workspaces, ...Object.fromEntries(added) },
  };
}

/** Returns a manifest with a patch. Blocks are merged and sorted, as package managers write them; `null` removes an entry. */
function layOver(manifest: Manifest, patch: Manifest): Manifest {
  const merged = Object.entries(patch).map(([key, value]) => [key, mergeBlocks(manifest[key], value)] as const);
  return { ...manifest, ...Object.fromEntries(merged) };
}

function mergeBlocks(old: unknown, patch: unknown): unknown {
  if (!isBlock(patch)) return patch;
  const entries = Object.entries({ ...(isBlock(old) ? old : {}), ...patch }).filter(([, value]) => value !== null);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function isBlock(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
