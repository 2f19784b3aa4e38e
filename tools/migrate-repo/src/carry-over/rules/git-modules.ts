import { type RepoPath, relativeTo } from '@tributary/model/paths';
import { holdsCredential } from '../../credentials.js';
import type { Draft } from '../../edit/draft.js';
import { type FencedBlock, withBlock } from '../../edit/fence.js';
import { someOf } from '../../text.js';
import type { CarriedPackage } from '../repository.js';
import { type CarryOverFinding, type CarryOverRule, dropped, inPackage, type RuleOutcome, type RuleSubject } from '../rule.js';

const ROOT = '.gitmodules' as RepoPath;

export const gitModules: CarryOverRule = {
  title: '.gitmodules',
  matches: ['.gitmodules'],
  action: 'merge',
  reason: 'git reads it only at the root; its submodules are added there with their new paths',
  apply: moveModules,
};

interface Submodule {
  readonly path: string;
  readonly url: string;
  /** Lines of other settings, as written. */
  readonly settings: readonly string[];
}

function moveModules(subject: RuleSubject): RuleOutcome {
  const [file = ''] = subject.files;
  const modules = parseModules(subject.read(file) ?? '').filter(({ path }) =>
    subject.importedPackage.submodules.includes(inPackage(subject, path)),
  );
  const known = modules.flatMap((one): readonly Submodule[] => {
    const url = absoluteUrl(one.url, subject.importedPackage.source);
    return url === undefined || holdsCredential(url) ? [] : [{ ...one, url }];
  });
  const text = withBlock(subject.monorepo.read(ROOT) ?? '', modulesBlock(subject, known));
  const done =
    known.length === 0
      ? { text: 'It was removed: it has no address of a submodule that is valid here.' }
      : {
          text: `Its submodules were added to \`${ROOT}\` of the root, with their new paths.`,
          detail: someOf(known.map(({ path }) => path)),
        };
  return {
    edits: new Map([[inPackage(subject, file), undefined], ...(known.length === 0 ? [] : [[ROOT, text] as const])]),
    notes: [{ file, action: 'merge', done, remarks: [] }],
  };
}

/**
 * Returns an address as it is valid in every repository; `undefined` if it has none. `./x` and `../x` are relative to
 * the address of the source.
 */
function absoluteUrl(url: string, source: string | undefined): string | undefined {
  if (/^[\w+.-]+:\/\/|^[^./][^/]*:/.test(url)) return url;
  if (source === undefined || !/^\.\.?\//.test(url)) return undefined;
  const steps = source.replace(/\/+$/, '').split('/');
  for (const step of url.split('/')) {
    // The host, or `host:owner`, is not a folder that can be left.
    if (step === '..' && (steps.length < 2 || steps.at(-2) === '')) return undefined;
    if (step === '..') steps.pop();
    else if (step !== '.') steps.push(step);
  }
  return steps.join('/');
}

/**
 * Removes submodules that the .gitmodules of the root does not name: one without an address stops `git submodule` for
 * everybody, also in the checkout of CI.
 */
export function orphanSubmodules(draft: Draft, packages: readonly CarriedPackage[]): readonly CarryOverFinding[] {
  const named = new Set(parseModules(draft.read(ROOT) ?? '').map(({ path }) => path));
  return packages.flatMap((importedPackage) => {
    const orphans = importedPackage.submodules.filter((path) => draft.has(path) && !named.has(path));
    draft.apply(new Map(orphans.map((path) => [path, undefined])));
    return orphans.map((path): CarryOverFinding => {
      const note = dropped(relativeTo(importedPackage.path, path), REMOVED, { topic: 'behaviour', text: ADD_AGAIN, detail: `\`${path}\`` });
      return { ...note, importedPackage: importedPackage.name, rule: gitModules.title, reason: gitModules.reason };
    });
  });
}

const REMOVED = 'The submodule was removed: its address is missing, is relative to a folder of this machine, or contains a credential.';
const ADD_AGAIN =
  'Without an address, it would stop every `git submodule` command of the monorepo. Add it again: `git submodule add <address> <path>`.';

function modulesBlock({ importedPackage }: RuleSubject, modules: readonly Submodule[]): FencedBlock {
  const lines = modules.flatMap(({ path, url, settings }) => {
    const place = `${importedPackage.path}/${path}`;
    return [`[submodule "${place}"]`, `\tpath = ${place}`, `\turl = ${url}`, ...settings.map((line) => `\t${line}`)];
  });
  return { name: importedPackage.name, lines };
}

/** Settings that do not depend on the place. */
const COPIED = /^(?:branch|shallow|ignore|fetchRecurseSubmodules|update)\s*=/i;

function parseModules(text: string): readonly Submodule[] {
  const sections = text.split(/^\s*\[submodule\s[^\]\n]*\]\s*$/m).slice(1);
  return sections.flatMap((section) => {
    const lines = section.split(/\r?\n/).map((line) => line.trim());
    const settingOf = (key: string): string | undefined =>
      lines.flatMap((line) => new RegExp(`^${key}\\s*=\\s*"?(.*?)"?$`, 'i').exec(line)?.[1] ?? []).at(-1);
    const [path, url] = [settingOf('path'), settingOf('url')];
    return path === undefined || url === undefined ? [] : [{ path, url, settings: lines.filter((line) => COPIED.test(line)) }];
  });
}
