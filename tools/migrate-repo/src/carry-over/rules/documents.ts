import {
  type CarryOverRule,
  dropNoted,
  dropped,
  type FileNote,
  keepEach,
  kept,
  nearestAbove,
  type RuleOutcome,
  type RuleSubject,
} from '../rule.js';

const LICENCES = ['LICENSE', 'LICENCE', 'COPYING', 'UNLICENSE', 'license'].flatMap((name) => ['', '.md', '.txt'].map((end) => name + end));

export const licence: CarryOverRule = {
  title: 'Licence',
  matches: ['{LICENSE,LICENCE,COPYING,COPYRIGHT,NOTICE,UNLICENSE}{,.*,-*}'],
  action: 'keep',
  reason: 'it is published with the package',
  apply: (subject) =>
    keepEach(subject, (file) => {
      const root = nearestAbove(subject, LICENCES);
      const isLicence = /^(licen[cs]e|copying|unlicense)(\.\w+)?$/i.test(file);
      if (!isLicence || root === undefined || wordsOf(subject.read(file)) === wordsOf(subject.monorepo.read(root))) return [];
      return [
        {
          text: `It differs from \`${root}\` of the monorepo: check that both licences may be in one repository, and that "license" in the package.json agrees.`,
        },
      ];
    }),
};

export const community: CarryOverRule = {
  title: 'Rules of the project',
  matches: ['{.github/,docs/,}{CODE_OF_CONDUCT,CONTRIBUTING,SECURITY,SUPPORT,GOVERNANCE}{,.md,.txt,.rst}'],
  action: 'drop',
  reason: 'a copy of the file of the root is not needed; a different one stays, but GitHub shows the one of the root',
  apply: dropDuplicates,
};

export const readme: CarryOverRule = {
  title: 'README',
  matches: ['README', 'README.*', 'README-*.md'],
  action: 'keep',
  reason: 'the registry shows it',
  apply: (subject) =>
    keepEach(subject, (file) => {
      const badges =
        (subject.read(file) ?? '').match(
          /github\.com\/[\w.-]+\/[\w.-]+\/(?:actions\/)?workflows\/|travis-ci\.\w+\/|circleci\.com\/gh\/|ci\.appveyor\.com\/|codecov\.io\/gh\//g,
        )?.length ?? 0;
      return badges === 0
        ? []
        : [
            {
              text: "It has badges of the old repository's CI: change them to the CI of the monorepo, or remove them.",
              detail: badges === 1 ? 'one address' : `${badges} addresses`,
            },
          ];
    }),
};

export const changelog: CarryOverRule = {
  title: 'Changelog',
  matches: ['{CHANGELOG,CHANGES,HISTORY,RELEASES,RELEASE_NOTES}{,.*,_*}'],
  action: 'keep',
  reason: 'it belongs to the package',
};

function dropDuplicates(subject: RuleSubject): RuleOutcome {
  const notes = subject.files.map((file): FileNote => {
    const name = file.slice(file.lastIndexOf('/') + 1);
    const twin = ['', '.github/', 'docs/'].some((folder) => {
      const root = nearestAbove(subject, [`${folder}${name}`]);
      const own = subject.read(file);
      return root !== undefined && own !== undefined && wordsOf(subject.monorepo.read(root)) === wordsOf(own);
    });
    return twin ? dropped(file, 'It was removed: it equals the file of the root.') : kept(file);
  });
  return dropNoted(subject, notes);
}

/** Returns a text without differences in line ends, indentation and empty lines. */
function wordsOf(text: string | undefined): string {
  return (text ?? '').replace(/\s+/g, ' ').trim();
}
