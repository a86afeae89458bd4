import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeInBrowser, type Pages, type WidgetPage } from '../support/browser.ts';
import { calling, type ModelScript, saying } from '../support/scripted-model.ts';
import { type ScriptedServer, scriptedServer } from '../support/scripted-server.ts';

/** Chromium 156 has WebMCP, of which this is the switch. */
const withWebMcp = { flags: ['--enable-features=WebMCP'] };
const parameters = { type: 'object', properties: { id: { type: 'integer', title: 'Order' } }, required: ['id'] };

/** The script with which the page offers tools. `ran` collects the arguments of their calls. */
const registering = `
  globalThis.ran = [];
  const tool = (name, more = {}, result = (input) => ({ shown: input.id })) => document.modelContext.registerTool({
    name, description: 'Does ' + name + '.', inputSchema: ${JSON.stringify(parameters)}, ...more,
    execute: async (input) => { ran.push([name, input]); return result(input); },
  }, more.options);
`;

async function offering(
  pages: Pages,
  options: { readonly scripts: readonly ModelScript[]; readonly tools: string },
): Promise<ScriptedServer & WidgetPage> {
  const settings = { client: { webMcp: true } };
  const server = await scriptedServer({ scripts: options.scripts, settings });
  const widget = await pages.open(server.url);
  await widget.page.evaluate(`(async () => { ${registering} ${options.tools} })()`);
  await widget.openPanel();
  return { ...server, ...widget };
}

/** The page's tools as the model has them in its newest request. */
function offered({ model }: ScriptedServer): string[] {
  const tools = model.requests.at(-1)?.body['tools'] as { readonly function: { readonly name: string } }[];
  return tools.map((tool) => tool.function.name).filter((name) => name.startsWith('page_'));
}

function told({ model }: ScriptedServer): string {
  return JSON.stringify(model.requests.at(-1)?.body['messages']);
}

describeInBrowser(
  'tools that a page offers by WebMCP (contract/ui-actions.md, client.webMcp)',
  (pages) => {
    // proves configuration-7-07
    it('ask first, run in the page once approved, and their answer goes to the model as data', async () => {
      const test = await offering(pages, {
        scripts: [calling({ name: 'page_move_order_v2', arguments: { id: 7 } }), saying('Moved.')],
        tools: `await tool('moveOrder.v2');`,
      });
      await test.say('Move it');
      const box = test.panel.locator('.confirmation');
      await box.getByText('Move order v2').waitFor();
      expect(offered(test)).toEqual(['page_move_order_v2']);
      expect(await test.page.evaluate('ran')).toEqual([]);
      await box.getByRole('button', { name: 'Approve' }).click();
      await test.log.getByText('Moved.').waitFor();
      expect(await test.page.evaluate('ran')).toEqual([['moveOrder.v2', { id: 7 }]]);
      expect(told(test)).toContain('answer of the page');
      expect(told(test)).toMatch(/shown\W+7/);
      expect(test.messages).toEqual([]);
    });

    it('work as their guide shows (docs/guides/ui-actions.md)', async () => {
      const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/ui-actions.md'), 'utf8');
      const [, example = ''] = /```js\n(document\.modelContext[^]*?)```/.exec(guide) ?? [];
      const test = await offering(pages, {
        scripts: [calling({ name: 'page_show_order', arguments: { id: 1002 } }), saying('There it is.')],
        tools: example,
      });
      await test.say('Show it');
      await test.log.getByText('There it is.').waitFor();
      expect(await test.page.title()).toBe('Order 1002');
    });

    it('run at once where they declare to read, and not where they call themselves consequential', async () => {
      const test = await offering(pages, {
        scripts: [
          calling({ name: 'page_look', arguments: { id: 1 } }),
          calling({ name: 'page_book', arguments: { id: 2 } }),
        ],
        tools: `await tool('look', { annotations: { readOnlyHint: true } });
          await tool('book', { annotations: { readOnlyHint: true, consequentialHint: true } });
          await tool('inspect', { annotations: { debugging: true } });`,
      });
      await test.say('Look and book');
      await test.panel.locator('.confirmation').getByText('Book').first().waitFor();
      expect(await test.page.evaluate('ran')).toEqual([['look', { id: 1 }]]);
      expect(offered(test)).toEqual(['page_book', 'page_look']);
    });

    it('follow the page as it changes them', async () => {
      const test = await offering(pages, {
        scripts: [saying('One.'), saying('Two.'), saying('Three.')],
        tools: `globalThis.end = new AbortController(); await tool('first', { options: { signal: end.signal } });`,
      });
      await test.say('One?');
      await test.log.getByText('One.').waitFor();
      expect(offered(test)).toEqual(['page_first']);
      const changed = `new Promise((resolve) => document.modelContext.addEventListener('toolchange', () => setTimeout(resolve), { once: true }))`;
      await test.page.evaluate(
        `(async () => { const changed = ${changed}; ${registering} await tool('second'); await changed; })()`,
      );
      await test.say('Two?');
      await test.log.getByText('Two.').waitFor();
      expect(offered(test)).toEqual(['page_first', 'page_second']);
      await test.page.evaluate(`(async () => { const changed = ${changed}; end.abort(); await changed; })()`);
      await test.say('Three?');
      await test.log.getByText('Three.').waitFor();
      expect(offered(test)).toEqual(['page_second']);
    });

    it('that the server does not take are left out alone, and what was registered for the assistant comes first', async () => {
      const test = await offering(pages, {
        scripts: [saying('Hello.')],
        tools: `
          await tool('good');
          await tool('Good');
          await tool('shadowed', { description: 'Of the page.' });
          await tool('pattern', { inputSchema: { type: 'object', properties: { a: { type: 'string', pattern: 'x' } } } });
          await tool('large', { inputSchema: { type: 'object', description: 'x'.repeat(5000) } });
          await tool('1'.repeat(9));
          await HelperWidget.registerAction('shadowed', {
            description: 'Of the assistant.', parameters: { type: 'object' }, handler: () => 1,
          });`,
      });
      await test.say('Hello');
      await test.log.getByText('Hello.').waitFor();
      expect(offered(test)).toEqual(['page_shadowed', 'page_good']);
      expect(JSON.stringify(test.model.requests.at(-1)?.body['tools'])).not.toContain('Of the page.');
    });

    it.each([
      ['fails', `() => { throw new Error('no') }`, '[failed]'],
      ['says too much', `() => 'x'.repeat(70000)`, '[failed]'],
      ['says nothing', `() => undefined`, '[succeeded]'],
    ])('that %s is told to the model as such', async (_title, result, expected) => {
      const test = await offering(pages, {
        scripts: [calling({ name: 'page_try_it', arguments: { id: 1 } }), saying('So it is.')],
        tools: `await tool('try_it', { annotations: { readOnlyHint: true } }, ${result});`,
      });
      await test.say('Try it');
      await test.log.getByText('So it is.').waitFor();
      expect(told(test)).toContain(expected);
    });

    // proves configuration-7-07
    it('stay what they are without the setting: nothing is fetched or offered', async () => {
      const { url, model } = await scriptedServer({ scripts: [saying('Hello.')] });
      const widget = await pages.open(url);
      const asked: string[] = [];
      widget.page.on('request', (request) => asked.push(request.url()));
      await widget.page.evaluate(`(async () => { ${registering} await tool('good'); })()`);
      await widget.openPanel();
      await widget.say('Hello');
      await widget.log.getByText('Hello.').waitFor();
      expect(JSON.stringify(model.requests.at(-1)?.body['tools'])).not.toContain('page_');
      expect(asked.filter((address) => address.includes('webmcp'))).toEqual([]);
    });
  },
  withWebMcp,
);

describeInBrowser('a browser without WebMCP', (pages) => {
  it('loses nothing by the setting', async () => {
    const { url } = await scriptedServer({ scripts: [saying('Hello.')], settings: { client: { webMcp: true } } });
    const { log, messages, openPanel, say } = await pages.open(url);
    await openPanel();
    await say('Hello');
    await log.getByText('Hello.').waitFor();
    expect(messages).toEqual([]);
  });
});
