import { placeOf } from './check/edges.js';
import type { EscapingPath, EscapingSymlink, Finding, IndirectReading, ReadingReason, StaleEdge, StaleProblem } from './check/finding.js';

/** Returns workspace and action for findings that may be alike in many workspaces, such as "read files of lib". */
export function actOf(finding: Finding): { readonly workspace: string; readonly what: string } | undefined {
  switch (finding.kind) {
    case 'undeclared-import':
      return { workspace: finding.workspace, what: `import ${finding.target}` };
    case 'foreign-script':
      return { workspace: finding.workspace, what: `run scripts of ${finding.target}` };
    case 'escaping-path':
    case 'escaping-symlink':
    case 'indirect-reading':
      return { workspace: finding.workspace, what: `read ${destinationOf(finding)}` };
    case 'observed-reading':
      return { workspace: finding.workspace, what: `were observed to read files of ${finding.target}` };
    default:
      return undefined;
  }
}

export function titleOf(finding: Finding): string {
  switch (finding.kind) {
    case 'undeclared-import':
      return `${finding.workspace} imports ${finding.target}${finding.declaredBy === 'root' ? ' (only the root declares it)' : ''}`;
    case 'foreign-script':
      return `${finding.workspace} runs scripts of ${finding.target}`;
    case 'escaping-path':
    case 'escaping-symlink':
    case 'indirect-reading':
      return `${finding.workspace} reads ${destinationOf(finding)}`;
    case 'observed-reading':
      return `${finding.workspace} reads ${finding.files === 1 ? finding.path : `${finding.files} files of ${finding.target}`}`;
    case 'narrow-inputs':
      return `The inputs of ${finding.task} leave out ${finding.path}`;
    case 'stale-edge':
      return `${finding.from} reads ${finding.to}`;
    case 'stale-lock':
      return finding.workspace;
    case 'case-twins':
      return finding.paths.join(' and ');
    case 'unknown-workspace':
      return `${finding.name} in ${finding.files === undefined ? '"affected.always"' : `the rule for ${finding.files.join(', ')}`}`;
    case 'idle-rule':
      return finding.files.join(', ');
    case 'idle-drop':
      return `${finding.workspace} has "${finding.task}"`;
    case 'broken-promise':
      return finding.subject;
    case 'cycle':
      return `${finding.workspaces.length} workspaces, such as ${[...finding.chain, finding.chain[0]].join(' > ')}`;
  }
}

function destinationOf({ kind, path, target }: EscapingPath | EscapingSymlink | IndirectReading): string {
  if (kind === 'indirect-reading') return path ?? target;
  if (path === undefined) return 'files outside the project';
  return target === undefined ? `below ${path === '' ? 'the root' : path}` : `files of ${target}`;
}

/** Returns the place and what is there; empty if the title says it all. */
export function exampleOf(finding: Finding): readonly string[] {
  switch (finding.kind) {
    case 'undeclared-import':
      return [`${finding.file}:${finding.line}`, ...(finding.specifier === finding.target ? [] : [`"${finding.specifier}"`])];
    case 'narrow-inputs':
    case 'foreign-script':
      return [`${finding.file}:${finding.line}`, `"${finding.specifier}"`];
    case 'escaping-path':
      return [`${finding.file}:${finding.line}`, `-> ${finding.path ?? finding.specifier}`];
    case 'escaping-symlink':
      return [finding.file, `-> ${finding.path ?? 'out of the project'}`];
    case 'indirect-reading':
      return [finding.chain.map(placeOf).join(' > ')];
    case 'observed-reading':
      return [...(finding.files === 1 ? [] : [`${finding.path},`]), `missing: ${finding.missing}`];
    case 'stale-edge':
      return [finding.proof, `(${MISSING[finding.missing]})`];
    case 'stale-lock':
      return [describeProblem(finding.problem)];
    case 'broken-promise':
      return [`It says "${finding.because}";`, `now ${finding.evidence}`];
    case 'case-twins':
    case 'unknown-workspace':
    case 'idle-rule':
    case 'idle-drop':
    case 'cycle':
      return [];
  }
}

const MISSING: Readonly<Record<StaleEdge['missing'], string>> = {
  reader: 'the reader is not a workspace',
  target: 'the target is not a workspace',
  file: 'no such file is tracked',
  reading: 'no source shows it',
};

function describeProblem(problem: StaleProblem): string {
  switch (problem.what) {
    case 'workspace-missing':
      return 'is not in the lockfile';
    case 'workspace-extra':
      return 'is only in the lockfile';
    case 'workspace-moved':
      return `is at ${problem.path}, in the lockfile at ${problem.lockPath}`;
    case 'edge-missing':
      return `depends on ${problem.to}, but not in the lockfile`;
    case 'edge-extra':
      return `depends on ${problem.to} only in the lockfile`;
    case 'range':
      return `${problem.name}: ${problem.inManifest ?? 'none'}, in the lockfile ${problem.inLock ?? 'none'}`;
  }
}

const REASONS: Readonly<Record<ReadingReason, string>> = {
  unseen: 'that nothing covers',
  reached: 'that indirect edges cover',
  fixture: 'in material of tests',
  'own-manifest': 'below a package.json that is not a workspace',
  'root-setting': 'in settings of the root',
  document: 'to texts for people',
  outside: 'to files outside the project',
  listed: 'that tributary.json lists',
};

export function nameOfNote(note: Finding, plural: 's' | ''): string {
  switch (note.kind) {
    case 'undeclared-import':
      return `undeclared import${plural} ${REASONS[note.reason]}`;
    case 'escaping-path':
      return `path${plural} leaving a workspace ${REASONS[note.reason]}`;
    case 'escaping-symlink':
      return `link${plural} leaving a workspace ${REASONS[note.reason]}`;
    case 'indirect-reading':
      return `read${plural} through files of the root ${REASONS[note.reason]}`;
    case 'observed-reading':
      return `read${plural} of traced commands ${REASONS[note.reason]}`;
    case 'foreign-script':
      return `script${plural} that run${plural === '' ? 's' : ''} another workspace ${REASONS[note.reason]}`;
    case 'case-twins':
      return `group${plural} of paths of one workspace that differ only in case`;
    default:
      return note.kind;
  }
}
