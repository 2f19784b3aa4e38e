import { type CommitId, parseObjectId, parseWorkspaceName, type WorkspaceName } from './ids.js';
import { formatMessageMapping, type MessageMapping, parseMessageMapping } from './message-mapping.js';
import { parseRepoPath, type RepoPath } from './paths.js';

/**
 * What an import says of itself: the trailers of its merge commit (design §4). `verify`, `status` and re-syncs need nothing else,
 * from any clone.
 */
export interface ImportRecord {
  readonly package: WorkspaceName;
  readonly path: RepoPath;
  /** The address without credentials. */
  readonly source: string;
  /** The ref that was imported; `HEAD` where the source's HEAD was on no branch. */
  readonly sourceRef: string;
  readonly sourceCommit: CommitId;
  /** `undefined`: the whole repository. */
  readonly subdirectory: RepoPath | undefined;
  readonly strategy: 'rewrite' | 'merge';
  readonly messages: MessageMapping;
  /** `moved`: signatures, and the messages that were changed, stand in headers of their own. `keep`: every header is as it was, as in imports of version 1. */
  readonly signatures: 'keep' | 'moved';
  /** Of a sync, those that came with it. */
  readonly tags: ImportedTags | undefined;
  readonly importedTip: CommitId;
  /** Of a sync: the imported tip of the import or the sync that it continues. `undefined`: a first import. */
  readonly previousTip?: CommitId | undefined;
}

export interface ImportedTags {
  readonly count: number;
  readonly pattern: string;
  /** A mark for each tag, base64url, see `markTags` of migrate-repo: they tell which tags of a clone are the ones that came. */
  readonly marks: string;
}

/** What is wrong with a record that claims to be one. */
export interface UnreadableRecord {
  readonly problem: string;
}

/** The trailer block, a line for each trailer, without a blank line before or after it. */
export function formatImportRecord(record: ImportRecord): string {
  const tags = record.tags;
  const lines: readonly (readonly [string, string | undefined])[] = [
    // A reader that knows no syncs must not take one for an import.
    ['Import', record.previousTip === undefined ? '1' : '2'],
    ['Package', record.package],
    ['Path', record.path],
    ['Source', record.source],
    ['Source-Ref', record.sourceRef],
    ['Source-Commit', record.sourceCommit],
    ['Subdirectory', record.subdirectory],
    ['Strategy', record.strategy],
    ['Messages', formatMessageMapping(record.messages)],
    ['Signatures', record.signatures],
    ['Tags', tags === undefined ? 'none' : `${tags.count} ${tags.marks === '' ? '-' : tags.marks} ${tags.pattern}`],
    ['Mapping-Version', '2'],
    ['Imported-Tip', record.importedTip],
    ['Previous-Tip', record.previousTip],
  ];
  return lines.flatMap(([key, value]) => (value === undefined ? [] : [`Tributary-${key}: ${value}`])).join('\n');
}

/** The record among the trailers of a commit message; `undefined` if they hold none. What the prose above them says is no record. */
export function parseImportRecord(message: string): ImportRecord | UnreadableRecord | undefined {
  const lines = lastParagraph(message).flatMap((line) => {
    const match = /^Tributary-([A-Za-z-]+): (.*)$/su.exec(line);
    return match === null ? [] : [[match[1] ?? '', match[2] ?? ''] as const];
  });
  const trailers = new Map(lines);
  const version = trailers.get('Import');
  if (version === undefined) return undefined;
  if (trailers.size < lines.length) return { problem: 'it has the same trailer twice' };
  if (version !== '1' && version !== '2') return { problem: `it has version ${version}, but this Tributary reads versions 1 and 2` };
  try {
    return readTrailers(trailers, version);
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/** The lines of the last paragraph, where git looks for trailers; a folded line is joined to the one before it. */
function lastParagraph(message: string): string[] {
  const lines = message.split(/\r?\n/);
  const end = lines.findLastIndex((line) => line.trim() !== '') + 1;
  const start = lines.slice(0, end).findLastIndex((line) => line.trim() === '') + 1;
  return lines
    .slice(start, end)
    .join('\n')
    .replace(/\n[ \t]+/g, ' ')
    .split('\n');
}

export function isReadableRecord(record: ImportRecord | UnreadableRecord): record is ImportRecord {
  return !('problem' in record);
}

/** Version 2 is that of a sync. */
function readTrailers(trailers: ReadonlyMap<string, string>, kind: '1' | '2'): ImportRecord {
  const text = (key: string): string => {
    const value = trailers.get(key);
    if (value === undefined || value === '') throw new Error(`Tributary-${key} is missing`);
    return value;
  };
  const choice = <T extends string>(key: string, allowed: readonly T[]): T => {
    const found = allowed.find((one) => one === text(key));
    if (found === undefined) throw new Error(`Tributary-${key} is "${text(key)}", known are: ${allowed.join(', ')}`);
    return found;
  };
  const version = choice('Mapping-Version', ['1', '2']);
  const subdirectory = trailers.get('Subdirectory');
  return {
    package: parseWorkspaceName(text('Package')),
    path: parseRepoPath(text('Path')),
    source: text('Source'),
    sourceRef: text('Source-Ref'),
    sourceCommit: parseObjectId(text('Source-Commit')),
    subdirectory: subdirectory === undefined ? undefined : parseRepoPath(subdirectory),
    strategy: choice('Strategy', ['rewrite', 'merge']),
    ...readMapping(version, text('Messages'), choice('Signatures', version === '1' ? ['keep'] : ['keep', 'moved'])),
    tags: parseTags(text('Tags')),
    importedTip: parseObjectId(text('Imported-Tip')),
    ...(kind === '1' ? {} : { previousTip: parseObjectId(text('Previous-Tip')) }),
  };
}

/** Exact messages go with signatures that stay; version 1 knew nothing else. */
function readMapping(
  version: '1' | '2',
  text: string,
  signatures: ImportRecord['signatures'],
): Pick<ImportRecord, 'messages' | 'signatures'> {
  const messages = parseMessageMapping(text);
  if (messages === undefined || (version === '1' && messages !== 'exact'))
    throw new Error(`Tributary-Messages is "${text}", known are: exact${version === '1' ? '' : ', qualified'}`);
  if ((messages === 'exact') !== (signatures === 'keep'))
    throw new Error(`Tributary-Messages is "${text}", which contradicts Tributary-Signatures "${signatures}"`);
  return { messages, signatures };
}

function parseTags(text: string): ImportedTags | undefined {
  if (text === 'none') return undefined;
  const match = /^(\d+) ([A-Za-z0-9_-]+) (.+)$/.exec(text);
  if (match === null) throw new Error(`Tributary-Tags is "${text}"`);
  const [, count = '', marks = '', pattern = ''] = match;
  return { count: Number(count), marks: marks === '-' ? '' : marks, pattern };
}
