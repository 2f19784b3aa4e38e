import type { Plan } from '../plan/plan.js';
import { nodeOf } from '../plan/runtime.js';
import type { GateProblem, Verdict } from './judge.js';

/** The commit that a gate is for, as a full id, and where it comes from; or a sentence why it is not known. */
export type GateCommit = { readonly id: string; readonly from: 'checkout' | 'option' } | { readonly unknown: string };

/** Adds a problem if the plan, or a receipt of a plan without a commit, is for another commit than the gate, or that of the gate is unknown. */
export function withCommit(verdict: Verdict, plan: Plan, commit: GateCommit): Verdict {
  const found = commitProblems(verdict, plan, commit);
  const known = 'id' in commit ? { commit: commit.id } : {};
  return { ...verdict, ...known, passed: verdict.passed && found.length === 0, problems: [...found, ...verdict.problems] };
}

function commitProblems({ receipts }: Verdict, { affected: { head } }: Plan, commit: GateCommit): readonly GateProblem[] {
  if ('unknown' in commit) return [{ kind: 'commit', shard: null, message: commit.unknown }];
  const { id, from } = commit;
  const here = `${short(id)} is ${from === 'checkout' ? 'checked out' : 'named by --commit'}`;
  const against = (what: string, shard: string | null): GateProblem => ({ kind: 'commit', shard, message: `${what}, but ${here}.` });
  // Each receipt has the commit of its plan, if that has one.
  if (head !== null) return head === id ? [] : [against(`The plan is for commit ${short(head)}`, null)];
  return [...receipts.values()]
    .filter((receipt) => receipt.commit !== id)
    .map((receipt) => against(`Shard ${receipt.shard} ran for commit ${short(receipt.commit)}`, receipt.shard));
}

/** Returns what was proven, as a sentence in a list of at most one: `Tested: commit 0123456789ab, Node 22.` */
export function describeProof({ commit, receipts }: Verdict): readonly string[] {
  const runtimes = [...receipts.values()].flatMap(({ runtime }) => (runtime === undefined ? [] : [nodeOf(runtime)]));
  const nodes = [...new Set(runtimes)].sort();
  const facts = [...(commit === undefined ? [] : [`commit ${short(commit)}`]), ...nodes.map((node) => `Node ${node}`)];
  return facts.length === 0 ? [] : [`Tested: ${facts.join(', ')}.`];
}

function short(id: string): string {
  return id.slice(0, 12);
}
