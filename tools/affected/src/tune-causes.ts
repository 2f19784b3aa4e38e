import type { AffectedAnswer, AffectedReason, DirectReason } from '@tributary/workspaces/affected';
import { type Counts, shareOf } from './replay-figures.js';
import type { TuneCause } from './result.js';
import { wayOut } from './way-out.js';

/** What selects workspaces in one commit. */
export interface CausePart extends Pick<TuneCause, 'code' | 'subject'> {
  /** Of the workspaces, from 0 to 1. */
  readonly share: number;
}

/** Divides the share that an answer selects among its causes. A workspace that several select counts for each in equal parts. */
export function partsOf({ all, members, unclaimedFiles }: AffectedAnswer, counts: Counts): readonly CausePart[] {
  if (all !== null) {
    const subject = all.subject ?? (all.code === 'FILE_UNCLAIMED' ? unclaimedFiles[0] : undefined) ?? null;
    return [{ code: all.code, subject, share: shareOf(counts) }];
  }
  return members
    .filter(({ path }) => path !== '')
    .flatMap(({ name, reasons }) => {
      const causes = new Map(reasons.map((reason) => causeOf(name, reason)).map((cause) => [`${cause.code} ${cause.subject}`, cause]));
      return [...causes.values()].map((cause) => ({ ...cause, share: 1 / counts.workspaceCount / causes.size }));
    });
}

function causeOf(name: string, reason: AffectedReason): Pick<TuneCause, 'code' | 'subject'> {
  const [about, direct] = reason.kind === 'dependency' ? [reason.path.at(-1) ?? name, reason.because] : [name, reason];
  return { code: direct.kind, subject: direct.kind === 'lockfile' ? direct.dependency : about };
}

/**
 * Adds the causes of all commits up, the largest first. `narrowsOf` tells why no rule is proposed for a file that none claims, as a
 * sentence.
 */
export function causesOf(commits: readonly (readonly CausePart[])[], narrowsOf: (file: string) => string): readonly TuneCause[] {
  const causes = new Map<string, TuneCause>();
  for (const parts of commits) {
    const counted = new Set<string>();
    for (const { code, subject, share } of parts) {
      const key = `${code} ${subject}`;
      const known = causes.get(key) ?? { code, subject, commits: 0, share: 0, narrows: narrows({ code, subject }, narrowsOf) };
      causes.set(key, {
        ...known,
        commits: known.commits + (counted.has(key) ? 0 : 1),
        share: known.share + share / commits.length,
      });
      counted.add(key);
    }
  }
  return [...causes.values()].sort((one, other) => other.share - one.share || (`${one.subject}` < `${other.subject}` ? -1 : 1));
}

function narrows({ code, subject }: Pick<TuneCause, 'code' | 'subject'>, narrowsOf: (file: string) => string): string {
  if (code === 'FILE_UNCLAIMED' && subject !== null) return narrowsOf(subject);
  return wayOut(code) ?? OF_KINDS[code as Exclude<DirectReason['kind'], 'all'>];
}

const NEW = 'Nothing safe: no test has run since the workspace was added or removed.';
const OF_KINDS: Readonly<Record<Exclude<DirectReason['kind'], 'all'>, string>> = {
  file: 'A rule, at your own risk: the file can break the tests of its workspace and of all dependents.',
  lockfile: 'Nothing safe: a workspace that gets another version can break.',
  read: 'Nothing safe: a workspace that reads the file can break; affected why names the place.',
  rule: 'The rule in tributary.json that says so.',
  setting: 'Nothing safe: a workspace that uses the entry can break.',
  always: 'Its name in "affected.always" of tributary.json.',
  added: NEW,
  removed: NEW,
  nested: NEW,
};
