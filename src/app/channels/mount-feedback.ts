import { feedbackChannel } from '../../channels/feedback/feedback-channel.ts';
import { createRequestRate } from '../../channels/shared/request-rate.ts';
import { ReplyRatings } from '../../core/sessions/reply-ratings.ts';
import { tellFeedback } from '../tell-feedback.ts';
import type { MountChannel } from './mount-channel.ts';

/** Nobody rates more replies than these in a minute. */
const ratingsPerWindow = { max: 60, window: 60_000 };

/** The ratings of replies (contract/sessions.md#ratings): for whatever channel a turn was on. */
export const mountFeedback: MountChannel = (http, services) => {
  const { settings, prepared, assistant, conversations, elsewhere, admission, metrics, clock, log } = services;
  const { basePath, channels } = settings.server;
  if (!settings.enableFeedback || channels.length === 0) return;
  void http.register(feedbackChannel, {
    basePath,
    assistant,
    ratings: new ReplyRatings({
      assistant,
      conversations,
      metrics: metrics.metrics,
      onRating: tellFeedback(prepared.plugins, log),
    }),
    elsewhere,
    admission: {
      ...admission,
      rate: createRequestRate({ ...ratingsPerWindow, metrics: metrics.metrics, now: () => clock.elapsed() }),
    },
  });
};
