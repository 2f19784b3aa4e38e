import { isDeepStrictEqual } from 'node:util';
import { withoutBom } from '@tributary/workspaces/file-text';
import { applyEdits, type FormattingOptions, type JSONPath, modify, type ParseError, parse } from 'jsonc-parser';

/** The value of a text with comments and trailing commas, as tools of JavaScript read their settings; `undefined` for what is none. */
export function readLooseJson(text: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parse(withoutBom(text), errors, { allowTrailingComma: true });
  return errors.length > 0 ? undefined : value;
}

/** The text with a value in a place, or without what stands there (`undefined`); indentation, comments and everything else stay. The text must be readable. */
export function setJson(text: string, path: JSONPath, value: unknown): string {
  const bare = withoutBom(text);
  if (isDeepStrictEqual(valueAt(readLooseJson(bare), path), value)) return text;
  const edits = modify(bare, path, value, { formattingOptions: layoutOf(bare) });
  return text.slice(0, text.length - bare.length) + applyEdits(bare, edits);
}

function valueAt(value: unknown, path: JSONPath): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? (inner as Readonly<Record<string, unknown>>)[key] : undefined),
    value,
  );
}

function layoutOf(text: string): FormattingOptions {
  const indent = /^[ \t]+/m.exec(text)?.[0] ?? '  ';
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
}
