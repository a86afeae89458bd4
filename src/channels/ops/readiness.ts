/** How one part of the server does. `degraded`: it goes on without that part (contract/operations.md#probes). */
export interface ReadinessCheck {
  readonly name: string;
  readonly state: 'ok' | 'degraded' | 'failed';
}

/** The body of `/readyz`: names and states of checks, the hash of the configuration, and no more (contract/operations.md#probes). */
export interface Readiness {
  readonly status: 'ready' | 'degraded' | 'failed' | 'draining';
  readonly checks: readonly ReadinessCheck[];
  /** Left out by `summarise`, which knows only the checks. */
  readonly configuration?: string;
  /** What the kill switch refuses; left out while it is off (contract/operations.md#kill-switch). */
  readonly killSwitch?: { readonly writes: boolean; readonly tools: readonly string[] };
}

/** Milliseconds for all checks together. It is less than the usual time limit of a probe. */
const checksTimeoutMs = 2_000;

/**
 * Sums up `checks`. A server that drains is never ready. A degraded check does not make the server unready (contract/operations.md#probes).
 */
export function summarise(checks: readonly ReadinessCheck[], draining: boolean): Readiness {
  if (draining) return { status: 'draining', checks };
  if (checks.some((check) => check.state === 'failed')) return { status: 'failed', checks };
  if (checks.some((check) => check.state === 'degraded')) return { status: 'degraded', checks };
  return { status: 'ready', checks };
}

/** Runs the checks. When they throw or take longer than 2 s, that is one failed check called `readiness`. */
export async function runChecks(
  readiness: () => Promise<readonly ReadinessCheck[]>,
): Promise<readonly ReadinessCheck[]> {
  const failed: readonly ReadinessCheck[] = [{ name: 'readiness', state: 'failed' }];
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<readonly ReadinessCheck[]>((resolve) => {
    timer = setTimeout(resolve, checksTimeoutMs, failed);
  });
  try {
    return await Promise.race([readiness(), tooLate]);
  } catch {
    return failed;
  } finally {
    clearTimeout(timer);
  }
}
