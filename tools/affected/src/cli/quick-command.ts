import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseAbsolutePath } from '@tributary/model/paths';
import type { ListFormat } from '../render-lists.js';
import type { AffectedRequest } from '../run/request.js';

/** A command line that needs only a part of the program. */
export interface QuickCommand {
  readonly request: AffectedRequest;
  readonly format: ListFormat;
}

const FORMATS: readonly string[] = ['json', 'names', 'paths', 'turbo-filter'];

/**
 * Parses `--base <ref>` with `--head`, `--cwd`, `--json`, `--format` and `--task`, each at most once and with a plain value. Returns `undefined` for
 * every other command line, right or wrong, which commander parses. What this accepts means the same to commander; a test compares them.
 */
export function readQuickCommand(argv: readonly string[]): QuickCommand | undefined {
  const given = new Map<string, string>();
  for (let at = 0; at < argv.length; at++) {
    const option = argv[at] ?? '';
    if (given.has(option)) return undefined;
    if (option === '--json') given.set(option, '');
    else if (option === '--cwd' && argv[at + 1]?.startsWith('-') === false) given.set(option, argv[++at] ?? '');
    else if (/^--(base|head|format|task)$/.test(option) && isPlain(argv[at + 1])) given.set(option, argv[++at] ?? '');
    else return undefined;
  }
  const base = given.get('--base');
  const format = given.has('--json') ? 'json' : given.get('--format');
  if (base === undefined || format === undefined || !FORMATS.includes(format) || (given.get('--format') ?? format) !== format)
    return undefined;
  const cwd = resolve(given.get('--cwd') ?? '.');
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined;
  const request = { cwd: parseAbsolutePath(cwd), base, head: given.get('--head'), filesFrom: undefined, pullRequest: undefined };
  const task = given.get('--task');
  const more = task === undefined ? {} : { task };
  return { request: { ...request, ...more, uncommitted: 'without', fetch: 'allowed' }, format: format as ListFormat };
}

/** Tells whether a value is not an option, and has no special characters. */
function isPlain(value: string | undefined): boolean {
  return value !== undefined && /^[\w./~^@-]+$/.test(value) && !value.startsWith('-') && !value.includes('..');
}
