import { isPlainObject } from '@tributary/model/plain-object';
import { textsOf } from '../../fields.js';

/** A version that replaces others, in the form of any package manager. */
export interface Override {
  /** Its path in its file, for `setJson`; `undefined` in a file of pnpm. */
  readonly place: readonly string[] | undefined;
  /** Relative to the imported package's folder. */
  readonly file: string;
  /** Its name for users: `resolutions.lodash`. */
  readonly setting: string;
  /** The dependent; `undefined` for all. */
  readonly parent: { readonly name: string; readonly range: string | undefined } | undefined;
  readonly name: string;
  /** The ranges it applies to: exactly this text for Yarn, every range within it for npm and pnpm; `undefined` for all. */
  readonly range: string | undefined;
  readonly matching: 'text' | 'within';
  readonly to: string;
}

/** An override that Yarn cannot express. */
export interface Inexpressible {
  readonly file: string;
  readonly setting: string;
  /** The packages that it is about: without one of them, it changes nothing. */
  readonly names: readonly string[];
  readonly why: string;
}

export interface ParsedOverrides {
  readonly overrides: readonly Override[];
  readonly inexpressible: readonly Inexpressible[];
}

const MANIFEST = 'package.json';

/** Parses `resolutions` of Yarn: `lodash`, `**\/lodash`, `express/debug`, `lodash@npm:^4.0.0`. */
export function parseYarnResolutions(manifest: Readonly<Record<string, unknown>>): ParsedOverrides {
  return collect(
    textsOf(manifest['resolutions']).map(([pattern, to]) => {
      const at = { file: MANIFEST, setting: `resolutions.${pattern}`, place: ['resolutions', pattern] };
      const names = pattern.replace(/^(\*\*\/)+/, '').match(/(?:@[^/@]+\/)?[^/@]+(?:@(?:patch:.*|[^/]+))?/g) ?? [];
      if (/\*/.test(pattern.replace(/^(\*\*\/)+/, '')) || names.length === 0 || names.length > 2)
        return { file: at.file, setting: at.setting, names: [], why: 'Yarn can match only the dependent and the dependency' };
      const [target = '', parent] = [...names].reverse();
      return { ...at, parent: parent === undefined ? undefined : parseRequest(parent), ...parseRequest(target), matching: 'text', to };
    }),
  );
}

/** Parses `overrides` of npm: `{ "foo": "1.0.0", "bar": { ".": "2.0.0", "foo": "1.0.0" } }`. `$foo` is the manifest's range for foo. */
export function parseNpmOverrides(manifest: Readonly<Record<string, unknown>>): ParsedOverrides {
  const walk = (value: unknown, place: readonly string[], parents: readonly string[]): readonly (Override | Inexpressible)[] =>
    Object.entries(isPlainObject(value) ? value : {}).flatMap(([key, inner]): readonly (Override | Inexpressible)[] => {
      const [here, target, above] = [[...place, key], key === '.' ? parents.at(-1) : key, key === '.' ? parents.slice(0, -1) : parents];
      if (isPlainObject(inner)) return walk(inner, here, [...above, key]);
      if (typeof inner !== 'string' || target === undefined) return [];
      return [
        buildOverride(
          { file: MANIFEST, place: here, setting: here.join('.') },
          { parents: above, target, to: dereference(inner, manifest) },
        ),
      ];
    });
  return collect(walk(manifest['overrides'], ['overrides'], []));
}

/**
 * Parses `overrides` of pnpm: `foo`, `foo@^1`, `bar>foo`, `bar@1>foo@2`. `place`: their path in the manifest;
 * `undefined` for those of pnpm-workspace.yaml.
 */
export function parsePnpmOverrides(
  value: unknown,
  at: { readonly file: string; readonly place: readonly string[] | undefined },
  manifest: Readonly<Record<string, unknown>>,
): ParsedOverrides {
  return collect(
    textsOf(value).map(([pattern, to]) => {
      const names = pattern.split(/>(?=[@\w])/);
      const place = at.place === undefined ? undefined : [...at.place, pattern];
      const setting = `${(at.place ?? ['overrides']).join('.')}.${pattern}`;
      return buildOverride(
        { file: at.file, place, setting },
        { parents: names.slice(0, -1), target: names.at(-1) ?? '', to: dereference(to, manifest) },
      );
    }),
  );
}

function buildOverride(
  at: Pick<Override, 'file' | 'place' | 'setting'>,
  { parents, target, to }: { readonly parents: readonly string[]; readonly target: string; readonly to: string | undefined },
): Override | Inexpressible {
  const names = [...parents, target].map((one) => parseRequest(one).name);
  const cannot = (why: string): Inexpressible => ({ file: at.file, setting: at.setting, names, why });
  if (to === undefined) return cannot('the package whose range it refers to is not in the manifest');
  if (to === '-' || to === '') return cannot('Yarn cannot leave a dependency out');
  if (parents.length > 1) return cannot('Yarn can match only the dependent and the dependency');
  const [parent] = parents;
  return { ...at, parent: parent === undefined ? undefined : parseRequest(parent), ...parseRequest(target), matching: 'within', to };
}

function parseRequest(text: string): { readonly name: string; readonly range: string | undefined } {
  const at = text.indexOf('@', 1);
  const range = at === -1 ? undefined : text.slice(at + 1).replace(/^npm:(?!.*@)/, '');
  return { name: at === -1 ? text : text.slice(0, at), range: range === '' || range === '*' ? undefined : range };
}

function dereference(to: string, manifest: Readonly<Record<string, unknown>>): string | undefined {
  if (!to.startsWith('$')) return to;
  const blocks = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'].map(
    (block) => new Map(textsOf(manifest[block])),
  );
  return blocks.map((block) => block.get(to.slice(1))).find((range) => range !== undefined);
}

function collect(all: readonly (Override | Inexpressible)[]): ParsedOverrides {
  return {
    overrides: all.filter((one): one is Override => 'to' in one),
    inexpressible: all.filter((one): one is Inexpressible => 'why' in one),
  };
}
