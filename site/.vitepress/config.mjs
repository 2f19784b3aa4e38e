// The site of docs/: `npm run docs:site`. Pages are the Markdown files of the repository as they are.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const docs = resolve(root, 'docs');
/** The address of the repository on the web, if package.json names one. */
const repository = addressOf(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).repository);

export default {
  title: 'Tributary',
  description: 'A toolkit for Yarn workspaces monorepos.',
  // A copy of docs/, made by scripts/build-site.mjs: a page must find Vue in the folders above it.
  srcDir: resolve(root, 'site/pages'),
  outDir: resolve(root, 'site/out'),
  cacheDir: resolve(root, 'site/.cache'),
  ignoreDeadLinks: [isFileOfRepository],
  // A `{{` in a page is text, such as an expression of a GitHub workflow.
  markdown: {
    config: (md) => Object.assign(md.renderer.rules, { code_inline: plainCode, link_open: linkOut(md.renderer.rules.link_open) }),
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Guides', link: '/guides/migrate-a-repository' },
      { text: 'Commands', link: '/cli/affected' },
      { text: 'Errors', link: '/errors' },
      { text: 'Glossary', link: '/glossary' },
    ],
    sidebar: [
      { text: 'I want to …', items: [page('index', '/')] },
      group('Guides', 'docs/guides'),
      group('Commands', 'docs/cli'),
      {
        text: 'Reference',
        items: ['errors', 'glossary', 'compare', 'benchmarks', 'platforms', 'security', 'architecture']
          .filter(isPage)
          .map((name) => page(name)),
      },
      { ...group('More reference', 'docs/reference'), collapsed: true },
      { ...group('Decisions', 'docs/decisions'), collapsed: true },
    ],
  },
};

function addressOf(named) {
  return (typeof named === 'string' ? named : named?.url)?.replace(/^git\+/, '').replace(/\.git$/, '');
}

function isPage(name) {
  return existsSync(join(root, `docs/${name}.md`));
}

function page(name, link = `/${name}`) {
  return { text: titleOf(`docs/${name}.md`), link };
}

function group(text, folder) {
  const files = readdirSync(join(root, folder)).filter((file) => file.endsWith('.md'));
  return {
    text,
    items: files.map((file) => ({
      text: titleOf(`${folder}/${file}`),
      link: `/${folder.replace(/^docs\//, '')}/${file.replace(/\.md$/, '')}`,
    })),
  };
}

function titleOf(file) {
  return /^# (.*)$/m.exec(readFileSync(join(root, file), 'utf8'))?.[1]?.replaceAll('`', '') ?? file;
}

/** Links that leave docs/ or lead to a folder; scripts/docs.test.mjs checks that they exist. VitePress does not say on which page one is. */
function isFileOfRepository(url) {
  const path = url.replace(/[#?].*$/, '').replace(/(?:^|\/)index$/, '/');
  const isOutside = path.startsWith('../') || path.startsWith('./../');
  const target = path.replace(/^(?:\.{1,2}\/)+/, '');
  const isThere = existsSync(join(root, target)) || existsSync(join(root, `${target}.md`));
  return (isOutside && isThere) || (path.endsWith('/') && existsSync(join(docs, target)));
}

/**
 * Renders a link to a repository file that is not a page of the site. It leads to the address in `repository` of package.json. Without an
 * address it becomes plain text. A link to a missing file fails the build and names the page.
 */
function linkOut(render) {
  return (tokens, index, options, env, self) => {
    const [href, hash = ''] = (tokens[index].attrGet('href') ?? '').split('#');
    const path = join(dirname(env.relativePath ?? ''), decodeURI(href));
    if (/^(?:[a-z]+:|\/|$)/.test(href) || !path.startsWith('../')) return render(tokens, index, options, env, self);
    const file = path.slice('../'.length);
    if (!existsSync(join(root, file))) throw new Error(`docs/${env.relativePath} links to ${file}, which does not exist`);
    if (repository !== undefined) tokens[index].attrSet('href', `${repository}/blob/HEAD/${file}${hash === '' ? '' : `#${hash}`}`);
    else for (const token of [tokens[index], tokens.slice(index).find(({ type }) => type === 'link_close')]) token.tag = 'span';
    if (repository === undefined) tokens[index].attrs = [['title', `${file} in the repository`]];
    return self.renderToken(tokens, index, options);
  };
}

function plainCode(tokens, index) {
  const text = tokens[index].content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<code v-pre>${text}</code>`;
}
