import type { File, Node } from '@babel/types';
import { isVirtualMock, readReference } from './read-reference.js';
import { scanWords } from './scan-words.js';
import type { Script } from './script-parts.js';
import { parseScript, walk } from './syntax.js';
import { namesOfValues } from './type-positions.js';
import type { ModuleReference } from './use.js';

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
