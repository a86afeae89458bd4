import type { WidgetChannelOptions } from '../../src/channels/widget/widget-channel.ts';

/** What the server tells pages when nothing is configured. */
export const clientSettings: WidgetChannelOptions['client'] = {
  hubPath: '/helper-hub',
  controlPath: '/helper',
  language: 'English',
  botName: 'Helper AI',
  theme: 'Default',
  position: 'BottomRight',
  demo: true,
  aiDisclosure: true,
  imageHosts: [],
};
