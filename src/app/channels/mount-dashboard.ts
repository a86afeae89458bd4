import { dashboardChannel } from '../../channels/dashboard/dashboard-channel.ts';
import { languageTags } from '../../wire/client-settings.ts';
import { adminMetrics, killSwitchFigures } from '../admin-metrics.ts';
import { dashboardDirectory } from '../own-package.ts';
import type { MountChannel } from './mount-channel.ts';

/** The dashboard (contract/operations.md#dashboard). */
export const mountDashboard: MountChannel = (http, services) => {
  const { settings, prepared, admission, clock, bus } = services;
  const startedAt = clock.now();
  services.hourly.comparesBy(() => services.current().modelPricing ?? {});
  void http.register(dashboardChannel, {
    basePath: settings.server.basePath,
    assetsDirectory: dashboardDirectory(),
    languageTag: settings.isLanguageChosen ? languageTags[settings.language] : '',
    appName: settings.appName,
    canSignIn: prepared.authenticator.enabled,
    role: settings.dashboardRole,
    admission,
    now: () => clock.now(),
    // Replicas have no common switch but that of their configuration.
    ...(bus === undefined && {
      killSwitch: {
        set: (writes, by) => {
          prepared.killSwitch.refuseWrites(writes, by);
          return killSwitchFigures(services, undefined);
        },
      },
    }),
    read: (range, tenant) => adminMetrics({ range, tenant }, startedAt, services),
  });
};
