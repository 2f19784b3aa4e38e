import type { WorkspaceName } from '@tributary/model/ids';
import type { RepoPath } from '@tributary/model/paths';
import type { DependencyBlock } from '@tributary/workspaces/dependency-edit';
import type { InstalledPeer } from '../project.js';
import type { VersionChange } from '../version-change.js';
import type { FileClass } from './file-class.js';
import type { UseKind } from './use.js';

/** A package that an imported package uses, but does not declare or declares in the wrong block. */
export interface Phantom {
  readonly package: string;
  /** `third party`: the old lockfile has it. `workspace`: it is a workspace. `development only`: production code uses a devDependency. */
  readonly problem: 'third party' | 'workspace' | 'development only';
  /** The kind and place of the first use that requires most of the manifest. */
  readonly kind: UseKind;
  readonly file: RepoPath;
  /** Counted from 1. */
  readonly line: number;
  readonly usedIn: FileClass;
  /** What is declared; `undefined` if nothing is, and a person decides. */
  readonly declared: PhantomDeclaration | undefined;
  /** For a workspace, the change from the old lockfile's version to its own; `undefined` if they are equal or unknown. */
  readonly change: VersionChange | undefined;
}

export interface PhantomDeclaration {
  readonly block: Extract<DependencyBlock, 'dependencies' | 'devDependencies'>;
  readonly range: string;
}

/** A package that was only there because its package manager installs peers. Yarn does not. */
export interface BroughtPeer extends InstalledPeer {
  readonly manager: 'npm' | 'pnpm';
  /** `undefined` if it is a peer of a package that no manifest here can provide it for. */
  readonly declared: PhantomDeclaration | undefined;
  /** For a workspace, see `Phantom`. */
  readonly change: VersionChange | undefined;
}

/** A finding about an imported package. */
export type PhantomFinding =
  | (BroughtPeer & { readonly finding: 'brought peer'; readonly importedPackage: WorkspaceName })
  | (Phantom & { readonly finding: 'phantom'; readonly importedPackage: WorkspaceName })
  | { readonly finding: 'unread file'; readonly importedPackage: WorkspaceName; readonly file: RepoPath };
