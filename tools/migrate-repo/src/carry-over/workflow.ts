import { isRecord } from '@tributary/model/record';
import { isMap, isPair, isScalar, stringify, type YAMLMap } from 'yaml';
import { readYaml } from '../edit/edit-yaml.js';
import type { Subject } from './rule.js';

/** Where a workflow came from. */
interface Origin {
  readonly subject: Subject;
  /** From the newcomer's folder. */
  readonly file: string;
}

/**
 * A workflow as it may stand at the root: its only trigger is by hand, the former ones stand in a comment with the paths they would need, and its steps run in the
 * folder of the package. Every other line stays as it is, but for paths of actions and workflows of its own repository. `undefined` for what is no workflow.
 */
export function disableWorkflow(text: string, origin: Origin): string | undefined {
  const document = readYaml(text);
  const workflow: unknown = document?.toJS();
  if (document === undefined || !isMap(document.contents) || document.contents.flow === true || !isRecord(workflow)) return undefined;
  const lines = text.split(/\r?\n/);
  const place = linesOfKey(text, document.contents as YAMLMap, 'on');
  if (place === undefined || !isRecord(workflow['jobs'])) return undefined;
  const former = lines.slice(place.first, place.after);
  while (former.at(-1)?.trim() === '') former.pop();
  const after = [...(former.length < place.after - place.first ? [''] : []), ...lines.slice(place.after)];
  const hasDefaults = workflow['defaults'] !== undefined;
  const put = [...header(former, origin, hasDefaults), ...triggers(workflow['on']), ...(hasDefaults ? [] : defaults(origin))];
  const all = [...lines.slice(0, place.first), ...put, ...after].map((line) => withOwnPaths(line, origin));
  return all.join(text.includes('\r\n') ? '\r\n' : '\n');
}

/** The lines of a key of the map at the top; `undefined` where it is missing. */
function linesOfKey(text: string, map: YAMLMap, key: string): { first: number; after: number } | undefined {
  const starts = map.items.map((pair) => (isPair(pair) && isScalar(pair.key) ? (pair.key.range?.[0] ?? 0) : 0));
  const at = map.items.findIndex((pair) => isScalar(pair.key) && String(pair.key.value) === key);
  if (at === -1) return undefined;
  const lineOf = (offset: number): number => text.slice(0, offset).split('\n').length - 1;
  const next = starts[at + 1];
  const lines = text.split('\n');
  let after = next === undefined ? lines.length : lineOf(next);
  const first = lineOf(starts[at] ?? 0);
  // Comments above the next key belong to it.
  while (after > first + 1 && /^(#.*|\s*)$/.test((lines[after - 1] ?? '').replace(/\r$/, ''))) after--;
  return { first, after };
}

function header(former: readonly string[], { subject, file }: Origin, hasDefaults: boolean): readonly string[] {
  const { path } = subject.newcomer;
  return [
    `# From ${path}/${file} (migrate-repo). It only runs by hand. It ran:`,
    ...former.map((line) => (line.trim() === '' ? '#' : `#   ${line.trimEnd()}`)),
    '# Proposed, under each of push and pull_request:',
    '#   paths:',
    `#     - '${path}/**'`,
    ...(hasDefaults
      ? ['# Proposed, so that its steps run in the folder of the package:', ...defaults({ subject, file }).map((line) => `#   ${line}`)]
      : []),
  ];
}

/** Inputs of a run by hand stay, because steps use them. */
function triggers(on: unknown): readonly string[] {
  const byHand = isRecord(on) ? on['workflow_dispatch'] : undefined;
  if (!isRecord(byHand)) return ['on:', '  workflow_dispatch:'];
  return stringify({ on: { workflow_dispatch: byHand } }, { lineWidth: 0 })
    .trimEnd()
    .split('\n');
}

function defaults({ subject }: Origin): readonly string[] {
  return ['defaults:', '  run:', `    working-directory: ${JSON.stringify(subject.newcomer.path).replace(/^"([\w./-]+)"$/, '$1')}`];
}

/** `uses: ./…` is seen from the root of the repository. */
function withOwnPaths(line: string, { subject }: Origin): string {
  return line.replace(/^(\s*(?:-\s+)?uses:\s*["']?)\.\/([^\s"'#]*)/, (_, before: string, path: string) => {
    const name = /^\.github\/workflows\/([^/]+)$/.exec(path)?.[1];
    return name === undefined ? `${before}./${subject.newcomer.path}/${path}` : `${before}./.github/workflows/${subject.shortName}-${name}`;
  });
}

/** What a workflow needs that a repository may not have: secrets, environments, own runners, rights, lockfiles. */
export function workflowNeeds(text: string): readonly string[] {
  const secrets = names(text, /\bsecrets\.(\w+)/g).filter((name) => name !== 'GITHUB_TOKEN');
  const environments = names(text, /^\s+environment:\s*["']?([\w-]+)/gm);
  const runners = /runs-on:.*self-hosted/.test(text) ? ['runners of its own'] : [];
  const rights = names(text, /^\s+([\w-]+):\s*write\b/gm);
  const locks = names(text, /\b(package-lock\.json|pnpm-lock\.yaml|yarn\.lock|npm ci|npm i(?:nstall)?\b|pnpm i(?:nstall)?\b|npm publish)/g);
  return [
    ...(secrets.length === 0 ? [] : [`the secrets ${secrets.join(', ')}`]),
    ...(environments.length === 0 ? [] : [`the environments ${environments.join(', ')}`]),
    ...runners,
    ...(rights.length === 0 ? [] : [`the right to write ${rights.join(', ')}`]),
    ...(locks.length === 0 ? [] : [locks.join(', ')]),
  ];
}

function names(text: string, pattern: RegExp): readonly string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))].sort();
}
