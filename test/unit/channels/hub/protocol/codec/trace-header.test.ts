import { encode } from '@msgpack/msgpack';
import { describe, expect, it } from 'vitest';
import { jsonCodec } from '../../../../../../src/channels/hub/protocol/codec/json-codec.ts';
import { messagePackCodec } from '../../../../../../src/channels/hub/protocol/codec/message-pack-codec.ts';

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

/** A call with these headers, as each protocol reads it. */
const codecs = {
  json: (headers: unknown) =>
    jsonCodec.read(Buffer.from(JSON.stringify({ type: 1, target: 'Ask', arguments: [], headers }))),
  messagepack: (headers: unknown) => messagePackCodec.read(Buffer.from(encode([1, headers, null, 'Ask', [], []]))),
};

describe.each(Object.entries(codecs))('the headers of a call in %s (contract/addresses.md#requests)', (_name, read) => {
  // proves wire-1-71
  it('name the trace that it came in', () => {
    expect(read({ traceparent, other: 'x' })).toMatchObject({ kind: 'invocation', traceparent });
  });

  it.each([{}, null, 'text', { traceparent: 7 }, { traceparent: 'x'.repeat(10_000) }, { __proto__: { traceparent } }])(
    'name none in %j',
    (headers) => {
      expect(read(headers)).toMatchObject({ kind: 'invocation', traceparent: undefined });
    },
  );
});
