import { joinRepoPath, relativeTo } from '@tributary/model/paths';
import { isPlainObject } from '@tributary/model/plain-object';
import { setJson } from '../../edit/edit-json.js';
import type { FieldOutcome, ManifestSubject } from './field.js';

/** Aligns `repository`: address and folder belong together, and one without the other is wrong. */
export function address({ text, manifest, root, subject }: ManifestSubject): FieldOutcome | undefined {
  const own = manifest['repository'];
  const ofRoot = root['repository'];
  const directory = directoryOf(ofRoot, subject);
  const url = isPlainObject(ofRoot) ? ofRoot['url'] : ofRoot;
  if (own === undefined && (manifest['private'] === true || typeof url !== 'string')) return undefined;
  if (typeof url !== 'string')
    return {
      remarks: [
        {
          topic: 'releases',
          text: 'The package.json of the root does not contain the address of the monorepo: write the address and the folder into "repository" of the package.',
        },
      ],
    };
  if (isPlainObject(own) && own['url'] === url && own['directory'] === directory) return undefined;
  const type = isPlainObject(ofRoot) && typeof ofRoot['type'] === 'string' ? ofRoot['type'] : 'git';
  return {
    text: setJson(text, ['repository'], { type, url, directory }),
    done: { text: '"repository" now names the monorepo and the folder of the package.', detail: `\`"directory": "${directory}"\`` },
  };
}

/**
 * Returns the folder for `directory`. If the root's manifest has its own `directory`, that is correct: this repository
 * may be a copy of that folder.
 */
function directoryOf(ofRoot: unknown, { importedPackage, repository }: ManifestSubject['subject']): string {
  if (!isPlainObject(ofRoot) || typeof ofRoot['directory'] !== 'string' || ofRoot['directory'] === '') return importedPackage.path;
  return joinRepoPath(ofRoot['directory'] as typeof importedPackage.path, relativeTo(repository.root, importedPackage.path));
}
