import { excerptOf } from '@tributary/terminal/markdown';
import type { Annotation } from '../engines/engine-log.js';
import type { FailedPiece } from './failed-pieces.js';

/** GitHub truncates a title at 255 characters, and a message at 4,096. */
const LONGEST_TITLE = 200;
const MESSAGE = { lines: 40, characters: 3000 } as const;

/**
 * Returns one annotation for each failed test, and one for each failed piece without known tests. There are at most `most`; the last one
 * then counts the rest. `project`: the project's folder in the repository.
 */
export function annotationsOf(
  failed: readonly FailedPiece[],
  { project, most }: { readonly project: string; readonly most: number },
): readonly Annotation[] {
  const all = failed.flatMap((piece) => annotationsOfPiece(piece, project));
  if (all.length <= most) return all;
  const rest = all.length - most + 1;
  // A receipt keeps only the first failures of each piece, so there may be more.
  const message = 'The summary of the gate and its JUnit file name the first ones of each workspace.';
  return [...all.slice(0, most - 1), { file: null, line: null, title: `and ${rest} or more other failures`, message }];
}

function annotationsOfPiece({ name, failures, exit, log }: FailedPiece, project: string): readonly Annotation[] {
  if (failures.length === 0) {
    const message = log === '' ? `It ended with exit code ${exit}.` : excerptOf(log, { ...MESSAGE, from: 'end' });
    return [{ file: null, line: null, title: titleOf(`${name} failed`), message }];
  }
  return failures.map(({ file, line, test, message }) => ({
    file: file === null || project === '' ? file : `${project}/${file}`,
    line,
    title: titleOf(`${name}: ${test}`),
    message: message === '' ? 'The test failed.' : excerptOf(message, { ...MESSAGE, from: 'start' }),
  }));
}

function titleOf(text: string): string {
  return excerptOf(text, { lines: 1, characters: LONGEST_TITLE, from: 'start' }).replace('\n', '');
}
