import { createHash } from 'node:crypto';
import { resolveNames } from '@tributary/git/objects';
import { isInside, type RepoPath } from '@tributary/model/paths';
import type { Cache } from '@tributary/process/cache';
import type { WorkspaceCode } from '@tributary/references/inner-references';
import { objectName } from '../io/reading.js';
import { type CodeSource, readWorkspaceCode } from '../io/workspace-code.js';

export interface CodeQuestion {
  /** All that the answer depends on, besides the code. */
  readonly key: string;
  readonly find: (code: Omit<WorkspaceCode, 'isUsedByOthers'>) => Iterable<string>;
}

/** Answers questions about the code inside of workspaces, which takes long to read. Answers are kept for the same code. */
export class InnerCode {
  readonly source: CodeSource;
  private readonly kept: Cache<readonly string[]>;

  constructor(source: CodeSource, kept: Cache<readonly string[]>) {
    this.source = source;
    this.kept = kept;
  }

  /** Returns an answer to each question. `packages`: as in `readWorkspaceCode`. Throws `GIT_FAILED`. */
  async ask(member: number, questions: readonly CodeQuestion[], packages: readonly string[] = []): Promise<readonly (readonly string[])[]> {
    const stateOfCode = await this.keyOf(member, packages);
    const keys = questions.map(({ key }) => stateOfCode && hashOf([stateOfCode, key]));
    const known = keys.map((key) => (key === undefined ? undefined : this.kept.get(key)));
    if (!known.includes(undefined)) return known.map((answer = []) => answer);
    const { isWhole, ...code } = await readWorkspaceCode(this.source, member, packages);
    return questions.map(({ find }, at) => {
      const answer = known[at] ?? [...find(code)];
      const key = keys[at];
      // What is missing today may be there tomorrow.
      if (key !== undefined && isWhole) this.kept.add(key, answer);
      return answer;
    });
  }

  /** Stands for the code of a workspace; `undefined` if git has no such folder. */
  private async keyOf(member: number, packages: readonly string[]): Promise<string | undefined> {
    const { git, commit, project, graph } = this.source;
    const { name = '', path = '' } = graph.members[member] ?? {};
    const [tree] = await resolveNames(git, [objectName(commit, project, path as string as RepoPath)]);
    const nested = graph.members.flatMap((one) => (one.path !== path && isInside(one.path, path) ? [one.path] : []));
    return tree === undefined ? undefined : hashOf([tree.id, name, path, packages, nested]);
  }
}

function hashOf(value: unknown): string {
  return createHash('sha1').update(JSON.stringify(value)).digest('base64');
}
