import type { AlignedStepResult, MigrateResult } from '@tributary/migrate-repo/result/result';
import type { PackageTestsResult, SideTestsResult } from '@tributary/migrate-repo/result/tests-result';

/** The results of the alignment for one package. */
export interface FamilyRow {
  readonly name: string;
  readonly converted: number;
  readonly phantoms: number;
  readonly aligned: number;
  readonly carried: number;
  readonly decisions: number;
}

export interface FamilyTable {
  /** In the order of the answer. The last row, if any, has the messages about none of them by name. */
  readonly rows: readonly FamilyRow[];
  /** The number of decisions that each step leaves; one about several packages counts once. Omits steps without decisions. */
  readonly decisions: readonly { readonly step: string; readonly count: number }[];
  /** The fate of their locked requests; `null`: nothing was installed. */
  readonly locked: Pick<LockedResult, 'requests' | 'counts'> | null;
}

type Answer = Pick<MigrateResult, 'packages' | 'alignment' | 'dependencies' | 'locked'>;
type LockedResult = NonNullable<MigrateResult['locked']>;
type ResultMessage = AlignedStepResult['changes'][number];
type Count = Exclude<keyof FamilyRow, 'name'>;

const OTHERS = '(others)';

/** Counts the messages of an answer; a message about four packages counts for each of them. */
export function familyTable({ packages, alignment, dependencies, locked }: Answer): FamilyTable {
  const names = new Set(packages.map(({ name }) => name));
  const counts = new Map([...names, OTHERS].map((name) => [name, { converted: 0, phantoms: 0, aligned: 0, carried: 0, decisions: 0 }]));
  const add = (count: Count, subjects: readonly string[]): void => {
    for (const subject of subjects) {
      const row = counts.get(names.has(subject) ? subject : OTHERS);
      if (row !== undefined) row[count]++;
    }
  };
  for (const { step, changes, decisions } of alignment ?? []) {
    for (const message of changes) add(...countedChange(step, message));
    for (const { text, findings } of decisions.filter(isOpen))
      add('decisions', subjectsOf({ text, about: findings.flatMap(({ about }) => about) }));
  }
  add('aligned', alignedIn(dependencies ?? []));
  const rows = [...counts].map(([name, row]) => ({ name, ...row }));
  const isListed = ({ name, ...row }: FamilyRow): boolean => name !== OTHERS || Object.values(row).some((value) => value > 0);
  const left = (alignment ?? [])
    .map(({ step, decisions }) => ({ step, count: decisions.filter(isOpen).length }))
    .filter(({ count }) => count > 0);
  return { rows: rows.filter(isListed), decisions: left, locked };
}

/** Returns the count to which a message belongs, with its packages; without packages if it is only information. */
function countedChange(step: AlignedStepResult['step'], message: ResultMessage): [count: Count, subjects: readonly string[]] {
  switch (step) {
    case 'internal':
      return ['converted', / became `| leads to the workspace /.test(message.text) ? subjectsOf(message) : []];
    case 'phantoms':
      return ['phantoms', / in (?:devD|optionalD|peerD|d)ependencies; /.test(message.text) ? subjectsOf(message) : []];
    case 'carry-over':
      // Besides files, there are messages about what npm would publish.
      return ['carried', message.about.filter(({ place }) => place !== null).map(({ package: name }) => name)];
    case 'versions':
    case 'settings':
    case 'lockfile':
      return ['aligned', []];
  }
}

/** Returns the workspaces whose declarations got another range, or another version for the same range; once for each declaration. */
function alignedIn(dependencies: NonNullable<Answer['dependencies']>): readonly string[] {
  const changed = dependencies.flatMap(({ declarations }) => declarations.filter((one) => one.newRange !== null || one.change !== null));
  return changed.map(({ workspace }) => workspace);
}

/** Returns the packages of a message, each once. If only the text names one, the text starts with it: `a: …`, `a asks for …`. */
function subjectsOf({ text, about }: ResultMessage): readonly string[] {
  if (about.length > 0) return [...new Set(about.map(({ package: name }) => name))];
  return [/^[^\s:]*/.exec(text)?.[0] ?? ''];
}

function isOpen({ decided }: AlignedStepResult['decisions'][number]): boolean {
  return decided === null;
}

/** Returns a table for people, with a sum. If tests were run, it has their results alone and in the monorepo. */
export function formatFamily({ rows, decisions, locked }: FamilyTable, tested: readonly PackageTestsResult[] = []): string {
  const sum = (count: Count): number => rows.reduce((total, row) => total + row[count], 0);
  const lines = [
    ['', ...COLUMNS.map(([, title]) => title), ...(tested.length === 0 ? [] : ['tests before', 'tests after'])],
    ...rows.map((row) => [row.name, ...COLUMNS.map(([count]) => String(row[count])), ...testCells(row.name, tested)]),
    ['together', ...COLUMNS.map(([count]) => String(sum(count))), ...testSums(tested)],
  ];
  const steps = decisions.map(({ step, count }) => `${count} of ${step}`).join(', ');
  const fates = locked?.counts.map(({ fate, count }) => `${count} ${fate}`).join(', ');
  return [
    ...lines.map(line),
    '',
    `  decisions left to a person, each once: ${decisions.reduce((total, { count }) => total + count, 0)}${steps === '' ? '' : ` (${steps})`}`,
    ...(locked === null ? [] : [`  locked requests: ${locked.requests} (${fates})`]),
  ].join('\n');
}

const COLUMNS: readonly (readonly [count: Count, title: string])[] = [
  ['converted', 'ranges converted'],
  ['phantoms', 'phantoms declared'],
  ['aligned', 'versions aligned'],
  ['carried', 'files carried'],
  ['decisions', 'decisions left'],
];

function testCells(name: string, tested: readonly PackageTestsResult[]): string[] {
  const one = tested.find((other) => other.name === name);
  return one === undefined ? [] : [one.before, one.after].map(formatSide);
}

/** Returns the number of passed tests, of the packages that report it. */
function testSums(tested: readonly PackageTestsResult[]): string[] {
  if (tested.length === 0) return [];
  const sum = (side: 'before' | 'after'): number => tested.reduce((total, one) => total + (one[side].passed ?? 0), 0);
  return [String(sum('before')), String(sum('after'))];
}

/** Returns `57`, `50 + 7 failed`, `not installed`. */
function formatSide({ result, passed, failed }: SideTestsResult): string {
  if (passed === null) return result;
  const others = failed === null || failed === 0 ? '' : ` + ${failed} failed`;
  return `${passed}${others}${others === '' && result !== 'passed' ? `, ${result}` : ''}`;
}

function line([name = '', ...cells]: readonly string[]): string {
  return `  ${name.padEnd(22)}${cells.map((cell) => cell.padStart(19)).join('')}`;
}
