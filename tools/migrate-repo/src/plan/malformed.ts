import { ToolError } from '@tributary/model/errors';
import { isPlainObject } from '@tributary/model/plain-object';
import type { Manifest } from '@tributary/workspaces/manifest';

const FIELDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const;

/**
 * Throws `MANIFEST_INVALID` for what Yarn would pass over in silence, or take for something else: a dependency field that is no map, a range
 * that is no text, a name that is none. `file`: as people know it.
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

/** As Yarn has it (`parseIdent` of @yarnpkg/core), without blanks and what moves a cursor. */
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
