import { isPlainObject } from '@tributary/model/plain-object';
import { setJson } from '../../edit/edit-json.js';
import { hasLegacyEslint } from '../rules/lint.js';
import type { FieldOutcome, ManifestSubject } from './field.js';

/** `eslintConfig`: as of a file of the older form, what lies above it counts too unless it says "root". */
export function eslintConfig({ text, manifest, subject }: ManifestSubject): FieldOutcome | undefined {
  const own = manifest['eslintConfig'];
  if (!isPlainObject(own) || own['root'] === true || !hasLegacyEslint(subject)) return undefined;
  return {
    text: setJson(text, ['eslintConfig', 'root'], true),
    done: { text: '"eslintConfig" now has "root": true, so that its rules stay the same.' },
  };
}
