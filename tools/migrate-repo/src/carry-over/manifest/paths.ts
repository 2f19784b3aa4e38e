import { isPlainObject } from '@tributary/model/plain-object';
import type { Message } from '../../message.js';
import { namesModules, OUTSIDE, placeOf } from '../config-paths.js';
import { someOf } from '../rule.js';
import type { FieldOutcome, ManifestSubject } from './field.js';

export function modulePaths({ manifest }: ManifestSubject): FieldOutcome | undefined {
  const scripts = isPlainObject(manifest['scripts']) ? manifest['scripts'] : {};
  const found = Object.keys(scripts).filter((name) => namesModules(String(scripts[name])));
  if (found.length === 0) return undefined;
  return {
    remarks: [
      {
        topic: 'behaviour' as const,
        text: 'Scripts have a path into node_modules: packages lie in the node_modules of the root now. Call the program by its name.',
        detail: found.map((name) => `"${name}"`).join(', '),
      },
    ],
  };
}

/** Blocks in which tools keep settings that name files. */
const BLOCKS = ['jest', 'nyc', 'c8', 'ava', 'tap', 'mocha', 'eslintConfig', 'prettier', 'stylelint', 'xo', 'babel', 'config', 'vitest'];

export function settingPaths({ manifest, subject }: ManifestSubject): FieldOutcome | undefined {
  const texts = BLOCKS.flatMap((block) => textsIn(manifest[block], block));
  const outside = texts.filter(([, text]) => /^\.\.(?:\/|$)/.test(text));
  const modules = texts.filter(([, text]) => namesModules(text));
  const remarks: readonly Message[] = [
    ...(outside.length === 0
      ? []
      : [
          {
            topic: 'behaviour' as const,
            text: OUTSIDE,
            detail: someOf(outside.map(([key, path]) => `"${key}": \`${path}\`${placeOf(subject, path)}`)),
          },
        ]),
    ...(modules.length === 0
      ? []
      : [
          {
            topic: 'behaviour' as const,
            text: 'Settings have a path into node_modules: packages lie in the node_modules of the root now.',
            detail: someOf(modules.map(([key, path]) => `"${key}": \`${path}\``)),
          },
        ]),
  ];
  return remarks.length === 0 ? undefined : { remarks };
}

/** Every text in a value, with the way to it: `jest.preset`. */
function textsIn(value: unknown, key: string): readonly (readonly [string, string])[] {
  if (typeof value === 'string') return [[key, value]];
  if (Array.isArray(value)) return value.flatMap((one, at) => textsIn(one, `${key}[${at}]`));
  return isPlainObject(value) ? Object.entries(value).flatMap(([name, one]) => textsIn(one, `${key}.${name}`)) : [];
}
