import type { FormerBuild } from '../align/build-scripts.js';
import type { ModulePath } from '../align/module-paths.js';
import type { Unresolvable } from '../align/unresolvable.js';
import type { InstallWarning } from '../io/install-warnings.js';
import { groupMessages, type Remark } from '../message.js';
import type { Alignment } from '../run/align.js';
import { code, type Reason, type ReportPart } from './part.js';

/** What an installation has shown, or will. */
export function installPart({
  lock,
  unresolvable,
  scriptsOff,
  formerBuilds,
  modulePaths,
}: Pick<Alignment, 'lock' | 'unresolvable' | 'scriptsOff' | 'formerBuilds' | 'modulePaths'>): Omit<ReportPart, 'step'> {
  const warnings = lock?.warnings ?? [];
  const builds = warnings.filter(({ kind }) => kind === 'build');
  const missed = builds.filter(({ importedPackage }) => !scriptsOff.has(importedPackage)).map((one) => ofBuild(one, NOT_BUILT));
  const same = builds
    .filter(({ importedPackage }) => scriptsOff.has(importedPackage))
    .map((one) => ofBuild(one, 'It has a build script, which is not run, as it was not where the package comes from.'));
  const places = modulePaths.map((one) => ofPath(one, lock === undefined ? MAY_LIE_ELSEWHERE : LIES_ELSEWHERE));
  return {
    decisions: [
      ...unresolvable.flatMap(ofUnresolvable),
      ...withTopic('build-scripts', [...missed, ...formerBuilds.map(ofFormerBuild)]),
      ...withTopic('behaviour', places),
    ],
    changes: groupMessages([...same, ...warnings.flatMap(ofWarning)]),
  };
}

/** What nobody builds may be found by packages that never had it, as jsdom looks for canvas. */
const NOT_BUILT =
  'It has a build script. Unbuilt at the root, it may mislead packages that look for it: `"installConfig": { "hoistingLimits": "workspaces" }` in that package.json keeps it in its workspace.';

const INSTEAD =
  'ask for it by `require.resolve` or `import.meta.resolve`, or keep it there with `"installConfig": { "hoistingLimits": "workspaces" }` in the package.json';
const LIES_ELSEWHERE = `It names a package by its place in node_modules, and in the workspace that lies elsewhere: ${INSTEAD}.`;
const MAY_LIE_ELSEWHERE = `It names a package by its place in node_modules, which may lie elsewhere in the workspace: then ${INSTEAD}.`;

function withTopic(topic: Reason['topic'], remarks: readonly Remark[]): readonly Reason[] {
  return remarks.map((one) => ({ ...one, topic }));
}

/** Of `workspace:` the step of the internal dependencies has told. */
function ofUnresolvable({ from, kind, name, range, why }: Unresolvable): readonly Reason[] {
  const text = `Yarn refuses it: ${why}.`;
  return kind === 'workspace' ? [] : [{ topic: 'unresolvable', package: from.name, place: name, text, detail: code(range) }];
}

function ofBuild({ importedPackage, package: name, words }: InstallWarning, text: string): Remark {
  return { package: importedPackage, place: name, text, detail: words === '' ? undefined : words };
}

function ofFormerBuild({ importedPackage, package: name }: FormerBuild): Remark {
  return { package: importedPackage, place: name, text: NOT_BUILT };
}

function ofPath({ importedPackage, package: name, file, line }: ModulePath, text: string): Remark {
  return { package: importedPackage, place: `${file}:${line}`, text, detail: code(name) };
}

function ofWarning({ importedPackage, kind, package: name, words }: InstallWarning): readonly Remark[] {
  switch (kind) {
    case 'build':
      return [];
    case 'peer':
      return [
        {
          package: importedPackage,
          place: null,
          text: 'Yarn warns of peer dependencies that are missing, or not as they are asked for.',
          detail: words,
        },
      ];
    case 'deprecated':
      return [{ package: importedPackage, place: name, text: 'Yarn warns that it is deprecated.', detail: words }];
    case 'other':
      return [{ package: importedPackage, place: null, text: `Yarn warns: ${words}.` }];
  }
}
