import { type CarryOverRule, keepEach } from '../rule.js';

export const releases: CarryOverRule = {
  title: 'Releases',
  matches: [
    'lerna.json',
    '{.,}release-please-{config,manifest}.json',
    '.releaserc*',
    'release.config.*',
    '.release-it.*',
    '.versionrc*',
    '.auto{rc,rc.*}',
    'auto.config.*',
    'semantic-release.*',
    'beachball.config.*',
    'rush.json',
    'changelog.config.*',
  ],
  action: 'keep',
  reason: 'it treats the whole repository as the package: tags, history and changelog',
  apply: (subject) =>
    keepEach(subject, () => [
      {
        topic: 'releases',
        text: 'Configure releases for one package of many: prefix its tags with its name, and count only commits in its folder.',
        detail: `${subject.importedPackage.name}@1.2.3, ${subject.importedPackage.path}`,
      },
    ]),
};

export const addressed: CarryOverRule = {
  title: 'What others load from the repository',
  matches: ['action.{yml,yaml}', '.pre-commit-hooks.yaml', 'go.mod', 'Package.swift', 'composer.json', '*.podspec', 'bower.json'],
  action: 'keep',
  reason: 'its users name the repository and a tag, and it must stand at the top',
  apply: (subject) =>
    keepEach(subject, () => [
      {
        topic: 'releases',
        text: 'Others load it from the top of a repository, by its tags. From here, new versions do not reach them: keep a repository for it, or change the address that they use.',
      },
    ]),
};

export const nx: CarryOverRule = {
  title: 'Nx',
  matches: ['nx.json', '.nxignore', 'workspace.json'],
  action: 'keep',
  reason: 'Nx reads it only at the root; a project.json stays where it is',
  apply: (subject) =>
    keepEach(subject, () => [
      {
        topic: 'workflows',
        text: 'Move its target defaults and named inputs to the root if the monorepo uses Nx; otherwise delete it.',
      },
    ]),
};
