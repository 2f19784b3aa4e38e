import { afterEach, expect, test } from '@jest/globals';
import { plumbing } from '@tributary/git/git';
import { parseAbsolutePath } from '@tributary/model/paths';
import { cleanUpIn } from '@tributary/test-repo/clean-up';
import { TempRepo } from '@tributary/test-repo/temp-repo';
import { countSignatures } from './signatures.js';

const cleanUp = cleanUpIn(afterEach);

const SIGNATURE = '-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----';

test('commits and tags with a signature are counted, and what only looks like one is not', async () => {
  const repo = cleanUp.add(TempRepo.create());
  repo.commit('Start');
  const tree = repo.id('HEAD^{tree}');
  const person = 'A <a@example.com> 1600000000 +0000';
  const commit = (header: string, message: string): void => {
    const id = repo.writeObject(
      'commit',
      `tree ${tree}\nparent ${repo.id('HEAD')}\nauthor ${person}\ncommitter ${person}\n${header}\n${message}\n`,
    );
    repo.git('update-ref', 'HEAD', id);
  };
  commit(`gpgsig ${SIGNATURE.replaceAll('\n', '\n ')}\n`, 'signed');
  commit(`gpgsig-sha256 ${SIGNATURE.replaceAll('\n', '\n ')}\n`, 'signed otherwise');
  commit('', `about\n\ngpgsig ${SIGNATURE}`);
  commit('encoding ISO-8859-1\n', 'caf\u00e9');
  const tag = (name: string, message: string): void => {
    const id = repo.writeObject('tag', `object ${repo.id('HEAD')}\ntype commit\ntag ${name}\ntagger ${person}\n\n${message}\n`);
    repo.git('update-ref', `refs/tags/${name}`, id);
  };
  tag('signed', `v1\n${SIGNATURE}`);
  tag('plain', 'v1');
  repo.tag('light');
  const git = plumbing(parseAbsolutePath(`${repo.path}/.git`));
  expect(await countSignatures(git, 'refs/')).toEqual({ commits: 2, ofCommits: 5, tags: 1 });
});
