import type { FoundEdge } from './check/edges.js';
import type { Finding } from './check/finding.js';
import { countOf } from './describe.js';
import { actOf, exampleOf, nameOfNote, titleOf } from './describe-finding.js';
import type { Page } from './render.js';
import { renderRules } from './render-rules.js';
import type { CheckResult } from './result.js';

/** Renders a check for people: the holes with advice, then notes, then the rules in force, or those of the repository's files. */
export function renderCheck(result: CheckResult, page: Page, rules: 'all' | 'own'): string {
  const { findings } = result;
  const holes = findings.filter(({ severity }) => severity === 'hole');
  const notes = findings.filter(({ severity }) => severity === 'note');
  return [
    headline(result, holes.length),
    '',
    ...renderFixed(result, page),
    ...HOLES.flatMap((section) => renderHoles(section, page, holes)),
    ...listed(page, notes, { kind: 'idle-rule', title: 'Rules of tributary.json that match no file' }),
    ...listed(page, notes, { kind: 'idle-drop', title: 'Dropped tasks of tributary.json that still exist', advice: 'Delete the entries.' }),
    ...listed(page, notes, {
      kind: 'stale-edge',
      title: 'Edges of tributary.json that say nothing',
      advice: 'Correct their names, or delete them: "affected check --fix" deletes those that answers follow anyway.',
    }),
    ...listed(page, notes, {
      kind: 'narrow-inputs',
      title: 'Inputs in turbo.json that leave out files that tests of other workspaces read',
      advice: 'These tests run without a cache. Add the file to the inputs of a task that runs before them.',
    }),
    ...listed(page, notes, {
      kind: 'opaque-place',
      title: 'Places that may read anything around them',
      advice: 'A changed root file there selects these, too. A literal path is sharper.',
    }),
    ...renderCounts(page, notes),
    renderRules(result, page, rules),
  ].join('\n');
}

function headline({ head }: CheckResult, holes: number): string {
  return holes === 0 ? `No problem found in ${head.slice(0, 10)}.` : `${countOf(holes, 'problem')} in ${head.slice(0, 10)}.`;
}

/** Lists the changes of `--fix`. */
function renderFixed({ fixed }: CheckResult, page: Page): readonly string[] {
  if (fixed === undefined) return [];
  const { added, removed } = fixed;
  if (added.length + removed.length === 0) return ['tributary.json needs no change.', ''];
  return [...renderEdges(page, 'Added to tributary.json', added), ...renderEdges(page, 'Removed from tributary.json', removed)];
}

function renderEdges(page: Page, title: string, edges: readonly FoundEdge[]): readonly string[] {
  if (edges.length === 0) return [];
  const lines = edges.slice(0, MOST).flatMap(({ from, to, proof }) => [`  ${from} reads ${to}`, `      ${proof}`]);
  return [page.bold(`${title} (${edges.length})`), ...lines, ...andMore(edges.length), ''];
}

interface Section {
  readonly kind: Finding['kind'];
  readonly title: string;
  /** The meaning of the finding, and what to do. */
  readonly advice: readonly string[];
}

const FIX = 'Declare the dependency, or list it: "affected check --fix" with the same --observed.';

const HOLES: readonly Section[] = [
  {
    kind: 'unknown-workspace',
    title: 'Unknown workspaces in tributary.json',
    advice: ['Such an entry selects every workspace. Correct the name.'],
  },
  {
    kind: 'broken-promise',
    title: 'Entries of tributary.json whose reason no longer holds',
    advice: [
      'A change to such a file may select too few workspaces. Delete the entry and commit; then "affected tune" may propose a new one.',
    ],
  },
  {
    kind: 'undeclared-reference',
    title: 'References between workspaces that no manifest declares',
    advice: ['Answers follow them. Declare them: Yarn and turborepo do not see them.'],
  },
  {
    kind: 'observed-reading',
    title: 'Reads of traced commands that nothing declares',
    advice: ['A change to such a file does not select the workspace that reads it.', FIX],
  },
  {
    kind: 'narrow-inputs',
    title: 'Inputs in turbo.json that leave out files that tests read',
    advice: ['A change to such a file does not select the tests. Add it to the inputs, or set "affected.turboInputs": "ignore".'],
  },
];

/** How many of a kind are shown. */
const MOST = 10;

function renderHoles({ kind, title, advice }: Section, page: Page, holes: readonly Finding[]): readonly string[] {
  const found = holes.filter((hole) => hole.kind === kind);
  if (found.length === 0) return [];
  return [page.bold(`${title} (${found.length})`), ...advice, ...renderGroups(groupHoles(found), page), ''];
}

/** All findings that one step fixes, with the first of them. */
interface Group {
  readonly title: string;
  readonly first: Finding;
  count: number;
}

function renderGroups(groups: readonly Group[], page: Page): readonly string[] {
  const lines = groups.slice(0, MOST).flatMap(({ title, first, count }) => {
    const more = count === 1 ? '' : `, and ${count - 1} more`;
    return [`  ${title}`, ...renderExample(exampleOf(first), more, page)];
  });
  return [...lines, ...andMore(groups.length)];
}

function andMore(count: number): readonly string[] {
  return count > MOST ? [`  and ${count - MOST} more (--json shows all)`] : [];
}

function groupBy(findings: readonly Finding[], titleFor: (finding: Finding) => string): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const finding of findings) {
    const title = titleFor(finding);
    const known = groups.get(title);
    if (known === undefined) groups.set(title, { title, first: finding, count: 1 });
    else known.count++;
  }
  return [...groups.values()];
}

/** The number of workspaces with the same action that makes one entry. */
const MANY = 4;

/** Groups findings by the step that fixes them; those of many workspaces come first. */
function groupHoles(findings: readonly Finding[]): readonly Group[] {
  const doers = new Map<string, Set<string>>();
  for (const finding of findings) {
    const act = actOf(finding);
    if (act !== undefined) doers.set(act.what, (doers.get(act.what) ?? new Set<string>()).add(act.workspace));
  }
  const isShared = (finding: Finding): boolean => (doers.get(actOf(finding)?.what ?? '')?.size ?? 0) >= MANY;
  const title = (finding: Finding): string => {
    const what = actOf(finding)?.what ?? '';
    return isShared(finding) ? `${doers.get(what)?.size ?? 0} workspaces ${what}` : titleOf(finding);
  };
  const groups = groupBy(findings, title);
  return [...groups.filter(({ first }) => isShared(first)), ...groups.filter(({ first }) => !isShared(first))];
}

/** Renders an example in one line, or in two if that is too long. */
function renderExample(parts: readonly string[], more: string, { width }: Page): readonly string[] {
  if (parts.length === 0) return [];
  const line = `      ${parts.join(' ')}${more}`;
  const [first = '', ...others] = parts;
  return line.length <= width || others.length === 0 ? [line] : [`      ${first}`, `          ${others.join(' ')}${more}`];
}

/** Lists notes one by one. */
function listed(page: Page, notes: readonly Finding[], section: Omit<Section, 'advice'> & { readonly advice?: string }): readonly string[] {
  const found = notes.filter(({ kind }) => kind === section.kind);
  if (found.length === 0) return [];
  const advice = section.advice === undefined ? [] : [section.advice];
  return [page.bold(`${section.title} (${found.length})`), ...advice, ...renderGroups(groupBy(found, titleOf), page), ''];
}

const LISTED: ReadonlySet<Finding['kind']> = new Set(['idle-rule', 'idle-drop', 'stale-edge', 'narrow-inputs', 'opaque-place']);

/** Returns the number of the other notes of each kind, each with an example. */
function renderCounts(page: Page, notes: readonly Finding[]): readonly string[] {
  const groups = groupBy(
    notes.filter(({ kind }) => !LISTED.has(kind)),
    (note) => nameOfNote(note, 's'),
  );
  if (groups.length === 0) return [];
  const lines = groups.flatMap(({ title, first, count }) => [
    `  ${count} ${count === 1 ? nameOfNote(first, '') : title}`,
    ...renderExample(exampleOf(first), '', page),
  ]);
  return [page.bold('Good to know (--json shows all)'), ...lines, ''];
}
