import { describe, expect, it } from 'vitest';
import { allOf } from '../support/in-process-helper.ts';
import { startIssuer } from '../support/mcp/issuer.ts';
import { mcpHelper, statusesIn } from '../support/mcp/mcp-helper.ts';
import { type McpRequest, startMcpServer, type TestTool } from '../support/mcp/real-mcp-server.ts';
import { calling, saying } from '../support/scripted-model.ts';
import { scriptedServer } from '../support/scripted-server.ts';
import { openSse } from '../support/sse-client.ts';
import { makeToken, tokenSecret } from '../support/tokens.ts';

const look: TestTool = { name: 'peek', annotations: { readOnlyHint: true }, run: () => 'peeked' };
const script = [calling({ name: 'peek', arguments: {} }), saying('Seen.')];
const credentials = { clientId: 'helper', clientSecret: 'secret-of-the-client' };
const bearersOf = (requests: readonly McpRequest[]): readonly unknown[] =>
  requests.map(({ headers }) => headers.authorization);

describe('tokens for MCP servers (contract/mcp-servers.md#tokens)', () => {
  // proves service-2.16-80, service-2.16-81
  it('are got by client credentials, once for many requests, and are never in the log', async () => {
    const issuer = await startIssuer();
    const mcp = await startMcpServer('new', [look]);
    const auth = { ...credentials, tokenUrl: issuer.tokenUrl, scope: 'tools' };
    const { session, log } = await mcpHelper([{ name: 'erp', serverUrl: mcp.url, auth }], script);
    expect(statusesIn(await allOf(session.send('look')))).toEqual(['peek succeeded']);
    expect(issuer.requests).toEqual([
      {
        authorization: `Basic ${Buffer.from('helper:secret-of-the-client').toString('base64')}`,
        form: { grant_type: 'client_credentials', scope: 'tools', resource: mcp.url },
      },
    ]);
    expect(new Set(bearersOf(mcp.requests))).toEqual(new Set(['Bearer issued-1']));
    expect(JSON.stringify(log.lines)).not.toMatch(/issued-1|secret-of-the-client/);
  });

  // proves service-2.16-81
  it('are asked for anew when the server refuses one, and the request is sent once more', async () => {
    const issuer = await startIssuer();
    const mcp = await startMcpServer('new', [look]);
    const auth = { ...credentials, tokenUrl: issuer.tokenUrl };
    const { session } = await mcpHelper([{ name: 'erp', serverUrl: mcp.url, auth }], script);
    await expect.poll(() => mcp.of('tools/list').length).toBe(1);
    mcp.before = ({ headers }, response) => {
      if (headers.authorization !== 'Bearer issued-1') return false;
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
      return true;
    };
    expect(statusesIn(await allOf(session.send('look')))).toEqual(['peek succeeded']);
    expect(bearersOf(mcp.of('tools/call'))).toEqual(['Bearer issued-1', 'Bearer issued-2']);
  });

  // proves service-2.16-82
  it('are those of the user with exchange: true, and the user’s own token goes to the issuer alone', async () => {
    const issuer = await startIssuer();
    const mcp = await startMcpServer('old', [look]);
    const auth = { ...credentials, tokenUrl: issuer.tokenUrl, exchange: true };
    const { url, model } = await scriptedServer({
      scripts: [...script, ...script, ...script],
      overrides: { HELPER__AUTH__JWT__SECRET: tokenSecret },
      settings: { mcpServers: [{ name: 'erp', serverUrl: mcp.url, auth }] },
    });
    const [ann, bob] = [await makeToken({ sub: 'ann' }), await makeToken({ sub: 'bob' })];
    for (const token of [ann, bob]) {
      const headers = { authorization: `Bearer ${token}` };
      const stream = await openSse(`${url}/helper/chat`, { method: 'POST', body: { message: 'look' }, headers });
      await stream.closed;
    }
    expect(bearersOf(mcp.of('tools/call'))).toEqual([
      expect.stringMatching(`^Bearer issued-\\d+-for-${ann.slice(-8)}$`),
      expect.stringMatching(`^Bearer issued-\\d+-for-${bob.slice(-8)}$`),
    ]);
    expect(issuer.requests.map(({ form }) => form['grant_type'])).toEqual([
      'client_credentials',
      'urn:ietf:params:oauth:grant-type:token-exchange',
      'urn:ietf:params:oauth:grant-type:token-exchange',
    ]);
    expect(issuer.requests.map(({ form }) => form['subject_token'])).toEqual([undefined, ann, bob]);
    expect(JSON.stringify(mcp.requests)).not.toContain(ann);
    // Whoever is not signed in has no token that could be exchanged.
    const stream = await openSse(`${url}/helper/chat?message=look`);
    await stream.closed;
    expect(mcp.of('tools/call')).toHaveLength(2);
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('needs a user who is signed in');
  });

  // proves service-2.16-83
  it('that an issuer does not give for one user are no matter for the others', async () => {
    const issuer = await startIssuer();
    const mcp = await startMcpServer('new', [look]);
    const auth = { ...credentials, tokenUrl: issuer.tokenUrl, exchange: true };
    const { url } = await scriptedServer({
      scripts: [...script, ...script],
      overrides: { HELPER__AUTH__JWT__SECRET: tokenSecret },
      settings: { mcpServers: [{ name: 'erp', serverUrl: mcp.url, auth }] },
    });
    const ask = async (sub: string): Promise<void> => {
      const headers = { authorization: `Bearer ${await makeToken({ sub })}` };
      const stream = await openSse(`${url}/helper/chat`, { method: 'POST', body: { message: 'look' }, headers });
      await stream.closed;
    };
    await expect.poll(() => mcp.of('tools/list').length).toBe(1);
    issuer.status = 400;
    await ask('ann');
    expect(mcp.of('tools/call')).toEqual([]);
    issuer.status = 200;
    await ask('bob');
    expect(mcp.of('tools/call')).toHaveLength(1);
  });
});
