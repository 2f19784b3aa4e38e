import { StringDecoder } from 'node:string_decoder';
import { type CommitId, type ObjectId, parseObjectId, type RefName } from '@tributary/model/ids';
import type { Git } from './git.js';
import { readNamedObjects } from './objects.js';
import { parseListedFiles, type RawChange, splitNul } from './parse.js';

/** A commit of a main line, and how its tree differs from that of its first parent. */
export interface HistoryCommit {
  readonly id: CommitId;
  readonly parents: readonly CommitId[];
  /** Commit time, in seconds since 1970. */
  readonly time: number;
  readonly author: Person;
  /** The first line of its message. */
  readonly subject: string;
  /** A moved file counts as two changes. */
  readonly changes: readonly RawChange[];
}

export interface Person {
  readonly name: string;
  readonly email: string;
}

/**
 * Returns the first-parent commits up to `head`, oldest first, in groups as large as git delivers them, through one process. A merge commit
 * has the changes that it merged. With `line`, which is another way through the history, oldest first: its commits, each compared with the
 * first of the parents given there. Throws `GIT_FAILED`.
 */
export async function* streamHistory(git: Git, head: CommitId, line?: readonly CommitParents[]): AsyncGenerator<readonly HistoryCommit[]> {
  const format = '--format=%x01%H%x00%P%x00%ct%x00%an%x00%ae%x00%s';
  const shape = ['--root', '-z', '--raw', '--no-abbrev', '--no-renames', '--encoding=UTF-8', format];
  const running = git.start(
    line === undefined
      ? ['log', '--first-parent', '--reverse', ...shape, head, '--']
      : ['diff-tree', '--stdin', '--always', '-r', ...shape],
  );
  running.stdin.end(line?.map(({ id, parents: [before = ''] }) => `${id} ${before}\n`).join(''));
  const parentsOf = new Map(line?.map(({ id, parents }) => [id, parents]));
  const withParents = (commits: readonly HistoryCommit[]): readonly HistoryCommit[] =>
    line === undefined ? commits : commits.map((commit) => ({ ...commit, parents: parentsOf.get(commit.id) ?? commit.parents }));
  const parser = new HistoryParser();
  for await (const chunk of running.stdout) {
    const group = parser.push(chunk as Buffer);
    if (group.length > 0) yield withParents(group);
  }
  await running.done();
  yield withParents(parser.end());
}

const LINE_FEED = 0x0a;
const HEADER = 6;

/** Parses the output of `git log` into commits, regardless of how it is split into chunks. */
class HistoryParser {
  private readonly decoder = new StringDecoder('utf8');
  private rest = '';
  private tokens: string[] = [];

  push(chunk: Buffer): HistoryCommit[] {
    const pieces = (this.rest + this.decoder.write(chunk)).split('\0');
    this.rest = pieces.pop() ?? '';
    for (const piece of pieces) this.tokens.push(piece);
    return this.cut();
  }

  end(): HistoryCommit[] {
    const commits = this.cut();
    return this.tokens.length === 0 ? commits : [...commits, parseCommit(this.tokens)];
  }

  /** Returns all complete commits. More of the last one may follow. */
  private cut(): HistoryCommit[] {
    const commits: HistoryCommit[] = [];
    let from = 0;
    for (let at = HEADER; at < this.tokens.length; ) {
      const token = this.tokens[at] ?? '';
      // A path follows each line of changes.
      if (/^\n?:/.test(token)) at += 2;
      else {
        commits.push(parseCommit(this.tokens.slice(from, at)));
        from = at;
        at += HEADER;
      }
    }
    this.tokens = this.tokens.slice(from);
    return commits;
  }
}

function parseCommit(tokens: readonly string[]): HistoryCommit {
  const [id = '', parents = '', time = '', name = '', email = '', subject = ''] = tokens;
  const changes: RawChange[] = [];
  for (let at = HEADER; at < tokens.length; at += 2) {
    const [oldMode = '', newMode = '', oldId = '', newId = ''] = (tokens[at] ?? '').replace(/^\n?:/, '').split(' ');
    changes.push({ oldMode, newMode, oldId, newId, path: tokens[at + 1] ?? '' });
  }
  return {
    id: parseObjectId(id.slice(1)),
    parents: parents === '' ? [] : parents.split(' ').map(parseObjectId),
    time: Number(time),
    author: { name, email },
    subject,
    changes,
  };
}

/** Returns the authors of some commits, in the same order, through one process. Throws `GIT_FAILED` if a commit is missing. */
export async function readAuthors(git: Git, commits: readonly CommitId[]): Promise<readonly Person[]> {
  if (commits.length === 0) return [];
  const output = await git.text(['log', '--no-walk=unsorted', '--stdin', '-z', '--format=%an%x01%ae', '--encoding=UTF-8'], {
    input: `${commits.join('\n')}\n`,
  });
  return splitNul(output).map((line) => {
    const [name = '', email = ''] = line.split('\x01');
    return { name, email };
  });
}

/** What the object of a tag says, which never changes. */
export interface TaggedCommit {
  readonly commit: CommitId;
  /** Commit time, in seconds since 1970. */
  readonly committed: number;
  /** Time of the tag; `undefined` for a lightweight tag, which has none. */
  readonly tagged: number | undefined;
}

/** A tag that points to a commit. */
export interface CommitTag extends TaggedCommit {
  /** Such as `v1.2.3`. */
  readonly name: string;
  /** The id of its object: that of the commit if it is lightweight. */
  readonly object: ObjectId;
}

/** So many refs at most are named in a command, whose length is limited. */
const NAMED_REFS = 500;

/**
 * Returns all tags of a repository that point to commits, ordered by name. `known`: what objects of tags say, by their id, so that git opens
 * only the others. Throws `GIT_FAILED`.
 */
export async function readTags(git: Git, known: ReadonlyMap<ObjectId, TaggedCommit> = new Map()): Promise<readonly CommitTag[]> {
  const refs = (await git.text(['for-each-ref', '--format=%(objectname) %(refname)', 'refs/tags'])).split('\n').flatMap((line) => {
    const space = line.indexOf(' ');
    return space < 0 ? [] : [{ object: parseObjectId(line.slice(0, space)), ref: line.slice(space + 1) }];
  });
  const fresh = refs.filter(({ object }) => !known.has(object)).map(({ ref }) => ref);
  const read = fresh.length === 0 ? new Map() : await readTaggedCommits(git, fresh.length > NAMED_REFS ? ['refs/tags'] : fresh);
  return refs.flatMap(({ object, ref }): CommitTag[] => {
    const found = known.get(object) ?? read.get(object);
    return found === undefined ? [] : [{ name: ref.slice('refs/tags/'.length), object, ...found }];
  });
}

async function readTaggedCommits(git: Git, refs: readonly string[]): Promise<ReadonlyMap<ObjectId, TaggedCommit>> {
  const fields = ['objecttype', 'objectname', 'committerdate:unix', '*objecttype', '*objectname', '*committerdate:unix'];
  const format = [...fields, 'taggerdate:unix'].map((field) => `%(${field})`).join('%00');
  const output = await git.text(['for-each-ref', `--format=${format}`, ...refs]);
  const nested: { readonly id: ObjectId; readonly tagged: number | undefined }[] = [];
  const lines = output.split('\n').flatMap((line): [ObjectId, TaggedCommit][] => {
    const [type, id = '', committed, peeledType, peeledId = '', peeledCommitted, tagged = ''] = line.split('\0');
    if (type === 'commit') return [[parseObjectId(id), { commit: parseObjectId(id), committed: Number(committed), tagged: undefined }]];
    const time = tagged === '' ? undefined : Number(tagged);
    if (peeledType === 'tag') nested.push({ id: parseObjectId(id), tagged: time });
    if (peeledType !== 'commit') return [];
    return [[parseObjectId(id), { commit: parseObjectId(peeledId), committed: Number(peeledCommitted), tagged: time }]];
  });
  // Before 2.45, git looks into one tag only.
  const commits = await readNamedObjects(
    git,
    nested.map(({ id }) => `${id}^{commit}`),
  );
  const found = nested.flatMap(({ id, tagged }, at): [ObjectId, TaggedCommit][] => {
    const { id: commit, content } = commits[at] ?? {};
    const committed = /^committer .* (\d+) [+-]\d+$/m.exec(content?.toString('latin1') ?? '')?.[1];
    return commit === undefined || committed === undefined
      ? []
      : [[id, { commit: parseObjectId(commit), committed: Number(committed), tagged }]];
  });
  return new Map([...lines, ...found]);
}

/** Returns all files of a commit, each as added, through one process. Throws `GIT_FAILED`. */
export async function readFilesAt(git: Git, commit: CommitId): Promise<readonly RawChange[]> {
  const listed = parseListedFiles(await git.text(['ls-tree', '-r', '-z', '--full-tree', commit]));
  return listed.map(({ mode, id, path }) => ({ oldMode: '000000', newMode: mode, oldId: '0'.repeat(id.length), newId: id, path }));
}

/** A commit and its parents. */
export interface CommitParents {
  readonly id: CommitId;
  readonly parents: readonly CommitId[];
}

/** A commit with its parents and the first line of its message. */
export interface NamedCommit extends CommitParents {
  readonly subject: string;
}

/** A commit with its parents and its whole message. */
export interface WrittenCommit extends CommitParents {
  readonly message: string;
}

/**
 * Returns the commits that `tips` contain and `known` do not, parents first, in groups as large as git delivers them, through one process.
 * It leaves out tips and known commits that the repository lacks. Throws `GIT_FAILED`.
 */
export async function* streamMessages(
  git: Git,
  tips: readonly CommitId[],
  known: readonly CommitId[] = [],
): AsyncGenerator<readonly WrittenCommit[]> {
  const shape = ['-z', '--topo-order', '--reverse', '--format=%H %P%n%B', '--encoding=UTF-8'];
  const running = git.start(['log', '--ignore-missing', '--stdin', ...shape]);
  running.stdin.end(`${[...tips, ...known.map((id) => `^${id}`)].join('\n')}\n`);
  let bytes = Buffer.alloc(0);
  for await (const chunk of running.stdout) {
    bytes = Buffer.concat([bytes, chunk as Buffer]);
    const group: WrittenCommit[] = [];
    let from = 0;
    for (let end = bytes.indexOf(0); end >= 0; end = bytes.indexOf(0, from)) {
      group.push(parseWritten(bytes.subarray(from, end)));
      from = end + 1;
    }
    bytes = bytes.subarray(from);
    yield group;
  }
  await running.done();
}

/** Parses the ids apart from the message, which they would else keep in memory. */
function parseWritten(bytes: Buffer): WrittenCommit {
  const end = bytes.indexOf(LINE_FEED);
  const [id = '', ...parents] = bytes.toString('latin1', 0, end).trimEnd().split(' ');
  return { id: parseObjectId(id), parents: parents.map(parseObjectId), message: bytes.toString('utf8', end + 1) };
}

/** Returns the commit that a ref points to; `undefined` if there is none. */
export async function findCommit(git: Git, revision: RefName | 'HEAD'): Promise<CommitId | undefined> {
  const { exit, stdout } = await git.attempt(['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]);
  return exit === 0 ? parseObjectId(stdout.toString('utf8').trim()) : undefined;
}
