import { join, sep } from 'node:path';
import { isToolError, ToolError } from '@tributary/model/errors';
import { isPlainObject } from '@tributary/model/plain-object';
import { maskFor } from '@tributary/model/secrets';
import { parsePlan } from '../plan/seal.js';
import { inOneLine } from '../plan/shape.js';
import { maskReceipt } from '../receipt/mask-receipt.js';
import { parseReceipt } from '../receipt/receipt.js';
import type { RunFile } from '../report-only/all-runs.js';
import { readEnvironment } from './environment.js';
import { listDocuments, readDocument } from './receipts.js';

/**
 * Reads the plans and receipts of several runs in a folder and below. It follows no links; secrets in receipts are masked. Throws
 * `FILE_UNUSABLE` for a folder that cannot be listed, and `USAGE` for one without any plan.
 */
export function readRunFiles(folder: string, named: string): readonly RunFile[] {
  const mask = maskFor(readEnvironment());
  const files = listDocuments(folder).map((path): RunFile => {
    const [first = '', ...below] = path.split(sep);
    const place = { file: inOneLine(path), top: below.length === 0 ? '' : first };
    const text = readDocument(join(folder, path));
    if (typeof text === 'object') return { ...place, ...text };
    if (isLikePlan(text)) return { ...place, ...planIn(text, path) };
    const receipt = parseReceipt(text);
    return 'problem' in receipt ? { ...place, problem: receipt.problem } : { ...place, receipt: maskReceipt(receipt, mask) };
  });
  if (files.some((one) => 'plan' in one)) return files;
  throw new ToolError({
    code: 'USAGE',
    message: `${named} has no usable plan.`,
    hint: 'Download the artifacts of each run into it, such as: gh run download <run> --dir <folder>/<run>',
  });
}

function planIn(text: string, path: string): { readonly plan: ReturnType<typeof parsePlan> } | { readonly problem: string } {
  try {
    return { plan: parsePlan(text, path) };
  } catch (error) {
    if (!isToolError(error)) throw error;
    return { problem: error.message };
  }
}

/** A plan has shards; a receipt names one. */
function isLikePlan(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return isPlainObject(value) && Array.isArray(value['shards']);
  } catch {
    return false;
  }
}
