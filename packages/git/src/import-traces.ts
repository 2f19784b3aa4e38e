import { type CommitId, parseObjectId } from '@tributary/model/ids';
import { type ImportRecord, isReadableRecord, parseImportRecord } from '@tributary/model/import-record';
import type { Git } from './git.js';
import { splitNul } from './parse.js';

/** A commit whose message tells of an import without being it: a squashed pull request quotes the record, a rebased one keeps the commits that followed. */
export interface ImportTrace {
  readonly commit: CommitId;
  /** Import records that the message quotes, wherever in it and however indented. */
  readonly quoted: readonly ImportRecord[];
  /** Packages for which migrate-repo made the commit, as its trailer `Tributary-Made` says. */
  readonly madeFor: readonly string[];
}

/** The commits of `revisions` that tell of imports, the newest first; a merge commit that is an import itself is none. Throws `GIT_FAILED`. */
export async function searchImportTraces(git: Git, revisions: readonly string[]): Promise<readonly ImportTrace[]> {
  const patterns = ['--grep=^[ ]*Tributary-Import: ', '--grep=^[ ]*Tributary-Made: '];
  const search = ['log', '--stdin', '-z', '--format=%H %P%n%B', '--encoding=UTF-8', '--basic-regexp', ...patterns];
  const output = await git.bytes(search, { input: `${revisions.join('\n')}\n` });
  return splitNul(output.toString('utf8')).flatMap((entry): readonly ImportTrace[] => {
    const end = entry.indexOf('\n');
    const [commit = '', ...parents] = entry.slice(0, end).trimEnd().split(' ');
    const records = quotedRecords(entry.slice(end + 1));
    const quoted = records.filter(({ importedTip }) => importedTip !== parents[1]);
    if (quoted.length < records.length) return [];
    return [{ commit: parseObjectId(commit), quoted, madeFor: madeFor(entry.slice(end + 1)) }];
  });
}

/** The records that a message quotes: a block of trailers counts wherever it stands, with the lines of other text that a forge has wrapped into it left out. */
export function quotedRecords(message: string): readonly ImportRecord[] {
  const blocks = message.split(/^(?=[ \t]*Tributary-Import: )/m).filter((text) => /^[ \t]*Tributary-Import: /.test(text));
  return blocks.flatMap((block) => {
    const [paragraph = ''] = block.split(/\n[ \t]*\r?\n/);
    const lines = paragraph.split(/\r?\n/).map((line) => line.trim());
    const trailers = lines.filter((line) => /^Tributary-[A-Za-z-]+: /.test(line));
    const record = readBlock(trailers);
    return record === undefined ? [] : [record];
  });
}

/** The marks of tags are one long line, which is what gets broken first; where the import was is known without them. */
function readBlock(trailers: readonly string[]): ImportRecord | undefined {
  const withoutTags = trailers.map((line) => (line.startsWith('Tributary-Tags: ') ? 'Tributary-Tags: none' : line));
  return [trailers, withoutTags]
    .map((lines) => parseImportRecord(lines.join('\n')))
    .find((record) => record !== undefined && isReadableRecord(record)) as ImportRecord | undefined;
}

function madeFor(message: string): readonly string[] {
  return [...message.matchAll(/^[ \t]*Tributary-Made: [0-9a-f]+ (\S.*)$/gm)].flatMap(([, names = '']) => names.trim().split(' '));
}
