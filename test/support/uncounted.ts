import type { boundAnswers } from '../../src/channels/shared/bound-answers.ts';

type Services = Parameters<typeof boundAnswers>[1];

/** Counts and logs nothing of what is refused. */
export const uncounted: Services = {
  metrics: { of: () => ({ rateLimited: () => undefined }) } as unknown as Services['metrics'], // nothing else is counted
  security: { noteRefusal: () => undefined },
};
