import type { AffectedConfig, InternalConfig, ReachConfig, VersionPolicy } from './config.js';
import type { PublishConfig } from './publish-config.js';

// `tributary.json` as people write it: every key may be missing. Its JSON Schema is made from these types, so comments here are what an editor
// shows. parseConfig reads it; a test compares both.

export interface ConfigDocument {
  /** The address or path of this schema, for editors. */
  readonly $schema?: string;
  readonly migrate?: MigrateDocument;
  readonly affected?: AffectedDocument;
  readonly publish?: PublishDocument;
}

/** @minLength 1 */
type Text = string;

/** Settings of migrate-repo, which moves a repository into the monorepo. */
interface MigrateDocument {
  /**
   * Path of an imported package, from the root of the monorepo. {name} (with scope) and {shortName} (without) are replaced.
   * @pattern ^(?:[^{]|\{(?:name|shortName)\}|\{(?![^}]*\}))+$
   * @default packages/{shortName}
   */
  readonly path?: string;
  /**
   * Name of a tag after the migration. {name}, {shortName}, {version} (without a leading v) and {tag} (the old name) are replaced. false: no
   * tags are imported.
   * @default {name}@{version}
   */
  readonly tags?: TagPattern | false;
  /**
   * Packages that you can migrate by name alone: package name -> source.
   * @default {}
   */
  readonly packages?: Readonly<Record<string, PackageSourceDocument>>;
  /**
   * How dependencies between workspaces change during a migration.
   * @default {"range":"workspace:^","convert":"admitted","packer":"detect"}
   */
  readonly internal?: InternalDocument;
  /**
   * Dependencies whose ranges in the monorepo exclude each other: a policy, or a policy with exceptions by name.
   * @default {"policy":"report","exceptions":{}}
   */
  readonly versions?: VersionPolicy | VersionsDocument;
  /**
   * Decisions that are settled for all migrations: id in the report -> reason. They are not listed again.
   * @default {}
   */
  readonly decided?: Readonly<Record<string, Text>>;
}

/** @pattern ^(?:[^{]|\{(?:name|shortName|version|tag)\}|\{(?![^}]*\}))+$ */
type TagPattern = string;

interface InternalDocument {
  /**
   * The new range.
   * @default workspace:^
   */
  readonly range?: InternalConfig['range'];
  /**
   * admitted: uses workspace: only if the old range matches the workspace's version. all: uses it always.
   * @default admitted
   */
  readonly convert?: InternalConfig['convert'];
  /**
   * The program that packs for publishing. npm packs package.json unchanged, so workspace: ranges are not allowed with it.
   * @default detect
   */
  readonly packer?: InternalConfig['packer'];
}

interface VersionsDocument {
  /** @default report */
  readonly policy?: VersionPolicy;
  /**
   * Dependency name -> its policy. keep: several versions are intended and are not reported.
   * @default {}
   */
  readonly exceptions?: Readonly<Record<string, VersionPolicy | 'keep'>>;
}

/** Source of a package. */
interface PackageSourceDocument {
  /** Address or path of its repository, without credentials. */
  readonly source: Text;
  /** Its path, overriding "migrate.path". */
  readonly path?: Text;
  /** The branch to import (default: the branch that the source's HEAD names). */
  readonly branch?: Text;
  /** The folder of the source that becomes the package (default: the whole repository). */
  readonly subdirectory?: Text;
}

/** Settings of affected, which lists the workspaces that a change can affect. */
interface AffectedDocument {
  /** Base revision, such as origin/main, if neither --base nor the CI engine names one (default: auto-detected). */
  readonly base?: Text;
  /**
   * Rules that say which workspaces a changed file selects. The first matching rule decides, before the built-in rules (affected check lists
   * them). The rules of the base apply; a change of the rules selects every workspace.
   * @default []
   */
  readonly rules?: readonly FileRuleDocument[];
  /**
   * Names of workspaces that are always selected, such as the one with the application's core tests.
   * @default []
   */
  readonly always?: readonly Text[];
  /**
   * How affected plan treats "inputs" of a task in turbo.json. respect: a changed file of the workspace outside its inputs does not select
   * its tests. ignore: it does.
   * @default respect
   */
  readonly turboInputs?: AffectedConfig['turboInputs'];
  /**
   * Whom changed files in workspaces select, by what they are. itself: their workspace, and whoever refers to them. dependents: also all
   * dependents of the workspace.
   * @default {"documentation":"itself","versions":"itself","testDependencies":"itself","tests":"itself"}
   */
  readonly reach?: Partial<ReachConfig>;
  /**
   * Whether the gate fails for a test script that discards an exit code, such as jest || true. false: the plan and the gate warn.
   * @default false
   */
  readonly strictScripts?: boolean;
  /**
   * Patterns for names of dependencies in the root package.json that only the root uses, such as husky or @commitlint/*. A change of any
   * other root dependency selects every workspace.
   * @default []
   */
  readonly rootOnlyDependencies?: readonly (Text | RootOnlyDocument)[];
  /**
   * What workspaces read without declaring it: workspace name -> what it reads. affected check --fix writes it. An edge only adds workspaces
   * to an answer. The edges of the base apply too, so deleting an edge narrows nothing.
   * @default {}
   */
  readonly edges?: Readonly<Record<string, ReadsDocument>>;
  /**
   * Workspaces that lose a task on purpose: the task is gone, or the folder is no longer a workspace. The gate fails for any other workspace
   * that had the task at the base.
   * @default []
   */
  readonly dropped?: readonly DroppedDocument[];
}

interface FileRuleDocument {
  /**
   * A glob or a list of globs, from the root of the project. They match hidden files too. A glob that begins with ! excludes files from the
   * rule; at least one must not.
   */
  readonly files: PositiveGlob | Globs;
  /**
   * all: every workspace. none: no workspace. owner: the workspace that contains the file, without its dependents. A list of names: these
   * workspaces and their dependents, and the owner of the file.
   */
  readonly affects: 'all' | 'none' | 'owner' | Names;
  /** The kinds of tasks that the rule is for (default: all). Of a task of another kind it is unknown what it reads, so the rule is not for it. */
  readonly tasks?: readonly ('test' | 'build' | 'lint' | 'format')[];
  /** The evidence, as affected tune writes it. affected check fails if it no longer holds. */
  readonly because?: Text;
}

/**
 * A path with *, **, ?, [abc], {a,b} or !(a|b), without empty parts, . or .. inside. A leading ../ names files beside the project in the same
 * repository. folder/** matches everything in a folder.
 * @pattern ^(?:!|(?!!))(?:\.\./)*(?!\.{0,2}(?:/|$))(?:(?!/\.{0,2}(?:/|$))[\s\S])*$
 */
type Glob = string;

/** @pattern ^(?:!(?=\()|(?!!))(?:\.\./)*(?!\.{0,2}(?:/|$))(?:(?!/\.{0,2}(?:/|$))[\s\S])*$ */
type PositiveGlob = string;

/** @minItems 1 */
type Globs = readonly Glob[];

/** @minItems 1 */
type Names = readonly Text[];

interface RootOnlyDocument {
  /** The pattern. */
  readonly name: Text;
  /** Why only the root uses it; for people. */
  readonly because: Text;
}

/** What a workspace reads. A change of it selects the workspace and its dependents. */
interface ReadsDocument {
  /**
   * Workspace name -> place that proves the read.
   * @default {}
   */
  readonly workspaces?: Readonly<Record<string, Proof>>;
  /**
   * Path of a file or folder from the root of the project -> place that proves the read. A folder stands for everything in it, . for the
   * whole project.
   * @default {}
   */
  readonly files?: Readonly<Record<string, Proof>>;
}

/**
 * A place, such as packages/ui/src/a.test.ts:12, or the command that was observed, such as observed: yarn run test.
 * @minLength 1
 */
type Proof = string;

interface DroppedDocument {
  /** The name of the workspace at the base. */
  readonly name: Text;
  /**
   * The task that it loses.
   * @default test
   */
  readonly task?: Text;
  /** The reason, for reviewers of the change. The summary of the gate shows it. */
  readonly because: Text;
}

/** Settings of commit-to-publish, which measures how long changes take. */
interface PublishDocument {
  /**
   * The folder of the record, relative to this file.
   * @default .tributary/record
   */
  readonly record?: Text;
  /**
   * Channels that count as a publication: dist-tags such as latest; github-release and github-prerelease; deployment:production and similar;
   * or a channel of your own events. Without this setting, each command needs --channels.
   * @default []
   */
  readonly channels?: readonly Text[];
  /**
   * Start of a lead time. merged: the merge, without review. approved: the last approval.
   * @default merged
   */
  readonly ready?: PublishConfig['ready'];
  /**
   * Sources of publications. tags: release tags in git. versions: for a version without a tag, the commit that set it. releases: GitHub
   * releases, if GitHub is asked; their channels are github-release and github-prerelease.
   * @default ["tags","versions","releases"]
   */
  readonly sources?: PublishConfig['sources'];
  /**
   * GitHub environment -> globs for the names of the packages that it deploys, private packages included. If GitHub is asked, the first
   * successful deployment publishes a change on the channel deployment:<environment>. Other environments are ignored.
   * @default {}
   */
  readonly deployments?: Readonly<Record<string, readonly Text[]>>;
  /**
   * Globs for the names of GitHub Actions workflows and jobs that publish, in any case. With collect --jobs, they show when a publication
   * began and ended. All other jobs of a commit count as its tests after the merge.
   * @default ["*publish*","*release*","*deploy*"]
   */
  readonly jobs?: readonly Text[];
  /**
   * Patterns of release tags. {name} (with scope), {shortName} (without) and {version} are placeholders. Empty: v1.2.3, 1.2.3, name@1.2.3 and
   * similar.
   * @default []
   */
  readonly tags?: readonly ReleaseTag[];
  /**
   * Address of the npm registry that provides times and dist-tags. Without it, no registry is asked.
   * @pattern ^https?://[^/@]+(?:/|$)
   */
  readonly registry?: string;
  /**
   * Team name -> globs for the names of its packages. Without teams, a package belongs to the first team that CODEOWNERS names for its folder.
   * @default {}
   */
  readonly teams?: Readonly<Record<string, readonly Text[]>>;
  /**
   * Former package name -> later name, such as pad -> @acme/pad. Both count as one package under the later name.
   * @default {}
   */
  readonly renamed?: Readonly<Record<string, Text>>;
  /**
   * Package -> commit that imported it into the monorepo (full id, or at least 7 digits), for migrations without an import record.
   * @default {}
   */
  readonly moved?: Readonly<Record<string, CommitId>>;
  /**
   * Names of authors that are bots, in addition to [bot] and well-known bots.
   * @default []
   */
  readonly bots?: readonly Text[];
}

/** @pattern ^(?=[\s\S]*\{version\})(?:[^{]|\{(?:name|shortName|version)\}|\{(?![^}]*\}))+$ */
type ReleaseTag = string;

/** @pattern ^[0-9a-f]{7,64}$ */
type CommitId = string;
