import { describe, expect, it } from 'vitest';
import { mountedHost } from '../support/mounted-host.ts';
import { realServer } from '../support/real-server.ts';
import { saying } from '../support/scripted-model.ts';

/** The addresses at which a GET only reads. */
const readable = [
  '/',
  '/healthz',
  '/readyz',
  '/metrics',
  '/.well-known/security.txt',
  '/helper/widget.js',
  '/helper/embed',
  '/helper/embed.js',
  '/helper/demo',
  '/helper/tour',
  '/helper/openapi.json',
  '/helper/docs',
  '/helper/admin',
];

/** The status, and the headers that describe the content. */
function described({ status, headers }: Response): object {
  const names = ['content-type', 'content-length', 'content-encoding', 'cache-control', 'etag', 'vary'];
  return { status, ...Object.fromEntries(names.map((name) => [name, headers.get(name)])) };
}

describe('HEAD (RFC 9110, 9.3.2)', () => {
  // proves wire-6-15
  it('tells of every page, file and probe what GET would send, without sending it (contract/addresses.md#paths)', async () => {
    const { url } = await realServer({ HELPER__SERVER__SECURITYCONTACT: 'mailto:security@example.com' });
    const script = await (await fetch(`${url}/helper/widget.js`)).text();
    const panel = /"panel":"(assets[^"]+)"/.exec(script)?.[1] ?? '';
    for (const path of [...readable, `/helper/${panel}`]) {
      const [head, get] = [await fetch(`${url}${path}`, { method: 'HEAD' }), await fetch(`${url}${path}`)];
      expect(await head.text(), path).toBe('');
      const { ['content-length']: length, ...whole } = described(get) as Record<string, unknown>;
      expect(described(head), path).toMatchObject(whole);
      // Counters grow between the two, so the length of the metrics is not the same.
      if (path !== '/metrics') expect(head.headers.get('content-length'), path).toBe(length);
      expect(get.status, path).toBe(200);
    }
  });

  it('reads an ETag as GET does', async () => {
    const { url } = await realServer();
    const etag = (await fetch(`${url}/helper/widget.js`)).headers.get('etag') ?? '';
    const again = await fetch(`${url}/helper/widget.js`, { method: 'HEAD', headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
  });

  it.each([
    // proves wire-6-15
    '/helper/chat?message=hello',
    '/helper-hub',
    '/helper/approve',
    '/helper/session',
  ])('of %s is a wrong method: it never runs a turn and tells of nobody', async (path) => {
    const { url } = await realServer();
    const answer = await fetch(`${url}${path}`, { method: 'HEAD' });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).not.toContain('HEAD');
  });

  it('is the same inside of another server', async () => {
    const { assistant } = await mountedHost({ scripts: [saying('Hi.')] });
    for (const path of ['/healthz', '/helper/widget.js', '/helper/tour']) {
      expect((await fetch(`${assistant}${path}`, { method: 'HEAD' })).status, path).toBe(200);
    }
  });
});
