import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { AxeResults } from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { comparisonPage, emptyContent, fewContent, manyContent, pageContent } from '../content.fixture.js';
import { renderComparisonPage } from './comparison-page.js';
import { renderPage } from './page.js';

const executable = process.env['CHROMIUM'] ?? '';
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Script that returns overlapping texts of a chart, and texts that stick out of the window. */
const CLASHES = `[...document.querySelectorAll('svg.chart')].flatMap((chart) => {
  const texts = [...chart.querySelectorAll('text')]
    .map((text) => ({ name: text.textContent, box: text.getBoundingClientRect() }))
    .filter(({ box }) => box.width > 0);
  const cut = texts.filter(({ box }) => box.left < 0 || box.right > innerWidth).map(({ name }) => name + ' is cut off');
  const clashes = texts.flatMap((one, at) =>
    texts
      .slice(at + 1)
      .filter(({ box }) => box.left < one.box.right - 1 && one.box.left < box.right - 1 && box.top < one.box.bottom - 2 && one.box.top < box.bottom - 2)
      .map(({ name }) => one.name + ' lies on ' + name),
  );
  return [...cut, ...clashes];
})`;

const CONTENTS = {
  whole: (): string => renderPage(pageContent()),
  few: (): string => renderPage(fewContent()),
  many: (): string => renderPage(manyContent()),
  empty: (): string => renderPage(emptyContent()),
  compared: (): string => renderComparisonPage(comparisonPage()),
};

(executable === '' ? describe.skip : describe)('a report in a browser', () => {
  const folder = mkdtempSync(join(tmpdir(), 'page-'));
  let browser: Browser;
  beforeAll(async () => {
    for (const [name, content] of Object.entries(CONTENTS)) writeFileSync(join(folder, `${name}.html`), content());
    browser = await chromium.launch({ executablePath: executable, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  async function open(view: {
    readonly width: number;
    readonly scheme: 'light' | 'dark';
    readonly name?: keyof typeof CONTENTS;
  }): Promise<{ readonly page: Page; readonly asked: readonly string[]; readonly messages: readonly string[] }> {
    const page = await browser.newPage({ viewport: { width: view.width, height: 900 }, colorScheme: view.scheme });
    const [asked, messages]: [string[], string[]] = [[], []];
    page.on('request', (request) => asked.push(request.url()));
    page.on('console', (message) => messages.push(message.text()));
    page.on('pageerror', (error) => messages.push(error.message));
    await page.goto(`file://${join(folder, `${view.name ?? 'whole'}.html`)}`);
    return { page, asked, messages };
  }

  // Colour and width change nothing special in these two contents, so two views of each are enough.
  const isNeeded = (name: string, width: number, scheme: string): boolean =>
    !/few|empty/.test(name) || (width === 360) === (scheme === 'dark');
  const VIEWS = [360, 1280]
    .flatMap((width) =>
      (['light', 'dark'] as const).flatMap((scheme) =>
        (['whole', 'few', 'many', 'empty', 'compared'] as const).map((name) => ({ width, scheme, name })),
      ),
    )
    .filter(({ width, scheme, name }) => isNeeded(name, width, scheme));

  test.each(VIEWS)(
    '$name, $width pixels, $scheme: one file, nothing to complain of, nothing that sticks out, and readable for everybody',
    async (view) => {
      const { page, asked, messages } = await open(view);
      expect(asked.filter((address) => !address.startsWith('file:'))).toEqual([]);
      expect(messages).toEqual([]);
      const sizes = await page.evaluate('[document.documentElement.scrollWidth, innerWidth]');
      expect(sizes).toEqual([view.width, view.width]);
      expect(await page.evaluate(CLASHES)).toEqual([]);
      await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true");
      await page.evaluate(AXE);
      const { violations } = (await page.evaluate('axe.run()')) as AxeResults;
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
      await page.close();
    },
  );

  test('the axis of lengths names its days', async () => {
    const { page } = await open({ width: 1280, scheme: 'light', name: 'compared' });
    const texts = await page.locator('.wide svg[aria-label^="How long"] text').allTextContents();
    expect(texts).toEqual(expect.arrayContaining(['1 d', '7 d']));
    await page.close();
  });

  test.each([360, 500])('on %i pixels no table of a comparison is cut off, and printed none scrolls', async (width) => {
    const { page } = await open({ width, scheme: 'light', name: 'compared' });
    const cut = "[...document.querySelectorAll('.scroll')].filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.ariaLabel)";
    expect(await page.evaluate(cut)).toEqual([]);
    const broken =
      "[...document.querySelectorAll('.whole')].filter((one) => one.getClientRects().length > 1).map((one) => one.textContent)";
    expect(await page.evaluate(broken)).toEqual([]);
    expect(await page.locator('.number .whole').count()).toBeGreaterThan(0);
    await page.emulateMedia({ media: 'print' });
    expect(
      await page.evaluate("[...new Set([...document.querySelectorAll('.scroll')].map((one) => getComputedStyle(one).overflowX))]"),
    ).toEqual(['visible']);
    await page.close();
  });

  test('on 360 pixels a name stands above its figures, which are in line with their headings', async () => {
    const { page } = await open({ width: 360, scheme: 'light' });
    const table = `document.querySelector('[aria-label="By package"]')`;
    const above =
      "[...table.querySelectorAll('tr')].map(({ children: [name, n] }) => name.getBoundingClientRect().bottom <= n.getBoundingClientRect().top + 1)";
    expect(new Set(await page.evaluate<boolean[]>(above.replace('table', table)))).toEqual(new Set([true]));
    const edges = "[...table.querySelectorAll('tr')].map(({ children: [, n] }) => Math.round(n.getBoundingClientRect().right))";
    expect(new Set(await page.evaluate<number[]>(edges.replace('table', table))).size).toBe(1);
    await page.close();
  });

  test('on a printed sheet no text of a chart lies on another, and no time of a slow change breaks', async () => {
    const { page } = await open({ width: 794, scheme: 'light' });
    await page.emulateMedia({ media: 'print' });
    expect(await page.evaluate(CLASHES)).toEqual([]);
    const lines = `[...document.querySelectorAll('.stacked td.whole')].map((cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return new Set([...range.getClientRects()].map(({ top }) => top)).size;
    })`;
    expect(await page.evaluate(lines)).toEqual([1, 1, 1, 1, 1, 1]);
    await page.close();
  });

  test('a page that is dark on the screen is printed in the light colors, with those of the legend', async () => {
    const { page } = await open({ width: 1280, scheme: 'dark' });
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const styles = '((sign) => [getComputedStyle(document.body).backgroundColor, sign.backgroundColor, sign.printColorAdjust])';
    expect(await page.evaluate(`${styles}(getComputedStyle(document.querySelector('.legend .p50'), '::before'))`)).toEqual([
      'rgb(255, 255, 255)',
      'rgb(9, 105, 218)',
      'exact',
    ]);
    await page.close();
  });

  test('charts are there, each once to be seen, and in the colors of the page', async () => {
    const { page } = await open({ width: 1280, scheme: 'dark' });
    const shown = page.locator('svg.chart:visible');
    expect(await shown.count()).toBe(3);
    expect(await shown.first().getAttribute('aria-label')).toMatch(/^P50 and P90/);
    const colors = "[...document.querySelectorAll('.wide path')].map((path) => getComputedStyle(path).stroke)";
    expect(await page.evaluate(colors)).toContain('rgb(88, 166, 255)');
    await page.close();
  });

  test('the name of the unit lies on no number of its axis', async () => {
    for (const [width, kind] of [
      [360, 'narrow'],
      [1280, 'wide'],
    ] as const) {
      const { page } = await open({ width, scheme: 'light' });
      const chart = page.locator(`.${kind} svg[aria-label^="The stages"]`);
      const unit = await chart.getByText('hours', { exact: false }).boundingBox();
      const last = await chart.getByText('10', { exact: true }).boundingBox();
      expect((last?.y ?? Number.NaN) + (last?.height ?? 0)).toBeLessThanOrEqual(unit?.y ?? Number.NaN);
      await page.close();
    }
  });

  test('each migration is a line with its name, above the chart and off no edge', async () => {
    for (const [name, labels] of [
      ['whole', ['@acme/ui', '<b>bold</b>', '2 packages moved in']],
      ['many', ['1', '2', '3', '4', '5', '6', '7']],
    ] as const) {
      const { page } = await open({ width: 360, scheme: 'light', name });
      for (const label of labels) {
        const box = await page.locator('.narrow svg').first().getByText(label, { exact: true }).last().boundingBox();
        expect(box?.x).toBeGreaterThanOrEqual(0);
        expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(360);
      }
      await page.close();
    }
  });

  test('of few changes each is a point', async () => {
    const { page } = await open({ width: 1280, scheme: 'light', name: 'few' });
    const points =
      "[...document.querySelectorAll('.wide circle')].filter((one) => one.closest('g').getAttribute('stroke') === 'var(--single)').length";
    expect(await page.evaluate(points)).toBe(5);
    expect(await page.getByText('P90, ', { exact: false }).count()).toBe(0);
    await page.close();
  });

  test('what is hostile in a name is shown as a name', async () => {
    const { page, messages } = await open({ width: 1280, scheme: 'light' });
    expect(await page.locator('script, img, iframe').count()).toBe(0);
    expect(await page.getByText('<img src=x onerror=alert(1)>').count()).toBeGreaterThan(0);
    expect(await page.locator('a[href^="javascript:"]').count()).toBe(0);
    expect(messages).toEqual([]);
    await page.close();
  });
});
