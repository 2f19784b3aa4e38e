import { isInside, type RepoFolder, type RepoPath, relativeTo } from '@tributary/model/paths';
import { buildProject, type ProjectParts, withEdits } from '../align/build-project.js';
import type { Edits, Monorepo, TreeFiles } from '../align/project.js';
import type { StepCommit } from '../alignment.js';
import type { CarriedPackage, CarryOverRepository } from '../carry-over/repository.js';
import type { BranchBuilder, FileChanges } from '../history/branch.js';

/** What a workbench knows of the branch outside the project. Paths are relative to the root of the repository. */
export interface WorkbenchSurroundings {
  /** The folder of the root package.json. */
  readonly root: RepoFolder;
  readonly modes: ReadonlyMap<RepoPath, string>;
  /** Files of the imported packages that steps still see, although a commit has removed them. */
  readonly gone: ReadonlySet<RepoPath>;
  /** Files outside the project. */
  readonly outside: ReadonlyMap<RepoPath, string | undefined>;
  readonly carried: readonly CarriedPackage[];
}

/** The branch during the alignment. Each step works on the result of the one before. */
export class Workbench {
  project: Monorepo;
  private parts: ProjectParts;
  private readonly builder: BranchBuilder;
  private readonly place: WorkbenchSurroundings;
  private readonly gone: Set<RepoPath>;
  private readonly outside: Map<RepoPath, string | undefined>;

  constructor(builder: BranchBuilder, parts: ProjectParts, place: WorkbenchSurroundings) {
    this.builder = builder;
    this.parts = parts;
    this.place = place;
    this.gone = new Set(place.gone);
    this.outside = new Map(place.outside);
    this.project = buildProject(parts);
  }

  /** Commits the edits of a step; `undefined` if they change nothing. Throws `MANIFEST_INVALID`, `GIT_FAILED`, `DISK_FULL`. */
  apply(edits: Edits, message: string): Promise<StepCommit | undefined> {
    return this.applyToRepository(new Map([...edits].map(([path, text]) => [inRepository(this.place.root, path), text])), message);
  }

  /** Commits edits as `apply`, with paths relative to the root of the repository. */
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

  /** Returns the whole repository, including files that only the steps still see. */
  repository(): CarryOverRepository {
    const { root, carried } = this.place;
    const { files, workspaces } = this.project;
    const ofProject = files.paths.map((path) => inRepository(root, path));
    const read = (path: RepoPath): string | undefined =>
      isInside(path, root) ? files.read(relativeTo(root, path) as RepoPath) : this.outside.get(path);
    return {
      files: { paths: [...ofProject, ...this.outside.keys()].sort(), read },
      root,
      importedPackages: carried,
      workspaceNames: new Set(workspaces.map(({ name }) => name)),
    };
  }

  /**
   * Whether a file, or any file of a folder, had been removed before the first step. The path is relative to the root
   * of the repository.
   */
  wasCleanedUp(path: string): boolean {
    const folder = path.replace(/\/?$/, '/');
    return [...this.place.gone].some((gone) => gone === path || gone.startsWith(folder));
  }

  /** Returns the files of the project on the branch, without those that only the steps still see. */
  filesNow(): TreeFiles {
    const { paths, read } = this.project.files;
    const isGone = (path: RepoPath): boolean => this.gone.has(inRepository(this.place.root, path));
    return { paths: paths.filter((path) => !isGone(path)), read: (path) => (isGone(path) ? undefined : read(path)) };
  }

  /** Returns the changes for edits, without those that are already in effect. */
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

/** Returns a path relative to the repository. Both parts are already validated. */
function inRepository(root: RepoFolder, path: RepoPath): RepoPath {
  return root === '' ? path : (`${root}/${path}` as RepoPath);
}
