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

export const nx: CarryOverRule = {
  title: 'Nx',
  matches: ['nx.json', '.nxignore', 'workspace.json'],
  action: 'keep',
  reason: 'Nx reads it only at the root; a project.json stays where it is',
  apply: (subject) =>
    keepEach(subject, () => [
      {
        topic: 'root-files',
        text: 'Move its target defaults and named inputs to the root if the monorepo uses Nx; otherwise delete it.',
      },
    ]),
};
