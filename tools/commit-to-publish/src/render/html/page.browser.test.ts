import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { AxeResults } from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { pageContent } from './page.fixture.js';
import { renderPage } from './page.js';

const executable = process.env['CHROMIUM'] ?? '';
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

(executable === '' ? describe.skip : describe)('a report in a browser', () => {
  const folder = mkdtempSync(join(tmpdir(), 'page-'));
  const file = join(folder, 'report.html');
  let browser: Browser;
  beforeAll(async () => {
    writeFileSync(file, renderPage(pageContent()));
    browser = await chromium.launch({ executablePath: executable, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  async function open(view: {
    readonly width: number;
    readonly scheme: 'light' | 'dark';
  }): Promise<{ readonly page: Page; readonly asked: readonly string[]; readonly said: readonly string[] }> {
    const page = await browser.newPage({ viewport: { width: view.width, height: 900 }, colorScheme: view.scheme });
    const [asked, said]: [string[], string[]] = [[], []];
    page.on('request', (request) => asked.push(request.url()));
    page.on('console', (message) => said.push(message.text()));
    page.on('pageerror', (error) => said.push(error.message));
    await page.goto(`file://${file}`);
    return { page, asked, said };
  }

  const VIEWS = [360, 1280].flatMap((width) => (['light', 'dark'] as const).map((scheme) => ({ width, scheme })));

  test.each(VIEWS)(
    '$width pixels, $scheme: one file, nothing to complain of, nothing that sticks out, and readable for everybody',
    async (view) => {
      const { page, asked, said } = await open(view);
      expect(asked.filter((address) => !address.startsWith('file:'))).toEqual([]);
      expect(said).toEqual([]);
      const sizes = await page.evaluate('[document.documentElement.scrollWidth, innerWidth]');
      expect(sizes).toEqual([view.width, view.width]);
      await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true");
      await page.evaluate(AXE);
      const { violations } = (await page.evaluate('axe.run()')) as AxeResults;
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
      await page.close();
    },
  );

  test('charts are there, each once to be seen, and in the colors of the page', async () => {
    const { page } = await open({ width: 1280, scheme: 'dark' });
    const shown = page.locator('svg.chart:visible');
    expect(await shown.count()).toBe(3);
    expect(await shown.first().getAttribute('aria-label')).toMatch(/^P50 and P90/);
    const colors = "[...document.querySelectorAll('.wide path')].map((path) => getComputedStyle(path).stroke)";
    expect(await page.evaluate(colors)).toContain('rgb(88, 166, 255)');
    await page.close();
  });

  test('what is hostile in a name is shown as a name', async () => {
    const { page, said } = await open({ width: 1280, scheme: 'light' });
    expect(await page.locator('script, img, iframe').count()).toBe(0);
    expect(await page.getByText('<img src=x onerror=alert(1)>').count()).toBeGreaterThan(0);
    expect(await page.locator('a[href^="javascript:"]').count()).toBe(0);
    expect(said).toEqual([]);
    await page.close();
  });
});
