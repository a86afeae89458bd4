import { fastify, type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { opsChannel, type OpsChannelOptions } from '../../../../src/channels/ops/ops-channel.ts';
import { createMetricsServer } from '../../../../src/channels/ops/metrics-server.ts';
import { SecurityLog } from '../../../../src/channels/shared/security-log.ts';
import { HelperError } from '../../../../src/core/errors/helper-error.ts';
import { recordingLogger, recordingMetrics } from '../../../support/quiet.ts';

const apps: FastifyInstance[] = [];
const security = new SecurityLog(recordingLogger(), recordingMetrics());

afterEach(async () => {
  vi.useRealTimers();
  for (const app of apps.splice(0)) await app.close();
});

function reportCodes(app: FastifyInstance): void {
  app.setErrorHandler((error, _request, reply) => {
    const code = error instanceof HelperError ? error.code : 'internal';
    void reply.code(code === 'unauthenticated' ? 401 : 500).send({ code });
  });
}

function serve(options: Partial<OpsChannelOptions> = {}): FastifyInstance {
  const app = fastify();
  apps.push(app);
  reportCodes(app);
  void app.register(opsChannel, {
    readiness: () => Promise.resolve([{ name: 'storage', state: 'ok' as const }]),
    draining: () => false,
    killSwitch: () => undefined,
    configuration: () => 'c0ffee',
    renderMetrics: () => Promise.resolve({ contentType: 'text/plain; version=0.0.4; charset=utf-8', body: 'up 1\n' }),
    metrics: { path: '/metrics', token: undefined, security },
    securityTxt: null,
    ...options,
  });
  return app;
}

describe('/healthz (contract/operations.md#probes)', () => {
  // proves wire-6-05
  it('is alive, also while the server drains', async () => {
    const answer = await serve({ draining: () => true }).inject('/healthz');
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ status: 'ok' });
    expect(answer.headers['cache-control']).toBe('no-store');
  });
});

describe('/readyz (contract/operations.md#probes)', () => {
  // proves wire-6-06
  it('names the checks and their states, and no more', async () => {
    const answer = await serve().inject('/readyz');
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      status: 'ready',
      checks: [{ name: 'storage', state: 'ok' }],
      configuration: 'c0ffee',
    });
  });

  it('stays ready while degraded (contract/operations.md#probes)', async () => {
    const checks = [{ name: 'cluster', state: 'degraded' as const }];
    const answer = await serve({ readiness: () => Promise.resolve(checks) }).inject('/readyz');
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ status: 'degraded', checks, configuration: 'c0ffee' });
  });

  // proves wire-6-06
  it('is not ready when a check fails', async () => {
    const checks = [{ name: 'storage', state: 'failed' as const }];
    const answer = await serve({ readiness: () => Promise.resolve(checks) }).inject('/readyz');
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toEqual({ status: 'failed', checks, configuration: 'c0ffee' });
  });

  // proves wire-10-05
  it('is not ready while the server drains (contract/operations.md#probes)', async () => {
    const answer = await serve({ draining: () => true }).inject('/readyz');
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toMatchObject({ status: 'draining' });
  });

  it('is not ready when the checks throw, and does not tell why', async () => {
    const readiness = (): Promise<never> => Promise.reject(new Error('password=secret'));
    const answer = await serve({ readiness }).inject('/readyz');
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toEqual({
      status: 'failed',
      checks: [{ name: 'readiness', state: 'failed' }],
      configuration: 'c0ffee',
    });
  });

  it('does not wait longer than two seconds for the checks', async () => {
    const app = serve({ readiness: () => new Promise(() => undefined) });
    await app.ready();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const answering = app.inject('/readyz');
    await vi.waitFor(() => {
      expect(vi.getTimerCount()).toBeGreaterThan(0);
    });
    await vi.advanceTimersByTimeAsync(2_000);
    expect((await answering).statusCode).toBe(503);
  });
});

describe('/metrics (contract/operations.md#metrics)', () => {
  // proves wire-6-12
  it('is open without a token', async () => {
    const answer = await serve().inject('/metrics');
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(answer.body).toBe('up 1\n');
  });

  it.each([
    // proves wire-6-10
    ['no credential', undefined, 401],
    ['another token', 'Bearer guess', 401],
    ['another scheme', 'Basic s3cret', 401],
    // proves wire-6-10
    ['the token', 'Bearer s3cret', 200],
    ['the token with the scheme in small letters', 'bearer s3cret', 200],
  ])('with a token, %s', async (_title, authorization, status) => {
    const app = serve({ metrics: { path: '/metrics', token: () => 's3cret', security } });
    const headers = authorization === undefined ? {} : { authorization };
    const answer = await app.inject({ url: '/metrics', headers });
    expect(answer.statusCode).toBe(status);
    expect(answer.headers['www-authenticate']).toBe(status === 401 ? 'Bearer' : undefined);
    if (status === 401) expect(answer.json()).toEqual({ code: 'unauthenticated' });
  });

  // proves configuration-4-02
  it('takes any one of a list of tokens', async () => {
    const app = serve({ metrics: { path: '/metrics', token: () => ['new-s3cret', 's3cret'], security } });
    const statusWith = async (token: string): Promise<number> =>
      (await app.inject({ url: '/metrics', headers: { authorization: `Bearer ${token}` } })).statusCode;
    expect(await statusWith('new-s3cret')).toBe(200);
    expect(await statusWith('s3cret')).toBe(200);
    expect(await statusWith('guess')).toBe(401);
  });

  it('is not there when it is served elsewhere', async () => {
    expect((await serve({ metrics: null }).inject('/metrics')).statusCode).toBe(404);
  });

  // proves wire-6-11
  it('has a server of its own that answers nothing else', async () => {
    const app = createMetricsServer({
      path: '/metrics',
      token: () => 's3cret',
      security,
      guard: { checkHost: () => undefined },
      renderMetrics: () => Promise.resolve({ contentType: 'text/plain', body: 'up 1\n' }),
      logger: fastify({ logger: false }).log,
      prepare: reportCodes,
    });
    apps.push(app);
    const headers = { authorization: 'Bearer s3cret' };
    expect((await app.inject({ url: '/metrics', headers })).body).toBe('up 1\n');
    expect((await app.inject('/metrics')).statusCode).toBe(401);
    expect((await app.inject('/healthz')).statusCode).toBe(404);
  });

  it('on its own server gives every request an id that cannot be guessed, and logs none of them (contract/operations.md#logs)', async () => {
    const lines: string[] = [];
    const { log } = fastify({ logger: { level: 'info', stream: { write: (line: string) => void lines.push(line) } } });
    const app = createMetricsServer({
      path: '/metrics',
      token: undefined,
      security,
      guard: { checkHost: () => undefined },
      renderMetrics: () => Promise.resolve({ contentType: 'text/plain', body: 'up 1\n' }),
      logger: log,
      prepare: (server) => {
        server.setNotFoundHandler((request, reply) => reply.code(404).send(request.id));
      },
    });
    apps.push(app);
    const [first, second] = [await app.inject('/nothing?token=secret'), await app.inject('/nothing')];
    expect(first.body).toMatch(/^[A-Za-z0-9_-]{22}$/);
    expect(second.body).not.toBe(first.body);
    expect((await app.inject({ url: '/nothing', headers: { 'x-request-id': 'mine' } })).body).toBe('mine');
    await app.inject('/metrics');
    expect(lines).toEqual([]);
  });
});

describe('/.well-known/security.txt (contract/operations.md#probes, RFC 9116)', () => {
  const now = (): Date => new Date('2026-11-22T13:14:15.161Z');

  // proves wire-6-16
  it('names the contact, a date in 90 days and its own address', async () => {
    const securityTxt = { contact: 'mailto:security@example.com', publicUrl: 'https://chat.example.com', now };
    const answer = await serve({ securityTxt }).inject('/.well-known/security.txt');
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(answer.body).toBe(
      'Contact: mailto:security@example.com\nExpires: 2027-02-20T00:00:00.000Z\nCanonical: https://chat.example.com/.well-known/security.txt\n',
    );
  });

  it('leaves out an address that nobody knows', async () => {
    const answer = await serve({ securityTxt: { contact: 'https://a.example/', publicUrl: '', now } }).inject(
      '/.well-known/security.txt',
    );
    expect(answer.body).toBe('Contact: https://a.example/\nExpires: 2027-02-20T00:00:00.000Z\n');
  });

  // proves wire-6-16
  it('is not there without a contact', async () => {
    expect((await serve().inject('/.well-known/security.txt')).statusCode).toBe(404);
  });
});
