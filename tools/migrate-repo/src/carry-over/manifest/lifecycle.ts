import { scriptsOf } from '../../fields.js';
import type { Message } from '../../message.js';
import { isOfAnotherShell } from '../../scripts.js';
import type { FieldOutcome, ManifestSubject } from './field.js';
import { withoutHookSetup } from './hooks.js';

/** Scripts that Yarn runs automatically. Source: https://yarnpkg.com/advanced/lifecycle-scripts */
const RUN_BY_YARN = ['preinstall', 'install', 'postinstall', 'prepublish', 'prepack', 'postpack'];

/** Scripts that `npm version` runs. They often commit, amend or push. */
const OF_VERSION = ['preversion', 'version', 'postversion'];

/** Reports scripts that npm and Yarn 1 run, and Yarn 2 and later do not: because of their names, or of its own shell. */
export function lifecycleScripts({ manifest, root, subject }: ManifestSubject): FieldOutcome | undefined {
  if (isYarn(manifest, '2') || subject.read('.yarnrc.yml') !== undefined || isYarn(root, '1')) return undefined;
  const scripts = scriptsOf(manifest);
  const remarks = [
    ...messagesFor(
      Object.keys(scripts).filter((name) => isOfAnotherShell(scripts[name] ?? '')),
      'The shell of Yarn understands these scripts differently or not at all: move what they do into a file, such as a shell script.',
    ),
    ...messagesFor(
      besideOthers(scripts),
      'Unlike npm and Yarn 1, Yarn does not run "pre" and "post" scripts: make sure that this one runs.',
    ),
    ...messagesFor(
      ['prepare'].filter((name) => withoutHookSetup(scripts[name] ?? '') !== ''),
      'Unlike npm and Yarn 1, Yarn does not run "prepare" of a workspace at an installation: make sure that it runs where it is needed.',
    ),
    ...messagesFor(
      OF_VERSION.filter((name) => name in scripts),
      '`npm version` runs them, but makes neither a commit nor a tag below the top of a repository. `yarn version` does not run them.',
    ),
    // If the package is still published with npm, no decision is needed.
    ...messagesFor(
      ['prepublishOnly', 'postpublish'].filter((name) => name in scripts),
      'Publishing with `yarn npm publish` runs neither "prepublishOnly" nor "postpublish": publish with npm, or move the work to "prepack".',
    ).map(({ text, detail }) => ({ text, detail })),
  ];
  return { remarks };
}

function besideOthers(scripts: Readonly<Record<string, string>>): readonly string[] {
  const isBeside = (name: string): boolean => /^(?:pre|post)./.test(name) && name.replace(/^(?:pre|post)/, '') in scripts;
  return Object.keys(scripts).filter((name) => isBeside(name) && ![...RUN_BY_YARN, ...OF_VERSION].includes(name));
}

/** Returns a message about scripts; nothing if there are none. */
export function messagesFor(names: readonly string[], text: string): readonly Message[] {
  return names.length === 0 ? [] : [{ topic: 'behaviour', text, detail: names.map((name) => `"${name}"`).join(', ') }];
}

/** Whether a manifest names this major version of Yarn. `2` includes later ones. */
export function isYarn(manifest: Readonly<Record<string, unknown>>, major: '1' | '2'): boolean {
  const [, found] = /^yarn@(\d+)\./.exec(textIn(manifest, 'packageManager')) ?? [];
  return found !== undefined && (found === '1') === (major === '1');
}

function textIn(fields: Readonly<Record<string, unknown>>, key: string): string {
  const value = fields[key];
  return typeof value === 'string' ? value : '';
}
