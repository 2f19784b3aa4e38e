import { type RepoPath, relativeTo } from '@tributary/model/paths';
import type { Aliases } from './aliases.js';
import { referencesInComments } from './comment-references.js';
import { classOf, type FileClass } from './file-class.js';
import { isOfNode, packageOf, typesOf } from './package-name.js';
import { scanCode } from './scan-code.js';
import { scriptOf } from './script-parts.js';
import type { PackageView } from './surroundings.js';
import { ofJestEnvironment } from './tool-settings.js';
import type { ModuleReference, PackageUse, Uses } from './use.js';

/** Returns what a code file uses. Parsing is slow, so a file is parsed only if it may name something undeclared; most do not. */
export function usesOfCode(file: RepoPath, around: PackageView, aliases: Aliases): Uses {
  const text = around.read(file) ?? '';
  const usedIn = classOf(relativeTo(around.workspace.path, file));
  const script = scriptOf(file, text);
  // Types of packages that a fixture names are not needed.
  const language = script.language === 'js' || usedIn === 'fixture' ? 'js' : 'ts';
  if (!mayName(script.text, (name) => isWanted(name, { file, usedIn, language }, around))) return { uses: [], unread: [] };
  const { references, problem } = scanCode(script);
  const all = [...references, ...referencesInComments(script.text, language)].sort((one, other) => one.line - other.line);
  const uses = all.filter(({ specifier }) => !aliases.cover(specifier)).flatMap((reference) => asUses(reference, { language, around }));
  return {
    uses: uses.map((use) => ({ ...use, file, usedIn })),
    unread: problem === undefined || usedIn === 'fixture' ? [] : [{ file, problem }],
  };
}

interface CodeFile {
  readonly file: RepoPath;
  readonly usedIn: FileClass;
  readonly language: 'js' | 'ts';
}

function isWanted(name: string, { file, usedIn, language }: CodeFile, around: PackageView): boolean {
  const isMissing = (one: string): boolean => {
    const standing = around.standingOf(one, file);
    return (standing === 'undeclared' || (standing === 'development' && usedIn === 'production')) && around.exists(one);
  };
  if (isOfNode(name)) return language === 'ts' && around.lock !== undefined && isMissing('@types/node');
  return isMissing(name) || ((language === 'ts' || !around.exists(name)) && isMissing(typesOf(name)));
}

/** Returns the uses of a reference. Besides the package itself, TypeScript needs types: those in the old lockfile are used too. */
function asUses(
  { specifier, kind, line, guarded }: ModuleReference,
  { language, around }: { language: 'js' | 'ts'; around: PackageView },
): readonly PackageUse[] {
  if (kind === 'config') return [{ names: ofJestEnvironment(specifier), kind, line, guarded }].filter(({ names }) => names.length > 0);
  const types: Omit<PackageUse, 'names'> = { kind: 'type', line, guarded: false };
  if (isOfNode(specifier)) return language === 'ts' ? typesFromLock('node', around).map((name) => ({ ...types, names: [name] })) : [];
  const name = packageOf(specifier);
  if (name === undefined) return [];
  if (kind === 'reference') return [{ names: specifier === name ? [typesOf(name), name] : [name, typesOf(name)], kind, line, guarded }];
  const alternatives = kind === 'type' || (language === 'ts' && !around.exists(name)) ? [name, typesOf(name)] : [name];
  const use: PackageUse = { names: alternatives, kind, line, guarded };
  // In TypeScript, the result of `require` and similar calls is untyped.
  if (language === 'js' || kind === 'require' || kind === 'resolve' || kind === 'mock') return [use];
  return [use, ...typesFromLock(name, around).map((one) => ({ ...types, names: [one] }))];
}

/**
 * Returns the types of a package on DefinitelyTyped. Omitted if they only refer to the package's own types, or are left
 * from a version that had none.
 */
function typesFromLock(name: string, { lock, neighbour }: PackageView): readonly string[] {
  const types = typesOf(name);
  const version = lock?.topVersionOf(types);
  if (version === undefined || neighbour(name) !== undefined || lock?.asks.get(types)?.has(name) === true) return [];
  const own = name === 'node' ? undefined : lock?.topVersionOf(name);
  return own === undefined || isInUse(majorOf(version), majorOf(own)) ? [types] : [];
}

/**
 * Whether types belong to a version of a package. Types of version 4 may be those for version 5 (parse-json); those of
 * 0 for version 2 are a stub (json5).
 */
function isInUse(types: number, own: number): boolean {
  return types === 0 ? own === 0 : types >= own - 1;
}

function majorOf(version: string): number {
  return Number.parseInt(version, 10);
}

const QUOTED = /["'`](?:node:)?((?:@[\w~.-]+\/)?[A-Za-z0-9~_-][\w.~-]*)(?:\/[^"'`\s]*)?["'`]/g;
const PRAGMA = /@(?:jest-environment|jsxImportSource)[ \t]+[^\s*]+/;

/**
 * Whether a text may name one of these packages: it has a quoted text that begins like one, or a pragma. If not, no
 * parser finds anything in it. So most files need not be parsed.
 */
export function mayName(text: string, isWanted: (name: string) => boolean): boolean {
  if (PRAGMA.test(text)) return true;
  const asked = new Set<string>();
  for (const [, name = ''] of text.matchAll(QUOTED)) {
    if (asked.has(name)) continue;
    asked.add(name);
    if (isWanted(name)) return true;
  }
  return false;
}
