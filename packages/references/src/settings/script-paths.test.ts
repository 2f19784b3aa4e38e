// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are scripts of somebody
import { describe, expect, test } from '@jest/globals';
import { namesIn } from './names.fixture.js';

type Case = readonly [script: string, paths: readonly string[]];

describe('a script of a workspace', () => {
  const cases: readonly Case[] = [
    ['node ../../x.js', ['text ../../x.js']],
    ['node ./../x.js && a ../y', ['text ./../x.js', 'text ../y']],
    ['node src/../../x.js', ['text src/../../x.js']],
    ['jest --config=../../jest.config.js', ['text ../../jest.config.js']],
    ['jest -c "../x.js" --y \'../y.js\'', ['text ../x.js', 'text ../y.js']],
    ['sh -c "cat \'../my file.txt\'"', ['text ../my', 'text ../my file.txt']],
    ['mocha -r../setup.js', ['text ../setup.js']],
    ['A=../x B=../y:../z node a.js', ['text ../x', 'text ../y', 'text ../z']],
    ['(cd ../../gear; node build.js)', ['text ../../gear', 'text /gear/build.js']],
    ['cd .. && node scripts/x.js && cat ../y', ['text ..', 'text /p/scripts/x.js', 'text ../y', 'text /p/../y']],
    ['cd ../../../.. && node scripts/x.js', ['text ../../../..']],
    ['yarn --cwd ../.. node scripts/x.js', ['text ../..', 'text /scripts/x.js']],
    ['yarn --cwd=../.. node scripts/x.js', ['text ../..', 'text /scripts/x.js']],
    ['cd $PROJECT_CWD && node scripts/x.js', ['text /scripts/x.js']],
    ['$INIT_CWD/../x', ['text ../x', 'start /../x']],
    ['node "${here}/../x.js" $ROOT/lib/y.js', ['text ../x.js', 'start /../x.js', 'text lib/y.js', 'start /lib/y.js']],
    ['node "$(dirname "$0")/../../x.js" "$here"/../y.js', ['text ../../x.js', 'text ../y.js']],
    ['node $PROJECT_CWD/scripts/x.js', ['/scripts/x.js']],
    ['node "${PROJECT_CWD}/x.js" %PROJECT_CWD%/y.js', ['/x.js', '/y.js']],
    ['node $(git rev-parse --show-toplevel)/x.js', ['/x.js']],
    ['cat ../*/package.json ../$NAME/x', ['text ../*']],
    ['cat ../x/**/*.js', ['text ../x/*']],
    ['node ..\\..\\x.js', ['text ../../x.js']],
    ['cp node_modules/@x/b/a.js ./node_modules/y/z.js node_modules/.bin', ['text node_modules/@x/b/a.js', 'text ./node_modules/y/z.js']],
    ['node ../x.js ../x.js', ['text ../x.js']],
    ['eslint . && node scripts/x.js && tsc -b src', []],
    ['curl https://example.com/../x', []],
    ['echo ...', []],
    ['', []],
  ];
  test.each(cases)('%s', (script, paths) => {
    expect(namesIn('p/a/package.json', { scripts: { x: script } })).toEqual(paths);
  });
});

describe('a script of the root', () => {
  const cases: readonly Case[] = [
    ['node scripts/x.js --fix', ['text scripts/x.js']],
    ['node ./x.mjs', ['text ./x.mjs']],
    ['node build.js && mocha --config=.mocharc.all.yml', ['text build.js', 'text .mocharc.all.yml']],
    ['cd packages/a && node x.js', ['text packages/a', 'text /packages/a/x.js', 'text x.js']],
    ['eslint "packages/*/src" tools/', ['text packages/*', 'text tools/']],
    ['yarn workspace @x/a build:all --max-old=4096', ['text @x/a']],
    ['curl https://example.com/a', []],
    ['tsc -b && yarn run test', []],
    ['node ../x', ['text ../x']],
  ];
  test.each(cases)('%s', (script, paths) => {
    expect(namesIn('package.json', { scripts: { x: script } })).toEqual(paths);
  });
});
