import { ToolError } from '@tributary/model/errors';
import { isPlainObject } from '@tributary/model/plain-object';
import type { Manifest } from '@tributary/workspaces/manifest';

const FIELDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const;

/**
 * Throws `MANIFEST_INVALID` for values that Yarn would ignore or misread: dependency fields that are not maps, ranges
 * that are not texts, and invalid names. `file`: its name for users.
 */
export function refuseMalformed({ raw }: Manifest, file: string): void {
  for (const field of FIELDS) {
    const value = raw[field];
    if (value === undefined || value === null) continue;
    if (!isPlainObject(value)) throw malformed(`"${field}" must map names to ranges, but is ${kindOf(value)}`, { file, field });
    for (const [name, range] of Object.entries(value)) {
      if (!isName(name)) throw malformed(`"${field}" has the invalid package name ${JSON.stringify(name)}`, { file, field, name });
      if (typeof range !== 'string')
        throw malformed(`"${field}" has ${kindOf(range)} for ${name}, but a range must be a string`, { file, field, name });
    }
  }
}

/** Whether a text is a package name, as in `parseIdent` of @yarnpkg/core, without white space and control characters. */
function isName(text: string): boolean {
  return /^(?:@[^/]+?\/)?[^@/]+$/.test(text) && !/[\s\p{Cc}]/u.test(text);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a map' : `the ${typeof value === 'string' ? 'text' : typeof value} ${JSON.stringify(value)}`;
}

function malformed(what: string, place: { readonly file: string; readonly field: string; readonly name?: string }): ToolError {
  return new ToolError({
    code: 'MANIFEST_INVALID',
    message: `${place.file}: ${what}.`,
    hint: 'Correct it in the source, and commit. Or import only the history, with --no-align.',
    data: place,
  });
}
