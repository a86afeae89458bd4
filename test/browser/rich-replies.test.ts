import { expect, it } from 'vitest';
import { describeInBrowser } from '../support/browser.ts';
import { saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';

const formulas = String.raw`Euler: \(e^{i\pi} + 1 = 0\), and $$\sum_{k=1}^{n} k = \frac{n(n+1)}{2}$$ and not $5 or \(\unknowncommand{\).`;
const hostile = String.raw`\(\href{javascript:alert(1)}{x}\) \(\includegraphics{https://evil.example/a.png}\) \(\color{white}{a}\)`;
const code = '```ts\nconst greeting: string = "<b>hi</b>"; // hello\n```\n\n```nolanguage\nplain\n```';

describeInBrowser('what a reply may have beside words (contract/widget.md#replies)', (pages) => {
  async function answered(text: string) {
    const { url } = await scriptedServer({ scripts: [saying(text)] });
    const opened = await pages.open(`${url}/helper/embed`);
    await opened.panel.waitFor();
    await opened.say('Please');
    await opened.log.locator('.from-bot .tools').waitFor();
    return { ...opened, reply: opened.log.locator('.from-bot .bubble') };
  }

  // proves wire-21-31, wire-21-33
  it('draws formulas as MathML, and leaves what is none', async () => {
    const { reply, messages } = await answered(formulas);
    await reply.locator('math').nth(1).waitFor();
    await expect.poll(() => reply.locator('math').count()).toBe(2);
    await expect.poll(() => reply.locator('mfrac').count()).toBe(1);
    expect(await reply.locator('math').nth(1).getAttribute('display')).toBe('block');
    expect(await reply.textContent()).toContain('$5');
    expect(await reply.locator('code.math').textContent()).toBe(String.raw`\unknowncommand{`);
    expect(messages).toEqual([]);
  });

  // proves wire-21-33
  it('takes nothing into a formula that leads somewhere, loads something or hides', async () => {
    const { reply, page } = await answered(hostile);
    await reply.locator('math').last().waitFor();
    await expect.poll(() => reply.locator('a, img, [href], [src], [style*=color], [mathcolor]').count()).toBe(0);
    expect(page.url()).toContain('/helper/embed');
  });

  // proves wire-21-32, wire-21-33
  it('colours code of languages that it knows, whose text stays the same', async () => {
    const { reply, page, messages } = await answered(code);
    await reply.locator('.hl-keyword', { hasText: 'const' }).waitFor();
    await reply.locator('.hl-comment', { hasText: '// hello' }).waitFor();
    expect(await reply.locator('pre code').allTextContents()).toEqual([
      'const greeting: string = "<b>hi</b>"; // hello',
      'plain',
    ]);
    await expect.poll(() => reply.locator('pre').nth(1).locator('span').count()).toBe(0);
    await expect.poll(() => reply.locator('b').count()).toBe(0);
    const files = await page.evaluate<string[]>(
      `performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)`,
    );
    expect(files.some((file) => file.includes('/code-'))).toBe(true);
    expect(files.some((file) => file.includes('/math-'))).toBe(false);
    expect(messages).toEqual([]);
  });
});
