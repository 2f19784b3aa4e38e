import type { FileRow } from '@tributary/workspaces/affected';
import type { AffectedReason, DirectReason } from './result.js';

/** Describes a reason as a clause: "src/a.ts changed", "through lib: lib/src/a.ts changed". */
export function describeReason(reason: AffectedReason): string {
  if (reason.kind !== 'dependency') return describeDirect(reason);
  const [, ...way] = reason.path;
  const by = reason.read === true ? ', by a reference that no manifest declares' : '';
  return `through ${way.join(' > ')}${by}: ${describeDirect(reason.because)}`;
}

const ROLES: Readonly<Record<FileRow, string>> = {
  documentation: 'documentation',
  versions: 'only versions and descriptions',
  testDependencies: 'only development dependencies for tests',
  tests: 'tests',
};

function describeDirect(reason: DirectReason): string {
  switch (reason.kind) {
    case 'file':
      return `${reason.file}${reason.others === 0 ? '' : ` and ${countOf(reason.others, 'other file')}`} changed${reason.role === undefined ? '' : ` (${ROLES[reason.role]})`}${reason.by === undefined ? '' : `, which ${reason.by} reads`}`;
    case 'rule':
      return `${reason.file} changed (rule "${reason.rule}")`;
    case 'read':
      return `${reason.file} changed, which ${reason.by} reads`;
    case 'lockfile':
      return `${reason.dependency} resolves differently: ${describeResolution(reason)}`;
    case 'setting':
      return `${reason.key} changed in ${reason.file}`;
    case 'added':
      return 'it is a new workspace';
    case 'removed':
      return 'it is no longer a workspace';
    case 'nested':
      return `the folder ${reason.folder} inside it is ${reason.became === 'new' ? 'now' : 'no longer'} a workspace`;
    case 'always':
      return 'it is always tested';
    case 'all':
      return 'every workspace is affected';
  }
}

/** Describes the change of a lockfile entry. The same version may have different dependencies or content. */
export function describeResolution({ from, to }: { readonly from: string | null; readonly to: string | null }): string {
  if (from === null) return `${to ?? 'something'} is new`;
  if (to === null) return `${from} is gone`;
  return from === to ? `the entry of ${to}, or what it leads to, changed` : `${from} became ${to}`;
}

export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
