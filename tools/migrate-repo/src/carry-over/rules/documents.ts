import { type CarryOverRule, dropped, keepEach, kept, type Note, nearestAbove, type RuleOutcome, type Subject, without } from '../rule.js';

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
          text: `It is another one than \`${root}\` of the monorepo: see that both may stand in one repository, and that "license" in the package.json agrees.`,
        },
      ];
    }),
};

export const community: CarryOverRule = {
  title: 'Rules of the project',
  matches: ['{.github/,docs/,}{CODE_OF_CONDUCT,CONTRIBUTING,SECURITY,SUPPORT,GOVERNANCE}{,.md,.txt,.rst}'],
  action: 'drop',
  reason: 'one that says what the root says is one too many; any other stays, but GitHub shows that of the root',
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
              text: "It shows the state of the old repository's CI: name that of the monorepo, or take the badges away.",
              detail: badges === 1 ? 'one address' : `${badges} addresses`,
            },
          ];
    }),
};

export const changelog: CarryOverRule = {
  title: 'Changelog',
  matches: ['{CHANGELOG,CHANGES,HISTORY,RELEASES,RELEASE_NOTES}{,.*,_*}'],
  action: 'keep',
  reason: 'it is that of the package',
};

function dropDuplicates(subject: Subject): RuleOutcome {
  const notes = subject.files.map((file): Note => {
    const name = file.slice(file.lastIndexOf('/') + 1);
    const twin = ['', '.github/', 'docs/'].some((folder) => {
      const root = nearestAbove(subject, [`${folder}${name}`]);
      const own = subject.read(file);
      return root !== undefined && own !== undefined && wordsOf(subject.monorepo.read(root)) === wordsOf(own);
    });
    return twin ? dropped(file, 'It was taken away: it says what that of the root says.') : kept(file);
  });
  const twins = notes.filter(({ action }) => action === 'drop').map(({ file }) => file);
  return { edits: without(subject, twins), notes };
}

/** Line ends, indentation and empty lines say nothing. */
function wordsOf(text: string | undefined): string {
  return (text ?? '').replace(/\s+/g, ' ').trim();
}
