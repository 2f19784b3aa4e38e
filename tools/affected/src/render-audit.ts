import { countOf } from './describe.js';
import { percentUp } from './render-shadow.js';
import type { AuditedMutant, AuditResult } from './result.js';

/** What an audit found, for people. */
export function renderAudit(result: AuditResult): string {
  const { mutants, killed, trials, narrowed, missed, bound, head, seed, unstable } = result;
  const count = (outcome: AuditedMutant['outcome']): number => mutants.filter((one) => one.outcome === outcome).length;
  const everybody = count('all') === 0 ? '' : ` ${count('all')} selected everything and did not run.`;
  const stopped = count('stopped') === 0 ? '' : ` ${count('stopped')} did not end in time and prove nothing.`;
  const unclear =
    count('unclear') === 0 ? '' : ` ${count('unclear')} prove nothing: their tests could not begin, or fail without the change, too.`;
  return [
    `${countOf(mutants.length, 'mutant')} of ${head.slice(0, 10)}, seed ${seed}: ${killed} made tests fail, ${count('survived')} did not.${everybody}${stopped}${unclear}`,
    ...kinds(mutants),
    ...(unstable.length === 0 ? [] : [`Left out, because they fail without a change: ${unstable.join(', ')}.`]),
    '',
    `Changes that made tests fail and left out a workspace: ${trials}. A failure was not selected: ${missed} of ${trials}.`,
    ...(result.observed === 'off'
      ? []
      : [`Observations left out a workspace in ${narrowed} of ${trials}; edges between workspaces did in the others.`]),
    `With 95 % confidence, at most ${percentUp(bound)} of such changes are missed.`,
    ...mutants.filter((one) => one.missed.length > 0).flatMap(describeMiss),
  ].join('\n');
}

function kinds(mutants: readonly AuditedMutant[]): readonly string[] {
  return (['source', 'data', 'support', 'package'] as const).flatMap((kind) => {
    const own = mutants.filter((one) => one.kind === kind && one.outcome !== 'all');
    return own.length === 0
      ? []
      : [`  ${kind}: ${own.length}, ${own.filter(({ outcome }) => outcome === 'killed').length} of them noticed`];
  });
}

function describeMiss({ number, file, line, missed, before, after }: AuditedMutant): readonly string[] {
  const place = line === null ? file : `${file}:${line}`;
  return ['', `MISSED: mutant ${number}, ${place}: ${missed.join(', ')} failed and was not selected.`, `    - ${before}`, `    + ${after}`];
}
