import { isToolError } from '@tributary/model/errors';
import type { ForgeOwner, ForgeRepository } from '@tributary/model/forge';
import { AnswerFields } from './answer-fields.js';
import { askPatiently } from './ask-patiently.js';
import { createGitHub, type GitHub, type GitHubOptions } from './client.js';
import { type ApiQuestion, misunderstood } from './failure.js';
import { readListPages, repoPath } from './rest-list.js';

/**
 * Returns an organisation or a person on GitHub or GitHub Enterprise Server. Sends nothing before the first request. Throws `USAGE` like
 * `createGitHub`.
 */
export function openGitHubOwner({ owner, ...options }: { readonly owner: string } & GitHubOptions): ForgeOwner {
  const github = createGitHub(options);
  return {
    name: 'GitHub',
    owner,
    readRepositories: () => readRepositories(github, owner),
    readFile: (repository, path) => readFile(github, { owner, repo: repository }, path),
  };
}

/**
 * Returns an organisation's repositories, including private ones that the token may read, or a person's public ones. Needs `metadata:
 * read`. Source: docs.github.com/rest/repos.
 */
async function readRepositories(github: GitHub, owner: string): Promise<readonly ForgeRepository[]> {
  const question: ApiQuestion = { what: `the repositories of ${owner}`, permission: 'metadata: read' };
  try {
    return await readList(github, question, `/orgs/${encodeURIComponent(owner)}/repos`);
  } catch (error) {
    if (!isMissing(error)) throw error;
    return readList(github, question, `/users/${encodeURIComponent(owner)}/repos`);
  }
}

async function readList(github: GitHub, question: ApiQuestion, path: string): Promise<readonly ForgeRepository[]> {
  const repositories: ForgeRepository[] = [];
  for await (const { entries } of readListPages(github, question, { path: `${path}?sort=full_name&per_page=100` }))
    repositories.push(...entries.map(readRepository));
  return repositories;
}

function readRepository(entry: AnswerFields): ForgeRepository {
  return {
    name: entry.text('name'),
    addresses: { https: entry.text('clone_url'), ssh: entry.text('ssh_url') },
    state: entry.has('archived') && entry.isTrue('archived') ? 'archived' : 'active',
    origin: entry.isTrue('fork') ? 'fork' : 'own',
  };
}

/** Returns a file's text. GitHub returns 404 for a missing file and for a repository without commits. Needs `contents: read`. */
async function readFile(github: GitHub, repository: Parameters<typeof repoPath>[0], path: string): Promise<string | undefined> {
  const question: ApiQuestion = { what: `${path} of ${repository.owner}/${repository.repo}`, permission: 'contents: read' };
  const url = `${repoPath(repository)}/contents/${path.split('/').map(encodeURIComponent).join('/')}`;
  try {
    const ask = () => github.call(question, (octokit) => octokit.request({ method: 'GET', url }));
    const { data } = await askPatiently(github, question, ask);
    return Array.isArray(data) ? undefined : contentOf(new AnswerFields(data, question), question);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function contentOf(answer: AnswerFields, question: ApiQuestion): string | undefined {
  if (answer.text('type') !== 'file') return undefined;
  const encoding = answer.text('encoding');
  // A file of more than a megabyte arrives without its content.
  if (encoding !== 'base64') throw misunderstood(question, `its encoding is ${JSON.stringify(encoding)}`);
  return Buffer.from(answer.text('content'), 'base64').toString('utf8');
}

/** Returns whether something is missing. GitHub gives the same response for what the token may not read. */
function isMissing(error: unknown): boolean {
  return isToolError(error) && error.code === 'GITHUB_REFUSED' && error.data['status'] === 404;
}
