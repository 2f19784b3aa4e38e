import { isInside, relativeTo } from '@tributary/model/paths';
import { redactUrls } from '@tributary/model/repo-url';
import { isCode } from '../../align/phantoms/file-class.js';
import { setJson } from '../../edit/edit-json.js';
import { mapIn, scriptsOf } from '../../fields.js';
import type { Message } from '../../message.js';
import { withoutSteps } from '../../scripts.js';
import { code } from '../../text.js';
import { type FieldOutcome, type ManifestSubject, rewriteScripts } from './field.js';

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
    remarks: [{ topic: 'workflows', text: 'Add what you still want to the hooks of the root.', detail: hooks }],
  };
}

function asCode(value: unknown): string {
  return `\`${redactUrls(JSON.stringify(value).replaceAll('`', "'"))}\``;
}

/**
 * Checks the settings of lint-staged. Started from the root, it uses the nearest settings for each staged file, which
 * may be in a package.json.
 */
export function lintStaged({ manifest, root }: ManifestSubject): FieldOutcome | undefined {
  if (manifest['lint-staged'] === undefined || dependsOn(root, 'lint-staged') !== undefined) return undefined;
  return { remarks: [LINT_STAGED] };
}

export const LINT_STAGED: Message = {
  topic: 'workflows',
  text: 'The root does not depend on lint-staged: start it from a hook of the root, where it uses these settings for the files of the package, or remove them.',
};

/** A command that sets up hooks: `husky`, `npx husky install .husky || true`, `is-ci || husky`, `lefthook install`. */
const SETUP =
  /^(?:is-ci\s*\|\|\s*)?(?:(?:npx|yarn|pnpm|npm exec|pinst)\s+(?:--no(?:-install)?\s+)?)?(?:husky(?:\s+install)?(?:\s+[\w./-]+)?|lefthook install(?:\s+-f)?|simple-git-hooks(?:\s+init)?|git config (?:--local )?core\.hooksPath [\w./-]+)(?:\s*\|\|\s*(?:true|exit 0|echo\b.*))?$/;

/**
 * Returns a script without the commands that set up hooks; empty if it has no others. A script that sets them up
 * differently is unchanged.
 */
export function withoutHookSetup(script: string): string {
  return withoutSteps(script, (step) => SETUP.test(step));
}

export function hookScripts(subject: ManifestSubject): FieldOutcome | undefined {
  return rewriteScripts(subject, withoutHookSetup, 'Scripts no longer set up hooks: hooks work only at the root of the repository.');
}

/** Programs that are of use only with hooks of git. */
const HOOK_PACKAGES = ['husky', 'simple-git-hooks', 'lefthook', 'pre-commit', 'lint-staged'];

/**
 * Removes the dependencies for hooks, unless scripts or code still use them, or consumers provide them. husky before
 * version 5 would write its own hooks into the repository at each installation.
 */
export function hookPackages({ text, manifest, root, subject }: ManifestSubject): FieldOutcome | undefined {
  const scripts = Object.values(scriptsOf(manifest)).join(' ');
  const found = HOOK_PACKAGES.flatMap((name) => {
    const range = mapIn(manifest, 'devDependencies')[name];
    if (typeof range !== 'string') return [];
    const isPeer = mapIn(manifest, 'peerDependencies')[name] !== undefined;
    const isRun = new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(scripts);
    return isPeer || isRun || dependsOn(root, name) !== undefined || isImported(name, subject) ? [] : [{ name, range }];
  });
  if (found.length === 0) return undefined;
  return {
    text: found.reduce((before, { name }) => setJson(before, ['devDependencies', name], undefined), text),
    done: {
      text: 'Dependencies for hooks were removed: hooks work only at the root of the repository.',
      detail: found.map(({ name, range }) => `${name} ${code(redactUrls(range))}`).join(', '),
    },
  };
}

/** Whether code of the package loads another one. What sets up hooks lies in folders of their tools, such as .husky. */
function isImported(name: string, { importedPackage, monorepo }: ManifestSubject['subject']): boolean {
  const loads = new RegExp(String.raw`(?:\bfrom|\bimport|\bimport\s*\(|\brequire(?:\.resolve)?\s*\()\s*['"\`]${name}(?:/[^'"\`]*)?['"\`]`);
  return monorepo.paths.some((path) => {
    if (!isInside(path, importedPackage.path)) return false;
    const file = relativeTo(importedPackage.path, path);
    return isCode(file) && !file.startsWith('.') && loads.test(monorepo.read(path) ?? '');
  });
}

/** Returns the range of a direct dependency in a manifest, of any kind except peers. */
function dependsOn(manifest: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const ranges = ['dependencies', 'devDependencies', 'optionalDependencies'].map((block) => mapIn(manifest, block)[name]);
  return ranges.find((range) => typeof range === 'string');
}
