import { widgetChannel } from '../../channels/widget/widget-channel.ts';
import type { HelperSettings } from '../../config/settings.ts';
import type { ClientSettings } from '../../wire/client-settings.ts';
import { demoOrders } from '../demo-orders.ts';
import type { MountChannel } from './mount-channel.ts';

/** The widget, which speaks to the hub, and the demo page (wire.md 9). */
export const mountWidget: MountChannel = (http, { settings, prepared, assetsDirectory, log }) => {
  if (!settings.server.channels.includes('hub')) return;
  void http.register(widgetChannel, {
    basePath: settings.server.basePath,
    assetsDirectory,
    client: clientSettings(settings, prepared.model.isDemo),
    demoPage: settings.demoPage,
    demoData: demoOrders(prepared.plugins, log),
  });
};

function clientSettings(settings: HelperSettings, demo: boolean): Omit<ClientSettings, 'panel' | 'texts'> {
  const { basePath, hubPath } = settings.server;
  return {
    hubPath: `${basePath}${hubPath}`,
    approvePath: `${basePath}/helper/approve`,
    cancelPath: `${basePath}/helper/cancel`,
    language: settings.isLanguageChosen ? settings.language : null,
    botName: settings.botName,
    theme: settings.theme,
    position: settings.position,
    primaryColor: settings.primaryColor,
    avatarUrl: settings.avatarUrl,
    inputPlaceholder: settings.inputPlaceholder,
    demo,
    aiDisclosure: settings.aiDisclosure,
    imageHosts: settings.cards.imageHosts,
  };
}
