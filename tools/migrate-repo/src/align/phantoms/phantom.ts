import type { WorkspaceName } from '@tributary/model/ids';
import type { RepoPath } from '@tributary/model/paths';
import type { DependencyBlock } from '@tributary/workspaces/dependency-edit';
import type { InstalledPeer } from '../project.js';
import type { VersionChange } from '../version-change.js';
import type { FileClass } from './file-class.js';
import type { UnreadFile, UseKind } from './use.js';

/** A package that an imported package uses and does not declare, or not where it had to. */
export interface Phantom {
  readonly package: string;
  /** `third party`: the old lockfile has it; `workspace`: it is one; `development only`: production code uses what is there for development. */
  readonly problem: 'third party' | 'workspace' | 'development only';
  /** How, and where: the first of the uses that ask most of the manifest. */
  readonly kind: UseKind;
  readonly file: RepoPath;
  /** From 1. */
  readonly line: number;
  readonly usedIn: FileClass;
  /** What is to be declared; `undefined`: nothing, a person decides. */
  readonly declared: PhantomDeclaration | undefined;
  /** Where a workspace is declared: from the version that the old lockfile had to its own; `undefined`: the same, or not known. */
  readonly change: VersionChange | undefined;
}

export interface PhantomDeclaration {
  readonly block: Extract<DependencyBlock, 'dependencies' | 'devDependencies'>;
  readonly range: string;
}

/** A package that was there because a package manager installs peers by itself; Yarn does not. */
export interface BroughtPeer extends InstalledPeer {
  readonly manager: 'npm' | 'pnpm';
  /** `undefined`: it is the peer of somebody whom no manifest here can help. */
  readonly declared: PhantomDeclaration | undefined;
  /** Where a workspace is declared: see `Phantom`. */
  readonly change: VersionChange | undefined;
}

/** What there is to say of an imported package. */
export type PhantomFinding =
  | (BroughtPeer & { readonly finding: 'brought peer'; readonly importedPackage: WorkspaceName })
  | (Phantom & { readonly finding: 'phantom'; readonly importedPackage: WorkspaceName })
  | (UnreadFile & { readonly finding: 'unread file'; readonly importedPackage: WorkspaceName });
