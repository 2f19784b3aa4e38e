import type { CommitId } from '@tributary/model/ids';
import { isInside, type RepoFolder, type RepoPath, relativeTo } from '@tributary/model/paths';
import { buildProject, type ProjectParts, withEdits } from '../align/build-project.js';
import type { Edits, Project, TreeFiles } from '../align/project.js';
import type { ArrivedPackage, CarryOverRepository } from '../carry-over/repository.js';
import type { BranchBuilder, FileChanges } from '../history/branch.js';

/** A commit of the alignment. */
export interface StepCommit {
  readonly id: CommitId;
  /** From the root of the repository, sorted. */
  readonly files: readonly RepoPath[];
}

/** What a workbench has to know of the branch beside the project. Paths are from the root of the repository. */
export interface WorkbenchPlace {
  /** The folder of the root package.json. */
  readonly root: RepoFolder;
  readonly modes: ReadonlyMap<RepoPath, string>;
  /** What the steps still see of the imported packages, and a commit has taken away already. */
  readonly gone: ReadonlySet<RepoPath>;
  /** Files that lie outside of the project. */
  readonly outside: ReadonlyMap<RepoPath, string | undefined>;
  readonly arrived: readonly ArrivedPackage[];
}

/** The branch while the steps of the alignment work on it, one after the other, each on what the one before has left. */
export class Workbench {
  project: Project;
  private parts: ProjectParts;
  private readonly builder: BranchBuilder;
  private readonly place: WorkbenchPlace;
  private readonly gone: Set<RepoPath>;
  private readonly outside: Map<RepoPath, string | undefined>;

  constructor(builder: BranchBuilder, parts: ProjectParts, place: WorkbenchPlace) {
    this.builder = builder;
    this.parts = parts;
    this.place = place;
    this.gone = new Set(place.gone);
    this.outside = new Map(place.outside);
    this.project = buildProject(parts);
  }

  /** Commits what a step wants; `undefined` where that changes nothing. Throws `MANIFEST_INVALID`, `GIT_FAILED`, `DISK_FULL`. */
  apply(edits: Edits, message: string): Promise<StepCommit | undefined> {
    return this.applyToRepository(new Map([...edits].map(([path, text]) => [inRepository(this.place.root, path), text])), message);
  }

  /** The same for paths from the root of the repository. */
  async applyToRepository(edits: Edits, message: string): Promise<StepCommit | undefined> {
    const { root } = this.place;
    const changes = this.changesOf(edits);
    const inside = [...edits].filter(([path]) => isInside(path, root));
    this.parts = withEdits(this.parts, new Map(inside.map(([path, text]) => [relativeTo(root, path) as RepoPath, text])));
    this.project = buildProject(this.parts);
    for (const [path, text] of edits) {
      this.gone.delete(path);
      if (isInside(path, root)) continue;
      if (text === undefined) this.outside.delete(path);
      else this.outside.set(path, text);
    }
    if (changes.size === 0) return undefined;
    return { id: await this.builder.change(changes, message), files: [...changes.keys()].sort() };
  }

  /** All of the repository as it is, with what the steps alone still see of the imported packages. */
  repository(): CarryOverRepository {
    const { root, arrived } = this.place;
    const { files, workspaces } = this.project;
    const ofProject = files.paths.map((path) => inRepository(root, path));
    const read = (path: RepoPath): string | undefined =>
      isInside(path, root) ? files.read(relativeTo(root, path) as RepoPath) : this.outside.get(path);
    return {
      files: { paths: [...ofProject, ...this.outside.keys()].sort(), read },
      root,
      importedPackages: arrived,
      workspaceNames: new Set(workspaces.map(({ name }) => name)),
    };
  }

  /** Whether a commit had taken away a file, or all of a folder, before the first step. From the root of the repository. */
  wasCleanedUp(path: string): boolean {
    const folder = path.replace(/\/?$/, '/');
    return [...this.place.gone].some((gone) => gone === path || gone.startsWith(folder));
  }

  /** The files of the project as they are on the branch, without what the steps alone still see. */
  filesNow(): TreeFiles {
    const { paths, read } = this.project.files;
    const isGone = (path: RepoPath): boolean => this.gone.has(inRepository(this.place.root, path));
    return { paths: paths.filter((path) => !isGone(path)), read: (path) => (isGone(path) ? undefined : read(path)) };
  }

  /** Without what is so already, or is gone. */
  private changesOf(edits: Edits): FileChanges {
    const { modes } = this.place;
    const { files } = this.repository();
    const there = new Set(files.paths);
    return new Map(
      [...edits].flatMap(([path, text]): [RepoPath, { mode: string; content: Buffer } | undefined][] => {
        const isThere = there.has(path) && !this.gone.has(path);
        if (text === undefined) return isThere ? [[path, undefined]] : [];
        if (isThere && files.read(path) === text) return [];
        return [[path, { mode: modes.get(path) ?? '100644', content: Buffer.from(text) }]];
      }),
    );
  }
}

/** Both have been checked before. */
function inRepository(root: RepoFolder, path: RepoPath): RepoPath {
  return root === '' ? path : (`${root}/${path}` as RepoPath);
}
