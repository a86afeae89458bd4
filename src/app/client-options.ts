import type { HelperSettings } from '../config/settings.ts';
import type { ClientSettings } from '../wire/client-settings.ts';

/** Slower or faster is hard to follow, and no browser does all of it (service.md 2.4, `VoiceRate`). */
const slowest = 0.5;
const fastest = 2;

/** Where the widget finds its tour; nothing without one. A path of this server stands below its base path (service.md 2.20). */
export function tourSettings(settings: HelperSettings, basePath: string): Pick<ClientSettings, 'tourUrl'> {
  const { client } = settings;
  if (!(client.enableOnboardingTour ?? settings.enableOnboardingTour)) return {};
  return { tourUrl: /^\/(?!\/)/.test(client.tourUrl) ? `${basePath}${client.tourUrl}` : client.tourUrl };
}

/** How the widget speaks and listens; nothing when it does neither. */
export function voiceSettings(settings: HelperSettings): Pick<ClientSettings, 'voice'> {
  const { client } = settings;
  const input = client.enableVoiceInput ?? settings.enableVoiceInput;
  const output = client.enableVoiceOutput ?? settings.enableVoiceOutput;
  if (!input && !output) return {};
  const rate = client.voiceRate ?? settings.voiceRate;
  return {
    voice: {
      input,
      output,
      streaming: client.voiceStreaming ?? settings.voiceStreaming,
      bargeIn: client.voiceBargeIn ?? settings.voiceBargeIn,
      handsFree: input && output && (client.voiceHandsFree ?? settings.voiceHandsFree),
      rate: Math.min(fastest, Math.max(slowest, rate)),
    },
  };
}
