import type { CarryOverRule } from './rule.js';
import { blameIgnoreRevs } from './rules/blame.js';
import { babel, buildAndTest, containers, typescript } from './rules/build-tools.js';
import { changesets } from './rules/changesets.js';
import { codeOwners } from './rules/code-owners.js';
import { dependabot } from './rules/dependabot.js';
import { changelog, community, licence, readme } from './rules/documents.js';
import { editorConfig } from './rules/editor-config.js';
import { editorFolders, environmentFiles } from './rules/environment.js';
import { gitAttributes, gitIgnore, mailmap } from './rules/git-files.js';
import { gitModules } from './rules/git-modules.js';
import { githubOthers, githubTemplates } from './rules/github-files.js';
import { gitHooks, lintStaged } from './rules/hooks.js';
import { npmIgnore, toolIgnore } from './rules/ignore-files.js';
import { eslint, formatters } from './rules/lint.js';
import { manifest } from './rules/manifest.js';
import { constraints, lockfiles, managerSettings, patches, shrinkwrap, yarnFolder, yarnVersions } from './rules/package-managers.js';
import { addressed, nx, releases } from './rules/releases.js';
import { renovate } from './rules/renovate.js';
import { otherCi, services } from './rules/services.js';
import { turbo } from './rules/turbo.js';
import { versionFiles } from './rules/version-files.js';
import { workflows } from './rules/workflows.js';

const others: CarryOverRule = {
  title: 'Everything else',
  matches: ['*'],
  action: 'keep',
  reason: 'it is part of the package',
};

/** What becomes of each file. The first matching rule applies; the last one matches every file at the top of a package. */
export const CARRY_OVER_RULES: readonly CarryOverRule[] = [
  manifest,
  lockfiles,
  shrinkwrap,
  managerSettings,
  yarnFolder,
  yarnVersions,
  patches,
  constraints,
  versionFiles,
  codeOwners,
  workflows,
  dependabot,
  renovate,
  community,
  githubTemplates,
  githubOthers,
  gitHooks,
  lintStaged,
  otherCi,
  services,
  changesets,
  releases,
  addressed,
  nx,
  turbo,
  gitIgnore,
  npmIgnore,
  toolIgnore,
  gitAttributes,
  gitModules,
  blameIgnoreRevs,
  mailmap,
  licence,
  readme,
  changelog,
  editorFolders,
  editorConfig,
  environmentFiles,
  eslint,
  formatters,
  typescript,
  babel,
  buildAndTest,
  containers,
  others,
];
