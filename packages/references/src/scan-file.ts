import type { RepoPath } from '@tributary/model/paths';
import { findClimbingCode } from './climbing.js';
import { type CodePart, splitComponent, splitMdx } from './code-parts.js';
import { ALONE, type FileReferences, type Scope } from './reference.js';
import { commandsInCode } from './scan-commands.js';
import { type ScannedNames, scanImports } from './scan-imports.js';
import { scanMarkup } from './scan-markup.js';

/** In UTF-16, which TypeScript accepts, a file begins with two bytes that are not UTF-8. */
const OTHER_ENCODING = '\uFFFD\uFFFD';

/** Tells whether a file is TypeScript, or a component whose script is. */
export function isTypeScript(path: string, text: string): boolean {
  return /\.(?:vue|svelte|astro)$/.test(path) ? /<script\b[^<>]{0,300}\blang\s*=\s*["']?tsx?\b/.test(text) : /\.[cm]?tsx?$/.test(path);
}

/** Returns what a code file (`isCodeFile`) refers to, in the order of its text. */
export function scanFile(path: RepoPath, text: string, scope: Scope = ALONE): FileReferences {
  if (text.startsWith(OTHER_ENCODING)) return opaqueFile(path);
  const { names: all, opaque } = scanParts(path, text, scope);
  const names = isTypeScript(path, text) ? all.filter(({ by }) => by !== '@type') : all;
  const climbing = findClimbingCode(text);
  const commands = commandsInCode(text);
  return {
    path,
    names,
    opaque: climbing === undefined ? opaque : [...opaque, { line: lineAt(text, climbing), folder: '/', form: 'path', isVague: true }],
    ...(commands.length === 0 ? {} : { commands }),
  };
}

/** Returns the references of a file that cannot be read: it may reach the whole project. */
export function opaqueFile(path: RepoPath): FileReferences {
  return { path, names: [], opaque: [{ line: 1, folder: '/', form: 'path' }] };
}

function scanParts(path: RepoPath, text: string, scope: Scope): ScannedNames {
  if (/\.[cm]?[jt]sx?$/.test(path)) return scanImports(text, scope);
  const parts = path.endsWith('.mdx') ? splitMdx(text) : splitComponent(text);
  const scanned = parts.map((part) => scanPart(part, scope));
  return { names: scanned.flatMap(({ names }) => names), opaque: scanned.flatMap(({ opaque }) => opaque) };
}

function scanPart({ kind, text, line }: CodePart, scope: Scope): ScannedNames {
  const { names, opaque } = kind === 'code' ? scanImports(text, scope) : scanMarkup(text);
  const move = <T extends { readonly line: number }>(found: T): T => ({ ...found, line: found.line + line - 1 });
  return { names: names.map(move), opaque: opaque.map(move) };
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}
