import { oneVersionConstraint } from '../align/constraint.js';
import type { StepId } from '../align/messages.js';
import type { AlignedStepResult, MigrateResult, PackageResult } from '../result.js';
import { code } from './part.js';

/**
 * The report of a migration in Markdown, as the body of a pull request: short at the top, what a person must decide, then the details. A pure
 * function of the result.
 */
export function formatReport(result: MigrateResult): string {
  const { packages, alignment } = result;
  const sections = [heading(packages), ...(alignment === null ? [] : alignmentSections(alignment)), proof(packages), next(result)];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function heading(packages: readonly PackageResult[]): string {
  const rows = packages.map(
    ({ name, path, source, sourceCommit }) => `- **${name}** in ${code(path)}, from ${code(source)} at ${code(sourceCommit.slice(0, 12))}`,
  );
  return [`# ${packages.map(({ name }) => name).join(', ')}`, '', 'What came, with its whole history:', '', ...rows].join('\n');
}

const TITLES: { readonly [Step in StepId]: string } = {
  internal: 'Between workspaces',
  phantoms: 'What was used and not declared',
  versions: 'One version of each dependency',
  settings: 'Resolutions, patches and registries',
  'carry-over': 'Files that work at the root alone',
  lockfile: 'Locked versions',
};

function alignmentSections(steps: readonly AlignedStepResult[]): readonly string[] {
  const decisions = steps.flatMap((step) => step.decisions);
  const changed = steps.filter(({ commit, changes }) => commit !== null || changes.length > 0);
  const toDecide = decisions.length === 0 ? 'Nothing is left to decide.' : decisions.map((text, at) => `${at + 1}. ${text}`).join('\n');
  return [
    `## To decide\n\n${toDecide}`,
    ...(changed.length === 0 ? [] : ['## What was changed', ...changed.map(section)]),
    steps.some(({ step }) => step === 'versions') ? constraint() : '',
  ];
}

function section({ step, commit, files, changes }: AlignedStepResult): string {
  const where = commit === null ? [] : [`In ${code(commit.slice(0, 12))}: ${someOf(files)}.`];
  return [`### ${TITLES[step]}`, ...where, changes.map((text) => `- ${text}`).join('\n')].filter((text) => text !== '').join('\n\n');
}

const SHOWN = 5;

function someOf(files: readonly string[]): string {
  const shown = files.slice(0, SHOWN).map(code).join(', ');
  return files.length <= SHOWN ? shown : `${shown} and ${files.length - SHOWN} more`;
}

/** For a person to take over, or not. */
function constraint(): string {
  const text = oneVersionConstraint({ policy: 'report', exceptions: new Map() });
  return `<details><summary>A yarn.config.cjs that keeps one version of each dependency</summary>\n\n\`\`\`js\n${text.trimEnd()}\n\`\`\`\n\n</details>`;
}

const METHODS: { readonly [Method in NonNullable<PackageResult['proof']>['method']]: string } = {
  inverse: 'undoing the move of every commit gave the commits of the source again, id by id',
  compared: 'every commit was compared with the one of the source that it came from',
  ancestor: 'the history is here under its own ids',
};

const COUNTED = ['commit', 'merge', 'author', 'tag'] as const;

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function proof(packages: readonly PackageResult[]): string {
  const rows = packages.flatMap(({ name, proof: own }) =>
    own === null ? [] : [`- **${name}**: ${COUNTED.map((noun) => countOf(own[`${noun}s`], noun)).join(', ')}; ${METHODS[own.method]}`],
  );
  return rows.length === 0 ? '' : `## How it was proven\n\n${rows.join('\n')}`;
}

function next({ branch, state }: MigrateResult): string {
  if (state === 'planned') return '';
  return `## Next\n\nMerge ${code(branch)} with a merge commit: squashing or rebasing would throw the history away.`;
}
