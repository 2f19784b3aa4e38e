import { type CommitId, parseObjectId, parseWorkspaceName, type WorkspaceName } from './ids.js';
import { formatMessageMapping, type MessageMapping, parseMessageMapping } from './message-mapping.js';
import { parseRepoPath, type RepoPath } from './paths.js';

/**
 * The import record: the trailers of an import's merge commit (design §4). `verify`, `status` and re-syncs need nothing else, in any clone.
 */
export interface ImportRecord {
  readonly package: WorkspaceName;
  readonly path: RepoPath;
  /** The address of the source, without credentials. */
  readonly source: string;
  /** The imported ref; `HEAD` if the source's HEAD was detached. */
  readonly sourceRef: string;
  readonly sourceCommit: CommitId;
  /** `undefined`: the whole repository was imported. */
  readonly subdirectory: RepoPath | undefined;
  readonly strategy: 'rewrite' | 'merge';
  readonly messages: MessageMapping;
  /**
   * `moved`: signatures and changed messages are stored in separate headers. `keep`: every header is unchanged, as in imports of version 1.
   */
  readonly signatures: 'keep' | 'moved';
  /** The imported tags; for a sync, those that the sync added. */
  readonly tags: ImportedTags | undefined;
  /**
   * A digest of all tags of the source at that time (see `digestTags` of migrate-repo), so that a sync sees without a
   * fetch that none has changed. `undefined`: unknown.
   */
  readonly sourceTags?: string | undefined;
  readonly importedTip: CommitId;
  /** For a sync: the imported tip of the import or sync that it continues. `undefined`: a first import. */
  readonly previousTip?: CommitId | undefined;
}

export interface ImportedTags {
  readonly count: number;
  readonly pattern: string;
  /** One mark for each tag, in base64url (see `markTags` of migrate-repo). Marks show which tags of a clone were imported. */
  readonly marks: string;
}

/** Why an import record is invalid. */
export interface UnreadableRecord {
  readonly problem: string;
}

/** Returns the trailer block, one line for each trailer, without blank lines around it. */
export function formatImportRecord(record: ImportRecord): string {
  const tags = record.tags;
  const lines: readonly (readonly [string, string | undefined])[] = [
    // The version differs so that a reader without support for syncs does not take a sync for an import.
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
    ['Source-Tags', record.sourceTags],
    ['Mapping-Version', mappingVersion(record.messages)],
    ['Imported-Tip', record.importedTip],
    ['Previous-Tip', record.previousTip],
  ];
  return lines.flatMap(([key, value]) => (value === undefined ? [] : [`Tributary-${key}: ${value}`])).join('\n');
}

/**
 * Returns the import record from the trailers of a commit message; `undefined` if they contain none. Text above the trailers is ignored.
 */
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

/** Returns the lines of the last paragraph, where git looks for trailers. A folded line is joined to the line before it. */
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

/** Reads the record. Version 2 marks a sync. */
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
  const version = choice('Mapping-Version', ['1', '2', '3', '4']);
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
    ...readSourceTags(trailers.get('Source-Tags')),
    importedTip: parseObjectId(text('Imported-Tip')),
    ...(kind === '1' ? {} : { previousTip: parseObjectId(text('Previous-Tip')) }),
  };
}

function mappingVersion(messages: MessageMapping): '2' | '3' | '4' {
  if (messages === 'exact' || messages.mentions === 'zero-width') return '2';
  return messages.mentions === 'in-bots' ? '3' : '4';
}

/** Reads the message mapping. Exact messages require unchanged signatures; version 1 allows only these. Versions 2 and 3 broke mentions otherwise. */
function readMapping(
  version: '1' | '2' | '3' | '4',
  text: string,
  signatures: ImportRecord['signatures'],
): Pick<ImportRecord, 'messages' | 'signatures'> {
  const messages = parseMessageMapping(text);
  if (messages === undefined || (version === '1' && messages !== 'exact'))
    throw new Error(`Tributary-Messages is "${text}", known are: exact${version === '1' ? '' : ', qualified'}`);
  if ((messages === 'exact') !== (signatures === 'keep'))
    throw new Error(`Tributary-Messages is "${text}", which contradicts Tributary-Signatures "${signatures}"`);
  if (messages === 'exact' || version === '4') return { messages, signatures };
  return { messages: { ...messages, mentions: version === '3' ? 'in-bots' : 'zero-width' }, signatures };
}

/** Reads the digest. Anything else is no proof of anything. */
function readSourceTags(text: string | undefined): Pick<ImportRecord, 'sourceTags'> {
  return text !== undefined && /^[A-Za-z0-9_-]{43}$/.test(text) ? { sourceTags: text } : {};
}

function parseTags(text: string): ImportedTags | undefined {
  if (text === 'none') return undefined;
  const match = /^(\d+) ([A-Za-z0-9_-]+) (.+)$/.exec(text);
  if (match === null) throw new Error(`Tributary-Tags is "${text}"`);
  const [, count = '', marks = '', pattern = ''] = match;
  return { count: Number(count), marks: marks === '-' ? '' : marks, pattern };
}
