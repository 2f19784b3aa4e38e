import { isPlainObject } from '@tributary/model/plain-object';
import { isCredential } from '../../credentials.js';
import type { FieldOutcome, ManifestSubject } from './field.js';

/** Reports a credential in the manifest itself. It is in the history too, and would be published with the package. */
export function credentials({ manifest }: ManifestSubject): FieldOutcome | undefined {
  const found = keysWithCredentials(manifest, '');
  if (found.length === 0) return undefined;
  return {
    remarks: [
      {
        topic: 'credentials',
        text: 'It seems to contain a credential, which is not shown here and is also in the history: revoke it where it was issued, and remove it.',
        detail: found.map((key) => `"${key}"`).join(', '),
      },
    ],
  };
}

function keysWithCredentials(value: unknown, key: string): readonly string[] {
  if (typeof value === 'string') return isCredential(key, value) ? [key] : [];
  if (Array.isArray(value)) return value.some((one) => keysWithCredentials(one, key).length > 0) ? [key] : [];
  if (!isPlainObject(value)) return [];
  return Object.entries(value).flatMap(([name, one]) => keysWithCredentials(one, key === '' ? name : `${key}.${name}`));
}
