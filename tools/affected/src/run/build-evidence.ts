import type { Git } from '@tributary/git/git';
import type { RepoPath } from '@tributary/model/paths';
import { isBuildFile, isCodeFile, isSettingsFile } from '@tributary/references/file-kinds';
import { detachNames, readReferences } from '@tributary/references/read-references';
import type { FileReferences } from '@tributary/references/reference';
import { owningMember } from '@tributary/workspaces/dependency-graph';
import type { CheckedProject } from '../check/project.js';
import { type BuildEvidence, devEdges, evidenceOf } from '../check/terminal-dev.js';
import { streamTexts, type TrackedFile } from '../io/tracked-files.js';

/** The result of reading a commit's sources. */
export interface SourcesRead {
  readonly evidence: BuildEvidence;
  /** Files that were too large to read. */
  readonly skipped: readonly RepoPath[];
}

/** The files to read, and what to do with each. */
export interface SourceReading {
  readonly git: Git;
  readonly files: readonly TrackedFile[];
  readonly project: CheckedProject;
  /** Tells whether to scan a file for names; missing: all. */
  readonly isScanned?: ((path: RepoPath, text: string) => boolean) | undefined;
  /** Called for each scanned file. It must detach the names that it keeps. */
  readonly look?: (file: FileReferences) => void;
}

/**
 * Reads the code and settings files of a commit one by one. It keeps only the evidence of how workspaces with dev edges are built. Throws
 * `GIT_FAILED`.
 */
export async function readSources({ git, files, project, isScanned, look }: SourceReading): Promise<SourcesRead> {
  const wantsText = buildTextTest(project);
  const wanted = files.filter(({ kind, path }) => kind === 'file' && (isCodeFile(path) || isSettingsFile(path) || wantsText(path)));
  const named: FileReferences[] = [];
  const buildTexts = new Map<RepoPath, string>();
  const skipped: RepoPath[] = [];
  for await (const { file, text } of streamTexts(git, wanted)) {
    if (text === undefined) {
      skipped.push(file.path);
      continue;
    }
    if (wantsText(file.path)) buildTexts.set(file.path, text);
    if (isScanned?.(file.path, text) === false) continue;
    const scanned = readReferences(file.path, text);
    look?.(scanned);
    const evidence = evidenceOf(project, scanned);
    if (evidence !== undefined) named.push(detachNames(evidence));
  }
  return { evidence: { files: named, buildTexts }, skipped };
}

/** The texts of build files matter only for the dependents of dev edges, and those of the root for all of them. */
function buildTextTest(project: CheckedProject): (path: RepoPath) => boolean {
  const dependents = new Set(devEdges(project).map(({ from }) => from));
  const matters = (member: number): boolean => dependents.size > 0 && (member === 0 || dependents.has(member));
  return (path) => isBuildFile(path) && matters(owningMember(project.graph, path) ?? 0);
}
