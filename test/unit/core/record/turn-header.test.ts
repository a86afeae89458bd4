import { expect, it } from 'vitest';
import { keptRequest, requestOf } from '../../../../src/core/record/turn-header.ts';
import { channelTraits, type TurnRequest } from '../../../../src/core/request/turn-request.ts';
import { anonymousPrincipal } from '../../../../src/core/identity/principal.ts';

const request: TurnRequest = {
  caller: {
    principal: anonymousPrincipal('1'),
    authorization: undefined,
    traceparent: undefined,
    credential: undefined,
  },
  channel: channelTraits.hub,
  message: { text: 'Hi' },
  page: undefined,
  uiActions: [],
};
const kept = { version: 2, turnId: 't', conversationId: 'c', history: [], askedAt: 0, maxToolRounds: 1, isCopy: false };

// proves wire-21-20
it.each([{}, { language: 'German' } as const])('a turn goes on in its language: %j', (spoken) => {
  const asked = { ...request, ...spoken };
  expect(requestOf({ ...kept, ...keptRequest(asked) })).toEqual(asked);
});
