import { formatTable } from '@tributary/terminal/table';
import type { TerminalStyle } from './render.js';
import type { InitResult, NoPackage } from './result/result.js';
import { countOf } from './text.js';

/** Renders the added, existing and left-out repositories. */
export function renderInit(result: InitResult, page: TerminalStyle): string {
  const { state, added, kept, leftOut, owner } = result;
  const what = `${countOf(added.length, 'package')} of ${owner}`;
  const title = {
    'nothing new': `Nothing new: tributary.json already has all packages of ${owner}.`,
    planned: `Plan: ${what} for "migrate.packages" in tributary.json, dependencies first`,
    written: `Wrote ${what} into "migrate.packages" of tributary.json, dependencies first.`,
  }[state];
  return [
    title,
    ...(added.length === 0 ? [] : ['', listAdded(added, page)]),
    ...(kept.length === 0 ? [] : ['', `Unchanged entries: ${kept.join(', ')}`]),
    ...(leftOut.length === 0 ? [] : ['', `Left out: ${leftOut.length}`, ...leftOut.map(renderLeftOut)]),
  ].join('\n');
}

/** Renders the added packages. Users copy names and sources from here, so neither is cut. */
function listAdded(added: InitResult['added'], { width, bold }: TerminalStyle): string {
  const rows = added.map(({ name, source }) => [name, source]);
  return formatTable({ columns: [{ title: 'package' }, { title: 'source' }], rows, styleTitle: bold }, width);
}

const REASONS: Readonly<Record<NoPackage, string>> = {
  archived: 'it is archived',
  fork: 'it is a fork',
  'this monorepo': 'it is this monorepo',
  'no package.json': 'its default branch has no package.json at the top, or the token cannot read it',
  'unreadable package.json': 'its package.json cannot be read',
  'no name': 'its package.json has no name',
  workspaces: 'it has workspaces of its own; list its packages one by one, with "subdirectory"',
  'name taken': 'another repository has a package of this name',
};

function renderLeftOut({ repository, reason, detail }: InitResult['leftOut'][number]): string {
  return `  ${repository}: ${REASONS[reason]}${detail === null ? '' : ` (${detail})`}`;
}
