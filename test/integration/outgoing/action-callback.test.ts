import { describe, expect, it, onTestFinished } from 'vitest';
import { ActionCallback } from '../../../src/adapters/action-callback/action-callback.ts';
import type { CallbackSettings } from '../../../src/adapters/action-callback/callback-settings.ts';
import { callbackSecret, expectedSignature, json, silent, startCallback } from '../../support/callback-receiver.ts';
import { recordingLogger, recordingMetrics } from '../../support/quiet.ts';
import { toolContext } from '../../unit/adapters/plugin-directory/plugin-workbench.ts';

const action = {
  name: 'get_order',
  description: 'Looks up an order.',
  parameters: { type: 'object', additionalProperties: true },
};
const authorization = 'Bearer the-token-of-ann';

async function open(actions: readonly object[], settings: Partial<CallbackSettings> = {}) {
  const receiver = await startCallback({ version: 1, actions });
  const log = recordingLogger();
  const callback = new ActionCallback(
    {
      name: 'erp',
      url: receiver.url,
      secret: callbackSecret,
      timeout: 5000,
      forwardAuthorization: false,
      refresh: 60_000,
      ...settings,
    },
    { log, metrics: recordingMetrics() },
  );
  onTestFinished(() => callback.close());
  await callback.load();
  const [tool] = callback.offer.tools;
  if (tool === undefined) throw new Error(callback.fault);
  return { receiver, callback, tool, log };
}

describe("the user's own bearer token (contract/plugins.md#callbacks, `forwardAuthorization`)", () => {
  it('goes to a callback that is given it, with the action alone, and into no log', async () => {
    const { receiver, tool, log } = await open([action], { forwardAuthorization: true });
    receiver.answer = json({}, 500);
    await expect(tool.execute({}, toolContext({ authorization }))).rejects.toThrow('status 500');
    expect(receiver.calls.map(({ headers }) => headers.authorization)).toEqual([undefined, authorization]);
    expect(JSON.stringify([log.lines, receiver.calls.at(-1)?.body])).not.toContain('the-token-of-ann');
  });

  it('goes to no other callback', async () => {
    const { receiver, tool } = await open([action]);
    await tool.execute({}, toolContext({ authorization }));
    expect(receiver.posts()[0]?.headers.authorization).toBeUndefined();
    expect(receiver.posts()[0]?.raw).not.toContain('the-token-of-ann');
  });

  it('is not there for a caller who came without', async () => {
    const { receiver, tool } = await open([action], { forwardAuthorization: true });
    await tool.execute({}, toolContext());
    expect(receiver.posts()[0]?.headers.authorization).toBeUndefined();
  });
});

describe('an action of a manifest as a tool (contract/plugins.md#callbacks)', () => {
  it('has what it declares, and the time of its callback unless it names its own', async () => {
    const { callback } = await open([
      { ...action, title: 'Order', readOnly: true, requiredRoles: ['Sales'], timeoutSeconds: 2.5 },
      { ...action, name: 'close_order' },
    ]);
    expect(callback.offer.tools).toMatchObject([
      { title: 'Order', source: 'action', readOnly: true, requiredRoles: ['Sales'], timeoutMs: 2500 },
      { title: 'Close order', readOnly: undefined, requiredRoles: [], timeoutMs: 5000, owner: 'callback:erp' },
    ]);
  });

  // proves extending-2-03
  it('sends its call under the id of the call, with the page the user is on', async () => {
    const { receiver, tool } = await open([action]);
    const page = { name: 'orders', data: { filter: 'open' } };
    await tool.execute({ id: 7 }, toolContext({ callId: 'call-7', page }));
    const [call] = receiver.posts();
    expect(call?.headers['webhook-id']).toBe('call-7');
    expect(call?.body).toMatchObject({ id: 'call-7', arguments: { id: 7 }, page });
    expect(call && expectedSignature(call)).toBe(call?.headers['webhook-signature']);
  });

  it('ends its request when it is stopped', async () => {
    const { receiver, tool } = await open([action]);
    const arrived = Promise.withResolvers<undefined>();
    const gone = Promise.withResolvers<undefined>();
    receiver.answer = (response, call) => {
      response.once('close', () => {
        gone.resolve(undefined);
      });
      silent(response, call);
      arrived.resolve(undefined);
    };
    const stop = new AbortController();
    const running = tool.execute({}, toolContext({ signal: stop.signal }));
    await arrived.promise;
    stop.abort(new Error('stopped'));
    await expect(running).rejects.toThrow('stopped');
    await gone.promise;
  });

  it('that reads and yet asks is a write, and is never sent twice (contract/confirmations.md#which-actions-ask)', async () => {
    const { receiver, tool } = await open([{ ...action, readOnly: true, requiresConfirmation: true }]);
    receiver.answer = json({}, 503);
    await expect(tool.execute({}, toolContext())).rejects.toThrow('status 503');
    expect(receiver.posts()).toHaveLength(1);
  });

  it('says nothing of a system that is not there but that it cannot be reached', async () => {
    const { receiver, tool } = await open([action]);
    await receiver.close();
    await expect(tool.execute({}, toolContext())).rejects.toMatchObject({ name: 'ToolUnavailable' });
  });
});
