import { expect, test } from '@jest/globals';
import { PROOF } from '../plan/watched-task.js';
import { ProofFilter } from './without-proofs.js';

/** Shows a text that arrives in pieces of so many characters. */
function shown(text: string, size: number): string {
  let all = '';
  const filter = new ProofFilter((part) => {
    all += part;
  });
  for (let at = 0; at < text.length; at += size) filter.take(text.slice(at, at + size));
  filter.end();
  return all;
}

const ui = '\u001b[35m@acme/ui:test: \u001b[0m';
const app = 'app:test: ';
const PRINTED = `${ui}\n${ui}one\n${ui}\n${ui}${PROOF}abc with x; 3 ran\n${app}two\n${app}${PROOF}def\n\n${PROOF}x\n${app}\n${app}\n\n Tasks: 2`;
const SHOWN = `${ui}\n${ui}one\n${app}two\n${app}\n${app}\n\n Tasks: 2`;

test('the proofs of tasks are not shown, with the empty lines before them, however the output arrives', () => {
  for (const size of [1, 2, 7, 40, PRINTED.length]) expect(shown(PRINTED, size)).toBe(SHOWN);
  expect(shown('', 1)).toBe('');
  expect(shown('no end', 3)).toBe('no end');
});
