import { pathDecisions } from '../config-paths.js';
import { type CarryOverRule, keepEach } from '../rule.js';

export const typescript: CarryOverRule = {
  title: 'TypeScript',
  matches: ['tsconfig*.json', 'jsconfig*.json', 'tsup.config.*', 'api-extractor*.json', 'typedoc.*'],
  action: 'keep',
  reason: 'its paths are seen from the folder where it stands',
  apply: (subject) => keepEach(subject, (file) => pathDecisions(subject, file)),
};

export const babel: CarryOverRule = {
  title: 'Babel',
  matches: ['babel.config.*', '.babelrc', '.babelrc.*'],
  action: 'keep',
  reason: 'Babel takes a babel.config of the folder where it is started only, and a .babelrc of the package it compiles',
  apply: (subject) =>
    keepEach(subject, (file) => [
      file.toLowerCase().startsWith('babel.config.')
        ? {
            topic: 'behaviour',
            text: 'Started at the root, Babel does not see it: start it in the package, set rootMode to "upward", or name the file .babelrc.',
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
  reason: 'its paths are seen from the folder where the tool is started, which is that of the package',
  apply: (subject) => keepEach(subject, (file) => pathDecisions(subject, file)),
};

export const containers: CarryOverRule = {
  title: 'Containers and makefiles',
  matches: [
    '{*.,}Dockerfile*',
    '{docker-,}compose*.{yml,yaml}',
    '.dockerignore',
    'Containerfile*',
    '{GNU,}makefile',
    '*.mk',
    'justfile',
    'Taskfile.{yml,yaml}',
    'Procfile',
  ],
  action: 'keep',
  reason: 'what it builds is still here, but no lockfile and no node_modules',
  apply: (subject) =>
    keepEach(subject, (file) => {
      const found =
        /\b(?:yarn\.lock|package-lock\.json|package\*\.json|pnpm-lock\.yaml|npm (?:ci|i|install)|yarn install|pnpm (?:i|install))\b|\byarn\s*(?:$|&&)/m.exec(
          subject.read(file) ?? '',
        )?.[0];
      return [
        found === undefined
          ? undefined
          : {
              topic: 'behaviour',
              text: 'It installs the package alone: the lockfile is at the root now, so the build has to start there.',
              detail: `\`${found.trim()}\``,
            },
        ...pathDecisions(subject, file),
      ];
    }),
};
