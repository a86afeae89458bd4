import { describe, expect, it } from 'vitest';
import { AgUiAgent } from '../support/agui-agent.ts';
import {
  confirmingClient,
  confirmingSettings,
  linkIn,
  ownAddress,
  PageOfQuestion,
  tokensOf,
} from '../support/mcp/confirming-server.ts';
import { calling, saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { openSse } from '../support/sse-client.ts';
import { tokenSecret } from '../support/tokens.ts';

/** Two actions of which one takes names that it does not declare. They keep what they ran with where the tests see it. */
const plugin = `
const ran = (globalThis.undeclaredRan ??= []);
const properties = { iban: { type: 'string', title: 'Recipient' }, amount: { type: 'number', title: 'Amount in EUR' } };
const execute = (given) => { ran.push(given); return 'paid'; };
export default {
  name: 'bank',
  actions: [
    { name: 'pay', description: 'Pays.', editable: true, parameters: { type: 'object', properties }, execute },
    { name: 'file', description: 'Files.', parameters: { type: 'object', properties, additionalProperties: true }, execute },
  ],
};`;
const ran = ((globalThis as { undeclaredRan?: unknown[] }).undeclaredRan ??= []);

const lying = { Recipient: 'ACME Ltd', 'Amount in EUR': '1.00', amount: 9000, iban: 'EVIL' };
/** What the user is shown of them. */
const shown = [
  { name: 'iban', label: 'Recipient', value: 'EVIL' },
  { name: 'amount', label: 'Amount in EUR', value: 9000 },
  { name: 'Recipient', label: 'Recipient', value: 'ACME Ltd', undeclared: true },
  { name: 'Amount in EUR', label: 'Amount in EUR', value: '1.00', undeclared: true },
];

async function bank(calls: readonly { readonly name: string; readonly arguments: object }[], more: object = {}) {
  ran.length = 0;
  const scripts = [...calls.map((call) => calling(call)), saying('Done.')];
  const settings = { auth: { jwt: { secret: tokenSecret } }, endpoints: { agui: { enabled: true } }, ...more };
  return scriptedServer({ scripts, plugin, settings, overrides: await ownAddress() });
}

const approve = (url: string, body: object): Promise<Response> =>
  fetch(`${url}/helper/approve`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

describe('names that an action does not declare (contract/confirmations.md#what-is-shown)', () => {
  // proves service-2.6-47, service-2.6-48
  it('are refused, and where the schema is open they stand last and say what they are', async () => {
    const { url, model } = await bank([
      { name: 'pay', arguments: lying },
      { name: 'file', arguments: lying },
    ]);
    const stream = await openSse(`${url}/helper/chat`, { method: 'POST', body: { message: 'Pay' } });
    const { data } = await stream.next('confirmation');
    expect(data).toMatchObject({ action: 'file', arguments: shown });
    await approve(url, { actionId: data?.['actionId'], approved: true });
    await stream.closed;
    expect(ran).toEqual([lying]);
    expect(JSON.stringify(model.requests[1]?.body)).toContain('Recipient: is not known');
  });

  // proves service-2.6-47
  it('are refused from a user who changes the arguments', async () => {
    const { url } = await bank([{ name: 'pay', arguments: { iban: 'CH1' } }]);
    const stream = await openSse(`${url}/helper/chat`, { method: 'POST', body: { message: 'Pay' } });
    const actionId = (await stream.next('confirmation')).data?.['actionId'];
    const changed = await approve(url, { actionId, approved: true, arguments: { iban: 'CH1', Note: 'x' } });
    expect([changed.status, await changed.text()]).toEqual([400, expect.stringContaining('Note')]);
    expect((await approve(url, { actionId, approved: true, arguments: { iban: 'CH2' } })).status).toBe(200);
    await stream.closed;
    expect(ran).toEqual([{ iban: 'CH2' }]);
  });

  // proves service-2.6-48, service-4.3-93
  it('are refused from programs, and stand in a frame of the page where the schema is open', async () => {
    const { url } = await bank([], confirmingSettings);
    const { program, browser } = await tokensOf('ann');
    const { client } = await confirmingClient(`${url}/mcp`, { token: program });
    expect(JSON.stringify(await client.callTool({ name: 'pay', arguments: lying }))).toContain(
      'Recipient: is not known',
    );
    const asked = await client.callTool({ name: 'file', arguments: lying });
    const text = await new PageOfQuestion(url, linkIn(asked), { token: browser }).text();
    const [declared = '', framed = ''] = text.split('Not part of the action');
    expect(declared).toMatch(/<dt[^>]*>Recipient<\/dt><dd[^>]*>EVIL<.*>Amount in EUR<\/dt><dd[^>]*>9000</);
    expect(declared).not.toContain('ACME');
    expect(framed).toMatch(/<dt[^>]*>Recipient<\/dt><dd[^>]*>ACME Ltd<.*<\/dl><\/div>/);
  });

  // proves service-2.6-48
  it('say what they are in an interrupt of AG-UI', async () => {
    const { url } = await bank([{ name: 'file', arguments: lying }]);
    const { program: token } = await tokensOf('ann');
    const { interrupts } = await new AgUiAgent(url, { token }).ask('File it');
    expect(interrupts[0]?.metadata).toMatchObject({ arguments: shown });
    expect(Object.keys(interrupts[0]?.metadata?.['input'] as object)).toEqual(shown.map(({ name }) => name));
  });
});
