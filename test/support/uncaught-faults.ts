import { onTestFinished } from 'vitest';

/** What nobody in this process listens to until the test ends: errors of emitters, and rejected promises. */
export function uncaughtFaults(): readonly unknown[] {
  const faults: unknown[] = [];
  const hear = (fault: unknown): void => void faults.push(fault);
  for (const kind of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(kind, hear);
    onTestFinished(() => void process.off(kind, hear));
  }
  return faults;
}
