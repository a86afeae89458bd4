import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** The memory a process has now, in MiB. */
export function residentMebibytes(pid: number): number {
  return statusField(pid, 'VmRSS') / 1024;
}

/** The most memory it had since it started, or since `forgetPeak`. */
export function peakMebibytes(pid: number): number {
  return statusField(pid, 'VmHWM') / 1024;
}

/** The peak is measured anew from here (proc(5), `clear_refs`). */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${String(pid)}/clear_refs`, '5');
}

/** How many files, sockets and pipes it has open. */
export function openDescriptors(pid: number): number {
  return readdirSync(`/proc/${String(pid)}/fd`).length;
}

/** How many sockets of its port it has open, the one that listens left out: those of no process have the inode 0. */
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
