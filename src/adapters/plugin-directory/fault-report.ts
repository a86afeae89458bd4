import type { StartupFault } from '../../core/errors/startup-fault.ts';

/** Notes one fault of the file that the report was made for. An empty `path`: the file or plugin itself is at fault. */
export type ReportFault = (path: string, message: string, suggestion?: string) => void;

/** A file, and where the fault is in it if that is known; lines and columns count from 1. */
export type FaultPlace = Pick<StartupFault, 'file' | 'line' | 'column'>;

/** Collects the faults of one place into the list that ends startup (contract/configuration.md#faults). */
export function faultReport(place: FaultPlace, faults: StartupFault[]): ReportFault {
  return (path, message, suggestion) => {
    faults.push({ ...place, path, message, ...(suggestion === undefined ? {} : { suggestion }) });
  };
}

/** The same report, seen from further inside: paths continue `prefix`. */
export function reportUnder(report: ReportFault, prefix: string): ReportFault {
  return (path, message, suggestion) => {
    report(path === '' ? prefix : `${prefix}.${path}`, message, suggestion);
  };
}
