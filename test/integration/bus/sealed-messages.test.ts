import { describe, expect, it } from 'vitest';
import { MessageSeal } from '../../../src/adapters/bus/messages/message-seal.ts';
import { at, busKey, busKeys, redisBuses } from '../../support/bus/opened-buses.ts';
import { hasRedis, redisOfFile } from '../../support/databases/redis.ts';

const redis = redisOfFile();

const question = 'May the payroll of March be deleted?';
const reply = 'Your salary is 4711.';
const large = `${'x'.repeat(100_000)} and a large secret`;

/** Long enough that no random text contains one of them. */
const secrets = [
  ...['payroll of March', 'salary is 4711', 'alice.wonder', 'because of somebody', 'xxxxxxxxxxxx'],
  ...['text-delta', 'turn.events', 'turn.answer', '"kind"'],
];

describe.skipIf(!hasRedis)('whoever can read Redis (contract/replicas.md#secrecy)', () => {
  // proves wire-10-21, wire-10-45
  it('reads nothing of what the replicas tell each other: no call, no answer, no turn, no news, no large body', async () => {
    const server = await redis();
    const buses = await redisBuses(server, 2);
    const [here, there] = [at(buses, 0), at(buses, 1)];
    const heard: unknown[] = [];
    there.answer('turn.answer', async (body) => ({ reply, body }));
    there.offer('turn.events', async function* events() {
      yield [[1, 'confirmation-requested', JSON.stringify({ question })]];
      yield [[2, 'text-delta', JSON.stringify({ text: reply })]];
      yield large;
    });
    there.onTold('reload', (body) => heard.push(body));
    await server.use(async (subscriber) => {
      await subscriber.psubscribe('*');
      const seen: string[] = [];
      subscriber.on('pmessage', (_pattern: string, _channel: string, text: string) => seen.push(text));
      await server.use(async (client) => {
        const monitor = await client.monitor();
        monitor.on('monitor', (_time: string, command: string[]) => seen.push(command.join(' ')));
        const answer = await here.ask({
          replica: there.replica,
          kind: 'turn.answer',
          body: { userKey: 'name:alice.wonder' },
        });
        expect(answer).toEqual({ reply, body: { userKey: 'name:alice.wonder' } });
        const read: unknown[] = [];
        for await (const item of await here.follow({ replica: there.replica, kind: 'turn.events', body: large }))
          read.push(item);
        expect(read).toHaveLength(3);
        expect(read[2]).toBe(large);
        await here.tell('reload', 'because of somebody');
        await expect.poll(() => heard).toEqual(['because of somebody']);
        // Both have seen all of it once they see what is published last.
        await server.use((last) => last.publish('end', 'the end'));
        await expect.poll(() => seen.filter((text) => text.endsWith('the end')).length).toBe(2);
        monitor.disconnect();
      });
      const all = seen.join('\n');
      expect(all.includes('hb2.one.')).toBe(true);
      // The texts as they are, and what their base64 stands for.
      const decoded = all.replaceAll(/[A-Za-z0-9+/]{16,}/gu, (text) => Buffer.from(text, 'base64').toString('latin1'));
      expect(secrets.filter((secret) => all.includes(secret) || decoded.includes(secret))).toEqual([]);
    });
  });
});

describe('a sealed text of the bus (contract/replicas.md#secrecy)', () => {
  // proves wire-10-21
  it('opens where it was sealed for, on every replica, and is never the same twice', () => {
    const [one, other] = [new MessageSeal(busKeys), new MessageSeal(busKeys)];
    const texts = ['', 'täglich', '{"a":1}', 'x'.repeat(100_000)];
    const sealed = texts.flatMap((text) => [one.seal('here', text), one.seal('here', text), other.seal('here', text)]);
    expect(new Set(sealed).size).toBe(sealed.length);
    expect(sealed.map((text) => other.open('here', text))).toEqual(texts.flatMap((text) => [text, text, text]));
    expect(sealed.map((text) => other.open('there', text))).toEqual(sealed.map(() => undefined));
  });

  // proves wire-10-23
  it('opens with an earlier key, and with no other', () => {
    const old = new MessageSeal([busKey('old')]).seal('here', 'text');
    expect(new MessageSeal([busKey('young'), busKey('old')]).open('here', old)).toBe('text');
    expect(new MessageSeal([busKey('young')]).open('here', old)).toBeUndefined();
  });

  // proves wire-10-23
  it('does not open any more once its key is forgotten', () => {
    const seal = new MessageSeal([busKey('old')]);
    const old = seal.seal('here', 'text');
    expect(seal.open('here', old)).toBe('text');
    seal.useKeys([busKey('young')]);
    expect(seal.open('here', old)).toBeUndefined();
    expect(seal.open('here', seal.seal('here', 'text'))).toBe('text');
  });

  it('opens however many replicas have sent before', () => {
    const seal = new MessageSeal(busKeys);
    for (let replica = 0; replica < 1_100; replica += 1)
      expect(seal.open('here', new MessageSeal(busKeys).seal('here', 'text'))).toBe('text');
  });
});
