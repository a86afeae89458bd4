import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { fetchJson } from '../../../src/adapters/identity/fetch-json.ts';

/** An issuer that answers each request with `answer`. */
async function issuer(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // a server that listens on TCP has an AddressInfo
  return `http://127.0.0.1:${String(port)}`;
}

describe('what an issuer answers (contract/identity.md#tokens)', () => {
  it('is read as a JSON object', async () => {
    const url = await issuer((_request, response) => response.end('{"keys": []}'));
    expect(await fetchJson(url)).toEqual({ keys: [] });
  });

  it('leads nowhere else: a redirect is not followed', async () => {
    const asked: (string | undefined)[] = [];
    const url = await issuer((request, response) => {
      asked.push(request.url);
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    await expect(fetchJson(`${url}/keys`)).rejects.toThrow();
    expect(asked).toEqual(['/keys']);
  });

  it.each<[string, RequestListener]>([
    ['an error', (_request, response) => response.writeHead(500).end('{}')],
    ['no JSON', (_request, response) => response.end('<html>')],
    ['JSON that is no object', (_request, response) => response.end('"keys"')],
    ['nothing', (_request, response) => response.writeHead(204).end()],
    ['half an answer', (_request, response) => response.write('{"keys"', () => response.destroy())],
    ['more than 512 KiB', (_request, response) => response.end(JSON.stringify({ keys: 'x'.repeat(600_000) }))],
    [
      'little that unpacks to much',
      (_request, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' });
        response.end(gzipSync(JSON.stringify({ keys: 'x'.repeat(5_000_000) })));
      },
    ],
  ])('is not used when it is %s', async (_title, answer) => {
    await expect(fetchJson(await issuer(answer))).rejects.toThrow();
  });

  it('is cut while it goes on for ever', async () => {
    let sent = 0;
    const gone = Promise.withResolvers<undefined>();
    const url = await issuer((_request, response) => {
      const more = (): void => {
        sent += 65_536;
        response.write(Buffer.alloc(65_536, ' '), (error) => {
          if (error === undefined || error === null) setImmediate(more);
        });
      };
      response.once('close', () => {
        gone.resolve(undefined);
      });
      more();
    });
    await expect(fetchJson(url)).rejects.toThrow('more than');
    await gone.promise;
    expect(sent).toBeGreaterThan(512 * 1024);
  });

  it('is waited for five seconds, its last byte included', async () => {
    const time = new AbortController();
    const limit = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(time.signal);
    onTestFinished(() => {
      limit.mockRestore();
    });
    const url = await issuer((_request, response) => {
      response.write('{"keys": ', () => {
        time.abort(new Error('the time is over'));
      });
    });
    await expect(fetchJson(url)).rejects.toThrow('the time is over');
    expect(limit).toHaveBeenCalledWith(5000);
  });
});
