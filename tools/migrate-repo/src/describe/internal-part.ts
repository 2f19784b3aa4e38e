import { type InternalFinding, isOfBuild } from '../align/internal.js';
import type { Answered } from '../align/lock/answered.js';
import type { Doubt } from '../align/meaning.js';
import type { ReplacedVersion } from '../align/replaced.js';
import type { Unbuilt } from '../align/unbuilt.js';
import { changeInWords } from '../align/version-change.js';
import { code, namesOf, someOf } from '../text.js';
import type { DecisionText } from '../topics.js';
import { movedReasons } from './moved-reasons.js';
import type { Reason, ReportPart } from './part.js';

/** The maximum number of packages that a sentence names. */
const LISTED = 6;

/**
 * Returns the report of internal dependencies. `answered`: requests of registry packages that a workspace answers now,
 * and did not before.
 */
export function internalPart(
  findings: readonly InternalFinding[],
  replaced: readonly ReplacedVersion[],
  answered: readonly Answered[] = [],
): ReportPart {
  return {
    step: 'internal',
    decisions: [
      ...movedReasons(replaced, 'replaced-breaking'),
      ...answeredQuestion(answered),
      ...findings.filter((finding) => finding.kind !== 'placeholder' || isLinkedByRoot(finding, findings)).flatMap(decisionOf),
      ...unbuiltQuestions(findings),
    ],
    changes: findings.flatMap((finding) =>
      finding.kind === 'placeholder' && !isLinkedByRoot(finding, findings) ? [comparedWith(finding)] : changeOf(finding),
    ),
  };
}

/** Asks about registry packages that now get a workspace: packages from the registry are built, but a workspace may not be. */
function answeredQuestion(answered: readonly Answered[]): readonly DecisionText[] {
  if (answered.length === 0) return [];
  const askers = [...new Set(answered.map(({ by }) => by))].sort();
  const workspaces = [...new Set(answered.map(({ name }) => name))].sort();
  return [
    {
      text: `${someOf(askers, LISTED)} ${askers.length === 1 ? 'comes' : 'come'} from the registry and now ${askers.length === 1 ? 'gets' : 'get'} the workspace ${someOf(workspaces, LISTED)}.`,
      byDefault: `${askers.length === 1 ? 'It gets' : 'They get'} the workspace as it is, built or not.`,
      toChange: '`enableTransparentWorkspaces: false` in .yarnrc.yml; then `yarn install`. Then only `workspace:` ranges use a workspace.',
      risk: 'requests',
    },
  ];
}

type Placeholder = Extract<InternalFinding, { kind: 'placeholder' }>;

/** Whether a line in `resolutions` of the root leads to a workspace with a placeholder version. */
function isLinkedByRoot({ workspace }: Placeholder, findings: readonly InternalFinding[]): boolean {
  return findings.some(
    (one) => (one.kind === 'converted' || one.kind === 'forced') && one.by === 'resolutions' && one.to.path === workspace.path,
  );
}

function comparedWith({ workspace, version, released }: Placeholder): string {
  return `${workspace.name}: its version is a placeholder, ${code(version)}; ranges were compared with its newest release tag, ${released}, and none uses the workspace through "resolutions"`;
}

function changeOf(finding: InternalFinding): readonly string[] {
  switch (finding.kind) {
    case 'converted':
    case 'forced':
      return [`${finding.from.name}: ${linkInWords(finding)}${finding.change === undefined ? '' : `, ${changeInWords(finding.change)}`}`];
    case 'pinned':
      return [
        `${finding.from.name}: ${finding.name} ${code(finding.range)} became ${code(finding.becomes)}, the version that was locked: the range would give the package itself.`,
      ];
    case 'of sibling':
      return [
        `${finding.from.name}: ${finding.name} ${code(finding.range)} became ${code(finding.becomes)}, as its former monorepo would publish it: there is no such workspace here.`,
      ];
    case 'cycle':
      return [
        `${finding.members.map(({ name }) => name).join(', ')} now depend on each other${finding.through === 'dev' ? ', by dev dependencies' : ''}.`,
      ];
    case 'left':
    case 'unresolvable':
    case 'peer not satisfied':
    case 'unbuilt':
    case 'placeholder':
      return [];
    case 'transparency':
      return [OPAQUE, ...copiesKept(finding.wanted.map(({ name }) => name))];
  }
}

const OPAQUE = 'A matching version alone no longer selects a workspace: .yarnrc.yml has `enableTransparentWorkspaces: false`.';

function copiesKept(names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  return [
    `Packages from the registry require ${namesOf(names)}, and keep the published versions. Without that line in .yarnrc.yml they would get the workspaces.`,
  ];
}

function linkInWords({ name, range, becomes, by, from }: Extract<InternalFinding, { kind: 'converted' | 'forced' }>): string {
  if (by === 'protocol') return `${name} ${code(range)} became ${code(becomes)}`;
  const now = becomes === range ? code(range) : `${code(range)}, now ${code(becomes)},`;
  return `${name} ${now} uses the workspace because of ${by === 'version' ? 'its version' : `"resolutions" of the root (${code(`${from.name}/${name}`)})`}`;
}

function decisionOf(finding: InternalFinding): readonly (Reason | DecisionText)[] {
  switch (finding.kind) {
    case 'converted':
    case 'pinned':
    case 'of sibling':
    case 'transparency':
      return [];
    case 'forced':
      return [reason('forced', finding, doubts(finding.doubt, finding.to.version))];
    case 'left':
      if (finding.doubt === 'itself') return [ofItself(finding)];
      // Missing builds are reported once for each workspace to build.
      return isOfBuild(finding.doubt) ? [] : [reason('requests', finding, doubts(finding.doubt, finding.to.version))];
    case 'unresolvable':
      return [reason('unresolvable', finding, finding.to === undefined ? 'no such workspace exists' : versionOf(finding.to.version))];
    case 'peer not satisfied':
      return [reason('peers', finding, versionOf(finding.to.version))];
    case 'cycle':
      return finding.through === 'dependencies' ? [cycleQuestion(finding.members.map(({ name }) => name))] : [];
    case 'unbuilt':
      return finding.from === 'registry' ? [notBuilt(finding)] : [];
    case 'placeholder':
      return [placeholder(finding)];
  }
}

type Request = Parameters<typeof asks>[0];

function reason(topic: Reason['topic'], { from, name, range }: Request, why: string): Reason {
  return { topic, package: from.name, place: name, text: `${why.charAt(0).toUpperCase()}${why.slice(1)}.`, detail: code(range) };
}

function cycleQuestion(names: readonly string[]): DecisionText {
  return {
    text: `${names.join(', ')} depend on each other at run time.`,
    byDefault: 'They are linked unchanged. No build order works for all of them.',
    toChange: 'Move shared code into a separate package, or make one of the dependencies a peer.',
    risk: 'builds',
  };
}

function ofWorkspace(topic: Reason['topic'], name: string, text: string, detail?: string): Reason {
  return { topic, package: name, place: null, text, detail };
}

function notBuilt({ workspace, missing, script, elsewhere, dependents, unasked }: Extract<InternalFinding, { from: 'registry' }>): Reason {
  const whom = namesOf(dependents.map(({ name }) => name));
  const doubt = unasked === undefined ? '' : `; unknown whether the registry has it (${unasked})`;
  if (elsewhere !== undefined)
    return ofWorkspace(
      'built-elsewhere',
      workspace.name,
      'Its entry points cannot be found in the workspace, built or not.',
      `they are in ${code(elsewhere)}, for ${whom}${doubt}`,
    );
  return ofWorkspace(
    'not-built',
    workspace.name,
    `A file that other packages load exists only after a build${script === undefined ? ', for which it has no script' : ''}.`,
    `${code(missing.path)}, for ${whom}${doubt}`,
  );
}

function placeholder({ workspace, version, released }: Extract<InternalFinding, { kind: 'placeholder' }>): Reason {
  return ofWorkspace(
    'placeholders',
    workspace.name,
    `The version is a placeholder, ${code(version)}. Its newest release tag is used.`,
    released,
  );
}

/** Returns one question for what builds create, and one for what none can create. */
function unbuiltQuestions(findings: readonly InternalFinding[]): readonly DecisionText[] {
  const unbuilt = findings.filter((finding) => finding.kind === 'unbuilt').filter(({ from }) => from === 'workspace');
  const canBuild = ({ script, elsewhere }: Unbuilt): boolean => script !== undefined && elsewhere === undefined;
  return [unbuilt.filter(canBuild), unbuilt.filter((one) => !canBuild(one))].filter((some) => some.length > 0).map(unbuiltQuestion);
}

function unbuiltQuestion(built: readonly Unbuilt[]): DecisionText {
  const dependents = [...new Set(built.flatMap((one) => one.dependents.map(({ name }) => name)))];
  const what = built.map(({ workspace, missing }) => `${workspace.name} (${code(missing.path)})`).join(', ');
  return {
    text: `${namesOf(dependents)} ${dependents.length === 1 ? 'gets' : 'get'} files from the workspace that only a build creates: ${what}.`,
    byDefault: 'They are linked, but nothing was built.',
    toChange: howToBuild(built),
    risk: 'builds',
  };
}

/** Returns the commands, dependencies first: Yarn's own order sees only workspaces that a range leads to. */
function howToBuild(built: readonly Unbuilt[]): string {
  const elsewhere = built.flatMap((one) => (one.elsewhere === undefined ? [] : [`${one.workspace.name} (${code(one.elsewhere)})`]));
  if (elsewhere.length > 0)
    return `No build makes them loadable: their entry points come into another folder, of ${elsewhere.join(', ')}. Name an entry point in the package.json that the build makes.`;
  const commands = built.flatMap(({ workspace, script }) =>
    script === undefined ? [] : [`yarn workspace ${workspace.name} run ${script}`],
  );
  if (commands.length === 0) return 'No script "build", "prepare" or "prepack" creates it: make sure that it exists.';
  const runners = built.every(({ script }) => script === 'build')
    ? ''
    : ' Tools that build in order, such as turborepo with `^build`, look for a script "build".';
  return `Build ${commands.length === 1 ? 'it' : 'them'} first${commands.length === 1 ? '' : ', in this order'}: ${code(commands.join(' && '))}.${runners}`;
}

function ofItself(finding: Request): DecisionText {
  return {
    text: `${asks(finding)}, a published version of itself.`,
    byDefault: 'Yarn uses the workspace for it. A build that needs the published version fails.',
    toChange:
      'Write an exact published version that is not the version of the workspace, or `enableTransparentWorkspaces: false` in .yarnrc.yml.',
    risk: 'requests',
  };
}

function asks({ from, name, range }: { readonly from: { readonly name: string }; readonly name: string; readonly range: string }): string {
  return `${from.name} requires ${name} ${code(range)}`;
}

function doubts(doubt: Doubt, version: string | undefined): string {
  switch (doubt) {
    case 'version not admitted':
      return versionOf(version);
    case 'no version':
      return 'the workspace has no version';
    case 'tag':
      return 'a tag may mean any version';
    case 'address':
      return 'it is an address, which may mean any commit';
    case 'other path':
      return 'it is a path to another folder';
    case 'not built':
      return 'files that others load from the workspace must be built first';
    case 'built elsewhere':
      return 'its build puts the entry points into another folder';
    case 'overridden':
      return '"resolutions" of the root has a different entry';
    case 'not led':
      return 'Yarn still uses the version of the registry';
  }
}

function versionOf(version: string | undefined): string {
  return version === undefined ? 'the workspace has no version' : `the workspace is ${version}`;
}
