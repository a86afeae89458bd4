import type { CallerMetrics, LiveTurns } from '../../core/ports/metrics.ts';
import type { MetricFamily } from '../shared/metric-family.ts';
import { expectingMetrics } from './expecting-metrics.ts';
import { noTurns, together } from './live-turns.ts';
import { MetricsPage } from './metrics-page.ts';
import { createCallerMetrics } from './product-metrics.ts';
import { otherTenants, tenantLabel } from './tenant-label.ts';

/** The most tenants with a label of their own. The first tenants get one. Each tenant takes some 100 to 1,000 series. */
const mostTenants = 100;

interface TenantPage {
  readonly page: MetricsPage;
  readonly metrics: CallerMetrics;
}

/** The metrics of the callers of each tenant, under the label `tenant` (contract/operations.md#metrics). */
export class TenantPages {
  readonly #named = new Map<string, TenantPage>();
  #others: TenantPage | undefined;
  #live: ReadonlyMap<string, LiveTurns> = new Map();

  /** The counters of a tenant. When there are too many tenants, the later ones share their counters. */
  of(tenant: string): CallerMetrics {
    const known = this.#named.get(tenant);
    if (known !== undefined) return known.metrics;
    if (this.#named.size >= mostTenants) {
      this.#others ??= tenantPage(otherTenants, () => this.#liveOfOthers());
      return this.#others.metrics;
    }
    const made = tenantPage(tenantLabel(tenant), () => this.#live.get(tenant) ?? noTurns);
    this.#named.set(tenant, made);
    return made.metrics;
  }

  /** The metrics `ofAll`, with the series of tenants added. `live` holds the present numbers of each tenant. */
  families(ofAll: readonly MetricFamily[], live: ReadonlyMap<string, LiveTurns>): readonly MetricFamily[] {
    for (const tenant of live.keys()) this.of(tenant);
    this.#live = live;
    const pages = [...this.#named.values(), ...(this.#others === undefined ? [] : [this.#others])];
    const families = pages.map(({ page }) => new Map(page.families().map((family) => [family.name, family])));
    return ofAll.map((family) => withTenants(family, families));
  }

  #liveOfOthers(): LiveTurns {
    return [...this.#live]
      .filter(([tenant]) => !this.#named.has(tenant))
      .reduce((sum, [, live]) => together(sum, live), noTurns);
  }
}

function tenantPage(label: string, live: () => LiveTurns): TenantPage {
  const page = new MetricsPage(label);
  return { page, metrics: expectingMetrics(createCallerMetrics(page, live)) };
}

function withTenants(family: MetricFamily, tenants: readonly ReadonlyMap<string, MetricFamily>[]): MetricFamily {
  const found = tenants.flatMap((families) => families.get(family.name) ?? []);
  if (found.length === 0) return family;
  const labelNames = [...family.labelNames, 'tenant'];
  if (family.kind === 'histogram') {
    const more = found.flatMap((one) => (one.kind === 'histogram' ? one.series : []));
    return { ...family, labelNames, series: [...family.series, ...more] };
  }
  const more = found.flatMap((one) => (one.kind === 'histogram' ? [] : one.series));
  return { ...family, labelNames, series: [...family.series, ...more] };
}
