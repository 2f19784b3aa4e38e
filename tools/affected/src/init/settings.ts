import { Scalar } from 'yaml';
import type { YamlNode } from './yaml-tree.js';

/** What a workflow gives its tests, and a proposed one can take over. */
export interface Setting {
  readonly kind: 'service' | 'variable' | 'install';
  /** `postgres`; for an installation the command. */
  readonly name: string;
  readonly value: YamlNode;
}

/** What a workflow gives to one of its steps. */
export interface Giving {
  readonly settings: readonly Setting[];
  /** Whether the step runs tests. */
  readonly isTest: boolean;
  /** Returns why a setting means nothing in another job: a clause; `undefined` if it does. */
  readonly whyNot: (setting: Setting) => string | undefined;
}

export interface ReadSettings {
  /** What all steps that run tests are given alike. */
  readonly settings: readonly Setting[];
  /** The others, in words, with the reason where there is one. */
  readonly told: readonly string[];
}

/** `service postgres`, or `installation "yarn install --immutable --inline-builds"`. */
export function inWords({ kind, name }: Setting): string {
  return kind === 'install' ? `installation "${name}"` : `${kind} ${name}`;
}

/** Finds what all steps that run tests are given alike, and means the same in another job. */
export function commonSettings(givings: readonly Giving[]): ReadSettings {
  const tests = givings.filter(({ isTest }) => isTest);
  const settings = (tests[0]?.settings ?? []).filter(
    (one) => tests.every((test) => test.settings.some((other) => isSame(one, other))) && tests[0]?.whyNot(one) === undefined,
  );
  const told = givings.flatMap(({ settings: given, isTest, whyNot }) =>
    given
      .filter((one) => !settings.some((other) => isSame(one, other)))
      .map((one) => {
        const why = whyNot(one) ?? (isTest && tests.length > 1 ? 'not the same wherever tests run' : undefined);
        return why === undefined ? inWords(one) : `${inWords(one)} (${why})`;
      }),
  );
  return { settings, told: [...new Set(told)] };
}

function isSame(one: Setting, other: Setting): boolean {
  return inWords(one) === inWords(other) && JSON.stringify(one.value) === JSON.stringify(other.value);
}

/** Options of Yarn's command. Source: yarnpkg.com/cli/install. */
const INSTALL =
  /^yarn(?: install)?((?: --(?:immutable(?:-cache)?|frozen-lockfile|check-cache|check-resolutions|refresh-lockfile|inline-builds|json|mode=[\w-]+))*)$/;

/** How a line of a script installs. */
export interface Installation {
  /** Empty if the line only prepares one. */
  readonly command: string;
  /** Whether it has other options than the templates. */
  readonly hasOptions: boolean;
}

/** Reads a line that installs and does nothing else; `undefined` for others. */
export function readInstall(line: string): Installation | undefined {
  const parts = line.split('&&').map((part) => part.trim().replace(/\s+/g, ' '));
  const others = parts.filter((part) => !/^(?:corepack [\w .@/=-]+|yarn set version \S+)$/.test(part));
  const [command = '', more] = others;
  const [, options] = INSTALL.exec(command) ?? [];
  if (others.length === 0) return { command: '', hasOptions: false };
  if (options === undefined || more !== undefined) return undefined;
  return { command, hasOptions: / --(?!immutable\b(?!-)|frozen-lockfile)/.test(options) };
}

/** Returns in words what a cache keeps besides what Yarn installs, which the templates keep too. `paths`: texts of a line each. */
export function otherCaches(paths: readonly string[]): readonly string[] {
  return paths.filter((path) => !/yarn|node_modules/i.test(path)).map((path) => `cache ${path.trim()}`);
}

interface Installing {
  readonly commands: readonly Installation[];
  /** Why they do not run always: a clause. */
  readonly why: string | undefined;
}

/** Returns the one installation, if it has options of its own, or tells those that are not taken over. */
export function readInstallation(installing: readonly Installing[]): Pick<ReadSettings, 'settings' | 'told'> {
  const all = installing.flatMap(({ commands, why }) => commands.map((one) => ({ ...one, why }))).filter(({ command }) => command !== '');
  const special = all.filter(({ hasOptions }) => hasOptions);
  const [first] = special;
  if (first === undefined) return { settings: [], told: [] };
  if (all.every(({ command, why }) => command === first.command && why === undefined))
    return { settings: [{ kind: 'install', name: first.command, value: new Scalar(first.command) }], told: [] };
  return { settings: [], told: special.map(({ command, why }) => `step "${command}"${why === undefined ? '' : ` (${why})`}`) };
}
