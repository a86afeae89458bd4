import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** The memory that a process uses now, in MiB. */
export function residentMebibytes(pid: number): number {
  return statusField(pid, 'VmRSS') / 1024;
}

/** The largest memory since the start, or since `forgetPeak`, in MiB. */
export function peakMebibytes(pid: number): number {
  return statusField(pid, 'VmHWM') / 1024;
}

/** Measures the peak anew from now on (proc(5), `clear_refs`). */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${String(pid)}/clear_refs`, '5');
}

/** The number of the process's open files, sockets and pipes. */
export function openDescriptors(pid: number): number {
  return readdirSync(`/proc/${String(pid)}/fd`).length;
}

/** The number of the process's open sockets on a port, without the listening socket. A socket without a process has the inode 0. */
export function openSockets(pid: number, port: number): number {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return readFileSync(`/proc/${String(pid)}/net/tcp`, 'utf8')
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter(([, address, , state, , , , , , inode]) => {
      return address?.endsWith(local) === true && state !== '0A' && inode !== '0';
    }).length;
}

function statusField(pid: number, name: string): number {
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]);
}
