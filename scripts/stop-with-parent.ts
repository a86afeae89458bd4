/** How long a server may outlive the shell it was started by. */
const lookEveryMs = 250;

/**
 * npm hands a SIGTERM on to its shell, which dies of it and tells nobody: the server would stay behind and keep the port.
 * So a process that npm started stops as on a SIGTERM once its parent is another one. Does nothing without npm, and does
 * not keep the process running.
 */
export function stopWithParent(environment: Readonly<Record<string, string | undefined>> = process.env): void {
  if (environment['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    // Once: a second signal would end the server without letting its turns finish.
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, lookEveryMs);
  timer.unref();
}
