import { LOCKFILE_NAMES } from '@tributary/lockfile/lockfile';
import { redactUrls } from '@tributary/model/repo-url';
import { INSTALL_SCRIPTS, scriptsOf } from '../../fields.js';
import type { Message } from '../../message.js';
import { runsNothing, shellCommandsIn } from '../../scripts.js';
import { code } from '../../text.js';
import { type FieldOutcome, type ManifestSubject, rewriteScripts } from './field.js';
import { isGuard, programOf, withoutGuards } from './guards.js';

/** Removes checks of the package manager from the scripts of an installation: Yarn is the only one here. */
export function packageManagerGuards(subject: ManifestSubject): FieldOutcome | undefined {
  const isMeant = (name: string): boolean => name === 'prepare' || INSTALL_SCRIPTS.includes(name);
  return rewriteScripts(
    subject,
    (script, name) => (isMeant(name) ? withoutGuards(script, subject.subject) : script),
    'Scripts no longer check which package manager runs them: in the monorepo, it is always Yarn.',
  );
}

/** Reports the scripts of the package that every installation of the monorepo runs from now on. */
export function installScripts({ manifest, subject }: ManifestSubject): FieldOutcome | undefined {
  const scripts = scriptsOf(manifest);
  const found = INSTALL_SCRIPTS.flatMap((name) => {
    const command = scripts[name];
    return command !== undefined && !isHarmless(command) ? [remarkOn(name, command, subject)] : [];
  });
  const builds = scripts['install'] === undefined && subject.read('binding.gyp') !== undefined ? [NATIVE] : [];
  return found.length + builds.length === 0 ? undefined : { remarks: [...found, ...builds] };
}

const NATIVE: Message = {
  topic: 'install-scripts',
  text: 'Without an "install" script, Yarn builds it with `node-gyp rebuild`: every machine needs a compiler.',
  detail: '`binding.gyp`',
};

interface KnownEffect {
  readonly command: RegExp;
  /** `stops`: what a failure of the script does; empty if it does not count. */
  readonly text: (stops: string) => string;
}

const INSTALLATION = /(?:^|\s)(?:npm|pnpm|bun|lerna|yarn)\s+(?:install|i|ci|bootstrap|add)\b|\binstall-peers\b/;

/** What well-known programs do in an installation of a monorepo. */
const EFFECTS: readonly KnownEffect[] = [
  {
    command: /(?:^|\s)patch-package(?!-)/,
    text: (stops) =>
      `With CI set, patch-package fails${stops}: what it patches is now in the node_modules of the root. Use \`yarn patch\` in its place, and remove the script.`,
  },
  {
    command: /npm-force-resolutions/,
    text: (stops) =>
      `npm-force-resolutions fails${stops}: it reads package-lock.json, which the monorepo does not have. Remove the script: \`resolutions\` of the root have the same effect.`,
  },
  {
    command:
      /(?:^|[\s/])(?:node-gyp|node-pre-gyp|prebuild-install|node-gyp-build|cmake-js|neon|napi|electron-rebuild)(?:$|\s)|install-app-deps/,
    text: () => 'It builds or downloads native code on every machine that installs the monorepo.',
  },
  {
    command: /\b(?:playwright|cypress|puppeteer)\b.*\binstall\b/,
    text: () => 'It downloads a browser to every machine that installs the monorepo.',
  },
  {
    command: /\b(?:rm|rimraf|del|unlink)(?:Sync)?\b[^&;|]*\.\.\/yarn\.lock\b/,
    text: () => 'It removes the yarn.lock of a folder above the package in every installation.',
  },
  {
    command: INSTALLATION,
    text: () => 'It starts another installation inside of `yarn install`, which may change the lockfile of the root or never end.',
  },
];

/** Whether `installScripts` reports a script because it starts another installation with this command. */
export function isReported(name: string, script: string, command: string): boolean {
  return INSTALL_SCRIPTS.includes(name) && effectOf(script)?.command === INSTALLATION && INSTALLATION.test(command);
}

function effectOf(script: string): KnownEffect | undefined {
  return EFFECTS.find(({ command }) => command.test(script));
}

function remarkOn(name: string, script: string, subject: ManifestSubject['subject']): Message {
  const stops = MAY_FAIL.test(script) ? '' : ', and `yarn install` stops';
  const commands = shellCommandsIn(script).map(({ text }) => text);
  const known = hasNoPatches(script, subject) ? NO_PATCHES : effectOf(script)?.text(stops);
  const effect = known ?? removalIn([...commands, ...commands.map((one) => programOf(one, subject.read).text ?? '')]);
  const asksManager = commands.some((text) => isGuard(text, subject) !== 'no');
  const unknown = asksManager
    ? 'It asks which package manager runs it, so it may stop every `yarn install` of the monorepo.'
    : `It runs on every machine that installs the monorepo${MAY_FAIL.test(script) ? '' : ', and if it fails, `yarn install` stops'}.`;
  return { topic: 'install-scripts', text: effect ?? unknown, detail: `"${name}": ${shown(script)}` };
}

/** A command of a shell, or a call in JavaScript, that removes files; up to their names. */
const REMOVES =
  /(?:(?:^\s*|\bexec(?:Sync)?\(["'`])(?:npx\s+|shx\s+)*(?:rm|rimraf|del)\s|\b(?:rm|rimraf|del|remove|unlink)(?:Sync)?\s*\()[^;&|\n]*/gm;

/** Says which lockfile commands or programs remove, first that of Yarn. */
function removalIn(texts: readonly string[]): string | undefined {
  const removed = texts.flatMap((text) => text.match(REMOVES) ?? []);
  const name = LOCKFILE_NAMES.find((one) => removed.some((text) => text.includes(one)));
  if (name === undefined) return undefined;
  return name === 'yarn.lock'
    ? 'It removes a yarn.lock. If its path leads to the root, an installation leaves the monorepo without its lockfile. Remove the script.'
    : `It removes a ${name}, which the package has no more.`;
}

const NO_PATCHES = 'patch-package has no patches here, and does nothing. Remove the script.';

/** Whether a script does nothing but apply the patches of a folder that has none. */
function hasNoPatches(script: string, { importedPackage, monorepo }: ManifestSubject['subject']): boolean {
  const [all, folder = 'patches'] = /^(?:npx )?patch-package(?: --patch-dir[ =](?:\.\/)?([\w./-]+?)\/?)?$/.exec(script.trim()) ?? [];
  return all !== undefined && !monorepo.paths.some((path) => path.startsWith(`${importedPackage.path}/${folder}/`));
}

function shown(script: string): string {
  return code(redactUrls(script));
}

/** The end of a script whose failure does not count. */
const MAY_FAIL = /(?:\|\||;)\s*(?:true|exit 0|:|echo\b.*)\s*$/;

/** Whether a script only prints a text. */
function isHarmless(script: string): boolean {
  return runsNothing(script) && !/\b(?:false|exit\s+[1-9])/.test(script);
}
