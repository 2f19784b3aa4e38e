import { isPlainObject } from '@tributary/model/plain-object';
import { isScalar, stringify } from 'yaml';
import { carriedLine } from '../../carried-workflow.js';
import { intoPackage } from './into-package.js';
import type { TextEdit, WorkflowDocument } from './workflow-document.js';

/** The origin of a workflow. */
export interface Origin {
  /** The folder of the package. */
  readonly folder: string;
  /** Relative to the folder of the package. */
  readonly file: string;
  /** Returns the new path of a workflow of the package. */
  readonly workflowAt: (file: string) => string;
}

type Events = ReadonlyMap<string, unknown>;

/** Events that come from a schedule, a person or a call, not from changes of the package. */
const OF_ALL = new Set(['workflow_dispatch', 'workflow_call', 'repository_dispatch', 'schedule']);

/** Events that a path filter can limit. */
const BY_PATHS = ['push', 'pull_request', 'pull_request_target'];

/**
 * Returns the edit that lets a workflow start only manually, or by a call as before. A comment has its former triggers,
 * with what they would need. `below`: lines to add after it.
 */
export function disableTriggers(workflow: WorkflowDocument, origin: Origin, below: readonly string[]): TextEdit {
  const { text, value } = workflow;
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const place = placeOfTriggers(workflow);
  const former = text.slice(place.offset, place.offset + place.length);
  const events = eventsOf(value['on']);
  const isQuiet = [...events.keys()].every((name) => name === 'workflow_call' || name === 'workflow_dispatch');
  const lines = isQuiet ? [carriedLine(origin), ...former.split(/\r?\n/)] : [...header(former, events, origin), ...triggers(events)];
  return { ...place, content: [...lines, ...below].join(end) };
}

/** Whether a workflow starts automatically. */
export function isStartedByEvents(value: unknown): boolean {
  return [...eventsOf(value).keys()].some((name) => name !== 'workflow_call' && name !== 'workflow_dispatch');
}

/** Returns the settings of each event, by name. */
export function eventsOf(on: unknown): Events {
  if (typeof on === 'string') return new Map([[on, null]]);
  if (Array.isArray(on)) return new Map(on.map((name: unknown) => [String(name), null]));
  return new Map(isPlainObject(on) ? Object.entries(on) : []);
}

/** Returns the place of the lines of `on`, without the last line break, and without comments above the next key. */
function placeOfTriggers({ text, root }: WorkflowDocument): { readonly offset: number; readonly length: number } {
  const starts = root.items.map(({ key }) => (isScalar(key) ? (key.range?.[0] ?? 0) : 0));
  const at = root.items.findIndex(({ key }) => isScalar(key) && String(key.value) === 'on');
  const offset = starts[at] ?? 0;
  const lines = text.slice(offset, starts[at + 1] ?? text.length).split('\n');
  while (lines.length > 1 && /^(#.*|\s*)$/.test((lines.at(-1) ?? '').replace(/\r$/, ''))) lines.pop();
  return { offset, length: lines.join('\n').replace(/\r$/, '').length };
}

function header(former: string, events: Events, origin: Origin): readonly string[] {
  const before = former.split(/\r?\n/).map((line) => (line.trim() === '' ? '#' : `#   ${line.trimEnd()}`));
  const called = events.has('workflow_call') ? 'It runs only by hand and when called.' : 'It runs only by hand.';
  return [`${carriedLine(origin)} ${called} It ran:`, ...before, ...proposals(events, origin), ...warnings(events)];
}

/** Returns the package's paths for each event that paths can limit. Events with the same paths are grouped. */
function proposals(events: Events, origin: Origin): readonly string[] {
  const groups = new Map<string, string[]>();
  for (const name of BY_PATHS) {
    if (!events.has(name) || isForTagsAlone(events.get(name))) continue;
    const key = pathsFor(events.get(name), origin).join('\n');
    groups.set(key, [...(groups.get(key) ?? []), name]);
  }
  return [...groups].flatMap(([paths, names]) => [
    `# Proposed under ${inWords(names)}:`,
    '#   paths:',
    ...paths.split('\n').map((line) => `#     - ${line}`),
  ]);
}

function pathsFor(event: unknown, origin: Origin): readonly string[] {
  const filters = isPlainObject(event) ? event : {};
  const own = textsOf(filters['paths']);
  const ignored = textsOf(filters['paths-ignore']).map((pattern) => `!${pattern}`);
  return (own.length > 0 ? own : ['**', ...ignored]).map((pattern) => quoted(below(pattern, origin)));
}

function below(pattern: string, { folder, workflowAt }: Origin): string {
  const [, workflow] = /^\.github\/workflows\/([^/*]+)$/.exec(pattern) ?? [];
  if (workflow !== undefined) return workflowAt(workflow);
  const moved = intoPackage(pattern, folder);
  return moved === 'unknown' ? pattern : moved.path;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function isForTagsAlone(event: unknown): boolean {
  if (!isPlainObject(event)) return false;
  const has = (key: string): boolean => event[key] !== undefined;
  return (has('tags') || has('tags-ignore')) && !has('branches') && !has('branches-ignore');
}

/** Returns notes about restoring other events. */
function warnings(events: Events): readonly string[] {
  const push = events.get('push');
  const others = [...events.keys()].filter((name) => !BY_PATHS.includes(name) && !OF_ALL.has(name) && name !== 'workflow_run');
  return [
    ...(isPlainObject(push) && (push['tags'] !== undefined || push['tags-ignore'] !== undefined)
      ? ['# All packages share the tags of one repository: list those that should start it.']
      : []),
    ...(events.has('workflow_run')
      ? ['# workflow_run matches the name of a workflow, which workflows of other packages may have too.']
      : []),
    ...(others.length > 0 ? [`# If restored, ${inWords(others)} would start it for all packages.`] : []),
  ];
}

/** Returns the new triggers. Inputs of manual runs are kept, because steps use them. */
function triggers(events: Events): readonly string[] {
  const kept = ['workflow_call', 'workflow_dispatch'].flatMap((name) =>
    events.has(name) || name === 'workflow_dispatch' ? [[name, events.get(name) ?? null] as const] : [],
  );
  return stringify({ on: Object.fromEntries(kept) }, { lineWidth: 0, nullStr: '' })
    .trimEnd()
    .split('\n')
    .map((line) => line.trimEnd());
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : typeof value === 'string' ? [value] : [];
}

function inWords(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
