import { describe, expect, it } from 'vitest';
import { realServer } from '../support/real-server.ts';
import { openApiOf, operationsOf } from '../support/openapi-document.ts';

const browser = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };

describe('pages for people (contract/addresses.md#for-people)', () => {
  // proves wire-21-01
  it.each(['/helper', '/'])(
    '%s tells a browser what the server is, and a program that nothing is there',
    async (path) => {
      const { url } = await realServer({ HELPER__DEMOPAGE: 'false', HELPER__APPNAME: 'Order <desk>' });
      const answer = await fetch(`${url}${path}`, browser);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toContain('text/html');
      expect(answer.headers.get('vary')).toContain('accept');
      const page = await answer.text();
      expect(page).toContain('Order &#60;desk&#62;');
      expect(page).toMatch(/Helper \d+\.\d+\.\d+/);
      for (const address of ['/helper/embed', '/helper/docs', '/helper/openapi.json', '/helper/admin'])
        expect(page).toContain(`href="${address}"`);
      expect(page).toContain('<code>/helper-hub</code>');
      for (const accept of ['*/*', 'application/json']) {
        const told = await fetch(`${url}${path}`, { headers: { accept } });
        expect(told.status).toBe(404);
        expect(await told.json()).toMatchObject({ code: 'not_found' });
      }
    },
  );

  // proves wire-21-01
  it('tells only what everybody may use', async () => {
    const { url } = await realServer({
      HELPER__AUTH__JWT__SECRET: 'x'.repeat(40),
      HELPER__ENDPOINTS__TRANSPORTS__REQUIREAUTHORIZATION: 'true',
    });
    const page = await (await fetch(`${url}/helper`, browser)).text();
    expect(page).not.toContain('<code>/helper-hub</code>');
    expect(page).toContain('<code>/helper/widget.js</code>');
  });

  // proves wire-21-02
  it('/helper/docs shows every operation of the document', async () => {
    const { url } = await realServer();
    const page = await (await fetch(`${url}/helper/docs`)).text();
    const operations = operationsOf(await openApiOf(url));
    expect(operations.length).toBeGreaterThan(10);
    for (const { operationId, path } of operations) {
      expect(page).toContain(`id="${operationId}"`);
      expect(page).toContain(`<code>${path}</code>`);
    }
  });

  // proves wire-21-03
  it.each(['/helper', '/helper/docs'])('%s has no script, fetches nothing and may not be framed', async (path) => {
    const { url } = await realServer();
    const answer = await fetch(`${url}${path}`, browser);
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('script-src');
    expect(await answer.text()).not.toMatch(/<script|src=|https?:\/\//);
  });

  // proves wire-21-01
  it('tells nothing to a website that has made a name of its own lead here', async () => {
    const { url } = await realServer();
    const { port } = new URL(url);
    const { request } = await import('node:http');
    const status = await new Promise<number | undefined>((resolve) => {
      request({ port, host: '127.0.0.1', path: '/helper/docs', headers: { host: 'evil.example' } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).end();
    });
    expect(status).toBe(403);
  });
});
