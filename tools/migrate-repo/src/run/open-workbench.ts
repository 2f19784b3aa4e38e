import type { Git } from '@tributary/git/git';
import { isToolError, ToolError } from '@tributary/model/errors';
import type { CommitId, WorkspaceName } from '@tributary/model/ids';
import { isInside, joinRepoPath, type RepoFolder, type RepoPath, seenFrom } from '@tributary/model/paths';
import { isRecord } from '@tributary/model/record';
import { parseManifest } from '@tributary/workspaces/manifest';
import { parse } from 'yaml';
import { isManifest, manifestIn, type ProjectParts } from '../align/build-project.js';
import { LOCK_NAMES, readOldLock } from '../align/lock/old-lock.js';
import { readRootLock } from '../align/lock/root-lock.js';
import type { Files, Newcomer, Project } from '../align/project.js';
import type { BranchBuilder } from '../history/branch.js';
import { type ProjectFiles, readProjectFiles } from '../io/project-files.js';
import { Workbench } from './workbench.js';

/** A package whose history has been merged, before it was cleaned up. */
export interface LandedPackage {
  readonly name: WorkspaceName;
  /** From the root of the repository. */
  readonly path: RepoPath;
  readonly merge: CommitId;
  /** From the package's folder: what the clean-up has taken away, files and folders. */
  readonly cleanedUp: readonly string[];
}

/** Where packages have landed. */
export interface Landed {
  /** Sees the monorepo's objects, all that has arrived, and what the builder stores. */
  readonly view: Git;
  readonly root: RepoFolder;
  readonly packages: readonly LandedPackage[];
}

export const ROOT_LOCK = 'yarn.lock' as RepoPath;

/**
 * Reads what the alignment has to see of a branch, which must be stored: the newcomers as they came, also what the clean-up has taken away, the
 * manifests of all workspaces, and what lies at the root. Throws `LOCKFILE_INVALID`, `LOCKFILE_MISMATCH`, `MANIFEST_INVALID`,
 * `SOURCE_HAS_WORKSPACES`.
 */
export async function openWorkbench(builder: BranchBuilder, { view, root, packages }: Landed): Promise<Workbench> {
  const own = packages.map((one) => ({ ...one, below: seenFrom(root, one.path) as RepoPath }));
  const isWanted = (path: RepoPath): boolean => isOfRoot(path) || isManifest(path) || own.some(({ below }) => isInside(path, below));
  const now = await readProjectFiles(view, { commit: builder.tip, root }, isWanted);
  const came: ProjectFiles[] = [];
  for (const { merge, below, cleanedUp } of own) {
    const isCleanedUp = (path: RepoPath): boolean =>
      isInside(path, below) && cleanedUp.some((away) => isInside(path, joinRepoPath(below, away)));
    const files = await readProjectFiles(view, { commit: merge, root }, isCleanedUp);
    came.push({ modes: new Map([...files.modes].filter(([path]) => isCleanedUp(path))), texts: files.texts });
  }
  const gone = new Set(came.flatMap(({ modes }) => [...modes.keys()]));
  const texts = new Map([...now.texts, ...came.flatMap((files) => [...files.texts])]);
  const parts: ProjectParts = {
    paths: new Set([...now.modes.keys(), ...gone]),
    texts,
    newcomers: own.map(({ name, below }) => newcomerAt(name, below, texts)),
    rootLock: readRootLock(texts.get(ROOT_LOCK) ?? ''),
  };
  const bench = new Workbench(builder, parts, { root, modes: now.modes, gone });
  refuseNestedRoots(bench.project);
  return bench;
}

/** What lies at the root itself, and in the folders where tools look for what is of the whole repository. */
function isOfRoot(path: RepoPath): boolean {
  return !path.includes('/') || /^(?:\.github|\.gitlab|\.changeset|\.yarn\/patches|docs\/CODEOWNERS$)/.test(path);
}

function newcomerAt(name: WorkspaceName, path: RepoPath, texts: ReadonlyMap<RepoPath, string>): Newcomer {
  const manifest = parseManifest(texts.get(manifestIn(path)) ?? '', manifestIn(path));
  const locks = LOCK_NAMES.flatMap((file) => {
    const text = texts.get(joinRepoPath(path, file)) ?? '';
    return isEmpty(text) ? [] : [{ name: file, text }];
  });
  return { name, path, manifest, oldLock: readLockOf(name, () => readOldLock(locks, manifest)) };
}

/** Nothing but comments: somebody wanted Yarn to take the folder for a project of its own. */
function isEmpty(lock: string): boolean {
  return lock.replace(/^#.*$/gm, '').trim() === '';
}

/** With the package that it is about. */
function readLockOf<Lock>(name: WorkspaceName, read: () => Lock): Lock {
  try {
    return read();
  } catch (error) {
    if (!isToolError(error)) throw error;
    const { code, data, hint = '' } = error;
    const message = `The lockfile of ${name} is of no use: ${error.message}`;
    throw new ToolError({ code, message, hint: `${hint} Or bring the history alone, with --no-align.`.trim(), data, cause: error });
  }
}

/** A root of workspaces is several packages, each of which has to be aligned. */
function refuseNestedRoots({ newcomers, workspaces, files }: Project): void {
  const root = newcomers.find((newcomer) => patternsOf(newcomer, files).length > 0);
  if (root === undefined) return;
  const inside = workspaces
    .filter(({ path }) => path !== root.path && isInside(path, root.path))
    .map(({ path }) => seenFrom(root.path, path));
  const list = inside.length === 0 ? patternsOf(root, files).join(', ') : inside.join(', ');
  throw new ToolError({
    code: 'SOURCE_HAS_WORKSPACES',
    message: `${root.name} is the root of workspaces itself: ${list}.`,
    hint: `Bring each with --subdirectory, such as --subdirectory ${inside[0] ?? '<path>'}. Or bring the whole as it is, with --no-align.`,
    data: { package: root.name, workspaces: inside },
  });
}

/** Those of pnpm stand in a file of their own; `.` is the package itself. */
function patternsOf({ manifest, path }: Newcomer, files: Files): readonly string[] {
  const packages = parsePackages(files.read(joinRepoPath(path, 'pnpm-workspace.yaml')));
  return [...manifest.workspaces, ...packages.filter((pattern) => !/^(?:\.\/?)?$|^!/.test(pattern))];
}

function parsePackages(text: string | undefined): readonly string[] {
  try {
    const value: unknown = parse(text ?? '');
    const packages = isRecord(value) ? value['packages'] : undefined;
    return Array.isArray(packages) ? packages.map(String) : [];
  } catch {
    // It is taken away in any case.
    return [];
  }
}
