import { isPlainObject } from '@tributary/model/plain-object';
import { redactUrls } from '@tributary/model/repo-url';
import minVersion from 'semver/ranges/min-version.js';
import validRange from 'semver/ranges/valid.js';
import { setJson } from '../../edit/edit-json.js';
import type { Message } from '../../message.js';
import type { FieldOutcome, ManifestSubject } from './field.js';
import { withoutHookSetup } from './hook-setup.js';

const HOOK_FIELDS = ['husky', 'simple-git-hooks', 'pre-commit', 'pre-push', 'gitHooks', 'commitlint'];

export function hooks({ text, manifest }: ManifestSubject): FieldOutcome | undefined {
  const found = HOOK_FIELDS.filter((field) => manifest[field] !== undefined);
  if (found.length === 0) return undefined;
  const hooks = found.map((field) => `${field}: ${asCode(manifest[field])}`).join('; ');
  return {
    text: found.reduce((before, field) => setJson(before, [field], undefined), text),
    done: {
      text: 'Settings of hooks were removed: they work only at the root of the repository.',
      detail: found.map((field) => `"${field}"`).join(', '),
    },
    remarks: [{ topic: 'root-files', text: 'Add what you still want to the hooks of the root.', detail: hooks }],
  };
}

function asCode(value: unknown): string {
  return `\`${redactUrls(JSON.stringify(value).replaceAll('`', "'"))}\``;
}

/** Started from the root, lint-staged takes the nearest settings for each file that is staged, and may find them in a package.json. */
export function lintStaged({ manifest, root }: ManifestSubject): FieldOutcome | undefined {
  if (manifest['lint-staged'] === undefined || dependsOn(root, 'lint-staged') !== undefined) return undefined;
  return { remarks: [LINT_STAGED] };
}

export const LINT_STAGED: Message = {
  topic: 'root-files',
  text: 'The root does not depend on lint-staged: start it from a hook of the root, where it uses these settings for the files of the package, or remove them.',
};

export function hookScripts({ text, manifest }: ManifestSubject): FieldOutcome | undefined {
  const scripts = isPlainObject(manifest['scripts']) ? manifest['scripts'] : {};
  const changed = Object.entries(scripts).flatMap(([name, command]) => {
    const rest = typeof command === 'string' ? withoutHookSetup(command) : command;
    return rest === command ? [] : [{ name, command, rest: rest === '' ? undefined : rest }];
  });
  if (changed.length === 0) return undefined;
  const kept = changed.reduce((before, { name, rest }) => setJson(before, ['scripts', name], rest), text);
  const isEmpty = changed.every(({ rest }) => rest === undefined) && changed.length === Object.keys(scripts).length;
  return {
    text: isEmpty ? setJson(text, ['scripts'], undefined) : kept,
    done: {
      text: 'Scripts no longer set up hooks: the hooks of the root apply.',
      detail: changed.map(({ name, command }) => `"${name}" was \`${redactUrls(String(command))}\``).join(', '),
    },
  };
}

/** Before version 5 husky writes hooks into the repository whenever it is installed, whoever depends on it. */
export function hookPackage({ manifest }: ManifestSubject): FieldOutcome | undefined {
  const range = dependsOn(manifest, 'husky');
  if (range === undefined || validRange(range) === null || (minVersion(range)?.major ?? 5) >= 5) return undefined;
  return {
    remarks: [
      {
        topic: 'behaviour',
        text: 'husky before version 5 writes its own hooks into the repository at each installation of the monorepo: remove it from the dependencies.',
        detail: `husky \`${range}\``,
      },
    ],
  };
}

/** The range by which a manifest asks for a package in order to work with it. */
function dependsOn(manifest: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const ranges = ['dependencies', 'devDependencies', 'optionalDependencies'].map((block) => {
    const entries = manifest[block];
    return isPlainObject(entries) ? entries[name] : undefined;
  });
  return ranges.find((range) => typeof range === 'string');
}
