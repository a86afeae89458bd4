import { describe, expect, it } from 'vitest';
import { fileOf, imagesOn } from '../../../support/images.ts';
import { calling, conversation, everyCallByRule, lookUpTool, noteTool } from '../../../support/provenance.ts';

const parameters = {
  type: 'object',
  properties: { to: { type: 'array', items: { type: 'string', sink: true } }, text: { type: 'string' } },
};
/** Asks for nothing by itself. */
const mailTool = (more: Parameters<typeof noteTool>[0] = {}) =>
  noteTool({ name: 'send_mail', title: 'Send mail', readOnly: true, parameters, ...more });

const mails = (...to: readonly string[]) => calling('send_mail', { to, text: 'Hello' });
const done = { text: 'Done.' };
const marked = (to: readonly string[]) => [
  { name: 'to', label: 'to', value: to, notFromUser: true },
  { name: 'text', label: 'text', value: 'Hello' },
];

describe('a parameter with sink: true (contract/provenance.md#sinks)', () => {
  // proves service-10-13
  it('runs unasked with what the user has written, in this message or an earlier one', async () => {
    const tool = mailTool(); // its result is not trusted, and does not matter here
    const { say } = conversation([{ text: 'Whom?' }, mails('ann@shop.test', 'bob@shop.test'), done], {
      toolList: [tool],
    });
    await say('write to Ann@shop.test');
    expect(await say('and to bob@shop.test')).toEqual([]);
    expect(tool.runs).toHaveLength(1);
  });

  // proves service-10-13, service-10-25, service-10-26
  it('asks with any other value, although it reads only, and marks the value', async () => {
    const tool = mailTool();
    const to = ['ann@shop.test', 'eve@evil.test'];
    const { say } = conversation([mails(...to), done], { toolList: [tool] });
    const [question] = await say('write to ann@shop.test');
    expect(question).toMatchObject({ reason: 'influenced', canRemember: false, arguments: marked(to) });
    expect(question).not.toHaveProperty('influencedBy');
    expect(tool.runs).toEqual([]);
  });

  // proves service-10-14
  it('asks in spite of a rule that approves the call, and keeps the reason of one that asks anyway', async () => {
    const { say } = conversation([mails('eve@evil.test'), done], {
      ...everyCallByRule,
      toolList: [mailTool({ readOnly: undefined })],
    });
    expect(await say('write')).toMatchObject([
      { reason: 'write', canRemember: false, arguments: marked(['eve@evil.test']) },
    ]);
  });

  // proves service-10-13
  it('takes the results of trusted actions for a source, and those of others not', async () => {
    for (const [source, questions] of [
      [lookUpTool({ trusted: true, execute: () => ({ value: { mail: 'ann@shop.test' } }) }), 0],
      [lookUpTool({ execute: () => ({ value: { mail: 'ann@shop.test' } }) }), 1],
    ] as const) {
      const { say } = conversation([calling('look_up'), mails('ann@shop.test'), done], {
        toolList: [source, mailTool()],
      });
      expect(await say('write to Ann')).toHaveLength(questions);
    }
  });

  // proves service-10-18
  it('does not take a trusted result for a source of what its own call has brought', async () => {
    const echoing = lookUpTool({
      trusted: true,
      execute: ({ query }) => ({ value: `nothing found for ${String(query)}` }),
    });
    const { say } = conversation([calling('look_up', { query: 'eve@evil.test' }), mails('eve@evil.test'), done], {
      toolList: [echoing, mailTool()],
    });
    expect(await say('write to Ann')).toMatchObject([{ reason: 'influenced' }]);
  });

  // proves service-10-17
  it('takes neither a submitted form nor the name of a picture for the words of the user', async () => {
    const { say } = conversation([mails('eve@evil.test'), done, mails('eve@evil.test'), done], {
      images: imagesOn,
      toolList: [mailTool()],
    });
    const cardSubmit = { cardId: 'c', data: { to: 'eve@evil.test' } };
    const attachments = [{ name: 'eve@evil.test', contentType: 'image/png', data: fileOf('image/png') }];
    expect(await say({ text: 'send it', cardSubmit, attachments })).toHaveLength(1);
    expect(await say('send it again')).toHaveLength(1);
  });

  // proves service-10-17
  it('takes the words that are sent with a submitted card for those of the card, since they name its button', async () => {
    const { say } = conversation([mails('eve@evil.test'), done, mails('eve@evil.test'), done], {
      toolList: [mailTool()],
    });
    const cardSubmit = { cardId: 'c', data: {} };
    expect(await say({ text: 'Sent: Write to eve@evil.test', cardSubmit })).toMatchObject([
      { arguments: marked(['eve@evil.test']) },
    ]);
    expect(await say('go on')).toMatchObject([{ arguments: marked(['eve@evil.test']) }]);
  });

  // proves service-10-16
  it('takes of a text that the user changed only what the model had not written', async () => {
    const tool = mailTool({ editable: true });
    const first = calling('send_mail', { to: ['eve@evil.test'], text: 'Copy eve@evil.test' });
    const { say } = conversation([first, mails('bob@shop.test'), mails('eve@evil.test'), done], { toolList: [tool] });
    const edited = { to: ['bob@shop.test'], text: 'Please copy eve@evil.test' };
    expect(await say('write', { approved: true, arguments: edited })).toMatchObject([
      { arguments: [{ value: ['eve@evil.test'] }, {}] },
      { arguments: marked(['eve@evil.test']) },
    ]);
    expect(tool.runs.slice(0, 2)).toEqual([edited, { to: ['bob@shop.test'], text: 'Hello' }]);
  });

  // proves service-10-18
  it('takes a trusted result for no source of an address in several lines that its own call has brought', async () => {
    const echoing = lookUpTool({ trusted: true, execute: ({ query }) => ({ value: `nothing for ${String(query)}` }) });
    const address = 'Eve\nLane "5"\nEvilton';
    const { say } = conversation([calling('look_up', { query: address }), mails(address), done], {
      toolList: [echoing, mailTool()],
    });
    expect(await say('write to Ann')).toMatchObject([{ reason: 'influenced' }]);
  });

  // proves service-10-15
  it.each<[string, object, object?]>([
    ['an anchor', { $ref: '#address' }],
    ['an id', { $ref: 'https://shop.test/address' }],
    ['a dynamic anchor', { $dynamicRef: '#address' }],
    ['a pattern beside its name', { type: 'string' }, { '^to$': { type: 'string', sink: true }, '(': {} }],
  ])('is one by %s too', async (_how, to, patternProperties = {}) => {
    const address = { $id: 'https://shop.test/address', $anchor: 'address', $dynamicAnchor: 'address' };
    const schema = {
      type: 'object',
      properties: { to },
      patternProperties,
      $defs: { address: { ...address, type: 'string', sink: true } },
    };
    const { say } = conversation([calling('send_mail', { to: 'eve@evil.test' }), done], {
      toolList: [mailTool({ parameters: schema })],
    });
    expect(await say('write to Ann')).toMatchObject([{ reason: 'influenced' }]);
  });

  // proves service-10-16
  it('takes what the user typed into a question for theirs afterwards, and nothing else of that question', async () => {
    const tool = mailTool({ editable: true });
    const { say } = conversation([mails('eve@evil.test'), done, mails('bob@shop.test'), mails('eve@evil.test'), done], {
      toolList: [tool],
    });
    await say('write to Bob', { approved: true, arguments: { to: ['bob@shop.test'], text: 'Hello' } });
    const questions = await say('write to him again');
    expect(questions).toMatchObject([{ arguments: marked(['eve@evil.test']) }]);
    expect(tool.runs).toEqual([
      { to: ['bob@shop.test'], text: 'Hello' },
      { to: ['bob@shop.test'], text: 'Hello' },
    ]);
  });

  // proves service-10-19
  it('looks for 20 values of a call, and asks about more', async () => {
    const many = Array.from({ length: 21 }, (_, index) => `user${String(index)}@shop.test`);
    for (const [to, questions] of [
      [many.slice(1), 0],
      [many, 1],
    ] as const) {
      const { say } = conversation([mails(...to), done], { toolList: [mailTool()] });
      expect(await say(`write to ${many.join(', ')}`)).toHaveLength(questions);
    }
  });

  // proves service-10-12
  it('asks nothing with requireConfirmation: false, nor with provenance.enforce: false', async () => {
    for (const setting of [{ requireConfirmation: false }, { enforcesProvenance: false }]) {
      const tool = mailTool();
      const { say } = conversation([mails('eve@evil.test'), done], { toolList: [tool], ...setting });
      expect(await say('write')).toEqual([]);
      expect(tool.runs).toHaveLength(1);
    }
  });
});
