import type { StartupFault } from '../../core/errors/startup-fault.ts';

/** Notes a fault of the file that the report was made for. With an empty `path`, the file or the plugin itself is at fault. */
export type ReportFault = (path: string, message: string, suggestion?: string) => void;

/** A file, and the place of the fault in it if the place is known. Lines and columns count from 1. */
export type FaultPlace = Pick<StartupFault, 'file' | 'line' | 'column'>;

/** Collects the faults of one place into the list that ends startup (contract/configuration.md#faults). */
export function faultReport(place: FaultPlace, faults: StartupFault[]): ReportFault {
  return (path, message, suggestion) => {
    faults.push({ ...place, path, message, ...(suggestion === undefined ? {} : { suggestion }) });
  };
}

/** Makes a report for an inner part. Its paths begin with `prefix`. */
export function reportUnder(report: ReportFault, prefix: string): ReportFault {
  return (path, message, suggestion) => {
    report(path === '' ? prefix : `${prefix}.${path}`, message, suggestion);
  };
}
