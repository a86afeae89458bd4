import { describe, expect, it } from 'vitest';
import { demoTexts } from '../../../../../src/adapters/models/demo/texts.ts';
import { cardShownNote } from '../../../../../src/core/tools/tool-outcome.ts';
import { languages } from '../../../../../src/wire/client-settings.ts';
import { DemoDialogue } from './demo-dialogue.ts';
import { shopTools } from './shop-tools.ts';

describe('DemoChatModel beside a card (contract/plugins.md#results)', () => {
  const shown = (result: object): string => `[succeeded] ${JSON.stringify(result)}\n${cardShownNote}`;
  const orders = [{ orderNumber: 1002, item: 'Oak bookshelf' }];

  it.each(languages)('says how many there are and repeats no row, in %s', async (language) => {
    const dialogue = new DemoDialogue({ language });
    await dialogue.calls('Show me my open orders');
    const words = await dialogue.outcome(shown({ orders: [...orders, ...orders] }));
    expect(words).toBe(demoTexts[language].onCard(2));
    expect(words).toContain('2');
    expect(words).not.toMatch(/\||\n|Oak/);
  });

  it('says of one thing that it is there, of nothing that there is none, and of a change that it is done', async () => {
    const looked = new DemoDialogue();
    await looked.calls('Where is order 1002?');
    expect(await looked.outcome(shown({ orderNumber: 1002 }))).toBe('Order number 1002. The card shows the details.');
    const empty = new DemoDialogue();
    await empty.calls('Show me my open orders');
    expect(await empty.outcome(shown({ orders: [] }))).toBe('I found nothing.');
    const changed = new DemoDialogue();
    await changed.calls('Cancel order 1002');
    expect(await changed.outcome(shown({ orderNumber: 1002 }))).toBe('Done. The card shows the details.');
  });
});

describe('DemoChatModel takes amounts as results write them', () => {
  it('takes over an amount as the result writes it, where the refund takes a text', async () => {
    const amount = { type: 'string', title: 'Amount' };
    const tools = shopTools.map((tool) =>
      tool.name === 'issue_refund'
        ? { ...tool, parameters: { ...tool.parameters, properties: { orderNumber: { type: 'integer' }, amount } } }
        : tool,
    );
    const dialogue = new DemoDialogue({ tools });
    await dialogue.calls('Refund order 1003');
    await dialogue.outcome(`[succeeded] {"orderNumber":1003,"total":"€1,079.50"}\n${cardShownNote}`);
    const refundOf = (text: string) => [{ name: 'issue_refund', arguments: { orderNumber: 1003, amount: text } }];
    expect(dialogue.nextCalls).toEqual(refundOf('€1,079.50'));
    expect(await new DemoDialogue({ tools }).calls('Refund order 1003 with €19.90')).toEqual(refundOf('€19.90'));
    expect(await new DemoDialogue({ tools }).calls('Refund 20 for order 1003')).toEqual(refundOf('20'));
  });

  it('takes an amount of a text for a refund that takes a number', async () => {
    const dialogue = new DemoDialogue();
    await dialogue.calls('Refund order 1003');
    await dialogue.outcome('[succeeded] {"orderNumber":1003,"total":"€79.50"}');
    expect(dialogue.nextCalls).toEqual([{ name: 'issue_refund', arguments: { orderNumber: 1003, amount: 79.5 } }]);
  });
});
