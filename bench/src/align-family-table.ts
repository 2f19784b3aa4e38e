import type { AlignedStepResult, MigrateResult } from '@tributary/migrate-repo/result';

/** What the alignment did for one package. */
export interface FamilyRow {
  readonly name: string;
  readonly converted: number;
  readonly phantoms: number;
  readonly aligned: number;
  readonly carried: number;
  readonly decisions: number;
}

export interface FamilyTable {
  /** In the order of the answer; last one of what is said of none of them by name, if there is any. */
  readonly rows: readonly FamilyRow[];
  readonly kept: number;
  readonly pinned: number;
  /** Requests that the monorepo, or another newcomer, has locked at another version. */
  readonly elsewhere: number;
}

type Count = Exclude<keyof FamilyRow, 'name'>;

const OTHERS = '(others)';

/** Reads a table out of the sentences of an answer; a sentence of four packages counts for each of them. */
export function familyTable({ packages, alignment }: Pick<MigrateResult, 'packages' | 'alignment'>): FamilyTable {
  const names = new Set(packages.map(({ name }) => name));
  const counts = new Map([...names, OTHERS].map((name) => [name, { converted: 0, phantoms: 0, aligned: 0, carried: 0, decisions: 0 }]));
  for (const step of alignment ?? []) {
    for (const { count, line } of countedLines(step)) {
      for (const name of subjectsOf(line, names)) {
        const row = counts.get(name);
        if (row !== undefined) row[count]++;
      }
    }
  }
  const rows = [...counts].map(([name, row]) => ({ name, ...row }));
  const isSaid = ({ name, ...row }: FamilyRow): boolean => name !== OTHERS || Object.values(row).some((value) => value > 0);
  return { rows: rows.filter(isSaid), ...pinsOf(alignment ?? []) };
}

function countedLines({ step, changes, decisions }: AlignedStepResult): { readonly count: Count; readonly line: string }[] {
  const counted = COUNTED[step];
  return [
    ...(counted === undefined ? [] : changes.filter((line) => counted.sentence.test(line)).map((line) => ({ count: counted.count, line }))),
    // What is said of a dependency is said of all that declare it.
    ...decisions.map((line) => ({ count: 'decisions' as const, line: step === 'versions' ? OTHERS : line })),
  ];
}

const COUNTED: Partial<Record<AlignedStepResult['step'], { readonly count: Count; readonly sentence: RegExp }>> = {
  internal: { count: 'converted', sentence: /` became `/ },
  phantoms: { count: 'phantoms', sentence: / in (?:dependencies|devDependencies|optionalDependencies|peerDependencies); / },
  versions: { count: 'aligned', sentence: /: \S+ `/ },
  // Beside files there are sentences about what npm would publish.
  'carry-over': { count: 'carried', sentence: /: `[^`]+`: / },
};

/** `a: …`, `a, b: …`, `a, b, c and 12 more: …`, `a asks for …` */
function subjectsOf(line: string, names: ReadonlySet<string>): string[] {
  const [before = ''] = line.split(/:\s/, 1);
  const listed = before.replace(/ and \d+ more$/, '').split(', ');
  if (listed.every((name) => names.has(name))) return before === listed.join(', ') ? listed : [...listed, OTHERS];
  const [first = ''] = line.split(' ', 1);
  return [names.has(first) ? first : OTHERS];
}

function pinsOf(alignment: readonly AlignedStepResult[]): Pick<FamilyTable, 'kept' | 'pinned' | 'elsewhere'> {
  const changes = alignment.find(({ step }) => step === 'lockfile')?.changes ?? [];
  const [, kept = 0, pinned = 0] =
    /^(\d+) of (\d+) locked versions are kept/.exec(changes.find((line) => /^\d+ of /.test(line)) ?? '') ?? [];
  return { kept: Number(kept), pinned: Number(pinned), elsewhere: countElsewhere(changes) };
}

/** The answer shows some, and says how many more there are like the one before. */
function countElsewhere(changes: readonly string[]): number {
  const isElsewhere = (line: string): boolean => /as in the monorepo; it was|, and is not kept: .* locked at /.test(line);
  return changes.reduce((sum, line, at) => {
    const [, more = 0] = (isElsewhere(changes[at - 1] ?? '') ? /^And (\d+) more like/.exec(line) : undefined) ?? [];
    return sum + (isElsewhere(line) ? 1 : Number(more));
  }, 0);
}

/** A table for people, with a sum. */
export function formatFamily({ rows, kept, pinned, elsewhere }: FamilyTable): string {
  const sum = (count: Count): number => rows.reduce((total, row) => total + row[count], 0);
  const cells = ({ name, converted, phantoms, aligned, carried, decisions }: FamilyRow): string[] =>
    [name, converted, phantoms, aligned, carried, decisions].map(String);
  const total = ['together', ...COLUMNS.map(([count]) => String(sum(count)))];
  const lines = [['', ...COLUMNS.map(([, title]) => title)], ...rows.map(cells), total].map(line);
  const pins = `\n\n  pins kept: ${kept} of ${pinned}; requests that another has locked at another version: ${elsewhere}`;
  return `${lines.join('\n')}${pinned === 0 ? '' : pins}`;
}

const COLUMNS: readonly (readonly [count: Count, title: string])[] = [
  ['converted', 'ranges converted'],
  ['phantoms', 'phantoms declared'],
  ['aligned', 'versions aligned'],
  ['carried', 'files carried'],
  ['decisions', 'decisions left'],
];

function line([name = '', ...cells]: readonly string[]): string {
  return `  ${name.padEnd(24)}${cells.map((cell) => cell.padStart(19)).join('')}`;
}
