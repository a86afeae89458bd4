import { describe, expect, it } from 'vitest';
import { readHandshake } from '../../../../../../src/channels/hub/protocol/codec/handshake.ts';
import { jsonCodec } from '../../../../../../src/channels/hub/protocol/codec/json-codec.ts';
import { messagePackCodec } from '../../../../../../src/channels/hub/protocol/codec/message-pack-codec.ts';
import { HubProtocolError } from '../../../../../../src/channels/hub/protocol/hub-errors.ts';

const both = { carriesBinary: true };

describe('readHandshake (contract/hub.md#protocol)', () => {
  it.each([
    ['json', 1],
    ['JSON', 1],
    ['json', 2],
  ])('takes %s, version %i', (protocol, version) => {
    const read = readHandshake(Buffer.from(JSON.stringify({ protocol, version })), both);
    expect(read).toEqual({ codec: jsonCodec, version });
  });

  it.each([
    [{ protocol: 'smoke', version: 1 }, "The protocol 'smoke' is not supported."],
    [{ protocol: 'json', version: 9 }, "The server does not support version 9 of the 'json' protocol."],
    [{ protocol: 'json', version: -1 }, "The server does not support version -1 of the 'json' protocol."],
    [{ protocol: 'json', version: 0.5 }, "The server does not support version 0.5 of the 'json' protocol."],
    [{ protocol: 'json', version: 1.5 }, "The server does not support version 1.5 of the 'json' protocol."],
    [{ protocol: 'json' }, 'An unexpected error occurred during connection handshake.'],
    [{ type: 6 }, 'An unexpected error occurred during connection handshake.'],
    [[], 'An unexpected error occurred during connection handshake.'],
  ])('answers %j with the text clients know', (request, text) => {
    expect(() => readHandshake(Buffer.from(JSON.stringify(request)), both)).toThrow(new HubProtocolError(text));
  });

  // proves wire-3-91
  it.each([['json'], ['messagepack']])('takes version 0 of %s for 1, as ASP.NET Core does', (protocol) => {
    expect(readHandshake(Buffer.from(JSON.stringify({ protocol, version: 0 })), both)).toMatchObject({ version: 1 });
  });

  it('refuses what is no JSON at all', () => {
    expect(() => readHandshake(Buffer.from('GET / HTTP/1.1'), both)).toThrow(HubProtocolError);
  });

  it('takes messagepack where bytes can be carried, and says so where they cannot', () => {
    const request = Buffer.from('{"protocol":"messagepack","version":1}');
    expect(readHandshake(request, both).codec).toBe(messagePackCodec);
    expect(() => readHandshake(request, { carriesBinary: false })).toThrow(
      "Cannot use the 'messagepack' protocol on the current transport. The transport does not support 'Binary' transfer format.",
    );
  });
});
