import { type CommitParents, type NamedCommit, streamMessages } from '@tributary/git/history';
import { ToolError } from '@tributary/model/errors';
import type { CommitId } from '@tributary/model/ids';
import { PICK_TEXTS } from '../collect/picks.js';
import type { CloneCache } from './clone-cache.js';
import type { Clone } from './open-clone.js';

/** The first words of an import record. */
const IMPORT_RECORD = 'Tributary-Import: ';
const TEXTS = [...PICK_TEXTS, IMPORT_RECORD];

/** The commits that a clone has or had, which never change. It reads from git only what no earlier collection read. */
export class CommitHistory {
  /** Parents first. Only a merge has its subject. */
  readonly commits: Map<CommitId, NamedCommit>;
  /** The messages with a text that tells of another commit. */
  readonly messages: Map<CommitId, string>;
  private readonly git: Clone['git'];
  private readonly cache: CloneCache;
  private fresh = 0;

  constructor(git: Clone['git'], cache: CloneCache) {
    const { commits, messages } = cache.history();
    this.commits = commits;
    this.messages = messages;
    this.git = git;
    this.cache = cache;
  }

  /** Reads what `tips` contain. Throws `GIT_FAILED`. */
  async read(tips: readonly CommitId[]): Promise<void> {
    const { commits, messages } = this;
    const asked = [...new Set(tips)].filter((tip) => !commits.has(tip));
    if (asked.length === 0) return;
    const inner = new Set([...commits.values()].flatMap(({ parents }) => parents));
    const known = [...commits.keys()].filter((id) => !inner.has(id));
    for await (const group of streamMessages(this.git, asked, known))
      for (const { id, parents, message } of group) {
        if (commits.has(id)) continue;
        const end = message.indexOf('\n');
        commits.set(id, { id, parents, subject: parents.length === 2 ? message.slice(0, end < 0 ? undefined : end) : '' });
        if (TEXTS.some((text) => message.includes(text))) messages.set(id, message);
        this.fresh++;
      }
    const lost = asked.find((tip) => !commits.has(tip));
    if (lost !== undefined) throw new ToolError({ code: 'GIT_FAILED', message: `git did not find the commit ${lost}.` });
  }

  keep(): void {
    this.cache.keepHistory(this, this.fresh);
  }

  /** Tells whether a commit has an import record, or quotes one. */
  get mayImport(): boolean {
    return [...this.messages.values()].some((message) => message.includes(IMPORT_RECORD));
  }

  /** Returns the line of first parents, newest first. */
  firstParents(head: CommitId): readonly NamedCommit[] {
    const line: NamedCommit[] = [];
    for (let at = this.commits.get(head); at !== undefined; at = this.commits.get(at.parents[0] as CommitId)) line.push(at);
    return line;
  }

  /** Returns all commits that `tips` contain, parents first. */
  containedIn(tips: readonly CommitId[]): readonly CommitParents[] {
    const found = new Set<CommitId>();
    const waiting = [...tips];
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      if (found.has(id)) continue;
      found.add(id);
      for (const parent of this.commits.get(id)?.parents ?? []) waiting.push(parent);
    }
    return tips.length === 0 ? [] : [...this.commits.values()].filter(({ id }) => found.has(id));
  }
}
