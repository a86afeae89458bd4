import { describe, expect, it } from 'vitest';
import { mcpPlugin } from '../support/mcp-plugin.ts';
import { statusOfHost } from '../support/mcp/status-of-host.ts';
import { scriptedServer } from '../support/scripted-server.ts';

const shop = 'https://shop.example';
const desk = 'https://desk.example';

async function started(mcp: object, cors: object = {}): Promise<string> {
  const settings = { mcpServerEnabled: true, endpoints: { mcp }, cors };
  return (await scriptedServer({ scripts: [], plugin: mcpPlugin, settings })).url;
}

/** What a browser asks before a page of `origin` may send a request with these headers. */
async function preflight(address: string, origin: string) {
  const asked = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'mcp-method,content-type',
  };
  const answer = await fetch(address, { method: 'OPTIONS', headers: { origin, ...asked } });
  return {
    status: answer.status,
    origin: answer.headers.get('access-control-allow-origin'),
    headers: answer.headers.get('access-control-allow-headers') ?? '',
    credentials: answer.headers.get('access-control-allow-credentials'),
  };
}

async function list(address: string, origin: string): Promise<Response> {
  return fetch(address, {
    method: 'POST',
    headers: { origin, accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  });
}

describe('websites at the MCP server (contract/mcp-server.md#who-may-ask)', () => {
  // proves service-4.3-50, service-4.3-52
  it('lets in the websites of the policy that endpoints.mcp.cors names, and no others', async () => {
    const url = await started({ cors: 'desk' }, { desk: { origins: [desk] }, default: { origins: [shop] } });
    const asked = await preflight(`${url}/mcp`, desk);
    expect(asked).toMatchObject({ status: 204, origin: desk, credentials: 'true' });
    for (const header of ['mcp-protocol-version', 'mcp-session-id', 'mcp-method', 'mcp-name', 'authorization'])
      expect(asked.headers.split(', ')).toContain(header);
    const answer = await list(`${url}/mcp`, desk);
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, desk]);
    expect(answer.headers.get('access-control-expose-headers')).toContain('mcp-session-id');
    // A website of another policy may ask everything but this endpoint, and the other way round.
    expect((await preflight(`${url}/mcp`, shop)).origin).toBeNull();
    const refused = await list(`${url}/mcp`, shop);
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain('List it in cors.desk.origins');
    expect((await preflight(`${url}/helper/chat`, desk)).origin).toBeNull();
    expect((await preflight(`${url}/helper/chat`, shop)).origin).toBe(shop);
  });

  // proves service-4.3-51
  it('lets in every website, without cookies, by the built-in policy HelperAgentMcp', async () => {
    const url = await started({ cors: 'HelperAgentMcp' });
    expect(await preflight(`${url}/mcp`, shop)).toMatchObject({ status: 204, origin: shop, credentials: null });
    const answer = await list(`${url}/mcp`, shop);
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, shop]);
    expect((await preflight(`${url}/helper/chat`, shop)).origin).toBeNull();
  });

  // proves service-4.3-51
  it('takes a policy of the name HelperAgentMcp that is written in place of the built-in one', async () => {
    const url = await started({ cors: 'HelperAgentMcp' }, { HelperAgentMcp: { origins: [desk] } });
    expect((await preflight(`${url}/mcp`, desk)).origin).toBe(desk);
    expect((await list(`${url}/mcp`, shop)).status).toBe(403);
  });

  // proves service-4.3-50, service-18-10
  it('answers no website before its request without a policy', async () => {
    const url = await started({}, { default: { origins: [shop] } });
    expect((await preflight(`${url}/mcp`, shop)).origin).toBeNull();
    const refused = await list(`${url}/mcp`, shop);
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([403, null]);
    expect(await refused.text()).toContain('name a policy in endpoints.mcp.cors that lists this origin');
  });

  // proves service-4.3-50
  it('still refuses a name that is not of this server', async () => {
    const url = await started({ cors: 'HelperAgentMcp' });
    expect(await statusOfHost(`${url}/mcp`, 'localhost', { origin: shop })).toBe(200);
    expect(await statusOfHost(`${url}/mcp`, 'evil.example', { origin: shop })).toBe(403);
  });

  // proves configuration-1-30
  it('does not start with the name of a policy that is not there', async () => {
    await expect(started({ cors: 'HelperAgentMpc' })).rejects.toThrow(
      /endpoints\.mcp\.cors.*names no policy; cors has default, HelperAgentMcp/,
    );
  });

  // proves configuration-1-30
  it('does not start with every origin and credentials', async () => {
    await expect(started({ cors: 'open' }, { open: { origins: ['*'] } })).rejects.toThrow(
      '* is only possible with cors.open.credentials: false; or list the origins',
    );
  });
});
