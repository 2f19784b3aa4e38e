// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are settings of somebody
import { describe, expect, test } from '@jest/globals';
import { namesIn } from './names.fixture.js';

type Case = readonly [settings: object, names: readonly string[]];

describe('a project.json of nx', () => {
  const cases: readonly Case[] = [
    [{ implicitDependencies: ['b', '!c', '*', 'tag:x'] }, ['module b']],
    [
      { targets: { t: { inputs: ['default', '^production', '{workspaceRoot}/x.json', '!{workspaceRoot}/y', '{projectRoot}/../z/**'] } } },
      ['/x.json', '../z/*'],
    ],
    [
      { namedInputs: { n: ['{workspaceRoot}/x', { fileset: '{workspaceRoot}/y/**' }, { json: '{workspaceRoot}/z.json' }] } },
      ['/x', '/y/*', '/z.json'],
    ],
    [
      { targets: { t: { inputs: [{ input: 'x', projects: ['b'] }, { externalDependencies: ['jest'] }, { env: 'A' }] } } },
      ['module b', 'module jest'],
    ],
    [
      { targets: { t: { inputs: [{ runtime: 'node ../x.js' }], dependsOn: [{ target: 'x', projects: 'b' }, 'build'] } } },
      ['text /../x.js', 'text ../x.js', 'module b'],
    ],
    [{ targets: { t: { executor: '@x/tools:build' }, u: { executor: './tools/x:y' } } }, ['module @x/tools', '/./tools/x']],
    [
      { targets: { t: { options: { jestConfig: 'libs/a/jest.config.ts', assets: [{ input: 'libs/b' }], watch: 'yes' } } } },
      ['text /libs/a/jest.config.ts', 'text /libs/b'],
    ],
    [{ targets: { t: { configurations: { ci: { tsConfig: 'libs/b/tsconfig.json' } } } } }, ['text /libs/b/tsconfig.json']],
    [{ targets: { t: { command: 'node tools/x.js' } } }, ['text /tools/x.js']],
    [{ sourceRoot: 'libs/a/src', name: '../x', tags: ['../x'] }, ['/libs/a/src']],
  ];
  test.each(cases)('%j', (settings, names) => {
    expect(namesIn('p/a/project.json', settings)).toEqual(names);
  });

  test('the inputs of nx.json are those of everybody', () => {
    const settings = {
      extends: '@x/nx/preset.json',
      plugins: ['@x/p', { plugin: './tools/p.ts' }],
      namedInputs: { default: ['{projectRoot}/**', '{workspaceRoot}/babel.config.json'] },
      targetDefaults: { test: { inputs: ['{workspaceRoot}/jest/**', 'default'] } },
    };
    expect(namesIn('nx.json', settings)).toEqual([
      'module @x/nx/preset.json',
      'module @x/p',
      './tools/p.ts',
      'for *: babel.config.json',
      'for *: jest/*',
    ]);
  });
});

describe('a .yarnrc.yml', () => {
  const cases: readonly (readonly [text: string, names: readonly string[]])[] = [
    ['yarnPath: .yarn/releases/yarn-4.cjs\nconstraintsPath: ./c.pro', ['.yarn/releases/yarn-4.cjs', './c.pro']],
    ['plugins:\n  - path: .yarn/plugins/a.cjs\n    spec: "@yarnpkg/plugin-a"\n  - ./b.cjs', ['.yarn/plugins/a.cjs', './b.cjs']],
    ['plugins:\n  - path: a.cjs\n    spec: "https://example.com/a"', ['a.cjs']],
    ['injectEnvironmentFiles: [".env.yarn?", ".env"]', ['.env.yarn', '.env']],
    ['packageExtensions:\n  "a@*":\n    dependencies:\n      b: portal:../x', []],
    ['nodeLinker: node-modules\ncacheFolder: ../cache', ['text ../cache']],
    ['yarnPath: "${YARN:-../yarn.cjs}"', ['../yarn.cjs']],
    ['', []],
  ];
  test.each(cases)('%j', (text, names) => {
    expect(namesIn('.yarnrc.yml', text)).toEqual(names);
  });
});

describe('settings of Docker Compose', () => {
  const cases: readonly Case[] = [
    [{ services: { a: { build: '../b' } } }, ['../b']],
    [{ services: { a: { build: '${DIR:-../b}', volumes: ['${V-../v}:/v', '${W}/w:/w'] } } }, ['../b', '../v']],
    [{ services: { a: { build: { context: '../..', dockerfile: 'd/Dockerfile' } } } }, ['../..', '/d/Dockerfile']],
    [{ services: { a: { build: { dockerfile: 'Dockerfile', additional_contexts: ['x=../x', 'y=https://e'] } } } }, ['Dockerfile', '../x']],
    [{ services: { a: { build: 'https://example.com/x.git' } } }, []],
    [{ services: { a: { env_file: ['.env', { path: '../.env' }] }, b: { env_file: './c' } } }, ['.env', '../.env', './c']],
    [
      { services: { a: { volumes: ['../d:/d:ro', 'named:/x', './e:/e', { type: 'bind', source: '../f', target: '/f' }] } } },
      ['../d', './e', '../f'],
    ],
    [{ services: { a: { extends: { file: '../c.yml', service: 'x' }, develop: { watch: [{ path: './w' }] } } } }, ['../c.yml', './w']],
    [
      { configs: { c: { file: '../c' } }, secrets: { s: { file: './s' } }, include: ['../i.yml', { path: ['../j.yml'] }] },
      ['../c', './s', '../i.yml', '../j.yml'],
    ],
    [{ services: { a: { label_file: './l', credential_spec: { file: '../s.json' } } } }, ['./l', '../s.json']],
    [{ services: { a: { image: 'x', command: 'node x.js' } } }, []],
  ];
  test.each(cases)('%j', (settings, names) => {
    expect(namesIn('p/a/docker-compose.yml', settings)).toEqual(names);
    expect(namesIn('p/a/compose.test.yaml', settings)).toEqual(names);
  });

  test('aliases and merge keys are followed, with all documents', () => {
    const text =
      'x-a: &a\n  build: ../b\nservices:\n  s:\n    <<: *a\n  t:\n    <<: [*a]\n    env_file: &e [../e]\n  u: { env_file: *e }\n---\nservices: { v: { build: ../c } }';
    expect(namesIn('p/a/compose.yml', text)).toEqual(['text ../b', '../b', '../b', '../e', '../e', '../c']);
  });
});

describe('a Dockerfile', () => {
  const cases: readonly (readonly [text: string, names: readonly string[]])[] = [
    ['FROM node\nCOPY package.json yarn.lock ./', ['package.json', '/package.json', 'yarn.lock', '/yarn.lock']],
    ['copy --chown=a:b --link src/ /app', ['src/', '/src/']],
    ['COPY ["a.txt", "/x"]', ['a.txt', '/a.txt']],
    ['COPY a \\\n  # why\n  b \\\n  /x', ['a', '/a', 'b', '/b']],
    ['# escape=`\nCOPY a `\n b /x', ['a', '/a', 'b', '/b']],
    ['ADD https://example.com/x git@e:x c.tgz /x', ['c.tgz', '/c.tgz']],
    ['COPY --from=build /dist /x', []],
    ['COPY packages/*/package.json $DIR/x /x', ['packages/*', '/packages/*', './*', '/./*']],
    ['ONBUILD COPY a /b', ['a', '/a']],
    ['COPY <<EOF /x\nCOPY\nEOF', []],
    ['COPY /a /b', ['a', '/a']],
    ['RUN --mount=type=bind,source=x,target=/y --mount=type=cache,target=/z make', ['x', '/x']],
    ['RUN --mount=type=bind,from=build,src=x,target=/y make', []],
    ['RUN cp a b', []],
  ];
  test.each(cases)('%j', (text, names) => {
    expect(namesIn('p/a/Dockerfile', text)).toEqual(names);
  });

  test('by its other names, and in the root once', () => {
    for (const name of ['Dockerfile.dev', 'a.dockerfile', 'Containerfile']) expect(namesIn(name, 'COPY a /b')).toEqual(['a']);
    expect(namesIn('Dockerfile.dockerignore', 'COPY a /b')).toEqual([]);
  });
});
