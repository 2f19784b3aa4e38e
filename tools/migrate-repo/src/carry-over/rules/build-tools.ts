import { posix } from 'node:path';
import { pathDecisions } from '../config-paths.js';
import { type CarryOverRule, keepEach, type RuleSubject, rootHas } from '../rule.js';

export const typescript: CarryOverRule = {
  title: 'TypeScript',
  matches: ['tsconfig*.json', 'jsconfig*.json', 'tsup.config.*', 'api-extractor*.json', 'typedoc.*'],
  action: 'keep',
  reason: 'its paths are relative to its own folder',
  apply: (subject) => keepEach(subject, (file) => pathDecisions(subject, file)),
};

/** What compiles with Babel where it starts. */
const STARTS_BABEL = /^(?:@babel\/(?:core|cli|node|register)|babel-(?:jest|loader)|jest)$/;

export const babel: CarryOverRule = {
  title: 'Babel',
  matches: ['babel.config.*', '.babelrc', '.babelrc.*'],
  action: 'keep',
  reason: 'Babel reads a babel.config only in the folder where it starts, and a .babelrc in the package that it compiles',
  apply: (subject) =>
    keepEach(subject, (file) => [
      file.toLowerCase().startsWith('babel.config.') && rootHas(subject, STARTS_BABEL)
        ? {
            topic: 'behaviour',
            text: 'Babel does not find it when started at the root: start Babel in the package, set rootMode to "upward", or rename the file to .babelrc.',
          }
        : undefined,
      ...pathDecisions(subject, file),
    ]),
};

export const buildAndTest: CarryOverRule = {
  title: 'Tests and bundlers',
  matches: [
    '{jest,vitest,vite,webpack,rollup,karma,esbuild,playwright,cypress,wdio,ava,metro,postcss,svgo,tailwind,next,nuxt,astro}{.*,}.config*.{js,cjs,mjs,ts,cts,mts,json}',
    '{jest,vitest,vite,webpack,rollup}.*.{js,cjs,mjs,ts,cts,mts,json}',
    'vitest.workspace.*',
    'karma.conf.*',
    '.mocharc*',
    '.nycrc*',
    '.c8rc*',
    '.taprc',
    '.istanbul.yml',
    'gulpfile*.*',
    'gruntfile.*',
    'tstyche.json',
    '.parcelrc*',
    'knip.*',
    '{.,}size-limit*',
    '.dependency-cruiser.*',
    '.watchmanconfig',
  ],
  action: 'keep',
  reason: 'its paths are relative to the folder where the tool starts, which is the package',
  apply: (subject) => keepEach(subject, (file) => pathDecisions(subject, file)),
};

/** Whether a folder of the package has a manifest of its own, which its container installs. */
function isOfNested({ read }: RuleSubject, file: string): boolean {
  const folder = posix.dirname(file);
  return folder !== '.' && read(`${folder}/package.json`) !== undefined;
}

export const containers: CarryOverRule = {
  title: 'Containers and makefiles',
  matches: [
    '{*.,}Dockerfile*',
    '{docker-,}compose*.{yml,yaml}',
    '.dockerignore',
    'Containerfile*',
    // Deeper ones may be of fixtures.
    ...['docker', '.docker', 'deploy', 'ci', 'build'].map((folder) => `${folder}/**/{Docker,Container}file`),
    '{GNU,}makefile',
    '*.mk',
    'justfile',
    'Taskfile.{yml,yaml}',
    'Procfile',
  ],
  action: 'keep',
  reason: 'the sources that it builds are still here, but no lockfile and no node_modules',
  apply: (subject) =>
    keepEach(subject, (file) => {
      const found =
        /\b(?:yarn\.lock|package-lock\.json|package\*\.json|pnpm-lock\.yaml|npm (?:ci|i|install)|yarn install|pnpm (?:i|install))\b|\byarn\s*(?:$|&&)/m.exec(
          subject.read(file) ?? '',
        )?.[0];
      // Commands of a makefile are reported by line.
      return [
        found === undefined || /makefile$|\.mk$|^justfile$/i.test(file) || isOfNested(subject, file)
          ? undefined
          : {
              topic: 'behaviour',
              text: 'It installs only this package: the lockfile is now at the root, so the build has to start there.',
              detail: `\`${found.trim()}\``,
            },
        ...pathDecisions(subject, file),
      ];
    }),
};
