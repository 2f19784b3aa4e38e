import type { ObjectId } from '@tributary/model/ids';
import { Dice } from './dice.js';
import { LooseObjects } from './loose-objects.js';
import { ODD_COMMITS, type OddCommit } from './odd-commits.js';
import { formatRawCommit, type RawCommit } from './raw-commit.js';
import type { TempRepo } from './temp-repo.js';

export interface RandomHistoryPlan {
  readonly seed: number;
  /** With the same seed, a larger number continues the same history. */
  readonly commits: number;
  /**
   * `odd`: includes bytes that git stores but no current tool writes (`ODD_COMMITS`, modes, duplicate parents). `importable`: without
   * commits that git fast-import rejects.
   */
  readonly kind: 'well-formed' | 'importable' | 'odd';
}

export interface WrittenCommit {
  readonly id: ObjectId;
  readonly parents: readonly ObjectId[];
  /** Paths as Latin-1 text. */
  readonly files: ReadonlySet<string>;
}

export interface RandomHistory {
  readonly commits: readonly WrittenCommit[];
  /** The commits of a branch, oldest first; each has the previous one as its first parent. */
  readonly line: readonly WrittenCommit[];
  /** Lightweight and annotated tags, of tags, trees and blobs, and of commits that the branch does not reach. Ordered by name. */
  readonly tags: readonly { readonly name: string; readonly id: ObjectId }[];
}

type State = ReadonlyMap<string, { readonly mode: string; readonly id: string }>;

/** A folder that appears, disappears and is sometimes a file. Its path is one to which packages are moved. */
export const INNER_FOLDER = 'packages/x';

// `packages` and `packages/x` are sometimes files: a name is a folder in one commit and a file in another.
const FILES = ['package.json', 'README', 'packages', 'packages/x', 'packages/x/package.json', 'packages/x/lib/a.js', 'packages/y/b.js'];
const ODD_FILES = ['x', 'src/deep/er/c.js', 'with space/"q" \ttab', 'caf\xc3\xa9/\xe9.txt', 'sort', 'sort.js', 'sort/z', 'new\nline'];
const GITLINK = '160000';

/**
 * Writes a history with merges, octopus merges, criss-crosses, several roots, empty commits and commits that empty the tree, and with tags.
 * Starts no git process. `repo` must be bare; no ref is created.
 */
export function writeRandomHistory(repo: TempRepo, format: 'sha1' | 'sha256', plan: RandomHistoryPlan): RandomHistory {
  const writer = new HistoryWriter(new LooseObjects(repo.path, format), new Dice(plan.seed), plan.kind);
  for (let at = 0; at < plan.commits; at++) writer.addCommit();
  return { commits: writer.commits, line: writer.line, tags: writer.writeTags(new Dice(plan.seed + 1)) };
}

interface Written extends WrittenCommit {
  readonly state: State;
}

class HistoryWriter {
  readonly commits: Written[] = [];
  readonly line: Written[] = [];
  private readonly objects: LooseObjects;
  private readonly dice: Dice;
  private readonly kind: RandomHistoryPlan['kind'];

  constructor(objects: LooseObjects, dice: Dice, kind: RandomHistoryPlan['kind']) {
    this.objects = objects;
    this.dice = dice;
    this.kind = kind;
  }

  addCommit(): void {
    const tip = this.line.at(-1);
    const onLine = tip === undefined || this.dice.chance(60);
    const parents = tip === undefined ? [] : onLine ? [tip, ...this.pickOthers(tip)] : this.pickSideParents();
    const state = this.change(mergeStates(parents, this.dice));
    const id = this.objects.write('commit', this.describe(parents, this.writeTree(state)));
    const commit = { id, parents: parents.map((parent) => parent.id), files: new Set(state.keys()), state };
    this.commits.push(commit);
    if (onLine) this.line.push(commit);
  }

  writeTags(dice: Dice): { name: string; id: ObjectId }[] {
    const tags = this.commits.flatMap((commit, at) => (dice.chance(15) ? [this.writeTag(dice, `v0.${at}.0`, commit)] : []));
    return tags.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  private writeTag(dice: Dice, name: string, commit: Written): { name: string; id: ObjectId } {
    const kind = dice.pick(['light', 'light', 'annotated', 'annotated', 'signed', 'nested', 'tree', 'blob', 'odd'] as const);
    const annotate = (object: ObjectId, type: string, text: string): ObjectId =>
      this.objects.write(
        'tag',
        `object ${object}\ntype ${type}\ntag ${name}\ntagger Ada Author <ada@example.com> 1600000000 +0000\n\n${text}`,
      );
    switch (kind) {
      case 'light':
        return { name, id: commit.id };
      case 'annotated':
        return { name, id: annotate(commit.id, 'commit', `${name}\n`) };
      case 'signed':
        return { name, id: annotate(commit.id, 'commit', `${name}\n-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----\n`) };
      case 'nested':
        return { name, id: annotate(annotate(commit.id, 'commit', 'inner\n'), 'tag', 'outer\n') };
      case 'tree':
        return { name, id: annotate(this.writeTree(commit.state), 'tree', 'a tree\n') };
      case 'blob':
        return { name, id: annotate(this.objects.write('blob', `key of ${name}\n`), 'blob', 'a blob\n') };
      case 'odd':
        return this.kind !== 'well-formed'
          ? { name, id: this.objects.write('tag', `object ${commit.id}\ntype commit\ntag ${name}\n\nno tagger, no newline`) }
          : { name, id: commit.id };
    }
  }

  private pickOthers(tip: Written): Written[] {
    if (!this.dice.chance(35)) return [];
    if (this.kind !== 'well-formed' && this.dice.chance(10)) return [tip];
    const count = this.dice.chance(25) ? 3 : 1;
    return [...new Set(Array.from({ length: count }, () => this.dice.pick(this.commits)))].filter((other) => other !== tip);
  }

  private pickSideParents(): Written[] {
    if (this.dice.chance(15)) return [];
    const first = this.dice.pick(this.commits);
    const second = this.dice.pick(this.commits);
    return this.dice.chance(20) && first !== second ? [first, second] : [first];
  }

  private change(state: State): State {
    if (this.dice.chance(3)) return new Map();
    const next = new Map(state);
    for (let changes = this.dice.below(4); changes > 0; changes--) this.changeOne(next);
    return next;
  }

  private changeOne(state: Map<string, { mode: string; id: string }>): void {
    const present = [...state.keys()];
    if (present.length > 0 && this.dice.chance(20)) {
      state.delete(this.dice.pick(present));
      return;
    }
    const path = this.dice.pick(this.dice.chance(60) ? FILES : ODD_FILES);
    makeRoom(state, path);
    const renamed = present.length > 0 && this.dice.chance(15) ? state.get(this.dice.pick(present)) : undefined;
    state.set(path, renamed ?? this.newEntry());
  }

  private newEntry(): { mode: string; id: string } {
    const modes = ['100644', '100644', '100644', '100755', '120000', GITLINK, ...(this.kind !== 'well-formed' ? ['100664'] : [])];
    const mode = this.dice.pick(modes);
    const id = this.objects.write('blob', `${this.dice.below(6)}\r\n`);
    // No repository has the commit of a submodule, so any id is fine.
    return { mode, id };
  }

  private describe(parents: readonly Written[], tree: ObjectId): Uint8Array {
    const at = this.commits.length;
    const date = 1_600_000_000 + at * 60 - this.dice.below(90);
    const who = this.dice.pick(['Ada Author <ada@example.com>', 'Bob <bob@example.com>', 'Zo\xeb <z@example.com>', 'Eve <>']);
    const plain: Omit<RawCommit, 'tree'> = {
      author: `${who} ${date} +0200`,
      committer: `Ada Author <ada@example.com> ${date + this.dice.below(50)} -0330`,
      message: this.dice.pick([`Commit ${at}\n`, `Commit ${at}\n\nFixes #12, thanks @ada.\n`, `Commit ${at}`, 'same\n', '']),
    };
    const odd = this.kind !== 'well-formed' && this.dice.chance(50) ? this.pickOdd().parts : plain;
    return formatRawCommit({ ...odd, tree, parents: parents.map((parent) => parent.id) });
  }

  private pickOdd(): OddCommit {
    return this.dice.pick(this.kind === 'odd' ? ODD_COMMITS : ODD_COMMITS.filter(({ fastImport }) => fastImport === undefined));
  }

  private writeTree(state: State): ObjectId {
    const entries: { mode: string; name: string; id: string }[] = [];
    const folders = new Map<string, Map<string, { mode: string; id: string }>>();
    for (const [path, entry] of state) {
      const slash = path.indexOf('/');
      if (slash < 0) entries.push({ ...entry, name: path });
      else folders.set(path.slice(0, slash), (folders.get(path.slice(0, slash)) ?? new Map()).set(path.slice(slash + 1), entry));
    }
    for (const [name, inner] of folders) entries.push({ mode: '40000', name, id: this.writeTree(inner) });
    return this.objects.writeTree(entries);
  }
}

/** Returns the combined files of the parents; sometimes those of one parent, sometimes a mix. */
function mergeStates(parents: readonly Written[], dice: Dice): State {
  const [first, ...others] = parents;
  const state = new Map(first?.state);
  if (others.length === 0 || dice.chance(20)) return state;
  if (dice.chance(20)) return dice.pick(others).state;
  for (const [path, entry] of others.flatMap((other) => [...other.state])) {
    if (state.has(path) && dice.chance(50)) continue;
    makeRoom(state, path);
    state.set(path, entry);
  }
  return state;
}

/** Removes paths that cannot coexist with a file: files above and below it. */
function makeRoom(state: Map<string, unknown>, path: string): void {
  for (const other of [...state.keys()]) if (other.startsWith(`${path}/`) || path.startsWith(`${other}/`)) state.delete(other);
}
