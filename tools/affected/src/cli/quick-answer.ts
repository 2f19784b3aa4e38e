import { kindOfTask } from '@tributary/workspaces/task-kinds';
import type { Reading } from '../io/reading.js';
import { renderList } from '../render-lists.js';
import { decide } from '../run/decide.js';
import { gatherFrom } from '../run/gather.js';
import type { AffectedInputs } from '../run/inputs.js';
import { resultOf } from '../run/select.js';
import type { QuickCommand } from './quick-command.js';

/**
 * Returns the answer as text; `undefined` if there are warnings or messages, which the whole program prints. Throws the errors of
 * `selectAffected`.
 */
export async function answerFrom(
  reading: Reading,
  { git, place }: Pick<AffectedInputs, 'git' | 'place'>,
  { request, format }: QuickCommand,
): Promise<string | undefined> {
  const given = await gatherFrom(reading, { git, place });
  if (given === undefined) return undefined;
  const inputs = { ...given, taskKind: kindOfTask(request.task ?? 'test') };
  const result = resultOf(inputs, await decide(inputs));
  const isSilent = result.warnings.length === 0 && (result.all === null || format === 'json');
  return isSilent ? renderList(result, format) : undefined;
}
