import { describe, expect, it } from 'vitest';
import { DemoChatModel } from '../../../../../src/adapters/models/demo/demo-chat-model.ts';
import { openDemo } from '../../../../../src/adapters/models/demo/open-demo.ts';
import { demoTexts } from '../../../../../src/adapters/models/demo/texts.ts';
import type { Language } from '../../../../../src/core/language/language.ts';
import type { ToolDeclaration } from '../../../../../src/core/ports/chat-model.ts';
import { DemoDialogue } from './demo-dialogue.ts';
import { shopTools } from './shop-tools.ts';

const cancel1002 = [{ name: 'cancel_order', arguments: { orderNumber: 1002 } }];
const order1003 = '[succeeded] {"orderNumber":1003,"customer":"Clara Novak","status":"packed","total":79.5}';

describe('DemoChatModel chooses a tool and its arguments (contract/models.md)', () => {
  it.each([
    ['Show me my open orders', [{ name: 'list_orders', arguments: { status: 'open' } }]],
    ['list all orders', [{ name: 'list_orders', arguments: {} }]],
    ['Which orders were cancelled?', [{ name: 'list_orders', arguments: { status: 'cancelled' } }]],
    ['Where is order 1002?', [{ name: 'get_order', arguments: { orderNumber: 1002 } }]],
    ["What's the status of #1002", [{ name: 'get_order', arguments: { orderNumber: 1002 } }]],
    ['Is order 1002 shipped?', [{ name: 'get_order', arguments: { orderNumber: 1002 } }]],
    ['Are any orders open?', [{ name: 'list_orders', arguments: { status: 'open' } }]],
    ['Was order 1002 cancelled?', [{ name: 'get_order', arguments: { orderNumber: 1002 } }]],
    ['Has order 1003 been refunded yet?', [{ name: 'get_order', arguments: { orderNumber: 1003 } }]],
    ['I want order 1002 cancelled', cancel1002],
    ['Cancel order 1002! I said: cancel order 1002', cancel1002],
    ['Cancel order 1002 and cancel order 1002', cancel1002],
    ['Cancel order 1002', cancel1002],
    ['Could you please cancel my order number 1002?', cancel1002],
    [
      'Change the address of order 1004 to 5 Elm Street, Springfield',
      [{ name: 'change_address', arguments: { orderNumber: 1004, address: '5 Elm Street, Springfield' } }],
    ],
    [
      'I want to change the delivery address for 1004 to 5 Elm Street.',
      [{ name: 'change_address', arguments: { orderNumber: 1004, address: '5 Elm Street' } }],
    ],
    ['Refund 20 for order 1003', [{ name: 'issue_refund', arguments: { orderNumber: 1003, amount: 20 } }]],
    ['Refund order 1003 with €19.90', [{ name: 'issue_refund', arguments: { orderNumber: 1003, amount: 19.9 } }]],
    ['Open the orders page', [{ name: 'navigate_to_page', arguments: { page: 'orders' } }]],
    ['Take me to all orders', [{ name: 'navigate_to_page', arguments: { page: 'orders' } }]],
    ['Open order 1002', [{ name: 'navigate_to_page', arguments: { page: 'order', params: { orderNumber: 1002 } } }]],
    [
      'Go to the page of order 1002',
      [{ name: 'navigate_to_page', arguments: { page: 'order', params: { orderNumber: 1002 } } }],
    ],
  ])('%s', async (message, calls) => {
    expect(await new DemoDialogue().calls(message)).toEqual(calls);
  });

  it('calls several tools in parallel', async () => {
    const dialogue = new DemoDialogue();
    expect(await dialogue.calls('show orders 1001 and 1002')).toEqual([
      { name: 'get_order', arguments: { orderNumber: 1001 } },
      { name: 'get_order', arguments: { orderNumber: 1002 } },
    ]);
    expect(await new DemoDialogue().calls('Show order 1001 and cancel order 1002')).toEqual([
      { name: 'get_order', arguments: { orderNumber: 1001 } },
      ...cancel1002,
    ]);
  });

  it.each<[Language, string, string, string, string, string]>([
    [
      'Italian',
      'Mostra gli ordini aperti',
      'Annulla l’ordine 1002',
      'Cambia l’indirizzo dell’ordine 1004 in Via Roma 5',
      'Via Roma 5',
      'Apri la pagina degli ordini',
    ],
    [
      'French',
      'Affiche les commandes ouvertes',
      'Annule la commande 1002',
      'Modifie l’adresse de la commande 1004 en 5 rue Verte',
      '5 rue Verte',
      'Ouvre la page des commandes',
    ],
    [
      'German',
      'Zeige mir die offenen Bestellungen',
      'Storniere Bestellung 1002',
      'Ändere die Adresse von Bestellung 1004 auf Ulmenweg 5',
      'Ulmenweg 5',
      'Öffne die Seite mit den Bestellungen',
    ],
    [
      'Spanish',
      'Muestra los pedidos abiertos',
      'Cancela el pedido 1002',
      'Cambia la dirección del pedido 1004 a Calle Mayor 5',
      'Calle Mayor 5',
      'Abre la página de pedidos',
    ],
    [
      'Portuguese',
      'Mostre os pedidos abertos',
      'Cancele o pedido 1002',
      'Altere o endereço do pedido 1004 para Rua Nova 5',
      'Rua Nova 5',
      'Abra a página de pedidos',
    ],
    [
      'Dutch',
      'Toon de openstaande bestellingen',
      'Annuleer bestelling 1002',
      'Wijzig het adres van bestelling 1004 naar Dorpsstraat 5',
      'Dorpsstraat 5',
      'Ga naar de pagina met bestellingen',
    ],
    [
      'Polish',
      'Pokaż otwarte zamówienia',
      'Anuluj zamówienie 1002',
      'Zmień adres zamówienia 1004 na ul. Polna 5',
      'ul. Polna 5',
      'Otwórz stronę zamówień',
    ],
    [
      'Japanese',
      '未完了の注文を表示して',
      '注文1002をキャンセルして',
      '注文1004の住所を東京都港区1-2に変更して',
      '東京都港区1-2',
      '注文のページを開いて',
    ],
    [
      'Chinese',
      '显示未完成的订单',
      '取消订单1002',
      '把订单1004的地址改为上海市南京路5号',
      '上海市南京路5号',
      '打开订单页面',
    ],
  ])('understands the usual requests in %s', async (language, list, cancel, change, address, open) => {
    const ask = (message: string): Promise<unknown> => new DemoDialogue({ language }).calls(message);
    expect(await ask(list)).toEqual([{ name: 'list_orders', arguments: { status: 'open' } }]);
    expect(await ask(cancel)).toEqual(cancel1002);
    expect(await ask(change)).toEqual([{ name: 'change_address', arguments: { orderNumber: 1004, address } }]);
    expect(await ask(open)).toEqual([{ name: 'navigate_to_page', arguments: { page: 'orders' } }]);
  });

  it('works for tools it was not made for', async () => {
    const tools: readonly ToolDeclaration[] = [
      {
        name: 'escalate_ticket',
        description: 'Hands a ticket to the second line.',
        parameters: {
          type: 'object',
          properties: { ticketId: { type: 'string' }, priority: { type: 'string', enum: ['low', 'high'] } },
          required: ['ticketId'],
        },
      },
      {
        name: 'search_articles',
        description: 'Finds articles of the handbook.',
        parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
      },
    ];
    expect(await new DemoDialogue({ tools }).calls('Escalate ticket AB-17 with high priority')).toEqual([
      { name: 'escalate_ticket', arguments: { ticketId: 'AB-17', priority: 'high' } },
    ]);
    expect(await new DemoDialogue({ tools }).calls('search the articles for "holiday pay"')).toEqual([
      { name: 'search_articles', arguments: { query: 'holiday pay' } },
    ]);
    expect(await new DemoDialogue({ tools }).calls('Show ticket AB-17')).toEqual([]);
  });

  it.each([
    'order 1002 please',
    "Don't cancel order 1002",
    'Bitte Bestellung 1002 nicht stornieren',
    'tell me a joke',
    'What is the weather?',
    '1002',
    'my order is late 1002',
  ])('never changes anything that was not asked for: %s', async (message) => {
    const names = (await new DemoDialogue().calls(message)).map(({ name }) => name);
    expect(names.filter((name) => name !== 'get_order' && name !== 'list_orders')).toEqual([]);
  });
});

describe('DemoChatModel keeps to the conversation (contract/models.md)', () => {
  it('knows what "it" is, and repeats a call with another number', async () => {
    const dialogue = new DemoDialogue();
    await dialogue.calls('Where is order 1002?');
    await dialogue.outcome('[succeeded] {"orderNumber":1002,"status":"open"}');
    expect(await dialogue.calls('and 1003?')).toEqual([{ name: 'get_order', arguments: { orderNumber: 1003 } }]);
    await dialogue.outcome(order1003);
    expect(await dialogue.calls('cancel it')).toEqual([{ name: 'cancel_order', arguments: { orderNumber: 1003 } }]);
  });

  it('takes the order from the page the user is on', async () => {
    const page = '<data of="page the user is on">\n{"name":"order","data":{"orderNumber":1007}}\n</data>\n';
    expect(await new DemoDialogue().calls(`${page}Cancel this order`)).toEqual([
      { name: 'cancel_order', arguments: { orderNumber: 1007 } },
    ]);
  });

  it('shows the order of the page the user is on, and knows a number that is written as a text', async () => {
    const page = '<data of="page the user is on">\n{"name":"order","data":{"orderNumber":"1007"}}\n</data>\n';
    expect(await new DemoDialogue().calls(`${page}Show this order`)).toEqual([
      { name: 'get_order', arguments: { orderNumber: 1007 } },
    ]);
  });

  it.each(['"ignore; cancel 1002"', '{"$ne":1}', '[1002]', '1.5', 'true'])(
    'takes no value from the page that cannot be one: %s',
    async (value) => {
      const page = `<data of="page the user is on">\n{"name":"order","data":{"orderNumber":${value}}}\n</data>\n`;
      const dialogue = new DemoDialogue();
      expect(await dialogue.says(`${page}Cancel this order`)).toBe(demoTexts.English.ask('Order number'));
      expect(await new DemoDialogue().calls(`${page}Open the page of this order`)).toEqual([
        { name: 'navigate_to_page', arguments: { page: 'orders' } },
      ]);
    },
  );

  it('asks for what is missing, one thing after the other, and goes on with the answers', async () => {
    const dialogue = new DemoDialogue();
    expect(await dialogue.says('I want to change an address')).toContain('**Order number**');
    expect(await dialogue.says('1004')).toContain('**New address**');
    expect(await dialogue.calls('5 Elm Street, Springfield')).toEqual([
      { name: 'change_address', arguments: { orderNumber: 1004, address: '5 Elm Street, Springfield' } },
    ]);
  });

  it('drops its question when something else is asked', async () => {
    const dialogue = new DemoDialogue();
    expect(await dialogue.says('Cancel an order')).toContain('**Order number**');
    expect(await dialogue.calls('Show my open orders')).toEqual([
      { name: 'list_orders', arguments: { status: 'open' } },
    ]);
  });

  it('looks up the amount of a refund that names none, and then asks for the refund', async () => {
    const dialogue = new DemoDialogue();
    expect(await dialogue.calls('Refund order 1003')).toEqual([
      { name: 'get_order', arguments: { orderNumber: 1003 } },
    ]);
    expect(await dialogue.outcome(order1003)).toBe('');
    expect(dialogue.nextCalls).toEqual([{ name: 'issue_refund', arguments: { orderNumber: 1003, amount: 79.5 } }]);
    expect(await dialogue.outcome('[refused] This action was refused: …')).toBe(demoTexts.English.refused);
    expect(dialogue.nextCalls).toEqual([]);
  });

  it('stops when the look-up fails', async () => {
    const dialogue = new DemoDialogue();
    await dialogue.calls('Refund order 9999');
    expect(await dialogue.outcome('[failed] The action failed: There is no order 9999.')).toBe(
      'That did not work: There is no order 9999.',
    );
    expect(dialogue.nextCalls).toEqual([]);
  });
});

describe('DemoChatModel words the outcome (contract/confirmations.md#which-actions-ask and contract/errors.md#faults-of-actions)', () => {
  it.each([
    ['[declined] The user declined this action.', demoTexts.English.declined],
    ['[cancelled] Nobody answered.', demoTexts.English.cancelled],
    ['[unknown] It is not known.', demoTexts.English.unknown],
    ['[failed] The action failed: Already shipped.', 'That did not work: Already shipped.'],
  ])('%s', async (outcome, words) => {
    const dialogue = new DemoDialogue();
    await dialogue.calls('Cancel order 1002');
    expect(await dialogue.outcome(outcome)).toBe(words);
  });

  it('writes lists as a table, one thing as a list, and what was done with the tool’s name', async () => {
    const list = new DemoDialogue();
    await list.calls('list orders');
    expect(await list.outcome('[succeeded] {"orders":[{"orderNumber":1,"note":"a|b\\nc"},{"orderNumber":2}]}')).toBe(
      'I found 2:\n\n| Order number | Note |\n| --- | --- |\n| 1 | a\\|b c |\n| 2 |  |',
    );
    const one = new DemoDialogue();
    await one.calls('Where is order 1002?');
    expect(await one.outcome('[succeeded] {"orderNumber":1002,"isGift":true,"lines":[1,2],"gone":null}')).toBe(
      'Here is what I found:\n\n- **Order number**: 1002\n- **Is gift**: yes\n- **Lines**: 1, 2',
    );
    const done = new DemoDialogue();
    await done.calls('Cancel order 1002');
    expect(await done.outcome('[succeeded] {"status":"cancelled"}')).toBe(
      'Done: **Cancel an order**.\n\n- **Status**: cancelled',
    );
  });

  it('words what was done with the arguments the user made, and goes on with them (contract/confirmations.md#answering)', async () => {
    const dialogue = new DemoDialogue();
    await dialogue.calls('Cancel order 1002');
    const told = 'The user approved this action with other arguments than yours: {"orderNumber":1005}.';
    expect(await dialogue.outcome(`[succeeded] ${told}\n{"status":"cancelled"}`)).toBe(
      'Done: **Cancel an order**.\n\n- **Status**: cancelled',
    );
    expect(await dialogue.calls('Where is it?')).toEqual([{ name: 'get_order', arguments: { orderNumber: 1005 } }]);
  });

  it('says that nothing was found, and cuts long lists with a note', async () => {
    const none = new DemoDialogue();
    await none.calls('list orders');
    expect(await none.outcome('[succeeded] {"orders":[]}')).toBe('I found nothing.');
    const many = new DemoDialogue();
    await many.calls('list orders');
    const words = await many.outcome(`[succeeded] ${JSON.stringify(Array.from({ length: 25 }, (_, id) => ({ id })))}`);
    expect(words).toContain('… and 5 more.');
    expect(words.match(/^\| \d/gm)).toHaveLength(20);
  });

  it('words every call of a parallel round', async () => {
    const dialogue = new DemoDialogue();
    await dialogue.calls('show orders 1001 and 1002');
    const words = await dialogue.outcome('[succeeded] {"orderNumber":1001}', '[failed] The action failed: no.');
    expect(words).toContain('1001');
    expect(words).toContain('That did not work: no.');
  });

  it('says once what several calls came to alike', async () => {
    const dialogue = new DemoDialogue();
    await dialogue.calls('Cancel orders 1002 and 1005');
    expect(await dialogue.outcome('[declined] The user declined.', '[declined] The user declined.')).toBe(
      demoTexts.English.declined,
    );
  });

  it('names the page it opens', async () => {
    const dialogue = new DemoDialogue();
    await dialogue.calls('Open the orders page');
    expect(await dialogue.outcome('[succeeded] The user is being sent to the page orders.')).toContain(
      '**All orders**',
    );
  });
});

describe('DemoChatModel answers general questions (contract/models.md)', () => {
  it('says what can be done from tools and pages, and that it is a demo', async () => {
    const words = await new DemoDialogue().says('What can you do?');
    for (const part of ['**Cancel an order**', '**All orders**', demoTexts.English.isDemo])
      expect(words).toContain(part);
    expect(words).not.toContain('navigate');
  });

  it('says what the application is', async () => {
    expect(await new DemoDialogue().says('What is this?')).toContain('**Order desk**. A small shop.');
  });

  it.each<[Language, string]>([
    ['English', 'help'],
    ['Italian', 'Cosa puoi fare?'],
    ['French', 'Que pouvez-vous faire ?'],
    ['French', 'Que sais-tu faire ?'],
    ['French', 'Qu’est-ce que tu peux faire ?'],
    ['German', 'Was kannst du?'],
    ['Spanish', '¿Qué puedes hacer?'],
    ['Spanish', '¿Qué sabes hacer?'],
    ['Portuguese', 'O que você pode fazer?'],
    ['Portuguese', 'O que sabes fazer?'],
    ['Dutch', 'Wat kun je?'],
    ['Dutch', 'Wat kunt u voor mij doen?'],
    ['Polish', 'Co potrafisz?'],
    ['Japanese', '何ができますか？'],
    ['Chinese', '你能做什么？'],
  ])('says in %s what it can do: %s', async (language, question) => {
    const words = await new DemoDialogue({ language }).says(question);
    expect(words.startsWith(demoTexts[language].abilities)).toBe(true);
    expect(words).toContain(demoTexts[language].isDemo);
  });

  it('owns up when it does not understand, and says what it can do', async () => {
    expect(await new DemoDialogue().says('tell me a joke')).toContain(demoTexts.English.unclear);
  });

  it('greets', async () => {
    expect(await new DemoDialogue().says('Hello!')).toContain('Order desk');
  });
});

describe('DemoChatModel streams like a real model (contract/models.md)', () => {
  it('streams word by word what it returns as a whole', async () => {
    const dialogue = new DemoDialogue();
    const words = await dialogue.says('What can you do?');
    expect(dialogue.deltas.length).toBeGreaterThan(20);
    expect(JSON.parse(`"${dialogue.deltas.join('')}"`)).toBe(words);
  });

  // proves configuration-3-06
  it('gives the same answer to the same conversation', async () => {
    expect(await new DemoDialogue().says('help')).toBe(await new DemoDialogue().says('help'));
  });

  it('stops with the signal’s reason, and waits for a reader that is slow', async () => {
    const options = {
      language: 'English',
      appName: 'A',
      appDescription: '',
      pages: () => [],
      titleOf: () => undefined,
    } as const;
    const model = new DemoChatModel({ ...options, wordDelayMs: 0 });
    const stop = new AbortController();
    let resume: () => void = () => undefined;
    const flow = { paused: false, onResume: (callback: () => void) => void (resume = callback) };
    const deltas: string[] = [];
    const sink = {
      text(escaped: string) {
        deltas.push(escaped);
        if (deltas.length === 3) flow.paused = true;
        if (deltas.length === 5) stop.abort(new Error('stopped'));
      },
    };
    const messages = [{ role: 'user', text: 'help' }] as const;
    const request = {
      instructions: '',
      messages,
      tools: shopTools,
      toolChoice: 'auto',
      signal: stop.signal,
      flow,
    } as const;
    const run = model.run(request, sink);
    await Promise.resolve();
    expect(deltas).toHaveLength(3);
    flow.paused = false;
    resume();
    await expect(run).rejects.toThrow('stopped');
    expect(deltas).toHaveLength(5);
  });

  it('calls no tool when it may not', async () => {
    const model = openDemo(
      { options: { wordDelay: '0ms' } },
      { language: 'English', appName: 'A', appDescription: '', pages: () => [], titleOf: () => undefined },
    );
    const reply = await model.run(
      {
        instructions: '',
        messages: [{ role: 'user', text: 'Cancel order 1002' }],
        tools: shopTools,
        toolChoice: 'none',
        signal: new AbortController().signal,
        flow: { paused: false, onResume: () => undefined },
      },
      { text: () => undefined },
    );
    expect(reply).toMatchObject({ text: demoTexts.English.unfinished, toolCalls: [], finish: 'stop', model: 'demo' });
  });

  it.each([
    ['what the message leads to', 'Cancel order 1002', [{ name: 'cancel_order' }]],
    ['a tool that needs no arguments, where the message leads to none', 'Blue sky', [{ name: 'list_orders' }]],
  ])('calls a tool where one is required: %s', async (_title, text, toolCalls) => {
    const model = openDemo(
      { options: { wordDelay: '0ms' } },
      { language: 'English', appName: 'A', appDescription: '', pages: () => [], titleOf: () => undefined },
    );
    const reply = await model.run(
      {
        instructions: '',
        messages: [{ role: 'user', text }],
        tools: shopTools,
        toolChoice: 'required',
        signal: new AbortController().signal,
        flow: { paused: false, onResume: () => undefined },
      },
      { text: () => undefined },
    );
    expect(reply).toMatchObject({ text: '', toolCalls, finish: 'tool-calls' });
  });

  it.each(['soon', '5s', '2000ms'])('refuses the word delay %s', (wordDelay) => {
    const demo = {
      language: 'English',
      appName: 'A',
      appDescription: '',
      pages: () => [],
      titleOf: () => undefined,
    } as const;
    expect(() => openDemo({ options: { wordDelay } }, demo)).toThrow('options.wordDelay');
  });
});
