import { opsChannel } from '../../channels/ops/ops-channel.ts';
import type { ReadinessCheck } from '../../channels/ops/readiness.ts';
import type { HelperSettings } from '../../config/settings.ts';
import { metricsAccess } from '../open-metrics-server.ts';
import { readinessOfTools } from '../left-out-tools.ts';
import { readinessOfBus } from '../replicas/open-bus.ts';
import { storageReadiness } from '../replicas/storage-readiness.ts';
import type { ChannelServices, MountChannel } from './mount-channel.ts';

/** Health, readiness and metrics (contract/operations.md#metrics). */
export const mountOps: MountChannel = (http, services) => {
  const { settings, assistant, metrics, security } = services;
  const { securityContact: contact, publicUrl } = settings.server;
  const storage = storageReadiness({
    isWritable: () => services.storage.isWritable(),
    isShared: services.bus !== undefined,
  });
  void http.register(opsChannel, {
    readiness: async () => [await storage(), ...readiness(services)],
    draining: () => assistant.draining,
    killSwitch: () => services.prepared.killSwitch.thrown,
    configuration: () => services.current().configuration,
    renderMetrics: () => metrics.render(),
    metrics: settings.endpoints.metrics.port === null ? { ...metricsAccess(services), security } : null,
    securityTxt: contact === '' ? null : { contact, publicUrl, now: () => new Date() },
  });
};

/** The paths that supervisors and monitoring ask. */
export function probePaths({ endpoints }: HelperSettings): readonly string[] {
  return ['/healthz', '/readyz', endpoints.metrics.path];
}

/** Everything but the storage. Sources of tools report their own state. */
function readiness({ bus, prepared }: ChannelServices): readonly ReadinessCheck[] {
  return [
    ...readinessOfBus(bus),
    ...prepared.providers.flatMap((provider) => provider.readiness()),
    ...prepared.knowledge.readiness(),
    ...readinessOfTools(prepared),
  ];
}
