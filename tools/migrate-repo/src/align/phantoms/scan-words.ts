import { lineAt } from '@tributary/model/file-text';
import type { ModuleReference, UseKind } from './use.js';

const PLAIN: readonly (readonly [pattern: RegExp, kind: UseKind])[] = [
  [/^[ \t]*(?:import|export)\s+type\b[^'"`;()]*?\bfrom\s*(["'])([^"'\n]+)\1/gm, 'type'],
  [/^[ \t]*(?:import|export)\s(?!\s*type\b)[^'"`;()]*?\bfrom\s*(["'])([^"'\n]+)\1/gm, 'import'],
  [/^[ \t]*import\s*(["'])([^"'\n]+)\1/gm, 'import'],
  [/\bimport\s*\(\s*(["'])([^"'\n]+)\1\s*\)/g, 'import'],
  [/(?<![.\w$])require\s*\(\s*(["'])([^"'\n]+)\1\s*\)/g, 'require'],
  [/(?<![.\w$])require\.resolve\s*\(\s*(["'])([^"'\n]+)\1/g, 'resolve'],
];

/** Returns plain imports in code that cannot be parsed, by line. Comments and strings count as code. */
export function scanWords(text: string): readonly ModuleReference[] {
  const found = PLAIN.flatMap(([pattern, kind]) =>
    [...text.matchAll(pattern)].map((match): ModuleReference => {
      const end = match.index + match[0].length;
      return { specifier: match[2] ?? '', kind, line: lineAt(text, end), guarded: false };
    }),
  );
  return found.sort((one, other) => one.line - other.line);
}
