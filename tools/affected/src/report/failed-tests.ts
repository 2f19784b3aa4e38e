import { excerptOf } from '@tributary/terminal/markdown';
import { type FailedPiece, placeOf } from './failed-pieces.js';

const SHOWN = 20;
const ONE_LINE = { lines: 1, characters: 300, from: 'start' } as const;

/** Returns a line for each of the first failed tests: `Failed test: @acme/ui: adds (packages/ui/a.test.ts:7)`. */
export function describeFailedTests(failed: readonly FailedPiece[]): readonly string[] {
  const all = failed.flatMap(({ name, failures }) => failures.map((failure) => ({ name, failure })));
  const shown = all.slice(0, SHOWN).map(({ name, failure }) => {
    const place = placeOf(failure);
    return inLine(`Failed test: ${name}: ${failure.test}${place === '' ? '' : ` (${place})`}`);
  });
  return all.length <= SHOWN ? shown : [...shown, `${all.length - SHOWN} or more other failed tests: see the summary of the gate.`];
}

function inLine(text: string): string {
  return excerptOf(text, ONE_LINE).replace('\n', '');
}
