import { fastify } from 'fastify';
import { describe, expect, it } from 'vitest';
import { handleErrors } from '../../../../src/channels/shared/problem-json.ts';
import { BusAway } from '../../../../src/core/ports/bus-away.ts';
import { overBus } from '../../../../src/core/ports/over-bus.ts';
import { ReplicaGone } from '../../../../src/core/ports/replica-gone.ts';

describe('a request that needs another replica (contract/replicas.md#away)', () => {
  // proves wire-10-18, wire-10-19
  it('is 503 cluster_unavailable with Retry-After while the bus is away, and shows no address of Redis', async () => {
    const http = fastify();
    handleErrors(http);
    http.get('/', () => overBus(() => Promise.reject(new BusAway('Redis: connect ECONNREFUSED 10.0.0.7:6379'))));
    const { statusCode, headers, body } = await http.inject('/');
    expect([statusCode, headers['retry-after']]).toEqual([503, '1']);
    expect(JSON.parse(body)).toMatchObject({ code: 'cluster_unavailable', title: 'Cluster unavailable' });
    expect(body).not.toContain('10.0.0.7');
    await http.close();
  });

  // proves wire-10-18
  it('gets what the other replica answers, and is told when there is no such replica', async () => {
    expect(await overBus(() => Promise.resolve('answer'))).toBe('answer');
    const gone = new ReplicaGone('aaaaaaaa');
    await expect(overBus(() => Promise.reject(gone))).rejects.toBe(gone);
  });
});
