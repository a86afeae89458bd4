import type { HelperSettings } from '../config/settings.ts';

/** Whether the widget of a page or the embed page offers follow-ups, so that the server suggests some (contract/sessions.md#follow-ups). */
export function offersFollowUps(
  settings: Pick<HelperSettings, 'enableFollowUps'> & {
    readonly client: Pick<HelperSettings['client'], 'enableFollowUps'>;
  },
): boolean {
  return settings.enableFollowUps || settings.client.enableFollowUps === true;
}
