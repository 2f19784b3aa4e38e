import { parseSemverRange } from '@tributary/workspaces/ranges';
import type Range from 'semver/classes/range.js';

/** What stands behind the name of a dependency, by what it asks for. */
export type Specifier =
  /** Versions from a registry; `text` without `npm:`. */
  | { readonly kind: 'range'; readonly text: string; readonly range: Range }
  | { readonly kind: 'tag' }
  /** Another package under this name. */
  | { readonly kind: 'alias' }
  | { readonly kind: 'workspace'; readonly selector: string }
  /** An entry of `.yarnrc.yml`; `''` for the catalog without a name. */
  | { readonly kind: 'catalog'; readonly catalog: string }
  /** `file:` and `link:`, seen from the folder of the manifest. */
  | { readonly kind: 'path'; readonly path: string }
  /** A git repository or an archive; `range` where the versions are told (`#semver:^1.0.0`). */
  | { readonly kind: 'address'; readonly range: Range | undefined }
  /** `patch:`, `portal:`, `exec:` and what plugins add. */
  | { readonly kind: 'protocol' };

/** Reads a range as Yarn does; what npm and Yarn 1 know beyond it (`gitlab:owner/name`) is understood too. Never fails. */
export function parseSpecifier(text: string): Specifier {
  const [, protocol, rest = ''] = /^([a-z][a-z0-9+.-]*):(.*)$/is.exec(text) ?? [];
  switch (protocol) {
    case undefined:
      return parsePlain(text);
    case 'npm':
      return parseVersions(rest) ?? { kind: /.@/.test(rest) ? 'alias' : 'tag' };
    case 'workspace':
      return { kind: 'workspace', selector: rest };
    case 'catalog':
      return { kind: 'catalog', catalog: rest };
    case 'file':
    case 'link':
      return parsePath(rest);
    default:
      return ADDRESS.test(protocol) ? parseAddress(rest) : { kind: 'protocol' };
  }
}

const ADDRESS = /^(?:git(?:\+\w+)?|ssh|https?|github|gitlab|bitbucket|gist)$/;

function parsePlain(text: string): Specifier {
  const versions = parseVersions(text);
  if (versions !== undefined) return versions;
  if (/^(?:\.{0,2}\/|\.{1,2}$)/.test(text)) return parsePath(text);
  return /^git@|^[\w.-]+\/[\w.-]+(?:#|$)/.test(text) ? parseAddress(text) : { kind: 'tag' };
}

function parseVersions(text: string): Specifier | undefined {
  const range = parseSemverRange(text);
  return range === undefined ? undefined : { kind: 'range', text, range };
}

/** Yarn binds a path to who asks for it: `../lib::locator=…`. */
function parsePath(text: string): Specifier {
  return { kind: 'path', path: text.replace(/(?:#|::).*$/s, '') };
}

function parseAddress(text: string): Specifier {
  const versions = /#semver[:=](.+)$/s.exec(text)?.[1];
  return { kind: 'address', range: versions === undefined ? undefined : parseSemverRange(versions) };
}
