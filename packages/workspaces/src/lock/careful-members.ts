import { conflictLine } from '@tributary/model/file-text';
import { buildBerryMembers, type LockMembers, placesByPath } from './berry-members.js';
import { findBlocks } from './blocks.js';
import { boundKeys } from './bound.js';
import { endsWithEntry, OddLine } from './lines.js';
import { checkWorkspaceRanges, MemberEdges } from './member-edges.js';
import { MemberNames } from './member-names.js';

/** Reads the members of any yarn.lock, as Yarn or anybody else has written it. */
export function readCarefully(text: string): LockMembers {
  const marker = conflictLine(text);
  if (marker !== undefined) return { kind: 'unreadable', reason: `line ${marker} is a conflict marker of a merge that was not finished` };
  if (!text.startsWith('__metadata:') && !text.includes('\n__metadata:')) {
    return text.includes('# yarn lockfile v1') ? { kind: 'classic' } : { kind: 'unreadable', reason: 'it has no "__metadata"' };
  }
  try {
    return readBerry(text.includes('\r') ? text.replaceAll('\r\n', '\n') : text);
  } catch (error) {
    if (error instanceof OddLine) return { kind: 'unreadable', reason: error.message };
    throw error;
  }
}

function readBerry(text: string): LockMembers {
  if (!endsWithEntry(text)) throw new OddLine('it is cut off');
  const blocks = findBlocks(text);
  const byPath = placesByPath(blocks.members);
  if (byPath === undefined) throw new OddLine('it names a folder twice, or no root');
  const bound = boundKeys(text);
  const index = { text, blocks, names: new MemberNames(blocks, { byPath }, bound), byPath };
  checkWorkspaceRanges(index);
  return buildBerryMembers({ text, blocks, edges: new MemberEdges(index), isAsYarnWrites: () => false }, { byPath, bound });
}
