import { placeText } from '@tributary/references/users';
import type { Finding, StaleEdge, UndeclaredReference } from './check/finding.js';

/** Returns workspace and action for findings that may be alike in many workspaces, such as "read files of lib". */
export function actOf(finding: Finding): { readonly workspace: string; readonly what: string } | undefined {
  switch (finding.kind) {
    case 'undeclared-reference':
      return { workspace: finding.workspace, what: `${VERBS[finding.by][1]} ${finding.path ?? finding.target}` };
    case 'observed-reading':
      return { workspace: finding.workspace, what: `were observed to read files of ${finding.target}` };
    default:
      return undefined;
  }
}

export function titleOf(finding: Finding): string {
  switch (finding.kind) {
    case 'undeclared-reference':
      return `${finding.workspace} ${VERBS[finding.by][0]} ${finding.path ?? finding.target}`;
    case 'opaque-place':
      return `${finding.workspace} may read anything below ${finding.path === '' ? 'the root' : finding.path}`;
    case 'observed-reading':
      return `${finding.workspace} reads ${finding.files === 1 ? finding.path : `${finding.files} files of ${finding.target}`}`;
    case 'narrow-inputs':
      return `The inputs of ${finding.task} leave out ${finding.path}`;
    case 'stale-edge':
      return `${finding.from} reads ${finding.to}`;
    case 'unknown-workspace':
      return `${finding.name} in ${finding.files === undefined ? '"affected.always"' : `the rule for ${finding.files.join(', ')}`}`;
    case 'idle-rule':
      return finding.files.join(', ');
    case 'idle-drop':
      return `${finding.workspace} has "${finding.task}"`;
    case 'broken-promise':
      return finding.subject;
  }
}

/** In the singular and the plural. */
const VERBS: Readonly<Record<UndeclaredReference['by'], readonly [string, string]>> = {
  name: ['imports', 'import'],
  path: ['reads files of', 'read files of'],
  script: ['runs scripts of', 'run scripts of'],
};

/** Returns the place and what is there; empty if the title says it all. */
export function exampleOf(finding: Finding): readonly string[] {
  switch (finding.kind) {
    case 'undeclared-reference': {
      const specifier = finding.chain.at(-1)?.specifier ?? '';
      return [finding.chain.map(placeText).join(' > '), ...(specifier === finding.target ? [] : [`"${specifier}"`])];
    }
    case 'opaque-place':
      return [`${finding.file}:${finding.line}`, ...(finding.specifier === '' ? [] : [`"${finding.specifier}"`])];
    case 'narrow-inputs':
      return [`${finding.file}:${finding.line}`, `"${finding.specifier}"`];
    case 'observed-reading':
      return [...(finding.files === 1 ? [] : [`${finding.path},`]), `missing: ${finding.missing}`];
    case 'stale-edge':
      return [finding.proof, `(${MISSING[finding.missing]})`];
    case 'broken-promise':
      return [`It says "${finding.because}";`, `now ${finding.evidence}`];
    case 'unknown-workspace':
    case 'idle-rule':
    case 'idle-drop':
      return [];
  }
}

const MISSING: Readonly<Record<StaleEdge['missing'], string>> = {
  reader: 'the reader is not a workspace',
  target: 'the target is not a workspace',
  file: 'no such file is tracked',
  nothing: 'answers follow it without an entry',
};

export function nameOfNote(note: Finding, plural: 's' | ''): string {
  switch (note.kind) {
    case 'undeclared-reference':
      return `undeclared reference${plural} in material of tests`;
    case 'observed-reading':
      return `read${plural} of traced commands that indirect edges cover`;
    default:
      return note.kind;
  }
}
