import { countOf } from '../describe.js';
import { type Plan, type TestsAtBase, wholeName } from '../plan/plan.js';
import type { Receipt, ReceiptPiece } from '../receipt/receipt.js';

/** How many tests of a workspace ran, all of its parts together. */
export interface TestCount {
  /** In the format of `wholeName`. */
  readonly name: string;
  /** `undefined`: no runner told. */
  readonly tests: number | undefined;
  /** In its newest run that the plan knows; 0: it knows none. */
  readonly before: number;
  readonly atBase: TestsAtBase | undefined;
  /** Why it may run none; `undefined`: nobody said so. */
  readonly agreed: string | undefined;
}

/** Of the workspaces that passed and had tests in their newest known run or at the base, those of which fewer ran, none or an unknown number; as the plan orders them. */
export function fewerTests({ shards }: Plan, receipts: readonly Receipt[]): readonly TestCount[] {
  const planned = new Map(shards.flatMap(({ pieces }) => pieces.map((piece) => [wholeName(piece), piece])));
  const ran = byTests(receipts);
  return [...planned].flatMap(([name, { tests: before = 0, testsAtBase: atBase, agreed }]): readonly TestCount[] => {
    const passed = (ran.get(name) ?? []).filter(({ exit }) => exit === 0);
    if (passed.length < (passed[0]?.part?.[1] ?? 1)) return [];
    const known = passed.flatMap(({ tests }) => tests ?? []);
    const tests = known.length < passed.length ? undefined : known.reduce((sum, one) => sum + one, 0);
    const isFewer = (tests ?? 0) < before || (atBase !== undefined && (tests ?? 0) === 0);
    return isFewer ? [{ name, tests, before, atBase, agreed }] : [];
  });
}

/** As a clause: `its script started jest at the base, where 3 files are named like tests of it`. */
export function describeTestsAtBase(atBase: TestsAtBase | undefined): string {
  const { runners = [], files = 0 } = atBase ?? {};
  return `at the base its script started ${runners.join(' and ')}, with ${countOf(files, 'file')} named like a test`;
}

/** By `wholeName`, what ran of it. */
export function byTests(receipts: readonly Receipt[]): ReadonlyMap<string, readonly ReceiptPiece[]> {
  const found = new Map<string, ReceiptPiece[]>();
  for (const piece of receipts.flatMap(({ pieces }) => pieces))
    found.set(wholeName(piece), [...(found.get(wholeName(piece)) ?? []), piece]);
  return found;
}

/** Of the parts of a workspace: how many of the test files that the runner listed ran in none of them. 0 where a report does not tell. */
export function filesInNoPart(parts: readonly ReceiptPiece[]): number {
  const [first] = parts;
  if (first === undefined || first.testFiles === null || parts.some(({ fileSeconds }) => fileSeconds === undefined)) return 0;
  const ran = new Set(parts.flatMap(({ fileSeconds = [] }) => fileSeconds.map(({ file }) => file)));
  return parts.length === first.part?.[1] ? Math.max(0, first.testFiles - ran.size) : 0;
}
