import type { HubTransport } from '../../src/channels/hub/protocol/hub-transport.ts';

export interface FakeTransport extends HubTransport {
  /** One entry for each send. A WebSocket would put it into one frame. */
  readonly sent: string[];
  /** The bytes that the client has not read yet. Tests set it. */
  bufferedBytes: number;
  readonly ended: ('close' | 'terminate')[];
  /** All records sent, parsed. */
  records(): readonly Record<string, unknown>[];
}

/** A transport that keeps everything that is sent. */
export function fakeTransport(): FakeTransport {
  const sent: string[] = [];
  const ended: ('close' | 'terminate')[] = [];
  return {
    name: 'WebSockets',
    sent,
    bufferedBytes: 0,
    ended,
    send: (records) => {
      sent.push(records);
    },
    close: () => {
      ended.push('close');
    },
    terminate: () => {
      ended.push('terminate');
    },
    records: () => sent.flatMap((frame) => parseRecords(frame)),
  };
}

/** The JSON objects of a frame of complete records. */
export function parseRecords(frame: string): readonly Record<string, unknown>[] {
  return frame
    .split('\u001e')
    .slice(0, -1)
    .map((record) => {
      const value: unknown = JSON.parse(record);
      return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
    });
}
