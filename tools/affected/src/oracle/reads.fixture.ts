import { posix } from 'node:path';
import { type Edge, edgesOf } from './graph.fixture.js';
import { type OracleMember, type OracleProject, ownerOf } from './project.fixture.js';
import { kindAt, kindOf } from './reach.fixture.js';
import { textsIn } from './side.fixture.js';

/** What a file reads: a path from the root, a file or folder below a workspace that is named, or a package of the registry. */
export type Target =
  | { readonly path: string; readonly isOpaque?: boolean }
  | { readonly workspace: string; readonly below: string }
  | { readonly registry: string };

/** The truth about a file as long as it has this text. */
export interface WrittenReads {
  readonly file: string;
  readonly text: string;
  readonly targets: readonly Target[];
}

/** `file` reads `path`, and everything below. */
export interface Read {
  readonly file: string;
  readonly path: string;
  /** Whether only the running program knows the path. */
  readonly isOpaque: boolean;
}

/** Returns what is read on one side, according to what was written beside the files. */
export function readsAt(project: OracleProject, written: readonly WrittenReads[]): Read[] {
  return written
    .filter(({ file, text }) => project.side.text(file) === text)
    .flatMap(({ file, targets }) => targets.flatMap((target) => pathOf(project, file, target)))
    .concat(project.members.flatMap(readByScripts));
}

/** Returns what scripts name, as if each was a file: those of tests are tests. */
function readByScripts({ path: folder, manifest }: OracleMember): Read[] {
  return textsIn(manifest['scripts']).flatMap(([name, text]) => {
    const file = `${folder}/${name.endsWith('test') ? 'scripts.test.js' : 'scripts.js'}`;
    const paths = text.split(' ').filter((word) => word.startsWith('../'));
    return paths.map((path) => ({ file, path: posix.join(folder, path), isOpaque: false }));
  });
}

function pathOf(project: OracleProject, file: string, target: Target): Read[] {
  if ('path' in target) return [{ file, path: target.path, isOpaque: target.isOpaque === true }];
  if ('registry' in target) return [{ file, path: `node_modules/${target.registry}`, isOpaque: false }];
  const member = project.members.find(({ name }) => name === target.workspace);
  const reader = ownerOf(project, file);
  if (member === undefined || reader === undefined || !isCertain(project, reader, member)) return [];
  return [{ file, path: posix.join(member.path, target.below), isOpaque: false }];
}

/** With a range that leads elsewhere, the name is that of a package of the registry. */
function isCertain(project: OracleProject, reader: OracleMember, { name }: OracleMember): boolean {
  if (reader.name === name || edgesOf(project, new Set()).some(({ from, to }) => from === reader.name && to === name)) return true;
  return [project.root, reader].every(({ manifest }) =>
    Object.values(manifest).every((block) => textsIn(block).every(([key]) => key !== name)),
  );
}

/**
 * Returns changed files, and the files that read one of them, directly or through others: path → why. Of sources, nobody claims that a place
 * that may read everything reads them, also through a file of the root.
 */
export function touchedBy(project: OracleProject, changed: Iterable<string>, reads: readonly Read[]): Map<string, string> {
  const touched = new Map<string, string>();
  const isOwned = (path: string): boolean => ownerOf(project, path) !== undefined;
  const isSource = (path: string): boolean => isOwned(path) && kindAt(project, path) === 'source';
  const [sources, others] = [[...changed].filter(isSource), [...changed].filter((path) => !isSource(path))];
  spread(touched, others, (path, { isOpaque }) => !isOpaque || !isSource(path), reads);
  spread(touched, sources, (path, { isOpaque }) => !isOpaque || (isOwned(path) && !isSource(path)), reads);
  return touched;
}

function spread(
  touched: Map<string, string>,
  changed: readonly string[],
  mayPass: (path: string, read: Read) => boolean,
  reads: readonly Read[],
): void {
  const queue = changed.filter((path) => !touched.has(path));
  for (const path of queue) touched.set(path, `${path} changed`);
  for (const path of queue) {
    for (const read of reads) {
      const { file, path: target } = read;
      if (touched.has(file) || !mayPass(path, read) || (path !== target && !path.startsWith(`${target}/`))) continue;
      touched.set(file, `${file} reads it: ${touched.get(path)}`);
      queue.push(file);
    }
  }
}

/** Returns the edges between workspaces whose sources import each other's. */
export function importEdges(project: OracleProject, reads: readonly Read[]): Edge[] {
  const owners = new Map<string, OracleMember | undefined>();
  const ownerIn = (path: string): OracleMember | undefined => {
    const folder = posix.dirname(path);
    if (!owners.has(folder)) owners.set(folder, ownerOf(project, path));
    return owners.get(folder);
  };
  return reads.flatMap(({ file, path, isOpaque }) => {
    const [from, to] = [ownerIn(file), ownerIn(path)];
    if (from === undefined || to === undefined || from === to || isOpaque) return [];
    const isCode = CODE.test(path) && kindOf(file, from) === 'source' && kindOf(path, to) === 'source';
    return isCode ? [{ from: from.name, to: to.name }] : [];
  });
}

const CODE = /\.[cm]?[jt]sx?$/;
const IMPORT = /^(?!\s*(?:\/\/|\/?\*)).*?(?:\bfrom |\bimport |\bimport\(|\brequire\()(['"])(\.\.?\/[^'"`$]+)\1/gm;

/** Finds relative imports and what they lead to by the text of all code. `known` keeps the imports by file and content. */
export function scanReads({ side }: OracleProject, known: Map<string, readonly string[]>): Read[] {
  return [...side.files].flatMap(([file, content]) => {
    if (!CODE.test(file)) return [];
    const id = `${file} ${content}`;
    const imports = known.get(id) ?? [...(side.text(file) ?? '').matchAll(IMPORT)].map(([, , path = '']) => path);
    known.set(id, imports);
    return imports.flatMap((path): Read[] => {
      const target = posix.join(posix.dirname(file), path.replace(/\?.*$/, ''));
      const found = [target, ...['.ts', '.tsx', '.js', '.jsx', '/index.ts', '/index.js'].map((end) => `${target}${end}`)];
      const first = found.find((one) => side.files.has(one));
      return first === undefined ? [] : [{ file, path: first, isOpaque: false }];
    });
  });
}
