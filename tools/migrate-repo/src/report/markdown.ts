import { showInvisible } from '@tributary/terminal/invisible';
import { groupMessages } from '../message.js';
import type { AlignedStepResult, GroupedMessage, MigrateResult, PackageResult, StepId } from '../result/result.js';
import { code, countOf, namesOf, someOf } from '../text.js';
import { decisionsSection } from './decisions-section.js';
import { messageSamples, messageSentences } from './messages-part.js';
import { summaryLines } from './summary.js';
import { dependencyTable, lockedTable, replacedTable } from './tables.js';
import { tellInMarkdown } from './tell.js';
import { testsSection } from './tests-part.js';

/** The maximum number of names or rows that are shown or not folded. */
const SHOWN = 5;

/**
 * Returns the report of a migration in Markdown, as the body of a pull request: five lines, what breaks, what to decide,
 * then the details, folded. A pure function of the result.
 */
export function formatReport(result: MigrateResult): string {
  const tests = testsSection(result.tests);
  const isOpen = result.tests?.packages.some(({ outcome }) => outcome !== 'same') === true;
  const rest = [imported(result), isOpen ? '' : tests, ...changes(result), constraint(result), proof(result.packages)].filter(
    (section) => section !== '',
  );
  const title = namesOf(
    result.packages.map(({ name }) => name),
    SHOWN,
  );
  const details = `<details><summary>What was imported and changed, and the proof</summary>\n\n${rest.join('\n\n')}\n\n</details>`;
  const sections = [`# ${title}`, summaryLines(result).join('\n'), isOpen ? tests : '', decisionsSection(result), details];
  return showInvisible(`${sections.filter((section) => section !== '').join('\n\n')}\n`);
}

function imported({ packages, state }: MigrateResult): string {
  const rows = packages.map(
    ({ name, path, source, sourceCommit }) => `- **${name}** in ${code(path)}, from ${code(source)} at ${code(sourceCommit.slice(0, 12))}`,
  );
  const list = rows.length <= SHOWN ? rows : [`<details><summary>${rows.length} packages</summary>`, '', ...rows, '', '</details>'];
  return [`## What ${state === 'planned' ? 'would be' : 'was'} imported, with its whole history`, '', ...list].join('\n');
}

/** What is told in tables; `null` if it is not known. */
export type StepTables = Pick<MigrateResult, 'replaced' | 'dependencies' | 'locked'>;

const TITLES: { readonly [Step in StepId]: string } = {
  internal: 'Between workspaces',
  phantoms: 'Used but not declared',
  versions: 'One version of each dependency',
  settings: 'Resolutions, patches and registries',
  'carry-over': 'Files that work only at the root',
  lockfile: 'Locked versions',
};

function changes(result: MigrateResult): readonly string[] {
  const { packages, alignment, state } = result;
  const changed = (alignment ?? []).filter(
    ({ step, files, changes: told }) => files.length + told.length > 0 || tableOf(step, result) !== '',
  );
  const gone = cleanedUp(packages).map((message) => tellInMarkdown(message, '-'));
  const cleaned = gone.length === 0 ? [] : [`### Removed files that would override the root\n\n${gone.join('\n')}`];
  const history = messages(result);
  if (changed.length + cleaned.length + history.length === 0) return [];
  return [
    `## What ${state === 'planned' ? 'would be' : 'was'} changed`,
    ...history,
    ...cleaned,
    ...changed.map((step) => alignedStep(step, result)),
  ];
}

/** Returns the changes of messages and signatures. */
function messages({ packages, state }: MigrateResult): readonly string[] {
  const sentences = messageSentences(packages, state);
  if (sentences.length === 0) return [];
  const list = sentences.map((sentence) => `- ${sentence}`).join('\n');
  const lines = messageSamples(packages).flatMap(({ before, after }) => [`- ${before}`, `+ ${after}`]);
  // Every line starts with `-` or `+`, so none can end the fence.
  const sample = lines.length === 0 ? [] : [`~~~diff\n${lines.join('\n')}\n~~~`];
  const original = state === 'planned' ? [] : ['`git cat-file -p <commit>` shows the original message and signature.'];
  return [['### Messages and signatures', list, ...sample, ...original].join('\n\n')];
}

/** Returns what one step of the alignment has changed. */
export function alignedStep({ step, commit, files, changes: messages }: AlignedStepResult, result: StepTables): string {
  const where =
    files.length === 0
      ? []
      : [`In ${commit === null ? 'a commit of its own' : code(commit.slice(0, 12))}: ${someOf(files.map(code), SHOWN)}.`];
  const table = tableOf(step, result);
  // The table contains everything.
  const list = step === 'versions' && table !== '' ? '' : messages.map((message) => tellInMarkdown(message, '-')).join('\n');
  return [`### ${TITLES[step]}`, ...where, list, table].filter((text) => text !== '').join('\n\n');
}

function tableOf(step: StepId, { replaced, dependencies, locked }: StepTables): string {
  switch (step) {
    case 'internal':
      return replacedTable(replaced ?? []);
    case 'versions':
      return dependencyTable(dependencies ?? []);
    case 'lockfile':
      return locked === null ? '' : lockedTable(locked);
    case 'phantoms':
    case 'settings':
    case 'carry-over':
      return '';
  }
}

/** Returns a suggested constraint, for the user to adopt or not. */
function constraint({ constraint: text }: MigrateResult): string {
  if (text === null) return '';
  return `<details><summary>A yarn.config.cjs that keeps one version of each dependency</summary>\n\n\`\`\`js\n${text.trimEnd()}\n\`\`\`\n\n</details>`;
}

/** What a proof has shown. */
export const METHODS: { readonly [Method in NonNullable<PackageResult['proof']>['method']]: string } = {
  inverse: 'reversing the rewrite of every commit reproduced the commit ids of the source',
  compared: 'every commit was compared with its original in the source',
  ancestor: 'the history is here with its original ids',
};

const COUNTED = ['commit', 'merge', 'author', 'tag'] as const;

function proof(packages: readonly PackageResult[]): string {
  const rows = packages.flatMap(({ name, proof: own }) =>
    own === null ? [] : [`- **${name}**: ${COUNTED.map((noun) => countOf(own[`${noun}s`], noun)).join(', ')}; ${METHODS[own.method]}`],
  );
  return rows.length === 0 ? '' : `## Proof\n\n${rows.join('\n')}`;
}

/** Returns what the clean-up removed, each reason once. */
function cleanedUp(packages: readonly PackageResult[]): readonly GroupedMessage[] {
  return groupMessages(
    packages.flatMap(({ name, cleanUp }) =>
      cleanUp.map(({ path, reason }) => ({ package: name, place: path, text: `Removed: ${reason}.` })),
    ),
  );
}
