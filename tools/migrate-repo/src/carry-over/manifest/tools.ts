import { isPlainObject } from '@tributary/model/plain-object';
import { setJson } from '../../edit/edit-json.js';
import type { FieldOutcome, ManifestSubject } from './field.js';

export function packageManager({ text, manifest }: ManifestSubject): FieldOutcome | undefined {
  const own = manifest['packageManager'];
  if (own === undefined) return undefined;
  const [shown] = /^(?:npm|yarn|pnpm|bun)@[\w.-]+/.exec(typeof own === 'string' ? own : '') ?? [];
  return {
    text: setJson(text, ['packageManager'], undefined),
    done: {
      text: '"packageManager" was removed: the one of the root applies.',
      detail: shown === undefined ? undefined : `it was \`${shown}\``,
    },
  };
}

export function workspaces({ manifest }: ManifestSubject): FieldOutcome | undefined {
  if (manifest['workspaces'] === undefined) return undefined;
  return {
    remarks: [
      {
        topic: 'behaviour' as const,
        text: 'It has workspaces of its own, which Yarn adds to the monorepo: list them in the root and remove "workspaces" here, or migrate each separately.',
      },
    ],
  };
}

export function releaseSettings({ manifest, subject }: ManifestSubject): FieldOutcome | undefined {
  const found = ['release', 'release-it', 'standard-version', 'auto'].filter((field) => isPlainObject(manifest[field]));
  if (found.length === 0) return undefined;
  return {
    remarks: [
      {
        topic: 'releases' as const,
        text: 'Configure releases for one package of many: prefix its tags with its name, and count only commits in its folder.',
        detail: `"${found.join('", "')}"; ${subject.importedPackage.name}@1.2.3, ${subject.importedPackage.path}`,
      },
    ],
  };
}
