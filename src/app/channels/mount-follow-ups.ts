import { followUpsChannel } from '../../channels/follow-ups/follow-ups-channel.ts';
import { createRequestRate } from '../../channels/shared/request-rate.ts';
import { offersFollowUps } from '../offers-follow-ups.ts';
import type { MountChannel } from './mount-channel.ts';

/** Nobody has more answers followed up than these in a minute: each may ask a model. */
const asksPerWindow = { max: 30, window: 60_000 };

/** What users could say after an answer (contract/sessions.md#follow-ups): for connections of the hub. */
export const mountFollowUps: MountChannel = (http, { settings, assistant, elsewhere, admission, metrics, clock }) => {
  const { basePath, channels } = settings.server;
  if (!offersFollowUps(settings) || !channels.includes('hub')) return;
  const rate = createRequestRate({ ...asksPerWindow, metrics: metrics.metrics, now: () => clock.elapsed() });
  void http.register(followUpsChannel, { basePath, assistant, elsewhere, admission: { ...admission, rate } });
};
