import { nameOf } from '@tributary/lockfile/descriptors';
import { meant } from '../align/lock/without-answered.js';
import { isBreaking, type Moved } from '../align/version-change.js';
import type { DeclarationResult, DependencyResult, LockedResult, ReplacedResult } from '../result/aligned-result.js';
import { code, namesOf, onOneLine } from '../text.js';

/** Returns the workspaces that replace other versions; empty if there are none. */
export function replacedTable(all: readonly ReplacedResult[]): string {
  const rows = all.map(({ name, change, for: whom, through }) => [
    name,
    change.from,
    change.to,
    weighty({ name, change }),
    whom.length === 0 ? 'the monorepo' : namesOf(whom),
    namesOf(through),
  ]);
  return table(['workspace', 'was locked', 'is now', 'change', 'for', 'through'], rows);
}

/** Returns who declares which dependency, its locked version, and what changes. Equal declarations share a row. Empty if there are none. */
export function dependencyTable(all: readonly DependencyResult[]): string {
  const rows = all.flatMap(({ name, declarations }) => {
    const lines = new Map<string, { readonly cells: readonly string[]; readonly names: string[] }>();
    for (const one of declarations) {
      const cells = [rangeCell(one), one.locked ?? '', fateCell(name, one)];
      const line = lines.get(cells.join('\0')) ?? { cells, names: [] };
      lines.set(cells.join('\0'), line);
      line.names.push(one.block === 'dependencies' ? one.workspace : `${one.workspace} (${SHORT.get(one.block) ?? one.block})`);
    }
    return [...lines.values()].map(({ cells, names }, at) => [at === 0 ? name : '', namesOf(names), ...cells]);
  });
  return table(['dependency', 'declared by', 'range', 'locked', 'what changes'], rows);
}

const SHORT: ReadonlyMap<string, string> = new Map([
  ['devDependencies', 'dev'],
  ['optionalDependencies', 'optional'],
]);

function rangeCell({ range, newRange }: DeclarationResult): string {
  return newRange === null ? code(range) : `${code(range)} became ${code(newRange)}`;
}

function fateCell(name: string, { change, left, policy, widensForConsumers, newRange }: DeclarationResult): string {
  const parts = [
    ...(change === null ? [] : [`${weighty({ name, change })} to ${change.to}`]),
    ...(left === null ? [] : [`left: ${left}`]),
    ...(policy === null ? [] : [`policy "${policy}"`]),
    ...(widensForConsumers ? ['allows more than before, also for consumers'] : []),
  ];
  if (parts.length > 0) return parts.join('; ');
  return newRange === null ? '' : 'only the range';
}

/**
 * The maximum number of rows. Nobody reads more, and the text of a pull request is limited to 65,536 characters. The
 * JSON answer has all of them.
 */
const SHOWN = 40;

/** Returns the locked requests whose version changed; empty if there are none. */
export function lockedTable({ changed }: LockedResult): string {
  const rows = changed
    .slice(0, SHOWN)
    .map((one) => [
      code(one.request),
      [one.change.from, ...one.others].join(', '),
      one.change.to,
      weighty({ name: nameOf(meant(one.request)), change: one.change }),
      `${namesOf(one.packages)}${one.isDirect ? '' : ', indirectly'}`,
      REASONS.get(one.fate) ?? one.fate,
    ]);
  if (rows.length === 0) return '';
  const more = changed.length > SHOWN ? `\n\nAnd ${changed.length - SHOWN} more, which --json lists.` : '';
  const body = table(['request', 'was locked', 'is now', 'change', 'of', 'because'], rows);
  return `<details><summary>${changed.length === 1 ? 'The request that has' : `The ${changed.length} requests that have`} a different version than was locked</summary>\n\n${body}${more}\n\n</details>`;
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['of the monorepo', 'the monorepo has it'],
  ['of an imported package', 'another imported package has it'],
  ['a workspace', 'it is a workspace'],
  ['refused', 'it could not be kept'],
  ['resolved anew', 'Yarn resolved it again'],
]);

/** Returns `**major** upgrade`, with emphasis on what may break. */
function weighty({ name, change }: Moved): string {
  return `${isBreaking({ name, change }) ? `**${change.level}**` : change.level} ${change.direction === 'up' ? 'upgrade' : 'downgrade'}`;
}

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]): string => `| ${cells.map((cell) => onOneLine(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(titles), line(titles.map(() => '---')), ...rows.map(line)].join('\n');
}
