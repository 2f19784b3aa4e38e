import { type CarryOverRule, keepEach, kept } from '../rule.js';

export const otherCi: CarryOverRule = {
  title: 'CI other than GitHub',
  matches: [
    '.gitlab-ci.{yml,yaml}',
    '.gitlab/**',
    '.circleci/**',
    '{.,}azure-pipelines*.{yml,yaml}',
    '.azure-pipelines/**',
    '.vsts*.{yml,yaml}',
    'Jenkinsfile*',
    '{.,}travis.yml',
    '{.,}appveyor.{yml,yaml}',
    '.drone.{yml,yaml}',
    'bitbucket-pipelines.yml',
    '.buildkite/**',
    '.semaphore/**',
    'cloudbuild.{yml,yaml}',
    'buildspec.{yml,yaml}',
    '.cirrus.yml',
    '.woodpecker.{yml,yaml}',
    '.woodpecker/**',
  ],
  action: 'keep',
  reason: 'it is read only at the root; its jobs must be added to the pipeline of the monorepo by hand',
  apply: ({ files }) => ({
    edits: new Map(),
    notes: [
      kept(files.length === 1 ? (files[0] ?? '') : commonFolder(files), {
        topic: 'workflows',
        text: 'It does not run below the root: add its jobs to the pipeline of the monorepo, with their paths and secrets, then delete it.',
      }),
    ],
  }),
};

function commonFolder(files: readonly string[]): string {
  const folders = [...new Set(files.map((file) => (file.includes('/') ? `${file.slice(0, file.indexOf('/'))}/` : file)))];
  return folders.join(', ');
}

export const services: CarryOverRule = {
  title: 'Services that watch the repository',
  matches: [
    '{.,}codecov.{yml,yaml}',
    '.coderabbit.{yml,yaml}',
    '.coveralls.yml',
    '{.,}sonar-project.properties',
    '.codeclimate.yml',
    '.codesandbox/**',
    '.gitpod.{yml,Dockerfile}',
    '.gitguardian.{yml,yaml}',
    '.licensed.yml',
    '.licensed/**',
    '.mergify.yml',
    '.readthedocs.{yml,yaml}',
    '.snyk',
    '.stackblitzrc',
    '{.,}lgtm.yml',
    'crowdin.{yml,yaml}',
    'netlify.toml',
    'vercel.json',
    'now.json',
    'osv-scanner.toml',
    '.trivyignore',
    'open-bot.yaml',
    'bors.toml',
    '.pullapprove.yml',
    'CNAME',
    'docs/CNAME',
    '_config.yml',
    '.mention-bot',
    '.whitesource',
    '.lgtm',
  ],
  action: 'keep',
  reason: 'most services read them at the root of a repository, or in a configured folder',
  apply: (subject) =>
    keepEach(subject, () => [
      {
        topic: 'workflows',
        text: 'If you still want the service, configure this folder there, or move the settings to the root.',
      },
    ]),
};
