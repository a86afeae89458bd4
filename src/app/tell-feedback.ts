import type { LoadedPlugin } from '../adapters/plugin-directory/loaded-plugin.ts';
import type { Logger } from '../core/ports/logger.ts';
import type { RatingNews } from '../core/sessions/reply-ratings.ts';
import { toolUser } from '../core/tools/tool-user.ts';
import type { ReplyFeedback } from '../plugin-api/feedback.ts';
import { inTime } from './in-time.ts';

/** Tells plugins what users think of replies (`hooks.onFeedback`). Nobody waits for them, and a hook that fails is written to the log. */
export function tellFeedback(
  plugins: readonly Pick<LoadedPlugin, 'name' | 'hooks'>[],
  log: Pick<Logger, 'error'>,
): (news: RatingNews) => void {
  const hooks = plugins.flatMap(({ name, hooks: { onFeedback } }) =>
    onFeedback === undefined ? [] : [{ name, tell: inTime(onFeedback) }],
  );
  return ({ turnId, conversationId, feedback, user }) => {
    const told: ReplyFeedback = {
      turnId,
      conversationId,
      rating: feedback?.rating ?? null,
      comment: feedback?.comment ?? '',
      user: toolUser(user),
    };
    for (const { name, tell } of hooks) {
      tell(told).catch((error: unknown) => log.error({ error, plugin: name, turnId }, 'hooks.onFeedback failed'));
    }
  };
}
