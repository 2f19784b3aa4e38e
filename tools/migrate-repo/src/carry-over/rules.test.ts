import { describe, expect, test } from '@jest/globals';
import type { RepoPath } from '@tributary/model/paths';
import { fixtureOf, type Texts, textOf, withTexts, wordsOf } from './carry-over.fixture.js';
import { carryOver } from './carry-over.js';
import { modulesBelow } from './rules/git-modules.js';

interface Case {
  readonly root?: Texts;
  readonly own: Texts;
  /** What files become, by path; `null` if a file is removed. Other files stay. */
  readonly becomes?: Readonly<Record<string, string | null>>;
  /** Matches what a person must decide. */
  readonly decided?: RegExp;
}

/** What one rule does with one kind of file, each beside a case in which it has nothing to do. */
const CASES: Readonly<Record<string, Case>> = {
  'what sets up hooks goes, unless a script uses it': {
    own: {
      'package.json':
        '{ "name": "@acme/x", "scripts": { "fix": "lint-staged" }, "devDependencies": { "husky": "^4.3.0", "lint-staged": "15", "a": "1" } }',
    },
    becomes: {
      'packages/x/package.json':
        '{ "name": "@acme/x", "scripts": { "fix": "lint-staged" }, "devDependencies": { "lint-staged": "15", "a": "1" } }',
    },
  },
  'commands of git that take all files, with what works in their place': {
    own: {
      'package.json': `{ "name": "@acme/x", "scripts": { "a": "git reset --hard HEAD", "b": "git commit -am x", "c": "git stash -u",
  "d": "git stash pop; git stash list; git stash push -- .; git add -A .; yarn create vite", "e": "npm shrinkwrap", "f": "git tag --list" } }`,
    },
    decided:
      /^(?!.*(?:always fails|stash pop|yarn create|in front|"d"))(?=.*`git commit -am`: "b")(?=.*`git stash`: "c").*Use `git restore --source=HEAD --staged --worktree \.` in its place\. \(`git reset --hard`: "a"/,
  },
  'what consumers provide or code loads stays': {
    own: {
      'package.json':
        '{ "name": "@acme/x", "peerDependencies": { "lefthook": "1" }, "devDependencies": { "husky": "9", "lefthook": "1", "lint-staged": "15" } }',
      'test/run.js': "const run = require('lint-staged');\n",
      '.husky/install.mjs': "import husky from 'husky';\n",
    },
    becomes: {
      'packages/x/package.json':
        '{ "name": "@acme/x", "peerDependencies": { "lefthook": "1" }, "devDependencies": { "lefthook": "1", "lint-staged": "15" } }',
      'packages/x/.husky/install.mjs': null,
    },
    decided: /hooks of the root.*husky/,
  },
  'Biome 2 allows one root': {
    root: { 'package.json': '{ "name": "root", "devDependencies": { "@biomejs/biome": "^2.1.0" } }', 'biome.json': '{}' },
    own: { 'biome.json': '{ "linter": {} }' },
    becomes: { 'packages/x/biome.json': '{ "linter": {}, "root": false }' },
  },
  'Biome 1 does not know the key': {
    root: { 'package.json': '{ "name": "root", "devDependencies": { "@biomejs/biome": "1.9.0" } }', 'biome.json': '{}' },
    own: { 'biome.json': '{ "linter": {} }' },
  },
  'an action, which others load by the address of the repository': {
    own: { 'action.yml': 'runs: { using: node20, main: index.js }\n' },
    decided: /^Others load it from the top of a repository/,
  },
  'a script of an installation whose failure does not count': {
    own: { 'package.json': '{ "name": "@acme/x", "scripts": { "postinstall": "node thanks || true" } }' },
    decided: /^It runs on every machine that installs the monorepo\. \("postinstall"/,
  },
  'patch-package without patches, and where its failure does not count': {
    own: {
      'package.json':
        '{ "name": "@acme/x", "scripts": { "install": "patch-package", "postinstall": "patch-package --error-on-fail || true" } }',
    },
    decided: /^patch-package has no patches here.*\("install".*With CI set, patch-package fails: what it patches/,
  },
  'scripts of an installation whose failure counts, or not': {
    own: {
      'package.json':
        '{ "scripts": { "preinstall": "node a.js; exit 0", "install": "node b.js || exit 1", "postinstall": "test -n \\"$CI\\" || npx only-allow pnpm" } }',
    },
    decided:
      /^It runs on every machine that installs the monorepo\. \("preinstall".*if it fails, `yarn install` stops\. \("install".*It asks which package manager runs it.*\("postinstall"/,
  },
  'scripts that ran because of their names, and will not by Yarn': {
    own: {
      'package.json':
        '{ "name": "@acme/x", "scripts": { "pretest": "lint", "test": "tap", "postbuild": "x", "prepare": "tshy", "prepublishOnly": "y" } }',
    },
    decided:
      /^Unlike npm and Yarn 1, Yarn does not run "pre" and "post" scripts.* \("pretest"\).*does not run "prepare" of a workspace.* \("prepare"\).*`yarn npm publish` runs neither .* \("prepublishOnly"\)$/s,
  },
  'scripts that need another shell than the one of Yarn': {
    own: {
      'package.json': JSON.stringify({
        scripts: {
          a: 'export X=1 && x',
          b: 'if [ -f x ]; then y; fi',
          c: 'x $npm_package_config_port',
          d: 'x "`date`"',
          e: '! grep x y',
          f: 'x "if (a) b; export c" \'`d`\' \\` "\\`"',
          g: `./x; [ -f y ] && X=1 z $npm_package_version \${npm_config_x:-1}`,
          h: "sh -c 'set -e; x $1'",
        },
      }),
    },
    decided: /^The shell of Yarn understands these scripts differently or not at all: [^(]*\("a", "b", "c", "d", "e"\)$/,
  },
  'scripts that Yarn runs too, and what sets hooks up': {
    own: {
      'package.json': '{ "name": "@acme/x", "scripts": { "pack": "x", "prepack": "y", "prepare": "husky" } }',
    },
    becomes: {
      'packages/x/package.json': '{ "name": "@acme/x", "scripts": { "pack": "x", "prepack": "y" } }',
    },
  },
  'scripts of one that was run by a later Yarn before': {
    own: { 'package.json': '{ "name": "@acme/x", "packageManager": "yarn@3.0.0", "scripts": { "prepare": "tshy" } }' },
    becomes: { 'packages/x/package.json': '{ "name": "@acme/x", "scripts": { "prepare": "tshy" } }' },
  },
  'scripts in a monorepo with Yarn 1': {
    root: { 'package.json': '{ "name": "root", "packageManager": "yarn@1.22.22", "workspaces": ["packages/*"] }' },
    own: { 'package.json': '{ "name": "@acme/x", "scripts": { "prepare": "tshy" } }' },
  },
  'scripts of an installation run for everybody, each with what it does': {
    own: {
      'package.json':
        '{ "name": "@acme/x", "scripts": { "preinstall": "echo hello", "install": "node-gyp rebuild", "postinstall": "patch-package && node setup" } }',
    },
    decided: /native code on every machine.*\("install": `node-gyp rebuild`\).*CI set, patch-package fails.*yarn patch/,
  },
  'without a script, Yarn builds native code': {
    own: { 'package.json': '{ "name": "@acme/x" }', 'binding.gyp': '{}' },
    decided: /`node-gyp rebuild`.*`binding\.gyp`/,
  },
  'a guard of the package manager goes, and what stands beside it stays': {
    own: {
      'package.json': '{ "name": "@acme/x", "scripts": { "preinstall": "npx -y only-allow pnpm && echo hi", "prepare": "node ./check" } }',
      'check.js': 'if (!process.env.npm_execpath.includes("npm")) { process.exit(1); }\n',
    },
    becomes: { 'packages/x/package.json': '{ "name": "@acme/x", "scripts": { "preinstall": "echo hi" } }' },
  },
  'a guard of several commands goes, and the rest of its script stays': {
    own: {
      'package.json':
        '{ "name": "@acme/x", "scripts": { "prepare": "echo $npm_execpath | grep -q yarn || exit 1; npx husky install || true; tsc" } }',
    },
    becomes: { 'packages/x/package.json': '{ "name": "@acme/x", "scripts": { "prepare": "tsc" } }' },
    decided: /does not run "prepare"/,
  },
  'a guard in the line itself': {
    own: {
      'package.json': JSON.stringify({
        name: '@acme/x',
        scripts: { preinstall: 'node -e "if (!/^npm/.test(process.env.npm_config_user_agent) && 1) throw 1"', test: 'tap' },
      }),
    },
    becomes: { 'packages/x/package.json': '{"name":"@acme/x","scripts":{"test":"tap"}}' },
  },
  'guards in the language of the shell': {
    own: {
      'package.json': JSON.stringify({
        name: '@acme/x',
        scripts: {
          preinstall: 'case "$npm_execpath" in *yarn*) ;; *) echo "Use Yarn; really" >&2; exit 1;; esac',
          install: 'echo $npm_config_user_agent | grep -q yarn || (echo no && exit 1)',
          postinstall: 'sh ./check.sh',
          prepare: 'node check',
        },
      }),
      'check.sh': '#!/bin/sh\n# It\'s for npm.\nset -e\nif [ "$npm_execpath" != "npm-cli.js" ]; then\n  echo "npm!"\n  exit 1\nfi\n',
      'check.js': "import { sep } from 'node:path';\nif (!process.env.npm_execpath.includes(sep)) process.exitCode = 1;\n",
    },
    becomes: { 'packages/x/package.json': '{"name":"@acme/x"}' },
  },
  'a check in the language of the shell that does more': {
    own: {
      'package.json': JSON.stringify({
        name: '@acme/x',
        scripts: {
          preinstall: 'echo $npm_execpath | tee manager.txt || exit 1; node setup.js',
          install: 'sh ./check.sh',
          postinstall: 'if [ "$npm_execpath" = false ]; then exit 1; fi; node setup.js',
          prepare: 'case "$npm_execpath" in *npm*) exit 1;; esac; node setup.js',
        },
      }),
      'check.sh': '[ -n "$npm_execpath" ] || exit 1\ngit submodule update --init\n',
    },
    decided: /asks which .*\("preinstall".*asks which .*\("install".*asks which .*\("postinstall"/,
  },
  'a module that checks and writes': {
    own: {
      'package.json': '{ "name": "@acme/x", "scripts": { "preinstall": "node check.mjs" } }',
      'check.mjs': "import { mkdirSync } from 'node:fs';\nif (!process.env.npm_execpath) process.exit(1);\nmkdirSync('generated');\n",
    },
    decided: /asks which package manager runs it.*`node check\.mjs`/,
  },
  'a check that does something else too is named': {
    own: {
      'package.json': '{ "name": "@acme/x", "scripts": { "preinstall": "node check.js" } }',
      'check.js': "const fs = require('fs'); if (!process.env.npm_execpath) process.exit(1); fs.mkdirSync('x');\n",
    },
    decided: /asks which package manager runs it.*`node check\.js`/,
  },
  'commands that take the monorepo for the package, by script and line': {
    own: {
      'package.json':
        '{ "name": "@acme/x", "scripts": {\n  "a": "npm ci && x",\n  "b": "cross-env CI=1 npm i --no-audit",\n  "c": "npm version minor && git push --follow-tags",\n  "d": "pnpm -r build", "e": "yarn audit; yarn check", "check": "x",\n  "f": "git describe --match \'v*\'", "g": "(git add -A && git commit -m x)" } }',
    },
    decided:
      /always fails.*`yarn install --immutable`.*`npm ci`: "a" in line 2.*`npm i`: "b" in line 3.*`npm version`: "c" in line 4.*pushes tags.*`pnpm -r`: "d".*`yarn audit`: "e" in line 5\).*`git describe`: "f".*`git add -A`: "g"/,
  },
  'commands that do not': {
    own: {
      'package.json':
        '{ "name": "@acme/x", "scripts": { "a": "npm i -g np", "b": "cd site && npm ci", "c": "npm --prefix site i", "d": "git add .", "e": "echo npm ci", "f": "npm pack", "g": "yarn install --frozen-lockfile", "h": "git diff --exit-code -- ." } }',
      'site/package.json': '{ "name": "site" }',
    },
  },
  'Yarn in a folder that is another project': {
    own: {
      'package.json':
        '{ "name": "@acme/x", "scripts": { "a": "cd site && yarn build", "b": "yarn --cwd site start", "c": "cd docs && yarn build", "d": "cd src && yarn build", "e": "yarn build" } }',
      'site/package.json': '{ "name": "site" }',
      'docs/package.json': '{ "name": "docs" }',
      'docs/yarn.lock': '',
    },
    decided: /^Yarn 2 and later fails in a folder[^(]*\(`yarn in site`: "a" in line 1, `yarn in site`: "b" in line 1\)$/,
  },
  'Yarn in a folder that Yarn 1 locked': {
    own: {
      'package.json': '{ "name": "@acme/x", "scripts": { "a": "cd docs && yarn && yarn build" } }',
      'docs/package.json': '{ "name": "docs" }',
      'docs/yarn.lock': '# yarn lockfile v1\n',
    },
    decided: /^Yarn 2 and later rewrites a yarn\.lock of Yarn 1, and fails in CI instead\.[^(]*\(`yarn in docs`: "a" in line 1\)$/,
  },
  'variables in the code that a script starts, which Yarn does not set': {
    own: {
      'package.json': '{ "name": "@acme/x", "scripts": { "a": "node run.js" } }',
      'run.js': "use(process.env.npm_package_config_port, process.env['npm_package_version'], process.env.npm_package_json);\n",
      'other.js': 'use(process.env.npm_package_bugs_url);\n',
    },
    decided: /^Yarn does not set these variables: read the fields from package\.json\. \(`npm_package_config_port`\)$/,
  },
  'a container in a folder of the package, and one of another project': {
    own: {
      'docker/Dockerfile': 'COPY package.json package-lock.json ./\nRUN npm ci\n',
      'site/Dockerfile': 'RUN npm ci\n',
      'site/package.json': '{ "name": "site" }',
    },
    decided: /^It installs only this package: [^(]*\(`package-lock\.json`\)$/,
  },
  'what npm takes out of an installation': {
    own: { 'package.json': '{ "name": "@acme/x", "scripts": { "a": "npm prune --omit=dev" } }' },
    decided: /Use `yarn workspaces focus --production` in its place\. \(`npm prune`: "a" in line 1\)$/,
  },
  'tools that make a version and its tag, unless an option names the tag': {
    own: {
      'package.json':
        '{ "name": "@acme/x", "scripts": { "a": "bumpp && npm publish", "b": "x && npx semantic-release --branches main", "c": "bumpp --tag x@%s", "d": "np-x" } }',
    },
    decided: /^Its tags lack the name of the package[^(]*\(`bumpp`: "a" in line 1, `npx semantic-release`: "b" in line 1\)$/,
  },
  'settings of an ESLint that the root does not start': {
    root: { 'package.json': '{ "name": "root", "devDependencies": { "eslint": "^10.0.0" } }' },
    own: { 'eslint.config.js': 'export default [];\n' },
  },
  'settings of an ESLint that the root starts': {
    root: { 'package.json': '{ "name": "root", "devDependencies": { "eslint": "^9.1.0" } }' },
    own: { 'eslint.config.js': 'export default [];\n' },
    decided: /^The ESLint of the root reads it only when started in the package/,
  },
  'settings of Babel where only the package has it': {
    root: { 'package.json': '{ "name": "root", "devDependencies": { "typescript": "5" } }' },
    own: { 'babel.config.js': 'module.exports = {};\n' },
  },
  'settings of Babel where the root has what starts it': {
    root: { 'package.json': '{ "name": "root", "devDependencies": { "jest": "29" } }' },
    own: { 'babel.config.js': 'module.exports = {};\n' },
    decided: /^Babel does not find it when started at the root/,
  },
  'an address that the root does not tell': {
    own: { 'package.json': '{ "name": "@acme/x", "repository": "acme/x" }' },
    decided: /^"repository" was not changed: the package\.json of the root does not contain the address of the monorepo\.$/,
  },
  'what an alias replaces is no path': {
    own: {
      'vitest.config.ts': "export default {\n  alias: [{ find: '../src/x', replacement: y }, { find: /z/, replacement: '../z' }],\n};\n",
    },
    decided: /^It has a path outside the package[^(]*\(`\.\.\/z` in line 2, which does not exist\)$/,
  },
  'of Yarn 2 and later it failed before': {
    own: {
      'package.json': '{ "name": "@acme/x", "packageManager": "yarn@4.1.0", "scripts": { "a": "cd site && yarn build" } }',
      'site/package.json': '{ "name": "site" }',
    },
    becomes: { 'packages/x/package.json': '{ "name": "@acme/x", "scripts": { "a": "cd site && yarn build" } }' },
  },
  'hooks that a script sets up through pnpm': {
    own: { 'package.json': '{ "name": "@acme/x", "scripts": { "prepare": "pnpm simple-git-hooks init", "x": "y" } }' },
    becomes: { 'packages/x/package.json': '{ "name": "@acme/x", "scripts": { "x": "y" } }' },
  },
  'paths of settings that left the repository by more folders than the monorepo has': {
    own: { 'vitest.config.ts': "export default { alias: { '../../../../src/a.ts': './b.ts', x: '../y/z' } };\n" },
    decided: /^It has a path outside the package[^(]*\(`\.\.\/y\/z` in line 1, which does not exist\)$/,
  },
  'a script stands where it is when all is done, whatever else has its name': {
    root: { '.eslintrc.json': '{}' },
    own: {
      'package.json': `{
  "name": "@acme/x",
  "files": ["scripts"],
  "exports": { "build": "./a.js" },
  "eslintConfig": { "rules": {} },
  "scripts": {
    "build" : "npm version patch"
  }
}
`,
    },
    becomes: {
      'packages/x/package.json': `{
  "name": "@acme/x",
  "files": ["scripts"],
  "exports": { "build": "./a.js" },
  "eslintConfig": { "rules": {}, "root": true },
  "scripts": {
    "build" : "npm version patch"
  }
}
`,
    },
    decided: /\(`npm version`: "build" in line 7\)$/,
  },
  'hooks that git would take from a folder of the root': {
    own: { 'package.json': '{"name":"@acme/x","scripts":{"postinstall":"git config core.hooksPath .githooks || true"}}' },
    becomes: { 'packages/x/package.json': '{"name":"@acme/x"}' },
  },
  'a folder that is ignored as a whole, where no exception inside helps': {
    root: { '.gitignore': '/packages/*\n!/packages/core\n' },
    own: {},
    decided:
      /^A rule above the package ignores its whole folder\..*add an exception for the folder.*`\/packages\/\*`, which matches `package\.json`\)$/,
  },
  'a folder of the package that is ignored, where one helps': {
    root: { '.gitignore': 'lib\n' },
    own: { 'lib/a.js': '' },
    decided: /^A rule above the package ignores files of it\..*in the \.gitignore of the package/,
  },
  'a path in a comment': {
    own: { 'tsconfig.json': '{\n  /**\n   * starts with "../"\n   */\n  // "../a"\n  "include": ["../src/*", "../b/**/*"]\n}\n' },
    decided: /\(`\.\.\/src\/\*` in line 6[^)]*, `\.\.\/b\/\*\*\/\*` in line 6[^)]*\)$/,
  },
  'a lockfile of Bun, whose versions are lost': {
    own: { 'bun.lockb': '' },
    becomes: { 'packages/x/bun.lockb': null },
    decided: /^Its versions were not carried over/,
  },
  'a lockfile of Bun beside one that is read': {
    own: { 'bun.lock': '{}', 'yarn.lock': '# yarn lockfile v1\n' },
    becomes: { 'packages/x/bun.lock': null, 'packages/x/yarn.lock': null },
  },
  'commands whose output is used, and behind other programs': {
    own: {
      Makefile: 'VERSION := $(shell git describe --tags)\n\tcorepack pnpm install\n# "$(git describe)"\n',
      'release.sh': 'cd "$(git rev-parse --show-toplevel)"\nTAG=`git describe` && X=$(git describe)\necho "(git describe)"\n',
    },
    decided:
      /^[^(]*\(`git describe`: line 1\) [^(]*\(`pnpm install`: line 2\) [^(]*\(`git rev-parse [^(]*: line 1\) [^(]*\(`git describe`: line 2\)$/,
  },
  'a lockfile above the package, which a script removes at an installation': {
    own: {
      'package.json': `{ "name": "@acme/x", "scripts": { "preinstall": "rm -f ../../yarn.lock", "a": "node -e 'fs.rmSync(\\"yarn.lock\\")'", "b": "cat ../x/yarn.lock" } }`,
    },
    decided:
      /^It removes the yarn\.lock of a folder above the package.*"preinstall".*Scripts have a path outside(?!.*It reads the former lockfile)/,
  },
  'a lockfile that a program or a command removes at an installation': {
    own: {
      'package.json':
        '{ "name": "@acme/x", "scripts": { "preinstall": "node scripts/clean.js", "install": "npx rimraf package-lock.json", "postinstall": "node say" } }',
      'scripts/clean.js': "const { join } = require('path');\nrequire('fs').unlinkSync(join(__dirname, '..', 'yarn.lock'));\n",
      'say.js': "console.log('To start anew, rm yarn.lock')\n",
    },
    decided:
      /^It removes a yarn\.lock\. If its path .*"preinstall": .*It removes a package-lock\.json, which .*"install": .*It runs on every machine.*"postinstall"/,
  },
  'names of a map of aliases are no paths': {
    own: { 'vite.config.ts': "export default {\n  alias: { '../a.js': './b.js' },\n  root: isDev ? '../c' : '.',\n};\n" },
    decided: /^It has a path outside the package[^(]*\(`\.\.\/c` in line 3, which does not exist\)$/,
  },
  'commands in a folder that is left again': {
    own: {
      'package.json': '{ "name": "@acme/x", "scripts": { "a": "cd ./site/ && npm ci && cd .. && npm ci", "b": "cd /tmp && npm ci" } }',
      'site/package.json': '{ "name": "site" }',
    },
    decided: /^It always fails[^(]*\(`npm ci`: "a" in line 1\)$/,
  },
  'commands outside of the package': {
    own: { 'package.json': '{ "name": "@acme/x", "scripts": { "a": "cd ../site && npm ci", "b": "npm --prefix ../.. ci" } }' },
    decided: /^Scripts have a path outside the package: check what is there now\. \("a", "b"\)$/,
  },
  'documents and settings that scripts name are not run': {
    own: {
      'package.json': '{ "name": "@acme/x", "scripts": { "docs": "runmd README_js.md && x a.json b.yml" } }',
      'README_js.md': 'npm install\n',
      'a.json': 'npm install\n',
      'b.yml': 'run: npm install\n',
    },
  },
  'commands in files that scripts and people run': {
    own: {
      'package.json': '{ "name": "@acme/x", "scripts": { "release": "node tools/release.js", "b": "node tools/bundle.js" } }',
      Makefile: 'all:\n\t@npm install\n\t# npm ci\n',
      'bin/up.sh': '#!/bin/sh\nset -e\nif ! npm ci; then exit 1; fi\ncd site\nnpm ci\n',
      'bin/down.sh': '(\n  cd site && npm ci\n  npm ci\n)\ncat << "END"\nnpm ci\nEND\npushd site\nnpm ci\npopd\nnpm dedupe\n',
      'site/package.json': '{}',
      'tools/release.js': "execSync('npm version patch');\nspawn('git', ['push', '--tags']);\n// execSync('npm ci')\n",
      'other.js': "execSync('npm ci')\n",
      'tools/bundle.js': `execSync('npm ci');${'a;'.repeat(6000)}\n`,
    },
    decided: /`npm install`: line 2\).*\(`npm dedupe`: line 11\).*\(`npm ci`: line 3\).*`npm version`: line 1.*`git push`: line 2\)$/,
  },
  'calls of other scripts and of binaries, where Yarn does the same': {
    own: {
      'package.json': JSON.stringify({
        name: '@acme/x',
        scripts: {
          test: 'npm run lint && npm run unit -- --ci && npx tap && npx other && npm run sh && npm run clean',
          lint: 'eslint .',
          unit: "tap '*.js' $CI",
          clean: 'rm -rf lib/*',
          sh: 'for a in *; do x; done',
          site: 'npm run lint && cd site && npm run lint && npx tap',
          sub: '(cd site; npm run lint); pushd site; npm run unit',
        },
        devDependencies: { tap: '1' },
      }),
    },
    becomes: {
      'packages/x/package.json':
        '{"name":"@acme/x","scripts":{"test":"yarn run lint && yarn run unit --ci && yarn run tap && npx other && npm run sh && npm run clean","lint":"eslint .","unit":"tap \'*.js\' $CI","clean":"rm -rf lib/*","sh":"for a in *; do x; done","site":"yarn run lint && cd site && npm run lint && npx tap","sub":"(cd site; npm run lint); pushd site; npm run unit"},"devDependencies":{"tap":"1"}}',
    },
    decided: /^The shell of Yarn [^(]*\("sh", "sub"\)$/,
  },
  'short calls of pnpm, unless they are commands of it': {
    own: {
      'package.json': JSON.stringify({
        name: '@acme/x',
        scripts: {
          build: 'tsc',
          test: 'tap',
          prelint: 'x',
          lint: 'x',
          pack: 'y',
          all: 'pnpm build && pnpm test --bail && pnpm tap run && pnpm run build',
          left: 'pnpm lint; pnpm lint; pnpm pack; pnpm other; pnpm build -- -w; pnpm -s build',
        },
        devDependencies: { tap: '1' },
      }),
    },
    becomes: {
      'packages/x/package.json':
        '{"name":"@acme/x","scripts":{"build":"tsc","test":"tap","prelint":"x","lint":"x","pack":"y","all":"yarn run build && yarn run test --bail && yarn run tap run && yarn run build","left":"pnpm lint; pnpm lint; pnpm pack; pnpm other; pnpm build -- -w; pnpm -s build"},"devDependencies":{"tap":"1"}}',
    },
    decided: /\("prelint"\) It fails where corepack[^(]*\(`pnpm`: "left" in line 1\)$/,
  },
  'calls that Yarn can make, and what an installation starts, have no second message': {
    own: { 'package.json': '{ "name": "@acme/x", "scripts": { "ci": "pnpm run lint", "lint": "x", "postinstall": "npm ci" } }' },
    becomes: {
      'packages/x/package.json': '{ "name": "@acme/x", "scripts": { "ci": "yarn run lint", "lint": "x", "postinstall": "npm ci" } }',
    },
    decided: /^It starts another installation [^.]*\. \("postinstall": `npm ci`\)$/,
  },
  'what is bundled stays in the folder of the package': {
    own: { 'package.json': '{ "name": "@acme/x", "bundleDependencies": ["a"] }' },
    becomes: {
      'packages/x/package.json': '{ "name": "@acme/x", "bundleDependencies": ["a"], "installConfig": { "hoistingLimits": "workspaces" } }',
    },
    decided: /bundled dependencies only if.*needs `nodeLinker: node-modules`\. A link to a workspace does not count.*`npm pack --dry-run`/,
  },
  'settings of lint-staged stay where the root starts it': {
    root: { 'package.json': '{ "name": "root", "workspaces": ["packages/*"], "devDependencies": { "lint-staged": "^15.0.0" } }' },
    own: { 'package.json': '{ "name": "@acme/x", "lint-staged": { "*.js": "eslint" } }', '.lintstagedrc': '{}' },
  },
  'settings of lint-staged stay, and are of no use where the root does not': {
    own: { 'package.json': '{ "name": "@acme/x", "lint-staged": { "*.js": "eslint" } }' },
    decided: /The root does not depend on lint-staged/,
  },
  'ESLint in the manifest is kept apart from that of the root': {
    root: { '.eslintrc.json': '{}' },
    own: { 'package.json': '{ "name": "@acme/x", "eslintConfig": { "extends": "standard" } }' },
    becomes: { 'packages/x/package.json': '{ "name": "@acme/x", "eslintConfig": { "extends": "standard", "root": true } }' },
  },
  'and need not be where the root has none': {
    own: { 'package.json': '{ "name": "@acme/x", "eslintConfig": { "extends": "standard" } }' },
  },
  'a setting in the manifest with a path that leaves the package': {
    own: { 'package.json': '{ "name": "@acme/x", "jest": { "preset": "../../jest-preset", "rootDir": "./src" } }' },
    decided: /has a path outside the package.*"jest\.preset": `\.\.\/\.\.\/jest-preset`, which does not exist/,
  },
  'scripts with a path into node_modules: a binary has a name, and a module is told with its place': {
    own: {
      'package.json': '{ "name": "@acme/x", "scripts": { "a": "node ./node_modules/.bin/a", "b": "node -r ./node_modules/b/c.js" } }',
    },
    decided: /Call the program by its name\. \("a"\)$/,
  },
  'one into node_modules': {
    own: { 'package.json': '{ "name": "@acme/x", "config": { "commitizen": { "path": "./node_modules/cz-a" } } }' },
    decided: /path into node_modules.*"config\.commitizen\.path"/,
  },
  'scripts with a path that leaves the package': {
    own: {
      'package.json':
        '{ "name": "@acme/x", "scripts": { "a": "git push && cd ../site && git pull", "b": "cd test && ../bin/x", "c": "x --out=../x", "d": "x ..." } }',
    },
    decided: /path outside the package.*\("a", "c"\)$/,
  },
  'a setting and a script that read the lockfile of the package': {
    own: {
      'package.json':
        '{ "name": "@acme/x", "lockfile-lint": { "path": "package-lock.json" }, "scripts": { "lint": "a && lockfile-lint -p ./yarn.lock", "clean": "rm -f package-lock.json" } }',
    },
    decided: /reads the former lockfile of the package.*\("scripts\.lint", "lockfile-lint\.path"\)$/,
  },
  'no package of such a name': {
    own: {
      'package.json': '{ "name": "@acme/x", "files": ["yarn.lock"], "keywords": ["yarn.lock"], "dependencies": { "yarn.lock": "1" } }',
    },
  },
  'an extended file that is there': {
    root: { 'tsconfig.base.json': '{}' },
    own: { 'tsconfig.json': '{\n  "extends": "../../tsconfig.base"\n}\n' },
    decided: /`\.\.\/\.\.\/tsconfig\.base` in line 2\)$/,
  },
  'an extended package': { own: { 'tsconfig.json': '{ "extends": "@tsconfig/node20/tsconfig.json" }' } },
  'a root directory of jest above the package': {
    own: { 'jest.config.js': "module.exports = { rootDir: '..', preset: 'ts-jest' };\n" },
    decided: /`\.\.` in line 1/,
  },
  'a credential in an address of the manifest': {
    own: { 'package.json': '{ "name": "@acme/x", "dependencies": { "a": "git+https://u:s3cr3t@host.example/a.git" } }' },
    decided: /seems to contain a credential.*"dependencies\.a"/,
  },
  'a token in the manifest': {
    own: { 'package.json': '{ "name": "@acme/x", "publishConfig": { "//host.example/:_authToken": "s3cr3t" } }' },
    decided: /seems to contain a credential/,
  },
  'the settings of an editor are kept apart from those above': {
    root: { '.editorconfig': '[*]\nindent_size = 8\n' },
    own: { '.editorconfig': '\uFEFF[*]\r\nindent_size = 2\r\n' },
    becomes: { 'packages/x/.editorconfig': '\uFEFFroot = true\r\n[*]\r\nindent_size = 2\r\n' },
  },
  'they are already': { root: { '.editorconfig': '' }, own: { '.editorconfig': 'Root = TRUE\n[*]\n' } },
  'there are none above': { own: { '.editorconfig': '[*]\n' } },
  'turborepo of version 1 becomes what the root has': {
    root: { 'turbo.json': '{ "tasks": {} }' },
    own: { 'turbo.json': '{\n  "pipeline": { "build": { "outputs": ["dist/**"] } },\n  "globalDependencies": ["tsconfig.json"]\n}\n' },
    becomes: {
      'packages/x/turbo.json': '{\n  "tasks": { "build": { "outputs": ["dist/**"] } },\n  "extends": [\n    "//"\n  ]\n}\n',
    },
    decided: /allowed only at the root were removed.*globalDependencies/,
  },
  'a root of version 1 gets one of version 1': {
    root: { 'turbo.json': '{ "pipeline": {} }' },
    own: { 'turbo.json': '{ "tasks": { "x#build": {}, "test": {} }, "extends": ["//"] }' },
    becomes: { 'packages/x/turbo.json': '{ "pipeline": { "test": {} }, "extends": ["//"] }' },
    decided: /tasks\.x#build/,
  },
  'a changeset that names strangers is left': {
    root: { '.changeset/config.json': '{}' },
    own: {
      '.changeset/config.json': '{}',
      '.changeset/a.md': '---\n"@acme/x": minor\n---\n\nA\n',
      '.changeset/b.md': '---\n"@acme/x": minor\n"@acme/gone": patch\n---\n\nB\n',
    },
    becomes: {
      'packages/x/.changeset/config.json': null,
      'packages/x/.changeset/a.md': null,
      '.changeset/a.md': '---\n"@acme/x": minor\n---\n\nA\n',
    },
    decided: /unknown workspaces.*\(@acme\/gone\)/,
  },
  'an empty changeset is none': {
    root: { '.changeset/config.json': '{}' },
    own: { '.changeset/a.md': '---\n---\n\nNothing\n' },
    becomes: { 'packages/x/.changeset/a.md': null, '.changeset/a.md': '---\n---\n\nNothing\n' },
  },
  'settings of changesets that are lost are told': {
    root: { '.changeset/config.json': '{ "access": "restricted", "ignore": [] }' },
    own: { '.changeset/config.json': '{ "access": "public", "ignore": [], "linked": [["a", "b"]], "fixed": [] }' },
    becomes: { 'packages/x/.changeset/config.json': null },
    decided: /differed from those of the root.*`"access": "public"`, `"linked": \[\["a","b"\]\]`\)$/,
  },
  'package rules of renovate are added, and others not touched': {
    root: { 'renovate.json': '{\n  // Ours.\n  "packageRules": [\n    { "matchPackageNames": ["b"] }, // why\n    {}\n  ]\n}\n' },
    own: { 'renovate.json': '{ "packageRules": [{ "enabled": false, "matchFileNames": ["!a/**"] }] }' },
    becomes: {
      'packages/x/renovate.json': null,
      'renovate.json':
        '{\n  // Ours.\n  "packageRules": [\n    { "matchPackageNames": ["b"] }, // why\n    {},\n    {\n      "description": [\n        "@acme/x (migrate-repo)"\n      ],\n      "matchFileNames": [\n        "!packages/x/a/**"\n      ],\n      "enabled": false\n    }\n  ]\n}\n',
    },
  },
  'dependabot of a root that looks elsewhere': {
    root: { '.github/dependabot.yml': 'updates:\n  - package-ecosystem: npm\n    directory: /tools\n' },
    own: { '.github/dependabot.yml': 'updates:\n  - package-ecosystem: npm\n    directory: /\n    ignore: [{ dependency-name: a }]\n' },
    becomes: { 'packages/x/.github/dependabot.yml': null },
    decided: /no entry for what this one updated: add one if you want these updates\. \(npm\).*group rules.*\(npm\)/,
  },
  'dependabot of a root that looks everywhere': {
    root: { '.github/dependabot.yml': 'updates:\n  - package-ecosystem: npm\n    directories: ["/**"]\n' },
    own: { '.github/dependabot.yml': 'updates:\n  - package-ecosystem: npm\n    directory: /\n' },
    becomes: { 'packages/x/.github/dependabot.yml': null },
  },
  'a version file without a version stays': { root: { '.nvmrc': '20' }, own: { '.nvmrc': '# none\n' } },
  'several tools in one file': {
    root: { '.tool-versions': 'nodejs 20.1.0\nyarn 4.0.0\n' },
    own: { '.tool-versions': 'nodejs 20.1.0\nyarn 4.1.0\n' },
    decided: /^(?!.*nodejs).*yarn `4\.1\.0` where the root has `4\.0\.0`/,
  },
  'a tool of which the root says nothing is no question': {
    root: { '.tool-versions': 'nodejs 20.1.0\nyarn 4.0.0\n' },
    own: { '.tool-versions': 'nodejs 20.1.0\npython 3.12.0\n' },
  },
  'a Node version in another file of the root': {
    root: { '.node-version': 'v20.1.0\n' },
    own: { '.nvmrc': '20.1.0' },
    becomes: { 'packages/x/.nvmrc': null },
  },
  'an example of variables': { own: { '.env.example': 'A=\n' } },
  variables: { own: { '.env.production': 'A=1\n' }, decided: /contains no secret/ },
  'export-ignore counts where it stands': { own: { '.gitattributes': '/test export-ignore\n*.js text eol=lf\n' } },
  'release-please takes the repository for the package': {
    own: { 'release-please-config.json': '{}' },
    decided: /one package of many.*@acme\/x@1\.2\.3, packages\/x/,
  },
  'semantic-release in the manifest too': {
    own: { 'package.json': '{ "name": "@acme/x", "release": { "branches": ["main"] } }' },
    decided: /one package of many.*"release"/,
  },
  'prettier finds its nearest file': { root: { '.prettierrc': '{}' }, own: { '.prettierrc': '{ "semi": false }' } },
  'commitlint works at the root alone': {
    own: { 'commitlint.config.js': "module.exports = { extends: ['@commitlint/config-conventional'] };\n" },
    becomes: { 'packages/x/commitlint.config.js': null },
    decided: /hooks of the root.*config-conventional/,
  },
};

describe('a rule', () => {
  test.each(Object.entries(CASES))('%s', (_, { root = {}, own, becomes = {}, decided }) => {
    const fixture = fixtureOf(root, own);
    const { edits, findings } = carryOver(fixture);
    expect(Object.fromEntries([...edits].map(([path, text]) => [path, text ?? null]))).toEqual(becomes);
    const messages = wordsOf(...findings.flatMap(({ remarks }) => remarks));
    if (decided === undefined) expect(messages).toBe('');
    else expect(messages).toMatch(decided);
    expect(messages).not.toContain('s3cr3t');
    expect(carryOver(withTexts(fixture, edits)).edits).toEqual(new Map());
  });
});

test.each([
  ['https://host.example/acme/x.git', '../lib.git', 'https://host.example/acme/lib.git'],
  ['https://host.example/acme/x.git', '../../other/lib.git', 'https://host.example/other/lib.git'],
  ['git@host.example:acme/x.git', '../../other/lib.git', 'git@host.example:other/lib.git'],
  ['git@host.example:x.git', '../lib.git', 'git@host.example:lib.git'],
  ['ssh://git@host.example/acme/x/', './lib.git', 'ssh://git@host.example/acme/x/lib.git'],
  ['git@host.example:acme/x.git', '../../../lib.git', undefined],
  ['https://host.example/acme/x.git', '../../../lib.git', undefined],
])('the address of a submodule, relative to %s: %s', (source, url, address) => {
  const importedPackage = { submodules: ['packages/x/sub' as RepoPath], source };
  const modules = `[submodule "a"]\n\tpath = lib\n\turl = u\n[submodule "b"]\n\tpath = lib/x/sub\n\turl = ${url}\n`;
  const { edits, findings } = carryOver(fixtureOf({}, { '.gitmodules': modulesBelow(modules, 'lib/x' as RepoPath) }, { importedPackage }));
  expect(textOf(edits, '.gitmodules')?.match(/url = .*/g)).toEqual(address === undefined ? undefined : [`url = ${address}`]);
  const done = wordsOf(...findings.map((finding) => finding.done));
  expect(done).toMatch(address === undefined ? /has no address of a submodule/ : /added to `\.gitmodules`/);
});

test('scripts around a release by npm are told once', () => {
  const scripts = { preversion: 'npm test', version: 'git add -A', postversion: './amend', test: 'tap' };
  const own = { 'package.json': JSON.stringify({ name: '@acme/x', scripts }) };
  const remarks = carryOver(fixtureOf({}, own)).findings.flatMap((finding) => finding.remarks);
  const told = remarks.filter(({ detail = '' }) => detail.includes('version'));
  expect(told.map(({ text, detail }) => [text, detail])).toEqual([
    [
      '`npm version` runs them, but makes neither a commit nor a tag below the top of a repository. `yarn version` does not run them.',
      '"preversion", "version", "postversion"',
    ],
    [expect.stringContaining('It takes the changed files'), '`git add -A`: "version" in line 1'],
  ]);
});

test.each([
  ['renovate.json', '{}'],
  ['.github/dependabot.yml', 'updates: []'],
])('%s beside a root without one is worth knowing, and nothing to decide', (file, text) => {
  const remarks = carryOver(fixtureOf({}, { [file]: text })).findings.flatMap((finding) => finding.remarks);
  expect(remarks.map(({ topic, text: words }) => [topic, words])).toEqual([[undefined, expect.stringContaining('the root has none')]]);
});

test('what only publishing with Yarn leaves out is worth knowing, and nothing to decide', () => {
  const own = { 'package.json': '{ "name": "@acme/x", "scripts": { "test": "tap", "pretest": "lint", "prepublishOnly": "y" } }' };
  const remarks = carryOver(fixtureOf({}, own)).findings.flatMap((finding) => finding.remarks);
  expect(remarks.map(({ topic, detail }) => [detail, topic])).toEqual([
    ['"pretest"', 'behaviour'],
    ['"prepublishOnly"', undefined],
  ]);
});

test.each([
  ['node_modules\ndist\n', ['node_modules', 'build'], ['/packages/x/**/build']],
  ['/dist\n', ['/dist'], ['/packages/x/dist']],
  ['node_modules\ndist/\n', ['node_modules/', 'dist'], ['/packages/x/**/dist']],
  ['dist\n', ['dist', '!/dist/keep'], ['/packages/x/**/dist', '!/packages/x/dist/keep']],
  ['dist\n', ['dist'], undefined],
  ['', ['!keep'], undefined],
])('beside the .gitignore %j, a package from a folder of another repository needs of %j', (root, ignored, lines) => {
  const formerRoot = { inherited: new Set<RepoPath>(), ignored, attributes: [], settings: [] };
  const { edits } = carryOver(fixtureOf({ '.gitignore': root }, {}, { importedPackage: { formerRoot } }));
  expect(textOf(edits, '.gitignore')?.match(/^!?\/packages.*/gm)).toEqual(lines);
});

test('code from a folder of another repository names the modules that did not come along', () => {
  const formerRoot = { inherited: new Set<RepoPath>(), ignored: [], attributes: [], settings: [] };
  const own = {
    'a.ts': "import a from './b';\nimport b from '../../shared/b.js';\nimport c from '../y/c.js';\nimport d from '../z';\n",
    'src/a.js': "require('../a');\nrequire('../../../package.json');\n",
    'test/fixtures/a.js': "require('../../../z')",
  };
  const findings = (choices: object) => carryOver(fixtureOf({ 'packages/y/c.ts': '' }, own, choices)).findings;
  const told = wordsOf(...findings({ importedPackage: { formerRoot } }).flatMap(({ remarks }) => remarks));
  expect(told).toMatch(
    /did not come along.*\(`\.\.\/\.\.\/shared\/b\.js` in `a\.ts:2`, `\.\.\/z` in `a\.ts:4`, `[./]*package\.json` in `src\/a\.js:2`\)$/,
  );
  expect(findings({}).flatMap(({ remarks }) => remarks)).toEqual([]);
});

test('people, commits and versions of a former root are carried where they differ, and silently left otherwise', () => {
  const [id, newId] = ['ab', 'cd'].map((two) => two.repeat(20)) as [string, string];
  const own = { '.mailmap': 'Ann <a@x> <b@x>\n', '.git-blame-ignore-revs': `${id}\n`, '.nvmrc': '18\n', '.tool-versions': 'node 22\n' };
  const formerRoot = {
    inherited: new Set(Object.keys(own).map((file) => `packages/x/${file}` as RepoPath)),
    ignored: [],
    attributes: [],
    settings: [],
  };
  const carried = (newIds: ReadonlyMap<string, string>) =>
    carryOver(fixtureOf({ '.tool-versions': 'node 22\n' }, own, { importedPackage: { formerRoot, newIds } }));
  const { edits, findings } = carried(new Map([[id, newId]]));
  expect(textOf(edits, '.mailmap')).toContain('\nAnn <a@x> <b@x>\n');
  expect(textOf(edits, '.git-blame-ignore-revs')).toContain(`\n${newId}\n`);
  expect([...edits].filter(([path, text]) => path.startsWith('packages/') && text !== undefined)).toEqual([['packages/x/.nvmrc', '18\n']]);
  expect(findings.map(({ file, action }) => `${file} ${action}`)).toEqual([
    'package.json keep',
    '.nvmrc keep',
    '.git-blame-ignore-revs merge',
    '.mailmap merge',
  ]);
  expect(carried(new Map()).findings.map(({ file }) => file)).not.toContain('.git-blame-ignore-revs');
});

test('patches of a former root come along if an entry names them', () => {
  const names = ['a', 'b', 'c'].map((name) => `.yarn/patches/${name}.patch`);
  const entry = (place: string, name: string) =>
    `{ "name": "n", "dependencies": { "${name}": "patch:${name}@1#${place}.yarn/patches/${name}.patch" } }`;
  const own = { ...Object.fromEntries(names.map((name) => [name, 'text'])), 'package.json': entry('./', 'a') };
  const inherited = new Set(names.map((file) => `packages/x/${file}` as RepoPath));
  const formerRoot = { inherited, ignored: [], attributes: [], settings: [] };
  const root = { 'package.json': entry('./packages/x/', 'b') };
  const { edits } = carryOver(fixtureOf(root, own, { importedPackage: { formerRoot } }));
  expect([...edits.keys()].filter((path) => path.endsWith('.patch'))).toEqual([...inherited].slice(0, 2));
});

test('files of a former root are there only where they are placed', () => {
  const own = { 'package-lock.json': '{}', '.npmrc': 'a=b\n', '.gitlab/CODEOWNERS': '* @acme/team\n', '.changeset/a.md': '' };
  const inherited = new Set(Object.keys(own).map((file) => `packages/x/${file}` as RepoPath));
  const formerRoot = { inherited, ignored: [], attributes: [], settings: [] };
  const root = { '.gitignore': 'package-lock.json\n', '.gitattributes': '.npmrc filter=crypt\n' };
  const { edits, findings } = carryOver(fixtureOf(root, own, { importedPackage: { formerRoot } }));
  expect(edits).toEqual(
    new Map([
      ['packages/x/.changeset/a.md', ''],
      ['packages/x/.gitlab/CODEOWNERS', '* @acme/team\n'],
    ]),
  );
  expect(findings.map(({ rule }) => rule)).not.toContain('Files that git ignores');
});
