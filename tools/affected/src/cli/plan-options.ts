import { ToolError } from '@tributary/model/errors';
import { InvalidArgumentError } from 'commander';
import type { TestStage } from '../gate/events.js';
import type { ChangeOptions } from './change-options.js';

/** Parses `90s`, `10m` or `1h` into seconds. Rejects a bare number, which may be meant as minutes. For commander. */
export function readSeconds(text: string): number {
  const [, digits, unit = ''] = /^(\d{1,6}(?:\.\d{1,3})?)(s|m|h)$/.exec(text) ?? [];
  const seconds = Number(digits) * ({ s: 1, m: 60, h: 3600 }[unit] ?? Number.NaN);
  if (!(seconds > 0)) throw new InvalidArgumentError('It must be a time such as 90s, 10m or 1h.');
  return seconds;
}

export const DEFAULT_TASKS: readonly string[] = ['test'];

/** Parses names of tasks, separated by commas. `before`: those of the same option, given before, or the default. For commander. */
export function readTasks(text: string, before = DEFAULT_TASKS): readonly string[] {
  if (before !== DEFAULT_TASKS) throw new InvalidArgumentError(`Give the option once: --task ${before.join(',')},${text}`);
  const tasks = text.split(',').map((name) => name.trim());
  if (tasks.includes('')) throw new InvalidArgumentError('It must name tasks, separated by commas.');
  const twice = tasks.find((name, at) => tasks.indexOf(name) !== at);
  if (twice !== undefined) throw new InvalidArgumentError(`It names "${twice}" twice.`);
  // A piece is named by its workspace, this character, and its task.
  if (tasks.length > 1 && tasks.some((name) => name.includes('#')))
    throw new InvalidArgumentError('It must name tasks without a workspace.');
  return tasks;
}

/** No engine allows more jobs. */
const MOST_SHARDS = 4000;

export interface SizeOptions {
  readonly targetTime?: number;
  readonly shards?: number;
  readonly maxShards: number;
  readonly setupTime: number;
}

export interface PlanOptions extends Omit<ChangeOptions, 'task'>, SizeOptions {
  /** Each once. */
  readonly task: readonly string[];
  readonly timings?: string;
  readonly out: string;
  readonly summary?: string;
  /** The id of the shard to list in full. */
  readonly shard?: string;
  readonly fallback?: 'all';
  readonly reportOnly?: true;
  readonly dropped?: readonly string[];
}

export interface GateOptions {
  readonly plan: string;
  readonly receipts: string;
  readonly attempt: number;
  readonly commit?: string;
  readonly summary?: string;
  readonly junit?: string;
  /** The name of the comment; `true` without one. */
  readonly comment?: string | true;
  readonly events?: string;
  readonly stage: TestStage;
  readonly repo?: string;
}

export interface CollectOptions {
  readonly into: string;
  readonly receipts?: string;
  readonly plan?: string;
  readonly task?: string;
  readonly allowMissing?: boolean;
}

/** Throws `USAGE` for options that contradict each other. */
export function checkSize({ targetTime, shards, maxShards }: SizeOptions): void {
  if (targetTime !== undefined && shards !== undefined) throw clash('--target-time and --shards cannot be used together.');
  if (shards !== undefined && shards > MOST_SHARDS) throw clash(`--shards is above ${MOST_SHARDS}, the most that any engine supports.`);
  if (shards !== undefined && shards > maxShards)
    throw clash(`--shards ${shards} is above --max-shards, which is ${maxShards}.`, `Give --max-shards ${shards} too.`);
  if (maxShards > MOST_SHARDS) throw clash(`--max-shards is above ${MOST_SHARDS}, the most that any engine supports.`);
}

function clash(message: string, hint = 'Use one of them: the time limit, or the number of machines.'): ToolError {
  return new ToolError({ code: 'USAGE', message, hint });
}
