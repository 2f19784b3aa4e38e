import { isPlainObject } from '@tributary/model/plain-object';
import type { Message } from '../../message.js';
import type { FieldOutcome, ManifestSubject } from './field.js';
import { withoutHookSetup } from './hook-setup.js';

/** What Yarn runs by itself. Source: https://yarnpkg.com/advanced/lifecycle-scripts */
const RUN_BY_YARN = ['preinstall', 'install', 'postinstall', 'prepublish', 'prepack', 'postpack'];

/** Scripts that npm and Yarn 1 ran because of their names, and Yarn 2 and later do not run. */
export function lifecycleScripts({ manifest, root, subject }: ManifestSubject): FieldOutcome | undefined {
  if (isYarn(manifest, '2') || subject.read('.yarnrc.yml') !== undefined || isYarn(root, '1')) return undefined;
  const scripts = isPlainObject(manifest['scripts']) ? manifest['scripts'] : {};
  const remarks = [
    ...messagesFor(
      besideOthers(scripts),
      'Unlike npm and Yarn 1, Yarn does not run "pre" and "post" scripts: make sure that this one runs.',
    ),
    ...messagesFor(
      ['prepare'].filter((name) => withoutHookSetup(textIn(scripts, name)) !== ''),
      'Unlike npm and Yarn 1, Yarn does not run "prepare" of a workspace at an installation: make sure that it runs where it is needed.',
    ),
    // Whoever goes on to publish with npm has nothing to decide.
    ...messagesFor(
      ['prepublishOnly', 'postpublish'].filter((name) => name in scripts),
      'Publishing with `yarn npm publish` runs neither "prepublishOnly" nor "postpublish": publish with npm, or move the work to "prepack".',
    ).map(({ text, detail }) => ({ text, detail })),
  ];
  return remarks.length === 0 ? undefined : { remarks };
}

function besideOthers(scripts: Readonly<Record<string, unknown>>): readonly string[] {
  const isBeside = (name: string): boolean => /^(?:pre|post)./.test(name) && name.replace(/^(?:pre|post)/, '') in scripts;
  return Object.keys(scripts).filter((name) => isBeside(name) && !RUN_BY_YARN.includes(name));
}

function messagesFor(names: readonly string[], text: string): readonly Message[] {
  return names.length === 0 ? [] : [{ topic: 'behaviour', text, detail: names.map((name) => `"${name}"`).join(', ') }];
}

/** `2` stands for all later ones too. */
function isYarn(manifest: Readonly<Record<string, unknown>>, major: '1' | '2'): boolean {
  const [, found] = /^yarn@(\d+)\./.exec(textIn(manifest, 'packageManager')) ?? [];
  return found !== undefined && (found === '1') === (major === '1');
}

function textIn(fields: Readonly<Record<string, unknown>>, key: string): string {
  const value = fields[key];
  return typeof value === 'string' ? value : '';
}
