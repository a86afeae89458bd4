import { describe, expect, expectTypeOf, it } from 'vitest';
import { hubEventNames, streamItemJson } from '../../../../src/channels/shared/hub-event-names.ts';
import type { TurnHubEvents } from '../../../../src/wire/hub-events.ts';

describe('hub events (contract/events.md#members)', () => {
  it('name every event of the wire once', () => {
    expectTypeOf<(typeof hubEventNames)[keyof typeof hubEventNames]>().toEqualTypeOf<keyof TurnHubEvents>();
    const names = Object.values(hubEventNames);
    expect(new Set(names).size).toBe(names.length);
  });

  // proves wire-3-06
  it('are PascalCase, as .NET and Java compare them exactly', () => {
    for (const name of Object.values(hubEventNames)) expect(name).toMatch(/^([A-Z][a-z]+)+$/);
  });

  // proves wire-3-10
  it('carry their name as items of a stream, with the same numbers (contract/hub.md#methods, StreamMessage)', () => {
    const json = streamItemJson({ type: 'text-delta', json: '{"turnId":"t","seq":2,"text":"hi","agent":"a"}' });
    expect(JSON.parse(json)).toEqual({ event: 'TextDelta', turnId: 't', seq: 2, text: 'hi', agent: 'a' });
  });
});
