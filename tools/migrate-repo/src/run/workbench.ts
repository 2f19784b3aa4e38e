import type { CommitId } from '@tributary/model/ids';
import { joinRepoPath, type RepoFolder, type RepoPath } from '@tributary/model/paths';
import { buildProject, type ProjectParts, withEdits } from '../align/build-project.js';
import type { Edits, Files, Project } from '../align/project.js';
import type { BranchBuilder, FileChanges } from '../history/branch.js';

/** A commit of the alignment. */
export interface StepCommit {
  readonly id: CommitId;
  /** From the root of the repository, sorted. */
  readonly files: readonly RepoPath[];
}

/** What a workbench has to know of the files of the branch. Paths are from the folder of the root package.json. */
export interface WorkbenchPlace {
  readonly root: RepoFolder;
  readonly modes: ReadonlyMap<RepoPath, string>;
  /** What the steps still see of the newcomers, and a commit has taken away already. */
  readonly gone: ReadonlySet<RepoPath>;
}

/** The branch while the steps of the alignment work on it, one after the other, each on what the one before has left. */
export class Workbench {
  project: Project;
  private parts: ProjectParts;
  private readonly builder: BranchBuilder;
  private readonly place: WorkbenchPlace;
  private readonly gone: Set<RepoPath>;

  constructor(builder: BranchBuilder, parts: ProjectParts, place: WorkbenchPlace) {
    this.builder = builder;
    this.parts = parts;
    this.place = place;
    this.gone = new Set(place.gone);
    this.project = buildProject(parts);
  }

  /** Commits what a step wants; `undefined` where that changes nothing. Throws `MANIFEST_INVALID`, `GIT_FAILED`, `DISK_FULL`. */
  async apply(edits: Edits, message: string): Promise<StepCommit | undefined> {
    const changes = this.changesOf(edits);
    this.parts = withEdits(this.parts, edits);
    this.project = buildProject(this.parts);
    for (const path of edits.keys()) this.gone.delete(path);
    if (changes.size === 0) return undefined;
    return { id: await this.builder.change(changes, message), files: [...changes.keys()].sort() };
  }

  /** Whether a commit had taken away a file, or all of a folder, before the first step. */
  wasCleanedUp(path: string): boolean {
    const folder = path.replace(/\/?$/, '/');
    return [...this.place.gone].some((gone) => gone === path || gone.startsWith(folder));
  }

  /** The files of the branch as it is, without what the steps alone still see. */
  filesNow(): Files {
    const { paths, read } = this.project.files;
    return { paths: paths.filter((path) => !this.gone.has(path)), read: (path) => (this.gone.has(path) ? undefined : read(path)) };
  }

  /** Without what is so already, or is gone. */
  private changesOf(edits: Edits): FileChanges {
    const { root, modes } = this.place;
    return new Map(
      [...edits].flatMap(([path, text]): [RepoPath, { mode: string; content: Buffer } | undefined][] => {
        const isThere = this.parts.paths.has(path) && !this.gone.has(path);
        if (text === undefined) return isThere ? [[joinRepoPath(root, path), undefined]] : [];
        if (isThere && this.parts.texts.get(path) === text) return [];
        return [[joinRepoPath(root, path), { mode: modes.get(path) ?? '100644', content: Buffer.from(text) }]];
      }),
    );
  }
}
