import { type CommitId, parseObjectId } from '@tributary/model/ids';
import { type ImportRecord, isReadableRecord, parseImportRecord } from '@tributary/model/import-record';
import type { Git } from './git.js';
import { splitNul } from './parse.js';

/**
 * A commit whose message mentions an import without being it. A squashed pull request quotes the record; a rebased one keeps the commits
 * after the import.
 */
export interface ImportTrace {
  readonly commit: CommitId;
  /** Import records quoted anywhere in the message, with any indent. */
  readonly quoted: readonly ImportRecord[];
  /** Packages for which migrate-repo created the commit, from its trailer `Tributary-Made`. */
  readonly madeFor: readonly string[];
}

/**
 * Returns the commits of `revisions` that mention imports, newest first, without the merge commits of the imports themselves. Throws
 * `GIT_FAILED`.
 */
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

/**
 * Returns the import records that a message quotes. A block of trailers counts anywhere in it; lines of other text that a forge has wrapped
 * into it are ignored.
 */
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

/** Reads a record, if necessary without its tag marks: that long line is what breaks first, and the record is useful without it. */
function readBlock(trailers: readonly string[]): ImportRecord | undefined {
  const withoutTags = trailers.map((line) => (line.startsWith('Tributary-Tags: ') ? 'Tributary-Tags: none' : line));
  return [trailers, withoutTags]
    .map((lines) => parseImportRecord(lines.join('\n')))
    .find((record) => record !== undefined && isReadableRecord(record)) as ImportRecord | undefined;
}

function madeFor(message: string): readonly string[] {
  return [...message.matchAll(/^[ \t]*Tributary-Made: [0-9a-f]+ (\S.*)$/gm)].flatMap(([, names = '']) => names.trim().split(' '));
}
