import { isPlainObject } from '@tributary/model/plain-object';
import { setJson } from '../../edit/edit-json.js';
import { hasLegacyEslint } from '../rules/lint.js';
import type { FieldOutcome, ManifestSubject } from './field.js';

/** Sets "root" in `eslintConfig`. As with files of the older format, settings above it would otherwise apply too. */
export function eslintConfig({ text, manifest, subject }: ManifestSubject): FieldOutcome | undefined {
  const own = manifest['eslintConfig'];
  if (!isPlainObject(own) || own['root'] === true || !hasLegacyEslint(subject)) return undefined;
  return {
    text: setJson(text, ['eslintConfig', 'root'], true),
    done: { text: '"eslintConfig" now has "root": true, so that its rules stay the same.' },
  };
}
