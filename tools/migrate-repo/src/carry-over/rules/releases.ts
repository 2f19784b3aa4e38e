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
  reason: 'it takes the whole repository for the package: tags, history and changelog',
  apply: (subject) =>
    keepEach(subject, () => [
      {
        topic: 'releases',
        text: 'Set releases up for one package among many: tags need its name in front, and commits must be sought in its folder.',
        detail: `${subject.importedPackage.name}@1.2.3, ${subject.importedPackage.path}`,
      },
    ]),
};

export const nx: CarryOverRule = {
  title: 'Nx',
  matches: ['nx.json', '.nxignore', 'workspace.json'],
  action: 'keep',
  reason: 'Nx reads it at the root only; a project.json stays where it is',
  apply: (subject) =>
    keepEach(subject, () => [
      {
        topic: 'root-files',
        text: 'Carry its target defaults and named inputs over to the root if the monorepo uses Nx; else take it away.',
      },
    ]),
};
