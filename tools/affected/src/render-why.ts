import { countOf, describeReason } from './describe.js';
import type { Page } from './render.js';
import type { WhyResult, WhyStep } from './result.js';
import { describeAll } from './way-out.js';

/** Renders for people why a workspace is affected: each reason, and below it its way step by step. */
export function renderWhy(result: WhyResult, page: Page): string {
  const name = page.bold(result.name);
  if (result.all !== null) return `${name} is affected, as is every workspace. ${describeAll(result.all)}`;
  if (result.whyNot !== null) return renderWhyNot(name, result.whyNot);
  const lines = result.reasons.flatMap(({ reason, steps }) => [
    `  ${describeReason(reason)}`,
    ...steps.map((step) => `    ${describeStep(step)}`),
  ]);
  return [`${name} is affected:`, ...lines].join('\n');
}

function renderWhyNot(name: string, { dependsOn, apart, changed }: NonNullable<WhyResult['whyNot']>): string {
  if (apart.length > 0) {
    const areAffected = `${someOf(apart)} ${apart.length === 1 ? 'is' : 'are'} affected, but in nothing that dependents are known to use`;
    return `${name} is not affected: none of its files changed. Of what it depends on, ${areAffected}.`;
  }
  const all = dependsOn === 1 ? 'nor the one workspace it depends on' : `nor any of the ${countOf(dependsOn, 'workspace')} it depends on`;
  const needs = dependsOn === 0 ? 'and it depends on no other workspace' : all;
  const elsewhere = changed.length === 0 ? 'Nothing changed that counts for any workspace.' : `What changed: ${someOf(changed)}.`;
  return `${name} is not affected: none of its files changed, ${needs}. ${elsewhere}`;
}

function someOf(names: readonly string[]): string {
  return names.length <= 5 ? names.join(', ') : `${names.slice(0, 4).join(', ')} and ${names.length - 4} more`;
}

function describeStep({ from, to, edges }: WhyStep): string {
  const [edge] = edges;
  if (edge === undefined) return `${from} depended on ${to} before this change`;
  const by = edge.through.length === 0 ? '' : `, by way of ${edge.through.join(' > ')}`;
  if (edge.field === 'read') return `${from} reads ${to}: ${edge.proof ?? ''}, which no manifest declares`;
  const how = { dependency: 'depends on', dev: 'has as dev dependency', peer: 'has as peer', optional: 'has as optional dependency' };
  const told = edge.proof === undefined ? '' : `: ${edge.proof}`;
  return `${from} ${how[edge.field]} ${to}${by}${told}`;
}
