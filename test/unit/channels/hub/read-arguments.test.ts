import { describe, expect, it } from 'vitest';
import { HubArgumentError, HubError } from '../../../../src/channels/hub/protocol/hub-errors.ts';
import {
  readMessageArguments,
  readPageArgument,
  readResumeArgument,
} from '../../../../src/channels/hub/read-arguments.ts';

describe('readMessageArguments (contract/hub.md#methods)', () => {
  // proves wire-3-07
  it('reads text, attachments, page and a submitted card', () => {
    const attachment = { name: 'a.png', contentType: 'image/png', data: 'AAAA' };
    const page = { name: 'orders', title: 'Orders', url: '/orders', data: { open: 3 } };
    const cardSubmit = { cardId: 'card-1', data: { rating: 5 } };
    expect(readMessageArguments(['hi', { attachments: [attachment], page, cardSubmit }])).toEqual({
      message: { text: 'hi', attachments: [attachment], cardSubmit },
      options: { page },
    });
  });

  // proves wire-3-13
  it.each([[['hi']], [['hi', null]], [['hi', {}]], [['hi', { attachments: null, page: null, cardSubmit: null }]]])(
    'takes what is left out or null for absent, as .NET sends it: %j',
    (given) => {
      expect(readMessageArguments(given)).toEqual({ message: { text: 'hi' }, options: {} });
    },
  );

  it.each([[[]], [[null]]])('takes text that is left out for empty, which the core judges: %j', (given) => {
    expect(readMessageArguments(given).message.text).toBe('');
  });

  it('passes on only what it knows', () => {
    const { message, options } = readMessageArguments(['hi', { principal: 'root', page: { name: 'a', role: 'root' } }]);
    expect(message).toEqual({ text: 'hi' });
    expect(options).toEqual({ page: { name: 'a' } });
  });

  it.each([
    ['text that is a number', [5]],
    ['options that are a text', ['hi', 'there']],
    ['options that are a list', ['hi', []]],
    ['attachments that are no list', ['hi', { attachments: {} }]],
    ['an attachment without a type', ['hi', { attachments: [{ data: '' }] }]],
    ['an attachment without data', ['hi', { attachments: [{ contentType: 'image/png' }] }]],
    ['a card without an id', ['hi', { cardSubmit: { data: {} } }]],
    ['a card id that is no id', ['hi', { cardSubmit: { cardId: '../x', data: {} } }]],
    ['a page without a name', ['hi', { page: {} }]],
  ])('refuses %s as SignalR does', (_title, given) => {
    expect(() => readMessageArguments(given)).toThrow(HubArgumentError);
  });

  it.each([
    ['a list', (): unknown => nested(65, (inner) => [inner])],
    ['an object', (): unknown => nested(65, (inner) => ({ inner }))],
    ['thousands of levels', (): unknown => nested(8000, (inner) => [inner])],
  ])('refuses data that is nested too deep to be written down again: %s (contract/hub.md#methods)', (_title, data) => {
    const cardSubmit = { cardId: 'card', data: data() };
    expect(() => readMessageArguments(['', { cardSubmit }])).toThrow(
      new HubError('cardSubmit.data has more than 64 levels.'),
    );
    expect(() => readPageArgument([{ name: 'orders', data: data() }])).toThrow(
      new HubError('page.data has more than 64 levels.'),
    );
  });

  it('takes data of 64 levels', () => {
    const data = nested(64, (inner) => [inner]);
    expect(readPageArgument([{ name: 'orders', data }]).page).toEqual({ name: 'orders', data });
  });

  it('bounds what a client can send along, and says how', () => {
    const attachments = Array.from({ length: 33 }, () => ({ contentType: 'image/png', data: '' }));
    const cardSubmit = { cardId: 'card', data: 'x'.repeat(16_383) };
    expect(() => readMessageArguments(['', { attachments }])).toThrow(
      new HubError('attachments has more than 32 entries.'),
    );
    expect(() => readMessageArguments(['', { cardSubmit }])).toThrow(
      new HubError('cardSubmit.data is larger than 16384 bytes.'),
    );
  });
});

describe('readPageArgument (contract/hub.md#methods, SetPage)', () => {
  // proves wire-3-16
  it('takes page data up to 8 KiB of JSON', () => {
    const page = { name: 'orders', data: 'é'.repeat(4095) };
    expect(readPageArgument([page])).toEqual({ page, actions: [] });
    expect(() => readPageArgument([{ ...page, data: `${page.data}é` }])).toThrow(
      new HubError('page.data is larger than 8192 bytes.'),
    );
  });

  it.each(['name', 'title', 'url'])('bounds %s', (field) => {
    expect(() => readPageArgument([{ name: 'a', [field]: 'x'.repeat(3000) }])).toThrow(HubError);
  });

  it.each([[[]], [[null]], [['orders']]])('refuses %j as SignalR does', (given) => {
    expect(() => readPageArgument(given)).toThrow(HubArgumentError);
  });
});

describe('readPageArgument (contract/ui-actions.md, SetPage.actions)', () => {
  const action = { name: 'show_order', description: 'Scrolls to an order.', parameters: { type: 'object' } };
  const offering = (...actions: unknown[]) => readPageArgument([{ name: 'orders', actions }]);

  it('reads what the page offers; what is left out or null is absent, and declares no readOnly', () => {
    expect(
      offering(
        action,
        { ...action, name: 'a', readOnly: true },
        { ...action, name: 'b', readOnly: null, destructive: true },
      ),
    ).toEqual({
      page: { name: 'orders' },
      actions: [
        { ...action, readOnly: false },
        { ...action, name: 'a', readOnly: true },
        { ...action, name: 'b', readOnly: false, destructive: true },
      ],
    });
    expect(readPageArgument([{ name: 'orders', actions: null }])).toEqual({ page: { name: 'orders' }, actions: [] });
  });

  // proves wire-3-70
  it('takes 32 of them, of 4 KiB of schema each, and no more', () => {
    const parameters = { type: 'object', description: 'x'.repeat(4096 - 34) };
    expect(JSON.stringify(parameters)).toHaveLength(4096);
    const actions = Array.from({ length: 32 }, (_action, index) => ({
      ...action,
      name: `a${String(index)}`,
      parameters,
    }));
    expect(offering(...actions).actions).toHaveLength(32);
    expect(() => offering(...actions, action)).toThrow(new HubError('page.actions has more than 32 entries.'));
    const larger = { ...parameters, description: `${parameters.description}x` };
    expect(() => offering({ ...action, parameters: larger })).toThrow(
      new HubError('page.actions[0].parameters is larger than 4096 bytes.'),
    );
  });

  it.each(['Show', 'show-order', 'showOrder', '', '_a', '1a', '__proto__', 'a b', 'é', 'a\u0000', 'x'.repeat(60)])(
    'refuses %j as a name',
    (name) => {
      expect(() => offering({ ...action, name })).toThrow(HubError);
    },
  );

  it('takes the longest name that still is the name of a tool with page_ in front', () => {
    const name = 'x'.repeat(59);
    expect(offering({ ...action, name }).actions[0]?.name).toBe(name);
    expect(`page_${name}`).toHaveLength(64);
  });

  it.each<[string, unknown, string]>([
    [
      'one that only reads and cannot be undone',
      [{ ...action, readOnly: true, destructive: true }],
      'page.actions[0] is both readOnly and destructive.',
    ],
    ['two of one name', [action, action], 'page.actions has show_order twice.'],
    [
      'a long description',
      [{ ...action, description: 'x'.repeat(501) }],
      'page.actions[0].description is longer than 500 characters.',
    ],
    [
      'a catastrophic pattern',
      [{ ...action, parameters: { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } } }],
      'page.actions[0].parameters uses "pattern", which pages cannot use.',
    ],
    [
      'a schema nested too deep to be walked',
      [{ ...action, parameters: { type: 'object', properties: nested(300, (items) => ({ items })) } }],
      'page.actions[0].parameters has more than 64 levels.',
    ],
  ])('refuses %s, and says why', (_title, actions, message) => {
    expect(() => readPageArgument([{ name: 'orders', actions }])).toThrow(new HubError(message));
  });

  it.each<[string, unknown]>([
    ['no list', {}],
    ['a list of texts', ['show_order']],
    ['a name that is none', [{ ...action, name: 5 }]],
    ['no description', [{ ...action, description: undefined }]],
    ['no parameters', [{ ...action, parameters: undefined }]],
    ['parameters that are a list', [{ ...action, parameters: [] }]],
    ['readOnly that is a text', [{ ...action, readOnly: 'true' }]],
  ])('refuses %s as SignalR does', (_title, actions) => {
    expect(() => readPageArgument([{ name: 'orders', actions }])).toThrow(HubArgumentError);
  });

  it('does not take them along with a message, which has no page of its own to run them', () => {
    expect(() => readMessageArguments(['hi', { page: { name: 'orders', actions: [action] } }])).toThrow(
      HubArgumentError,
    );
  });
});

describe('readResumeArgument (contract/hub.md#when-the-line-breaks, Resume)', () => {
  it('reads which turn and after which event', () => {
    expect(readResumeArgument([{ turnId: 'a.b-c_9', afterSeq: 0 }])).toEqual({ turnId: 'a.b-c_9', afterSeq: 0 });
  });

  it.each([
    [[]],
    [['t1']],
    [[{ turnId: 't1' }]],
    [[{ turnId: 5, afterSeq: 0 }]],
    [[{ turnId: 'x'.repeat(65), afterSeq: 0 }]],
    [[{ turnId: 't1', afterSeq: -1 }]],
    [[{ turnId: 't1', afterSeq: 1.5 }]],
  ])('refuses %j as SignalR does', (given) => {
    expect(() => readResumeArgument(given)).toThrow(HubArgumentError);
  });
});

/** A value of so many containers in each other. */
function nested(levels: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 'inside';
  for (let level = 0; level < levels; level += 1) value = wrap(value);
  return value;
}
