import type { FormerBuild } from '../align/build-scripts.js';
import type { ModulePath } from '../align/module-paths.js';
import type { Unresolvable } from '../align/unresolvable.js';
import type { Alignment } from '../alignment.js';
import type { InstallWarning } from '../io/install-warnings.js';
import { groupMessages, type Remark } from '../message.js';
import { code } from '../text.js';
import type { Reason, ReportPart } from './part.js';

/** Returns what an installation has shown, or is expected to show. */
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
    .map((one) => ofBuild(one, 'It has a build script, which does not run here and did not run in the source.'));
  const places = modulePaths.map((one) => ofPath(one, lock === undefined ? 'may' : 'does'));
  return {
    decisions: [
      ...unresolvable.flatMap(ofUnresolvable),
      ...withTopic('build-scripts', [...missed, ...formerBuilds.map(ofFormerBuild)]),
      ...withTopic('behaviour', places),
    ],
    changes: groupMessages([...same, ...warnings.flatMap(ofWarning)]),
  };
}

/** Packages that never had an unbuilt package may find it now, as jsdom looks for canvas. */
const NOT_BUILT =
  'It has a build script. Unbuilt at the root, it may break packages that look for it: `"installConfig": { "hoistingLimits": "workspaces" }` in that package.json keeps it in its workspace.';

const INSTEAD =
  'locate it with `require.resolve` or `import.meta.resolve`, or keep it there with `"installConfig": { "hoistingLimits": "workspaces" }` in the package.json';
const BY_PLACE = `It has a path of a package in node_modules, which may be elsewhere in the workspace: ${INSTEAD}.`;

function withTopic(topic: Reason['topic'], remarks: readonly Remark[]): readonly Reason[] {
  return remarks.map((one) => ({ ...one, topic }));
}

/** Returns the rejected requests, except those with `workspace:`, which the step of internal dependencies reports. */
function ofUnresolvable({ from, kind, name, range, why }: Unresolvable): readonly Reason[] {
  const text = `Yarn refuses it: ${why}.`;
  return kind === 'workspace' ? [] : [{ topic: 'unresolvable', package: from.name, place: name, text, detail: code(range) }];
}

/** Returns a remark about a build script. The version is a detail, because an installation may find a newer one than was locked. */
function ofBuild({ importedPackage, package: resolution, words }: InstallWarning, text: string): Remark {
  const [name, version] = splitResolution(resolution);
  return { package: importedPackage, place: name, text, detail: [version, words].filter((one) => one !== '').join(', ') || undefined };
}

function ofFormerBuild({ importedPackage, package: resolution }: FormerBuild): Remark {
  const [name, version] = splitResolution(resolution);
  return { package: importedPackage, place: name, text: NOT_BUILT, detail: version };
}

/** Splits `esbuild@0.25.0`. */
function splitResolution(resolution: string): readonly [name: string, version: string] {
  const at = resolution.lastIndexOf('@');
  return at < 1 ? [resolution, ''] : [resolution.slice(0, at), resolution.slice(at + 1)];
}

/** Returns a remark about a path. The finding is in the detail, because another text would be another place after an installation. */
function ofPath({ importedPackage, package: name, file, line }: ModulePath, elsewhere: 'may' | 'does'): Remark {
  const detail = `${code(name)}${elsewhere === 'does' ? ', which is elsewhere' : ''}`;
  return { package: importedPackage, place: `${file}:${line}`, text: BY_PLACE, detail };
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
          text: 'Yarn warns about peer dependencies that are missing or do not satisfy their ranges.',
          detail: words,
        },
      ];
    case 'deprecated':
      return [{ package: importedPackage, place: name, text: 'Yarn warns that it is deprecated.', detail: words }];
    case 'other':
      return [{ package: importedPackage, place: null, text: `Yarn warns: ${words}.` }];
  }
}
