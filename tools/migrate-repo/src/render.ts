import { type Duration, formatDuration } from '@tributary/model/time';
import { formatTable } from '@tributary/terminal/table';
import type { DiscardResult, ImportStatus, MigrateResult, PackageResult, StatusResult, VerifyResult } from './result.js';

/** What the person's terminal allows. */
export interface Page {
  readonly width: number;
  readonly bold: (text: string) => string;
}

/** A plan: what would be done, package by package. */
export function renderPlan(result: MigrateResult, page: Page): string {
  const rows = result.packages.map((one) => [one.name, one.path, one.source, one.sourceCommit.slice(0, 10), String(one.tags.length)]);
  const table = formatTable(
    {
      columns: [
        { title: 'package' },
        { title: 'path' },
        { title: 'source', shrink: true },
        { title: 'commit' },
        { title: 'tags', align: 'right' },
      ],
      rows,
      styleTitle: page.bold,
    },
    page.width,
  );
  const details = result.packages.flatMap(renderSteps);
  return [
    `Plan: ${countOf(result.packages.length, 'package')} on the new branch ${result.branch}`,
    '',
    table,
    ...(details.length === 0 ? [] : ['', ...details]),
    ...renderLeftOut(result),
  ].join('\n');
}

/** A migration: what came, and how it was proven. */
export function renderMigration(result: MigrateResult, page: Page): string {
  const rows = result.packages.map((one) => [one.name, one.path, ...figures(one)]);
  const numbers = ['commits', 'merges', 'authors', 'tags'].map((title) => ({ title, align: 'right' as const }));
  const table = formatTable(
    { columns: [{ title: 'package' }, { title: 'path', shrink: true }, ...numbers, { title: 'proof' }], rows, styleTitle: page.bold },
    page.width,
  );
  return [
    table,
    '',
    `${countOf(result.packages.length, 'package')} on the new branch ${page.bold(result.branch)}, in ${formatDuration(result.milliseconds as Duration)}. ${proofSentence(result)}`,
    ...renderLeftOut(result),
  ].join('\n');
}

/** The commands that come next, for people. */
export function nextSteps(result: MigrateResult): string {
  const tags = result.packages.some((one) => one.tags.length > 0) ? ' Push the tags you want by name; none was pushed.' : '';
  return `Look at it with "git log --oneline --first-parent ${result.branch}", then merge it with a merge commit: squashing or rebasing would throw the history away.${tags}`;
}

/** The proof of one import. */
export function renderProof(result: VerifyResult): string {
  const tags = {
    proven: `all ${result.tags.recorded} tags are the ones that came`,
    incomplete: `${result.tags.here} of its ${result.tags.recorded} tags are in this clone`,
    'not in this clone': `its ${result.tags.recorded} tags are not in this clone`,
    'none recorded': 'no tags came with it',
  }[result.tags.state];
  const how = {
    inverse: `Undoing the move of ${countOf(result.commits, 'commit')} gives the source's last commit, ${result.sourceCommit.slice(0, 10)}: every tree, author, date and message is what it was.`,
    ancestor: `The source's ${countOf(result.commits, 'commit')} are here under their own ids, and ${result.path} holds what the last of them holds.`,
    'moved again': `Fetching and moving the source again gives the same ${countOf(result.commits, 'commit')}.`,
  }[result.method];
  return [
    `${result.name} in ${result.path}, from ${result.source}`,
    how,
    `${countOf(result.merges, 'merge')}, ${countOf(result.authors, 'author')}; ${tags}.`,
  ].join('\n');
}

/** What was migrated here, one line each. */
export function renderStatus(result: StatusResult, page: Page): string {
  if (result.imports.length === 0) return 'Nothing was migrated into this repository yet.';
  const rows = result.imports.map((one) => [
    one.name,
    one.path,
    one.source,
    one.sourceCommit.slice(0, 10),
    one.branch ?? 'merged',
    newsOf(one),
  ]);
  const columns = [
    { title: 'package' },
    { title: 'path' },
    { title: 'source', shrink: true },
    { title: 'commit' },
    { title: 'where', shrink: true },
    { title: 'since then', shrink: true },
  ];
  return formatTable({ columns, rows, styleTitle: page.bold }, page.width);
}

/** What was, or would be, taken back. */
export function renderDiscard(result: DiscardResult, tense: 'did' | 'would'): string {
  const verb = tense === 'did' ? 'Took back' : 'Would take back';
  return `${verb} ${result.packages.join(', ')}: the branch ${result.branch} and ${countOf(result.tags.length, 'tag')}.`;
}

function renderSteps(one: PackageResult): string[] {
  return [
    ...(one.registration === 'added' ? [`${one.name}: gets an entry in "workspaces" of the root package.json`] : []),
    ...one.cleanUp.map(({ path, reason }) => `${one.name}: takes ${path} away: ${reason}`),
  ];
}

function renderLeftOut(result: MigrateResult): string[] {
  if (result.leftOut.length === 0) return [];
  return [
    '',
    `Left out: ${result.leftOut.length}`,
    ...result.leftOut.map((one) => `  ${one.name}: ${one.message} [${one.code}]${one.hint === null ? '' : `\n    ${one.hint}`}`),
  ];
}

function figures({ proof }: PackageResult): string[] {
  return proof === null ? ['', '', '', '', ''] : [proof.commits, proof.merges, proof.authors, proof.tags, proof.method].map(String);
}

function proofSentence(result: MigrateResult): string {
  const commits = result.packages.reduce((sum, one) => sum + (one.proof?.commits ?? 0), 0);
  return `All ${commits} commits were read back and proven.`;
}

function newsOf({ news }: ImportStatus): string {
  switch (news.state) {
    case 'none':
      return 'nothing new';
    case 'commits':
      return countOf(news.count, 'new commit');
    case 'rewritten':
      return 'history rewritten there';
    case 'unknown':
      return `unknown: ${news.why}`;
  }
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
