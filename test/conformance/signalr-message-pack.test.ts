import { decode, encode } from '@msgpack/msgpack';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { LengthPrefixedBuffer, withLength } from '../../src/channels/hub/protocol/codec/length-prefixed-buffer.ts';
import { HttpHubClient } from '../support/hub-http-client.ts';
import { HubWireLinter } from '../support/hub-wire-linter.ts';
import { scenarioServer } from '../support/hub-scenario-server.ts';

const handshake = Buffer.from('{"protocol":"messagepack","version":1}\u001e');

function message(...fields: readonly unknown[]): Buffer {
  return withLength(encode(fields));
}

function echo(id: string, value: unknown): Buffer {
  return message(1, {}, id, 'Echo', [value], []);
}

/** A WebSocket whose frames are linted; `frames` has what came behind the answer to the handshake, decoded. */
async function connect(url: string) {
  const socket = new WebSocket(url.replace('http', 'ws'));
  const linter = new HubWireLinter('messagepack');
  const reader = new LengthPrefixedBuffer(1_000_000);
  const frames: unknown[][] = [];
  let accepted = false;
  socket.on('message', (data, isBinary) => {
    if (!Buffer.isBuffer(data)) return;
    linter.check(data, isBinary);
    if (accepted) frames.push([...reader.take(data)].map((record) => decode(record)));
    accepted = true;
  });
  onTestFinished(() => {
    socket.terminate();
  });
  await new Promise((resolve) => socket.once('open', resolve));
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  return { socket, frames, closed, faults: linter.faults };
}

describe('MessagePack frames (contract/hub.md#protocol)', () => {
  // proves wire-3-44
  it('may be split, and joined to the handshake and to each other', async () => {
    const { url } = await scenarioServer();
    const { socket, frames, faults } = await connect(url);
    const bytes = Buffer.concat([handshake, echo('1', 'a'), echo('2', 'b'), message(6)]);
    for (const byte of bytes) socket.send(Buffer.from([byte]));
    await expect
      .poll(() => frames.flat())
      .toEqual([
        [3, {}, '1', 3, 'a'],
        [3, {}, '2', 3, 'b'],
      ]);
    expect(faults).toEqual([]);
  });

  it.each([
    ['no MessagePack', withLength(Buffer.from('c1', 'hex')), 'A message is not valid MessagePack.'],
    [
      'a list that claims to be endless',
      withLength(Buffer.from('ddffffffff', 'hex')),
      'A message is not valid MessagePack.',
    ],
    ['an endless length', Buffer.from('8080808080', 'hex'), 'The length of a message is invalid.'],
    ['a call without a target', message(1, {}, '1'), "Expected 'target' to be a string."],
    ['JSON', Buffer.from('{"type":6}\u001e'), undefined],
    [
      'more than the limit',
      echo('1', 'x'.repeat(1000)),
      'A message is larger than the limit of 1000 bytes (maxMessageBytes).',
    ],
  ])('that hold %s close their connection, and only that', async (_title, bytes, text) => {
    const { url, endings } = await scenarioServer({ limits: { maxMessageBytes: 1000 } });
    const other = await connect(url);
    other.socket.send(handshake);
    const { socket, frames, closed, faults } = await connect(url);
    socket.send(Buffer.concat([handshake, bytes, Buffer.alloc(200)]));
    expect(await closed).toBe(1000);
    const error: unknown = text === undefined ? expect.any(String) : `Connection closed with an error. ${text}`;
    expect(frames.flat()).toEqual([[7, error, false]]);
    expect(endings).toEqual(['dropped']);
    other.socket.send(echo('1', 'still here'));
    await expect.poll(() => other.frames.flat()).toEqual([[3, {}, '1', 3, 'still here']]);
    expect([...faults, ...other.faults]).toEqual([]);
  });

  // proves wire-3-92
  it('carry bytes and dates both ways: arguments, results, events and items of streams', async () => {
    const { url, notes } = await scenarioServer();
    const { socket, frames, faults } = await connect(url);
    const value = { bytes: Buffer.from([0, 1, 255]), at: new Date('2026-11-22T10:00:00.5Z') };
    socket.send(Buffer.concat([handshake, message(1, {}, null, 'Note', [value], []), echo('1', value)]));
    await expect.poll(() => frames.flat()).toEqual([[3, {}, '1', 3, value]]);
    socket.send(message(1, {}, null, 'Announce', [value], []));
    await expect.poll(() => frames.flat().at(-1)).toEqual([1, {}, null, 'Announced', [{ value }], []]);
    socket.send(message(4, {}, '2', 'Repeat', [value], []));
    await expect
      .poll(() => frames.flat().slice(-2))
      .toEqual([
        [2, {}, '2', value],
        [3, {}, '2', 2],
      ]);
    expect(notes).toEqual([value]);
    expect(faults).toEqual([]);
  });

  it('cannot be carried by an event stream, which says so', async () => {
    const { url } = await scenarioServer();
    const client = await HttpHubClient.negotiate(url);
    const { next } = await client.stream();
    await next();
    await client.post(handshake.toString());
    expect(await next()).toContain("Cannot use the 'messagepack' protocol on the current transport.");
  });
});
