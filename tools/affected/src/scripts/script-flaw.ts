export const FLAW_KINDS = ['discards', 'some', 'before', 'unread'] as const;

/** A fact about the script of a task, or one that it calls: why it may pass although a test fails or does not run. */
export interface ScriptFlaw {
  readonly workspace: string;
  /** `some`: a command in it runs only some tests; others may run the rest. `before`: a task that is not in the plan runs tests before it. `unread`: not known, because no shell reads it, or because it hands code to a program. */
  readonly kind: (typeof FLAW_KINDS)[number];
  /** The command and what makes it so, `jest (|| true)`, the task, or the text that cannot be read; with the script, if another. */
  readonly what: string;
}

/** Those that may be in order are left out. */
export function discarding(flaws: readonly ScriptFlaw[] = []): readonly ScriptFlaw[] {
  return flaws.filter(({ kind }) => kind === 'discards');
}

const SHOWN = 20;

/** Returns a sentence for each flaw, without its end; workspaces with the same one share it. */
export function describeFlaws(flaws: readonly ScriptFlaw[] = []): readonly string[] {
  const names = new Map<string, string[]>();
  for (const { workspace, kind, what } of flaws) {
    const text = `${TEXTS[kind]}: ${what}`;
    names.set(text, [...(names.get(text) ?? []), workspace]);
  }
  const all = [...names].map(
    ([text, of]) => `${of.slice(0, SHOWN).join(', ')}${of.length > SHOWN ? ` and ${of.length - SHOWN} more` : ''}: ${text}`,
  );
  return all.length > SHOWN
    ? [...all.slice(0, SHOWN), `${all.length - SHOWN} more scripts may hide a failure, which affected plan --json lists`]
    : all;
}

const TEXTS: Readonly<Record<ScriptFlaw['kind'], string>> = {
  discards: 'the script discards an exit code, and may pass although a command fails',
  some: 'a command of the script runs only some tests',
  before: 'a task before it runs tests; what it swallows or takes from a cache does not show, unless --task names it too',
  unread: 'unknown whether the script discards an exit code',
};
