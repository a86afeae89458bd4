/** Milliseconds for which a server may outlive the shell that started it. */
const lookEveryMs = 250;

/**
 * Stops a process that npm started, as SIGTERM does, once its parent has changed. npm passes a SIGTERM only to its shell, which ends
 * without telling the server. The server would stay behind and keep the port. Does nothing without npm, and does not keep the process
 * running.
 */
export function stopWithParent(environment: Readonly<Record<string, string | undefined>> = process.env): void {
  if (environment['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    // The check stops here, because a second signal would end the server without letting its turns finish.
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, lookEveryMs);
  timer.unref();
}
