import { applyEdits } from 'jsonc-parser';
import type { Scalar } from 'yaml';
import { checkoutOf, type Leftover, lineOf, type Rewriting, together } from './directories.js';
import { intoPackage, isLockfile, isPlainFolder } from './into-package.js';
import { mapAt, type TextEdit, textsIn, type WorkflowDocument } from './workflow-document.js';

/**
 * Moves paths in expressions and commands that are always relative to the root of the repository: those of `hashFiles`
 * and of problem matchers.
 */
export function moveExpressions({ text, root, jobs }: WorkflowDocument, folder: string): Rewriting {
  const env = mapAt(root, 'env');
  const ofJobs = jobs.filter((job) => checkoutOf(job) === 'here').flatMap(({ node }) => textsIn(node));
  const here = [...(env === undefined || ofJobs.length === 0 ? [] : textsIn(env)), ...ofJobs];
  const moved = here.map((scalar) => moveText(text, scalar, folder));
  return together([...moved, { edits: [], left: textsIn(root).flatMap((scalar) => conditionsIn(text, scalar)) }]);
}

/** Moves the paths in one text, also in the steps of an action. */
export function moveText(text: string, scalar: Scalar<string>, folder: string): Rewriting {
  const [start, end] = scalar.range ?? [0, 0];
  const source = text.slice(start, end);
  const left: Leftover[] = [];
  const leave = (what: string, at: number): void => {
    left.push({ line: lineOf(text, start + at), what });
  };
  const move = (path: string, at: number): readonly TextEdit[] => {
    const moved = isPlainFolder(folder) && !isLockfile(path) ? intoPackage(path, folder) : 'unknown';
    if (moved === 'unknown') leave(`\`${path}\``, at);
    return moved === 'unknown' || moved.path === path ? [] : [{ offset: start + at, length: path.length, content: moved.path }];
  };
  const edits = [...hashed(source, scalar.type), ...matchers(source)].flatMap(({ path, at }) => move(path, at));
  const local = edits.map((edit) => ({ ...edit, offset: edit.offset - start }));
  // Rewritten paths already lead to the package.
  const rest = applyEdits(source, local).replace(/::add-matcher::\S+/g, '');
  const named = /\$\{?GITHUB_WORKSPACE\b|\bgithub\.workspace\b/.exec(rest)?.[0];
  if (named !== undefined && !isPathAlone(scalar.value)) leave('a path that begins with the root of the repository', source.indexOf(named));
  return { edits, left };
}

/** Whether a text is only `${{ github.workspace }}/x`, which is handled as a working directory or an input. */
function isPathAlone(value: string): boolean {
  return /^\$\{\{\s*github\.workspace\s*\}\}(?:\/\S*)?$/.test(value);
}

interface FoundPath {
  readonly path: string;
  readonly at: number;
}

/** Returns the paths in `hashFiles`. In single quotes, the quotes of an expression are doubled. */
function hashed(source: string, type: Scalar['type']): readonly FoundPath[] {
  const pattern = type === 'QUOTE_SINGLE' ? /''([^']+)''/g : /'([^']+)'/g;
  return [...source.matchAll(/\bhashFiles\(([^()]*)\)/g)].flatMap((call) => {
    const [, args = ''] = call;
    const from = call.index + call[0].indexOf(args);
    return [...args.matchAll(pattern)].map((found) => ({
      path: found[1] ?? '',
      at: from + found.index + found[0].indexOf(found[1] ?? ''),
    }));
  });
}

function matchers(source: string): readonly FoundPath[] {
  return [...source.matchAll(/::add-matcher::([^\s"'`]+)/g)].map(({ 0: whole, 1: path = '', index }) => ({
    path,
    at: index + whole.length - path.length,
  }));
}

function conditionsIn(text: string, scalar: Scalar<string>): readonly Leftover[] {
  const isCondition = /\bgithub\.(?:event\.)?repository(?:_owner|\.\w+)?\s*[!=]=|[!=]=\s*github\.(?:event\.)?repository\b/.test(
    scalar.value,
  );
  return isCondition ? [{ line: lineOf(text, scalar.range?.[0] ?? 0), what: 'a condition on the name of the repository' }] : [];
}
