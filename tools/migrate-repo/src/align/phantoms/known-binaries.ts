/** Binaries whose package has another name, or that several packages have; the preferred package first. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  tsc: ['typescript'],
  tsserver: ['typescript'],
  babel: ['@babel/cli', 'babel-cli'],
  'babel-node': ['@babel/node', 'babel-cli'],
  biome: ['@biomejs/biome'],
  changeset: ['@changesets/cli'],
  commitlint: ['@commitlint/cli'],
  'run-s': ['npm-run-all', 'npm-run-all2'],
  'run-p': ['npm-run-all', 'npm-run-all2'],
  'npm-run-all': ['npm-run-all', 'npm-run-all2'],
  'cross-env-shell': ['cross-env'],
  'start-storybook': ['@storybook/react', '@storybook/html', '@storybook/vue'],
  'build-storybook': ['@storybook/react', '@storybook/html', '@storybook/vue'],
  'api-extractor': ['@microsoft/api-extractor'],
  'ts-node-esm': ['ts-node'],
  'ts-node-script': ['ts-node'],
  'ts-node-transpile-only': ['ts-node'],
  'ts-script': ['ts-node'],
  _mocha: ['mocha'],
  grunt: ['grunt', 'grunt-cli'],
  gulp: ['gulp', 'gulp-cli'],
  jest: ['jest', 'jest-cli'],
  karma: ['karma', 'karma-cli'],
  ng: ['@angular/cli'],
  ngc: ['@angular/compiler-cli'],
  nest: ['@nestjs/cli'],
  playwright: ['@playwright/test', 'playwright'],
  'svelte-kit': ['@sveltejs/kit'],
  swc: ['@swc/cli'],
  uglifyjs: ['uglify-js', 'uglify-es'],
  'vue-cli-service': ['@vue/cli-service'],
  webpack: ['webpack-cli', 'webpack', 'webpack-command'],
  depcruise: ['dependency-cruiser'],
  markdownlint: ['markdownlint-cli', 'markdownlint-cli2'],
  attw: ['@arethetypeswrong/cli'],
  postcss: ['postcss-cli'],
  tailwindcss: ['@tailwindcss/cli', 'tailwindcss'],
  'graphql-codegen': ['@graphql-codegen/cli'],
};

/** Binaries of the system, the shell, Node or package managers. Packages with these names are in many lockfiles. */
const OF_THE_SYSTEM: ReadonlySet<string> = new Set(
  `[ awk basename bash brew bun bunx bundle cargo cat cd chmod chown clear cmake cmd command cp curl date deno diff dirname docker docker-compose
  dotnet echo env eval exec exit expr export false find gcc gh git go grep gzip head install java jq kill killall ln ls make mkdir mv nice node
  nohup npm npx open perl php pip pnpm pnpx printf ps pwd python python3 read rm rmdir rsync ruby sed set sh sleep sort source ssh start sudo
  tail tar tee test then time timeout touch tr true type unset unzip wait watch wc wget where which xargs yarn yes zip zsh if else fi for do done while`.split(
    /\s+/,
  ),
);

/** Returns the packages that have a binary, the preferred one first; empty if none is known. */
export function packagesOfBinary(binary: string): readonly string[] {
  return Object.hasOwn(PACKAGES, binary) ? (PACKAGES[binary] ?? []) : [];
}

export function isOfTheSystem(binary: string): boolean {
  return OF_THE_SYSTEM.has(binary);
}
