import type { File, Node } from '@babel/types';
import { lineAt } from '@tributary/model/file-text';
import { isVirtualMock, readReference } from './read-reference.js';
import type { Script } from './script-parts.js';
import { parseScript, walk } from './syntax.js';
import { namesOfValues } from './type-positions.js';
import type { ModuleReference, UseKind } from './use.js';

/** The references in a code file. */
export interface CodeScan {
  /** In the order of the code; ordered by line if it could not be parsed. */
  readonly references: readonly ModuleReference[];
  /** Why it could not be parsed, in the parser's words; `undefined` if it could. */
  readonly problem: string | undefined;
}

/**
 * Returns everything that code imports, in any form: modules and paths, as written. Comments, arguments that are not
 * literals, and modules that the file mocks as virtual are ignored.
 */
export function scanCode(script: Script): CodeScan {
  let file: File;
  try {
    file = parseScript(script);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { references: scanWords(script.text), problem: error.message };
  }
  const references = collect(file, script.language === 'js' || script.hasTemplate ? undefined : namesOfValues(file));
  return { references: script.language === 'dts' ? references.map(asType) : references, problem: undefined };
}

/** Changes a reference to a type, because a declaration file has only types. */
function asType(reference: ModuleReference): ModuleReference {
  return { ...reference, kind: 'type' };
}

function collect(file: File, values: ReadonlySet<string> | undefined): readonly ModuleReference[] {
  const found: ModuleReference[] = [];
  const virtual = new Set<string>();
  const tried = new Set<Node>();
  walk<boolean>(file.program, false, (node, outside) => {
    if (node.type === 'TryStatement' && node.handler) tried.add(node.block);
    const guarded = outside || tried.has(node);
    const reference = readReference(node, values);
    if (reference === undefined) return guarded;
    found.push({ ...reference, line: node.loc?.start.line ?? 1, guarded });
    if (isVirtualMock(node)) virtual.add(reference.specifier);
    return guarded;
  });
  return found.filter(({ specifier }) => !virtual.has(specifier));
}

const PLAIN: readonly (readonly [pattern: RegExp, kind: UseKind])[] = [
  [/^[ \t]*(?:import|export)\s+type\b[^'"`;()]*?\bfrom\s*(["'])([^"'\n]+)\1/gm, 'type'],
  [/^[ \t]*(?:import|export)\s(?!\s*type\b)[^'"`;()]*?\bfrom\s*(["'])([^"'\n]+)\1/gm, 'import'],
  [/^[ \t]*import\s*(["'])([^"'\n]+)\1/gm, 'import'],
  [/\bimport\s*\(\s*(["'])([^"'\n]+)\1\s*\)/g, 'import'],
  [/(?<![.\w$])require\s*\(\s*(["'])([^"'\n]+)\1\s*\)/g, 'require'],
  [/(?<![.\w$])require\.resolve\s*\(\s*(["'])([^"'\n]+)\1/g, 'resolve'],
];

/** Returns plain imports in code that cannot be parsed, by line. Comments and strings count as code. */
function scanWords(text: string): readonly ModuleReference[] {
  const found = PLAIN.flatMap(([pattern, kind]) =>
    [...text.matchAll(pattern)].map((match): ModuleReference => {
      const end = match.index + match[0].length;
      return { specifier: match[2] ?? '', kind, line: lineAt(text, end), guarded: false };
    }),
  );
  return found.sort((one, other) => one.line - other.line);
}
