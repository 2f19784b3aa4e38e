import { parseSemverRange } from '@tributary/workspaces/ranges';
import type Range from 'semver/classes/range.js';

/** A dependency's range, by what it requests. */
export type Specifier =
  /** Versions from a registry; `text` without `npm:`. */
  | { readonly kind: 'range'; readonly text: string; readonly range: Range }
  | { readonly kind: 'tag' }
  /** Another package under this name. */
  | { readonly kind: 'alias' }
  | { readonly kind: 'workspace'; readonly selector: string }
  /** An entry of `.yarnrc.yml`; `''` for the unnamed catalog. */
  | { readonly kind: 'catalog'; readonly catalog: string }
  /** `file:` and `link:`, relative to the folder of the manifest. */
  | { readonly kind: 'path'; readonly path: string }
  /** A git repository or an archive; `range` if it states versions (`#semver:^1.0.0`). */
  | { readonly kind: 'address'; readonly range: Range | undefined }
  /** `patch:`, `portal:`, `exec:` and protocols of plugins. */
  | { readonly kind: 'protocol' };

/** Parses a range as Yarn does, including the additional forms of npm and Yarn 1 (`gitlab:owner/name`). Never fails. */
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

/** Parses a path. Yarn binds it to its dependent: `../lib::locator=…`. */
function parsePath(text: string): Specifier {
  return { kind: 'path', path: text.replace(/(?:#|::).*$/s, '') };
}

function parseAddress(text: string): Specifier {
  const versions = /#semver[:=](.+)$/s.exec(text)?.[1];
  return { kind: 'address', range: versions === undefined ? undefined : parseSemverRange(versions) };
}
