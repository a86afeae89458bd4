/** A plugin whose actions are published over MCP, or must not be. */
export const mcpPlugin = `
import { card, content, uiAction } from 'helper';
import { setTimeout as wait } from 'node:timers/promises';
const state = { seen: [], aborted: 0, ran: {} };
globalThis.mcpPluginState = state;
const order = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'], additionalProperties: false };
const none = { type: 'object', properties: {}, additionalProperties: false };
const run = (name) => () => {
  state.ran[name] = (state.ran[name] ?? 0) + 1;
  return { done: name };
};
const action = (name, more, execute = run(name)) =>
  ({ name, description: 'Does ' + name + '.', parameters: none, execute, ...more });
export default {
  name: 'shop',
  hooks: {
    onToolResult: (name, result) => {
      if (name === 'get_withheld') throw new Error('hidden reason');
      if (name === 'get_cut_parts') return 'cut';
      if (name === 'get_listed_parts') return ['one', 'two'];
      if (name === 'get_odd') return 10n;
      if (name === 'get_stuck') return new Promise(() => undefined);
      return name === 'get_order' ? { ...result, secret: undefined } : result;
    },
  },
  actions: [
    action('get_order', { title: 'Look up an order', parameters: order, readOnly: true }, ({ id }, context) => {
      state.seen.push({ user: context.user.id, turnId: context.turnId, conversationId: context.conversationId, channel: context.channel });
      return { id, status: 'shipped', secret: 'internal' };
    }),
    action('get_words', { readOnly: true }, () => 'plain words'),
    action('get_failing', { readOnly: true }, () => { throw new Error('the warehouse is closed'); }),
    action('get_withheld', { readOnly: true }),
    action('get_slowly', { readOnly: true }, async (_args, { signal, progress }) => {
      progress('half way');
      await wait(60_000, undefined, { signal }).catch(() => { state.aborted += 1; });
      return 'late';
    }),
    action('get_steps', { readOnly: true }, (_args, { log, progress }) => { log.info('counted in the cellar'); progress('one'); progress('two'); return 'walked'; }),
    action('get_card', { readOnly: true }, () => card({ total: 3 }, { type: 'AdaptiveCard', version: '1.5', body: [] })),
    action('get_parts', { readOnly: true }, () => content([{ type: 'text', text: 'A map' }, { type: 'image', data: 'aGk=', mimeType: 'image/png' }, { type: 'audio', data: 'aGk=', mimeType: 'audio/wav' }, { type: 'resource', resource: { uri: 'doc:1', mimeType: 'text/plain', text: 'Terms' } }])),
    action('get_cut_parts', { readOnly: true }, () => content([{ type: 'text', text: 'secret' }])),
    action('get_listed_parts', { readOnly: true }, () => content([{ type: 'text', text: 'secret' }])),
    action('ask_page', { readOnly: true }, () => uiAction('blink')),
    action('get_odd', { readOnly: true }),
    action('get_stuck', { readOnly: true }, (_args, { progress }) => { progress('done'); return 1; }),
    action('get_late', { readOnly: true, timeout: '20ms' }, () => new Promise(() => undefined)),
    action('get_salaries', { readOnly: true, requiredRoles: ['Payroll'] }),
    action('note_visit', { requiresConfirmation: false }),
    action('cancel_order', {}),
    action('close_shop', { requiresConfirmation: true }),
    action('erase_all', { destructive: true }),
    action('send_mail', {
      readOnly: true,
      parameters: { type: 'object', properties: { to: { type: 'string', sink: true } }, required: ['to'] },
    }),
  ],
};
`;
