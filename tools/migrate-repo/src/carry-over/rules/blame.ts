import type { RepoPath } from '@tributary/model/paths';
import { isFence, withBlock } from '../../edit/fence.js';
import { type CarryOverRule, dropped, inPackage, type RuleOutcome, type RuleSubject } from '../rule.js';

export const BLAME_FILE = '.git-blame-ignore-revs' as RepoPath;

export const blameIgnoreRevs: CarryOverRule = {
  title: 'Commits that blame ignores',
  matches: [BLAME_FILE],
  action: 'merge',
  reason:
    'GitHub reads only the file of the root, and most clones are configured for it; the new ids of moved commits replace the old ones',
  inherits: true,
  apply: moveIds,
};

function moveIds(subject: RuleSubject): RuleOutcome {
  const [file = ''] = subject.files;
  const gone = inPackage(subject, file);
  const { lines, named, moved } = rewriteIds(subject.read(file) ?? '', subject.importedPackage.newIds);
  if (moved === 0)
    return {
      edits: new Map([[gone, undefined]]),
      notes: [dropped(file, 'It was removed: the imported history contains none of its commits.')],
    };
  const text = withBlock(subject.monorepo.read(BLAME_FILE) ?? '', { name: subject.importedPackage.name, lines });
  const done = {
    text: `Its commits were added to \`${BLAME_FILE}\` of the root, with their new ids.`,
    detail:
      moved === named
        ? `${moved} ${moved === 1 ? 'commit' : 'commits'}`
        : `${moved} of ${named}; the others are not in the imported history`,
  };
  return {
    edits: new Map([
      [BLAME_FILE, text],
      [gone, undefined],
    ]),
    notes: [{ file, action: 'merge', done, remarks: [] }],
  };
}

/** Returns the commit id at the beginning of a line, in lower case. */
export function blamedId(line: string): string | undefined {
  return /^\s*([0-9a-f]{40}|[0-9a-f]{64})\s*(?:#.*)?$/i.exec(line)?.[1]?.toLowerCase();
}

function rewriteIds(text: string, newIds: ReadonlyMap<string, string>) {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !isFence(line));
  const rewritten = lines.map((line) => {
    const id = blamedId(line);
    const newId = id === undefined ? undefined : newIds.get(id);
    return {
      line: newId === undefined ? line : line.replace(/[0-9a-f]{40,64}/i, newId),
      id,
      isKept: line.trimStart().startsWith('#') || newId !== undefined,
    };
  });
  return {
    lines: rewritten.filter(({ isKept }) => isKept).map(({ line }) => line),
    named: rewritten.filter(({ id }) => id !== undefined).length,
    moved: rewritten.filter(({ id, isKept }) => id !== undefined && isKept).length,
  };
}
