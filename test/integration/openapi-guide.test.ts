import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished } from 'vitest';
import { inProcessHelper } from '../support/in-process-helper.ts';
import { answering, reasonsIn, statusesIn, toldTo } from '../support/mcp/mcp-helper.ts';
import { filesOf } from '../support/openapi/shop-document.ts';
import { processEnvironment } from '../support/process-environment.ts';
import { calling, saying } from '../support/scripted-model.ts';
import { exampleFile } from '../unit/docs/pages.ts';

const guide = 'docs/guides/openapi.md';

/** Starts the program of the guide as a reader would save it. Resolves with its address and the file of its document. */
async function startShop(): Promise<{ readonly url: string; readonly document: string }> {
  const names = ['shop.mjs', 'shop.openapi.yaml'];
  const folder = filesOf(Object.fromEntries(names.map((name) => [name, exampleFile(guide, name)])));
  const shop = spawn(process.execPath, [join(folder, 'shop.mjs')], {
    env: { ...processEnvironment, SHOP_KEY: 'secret', PORT: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void shop.kill('SIGKILL'));
  for await (const url of createInterface({ input: shop.stdout })) {
    return { url, document: join(folder, 'shop.openapi.yaml') };
  }
  throw new Error('the shop ended without its address');
}

describe('the guide to APIs (contract/openapi.md)', () => {
  // proves extending-3-21
  it('has a shop that is looked into without a question, and asked before it cancels', async () => {
    const { url, document } = await startShop();
    const shop = {
      name: 'shop',
      document,
      baseUrl: url,
      operations: ['getOrder', 'cancelOrder'],
      headers: { 'X-Api-Key': 'secret' },
    };
    const scripts = [
      calling({ name: 'get_order', arguments: { orderId: 1001 } }),
      saying('It is open.'),
      calling({ name: 'cancel_order', arguments: { orderId: 1001 } }),
      saying('Cancelled.'),
      calling({ name: 'get_order', arguments: { orderId: 9 } }),
      saying('Sorry.'),
    ];
    const { helper, model } = await inProcessHelper({ scripts, settings: { actions: { openapi: [shop] } } });
    const session = await helper.session();
    const send = (message: string) => answering(session.send(message), (actionId) => session.approve(actionId, true));

    expect(reasonsIn(await send('show order 1001'))).toEqual([]);
    expect(reasonsIn(await send('cancel order 1001'))).toEqual(['write']);
    expect(statusesIn(await send('show order 9'))).toEqual(['get_order failed']);
    expect(toldTo(model).slice(-3)).toEqual([
      '[succeeded] {"id":1001,"status":"open"}',
      '[succeeded] {"id":1001,"status":"cancelled"}',
      expect.stringContaining('shop answered with status 404: There is no such order.'),
    ]);
  });
});
