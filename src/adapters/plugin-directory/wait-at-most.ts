/**
 * Settles as `work` does, but rejects with the message `late` after `milliseconds`. The work itself is a plugin's code and cannot be ended;
 * its later outcome is ignored.
 */
export async function waitAtMost<T>(work: Promise<T>, milliseconds: number, late: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(late));
    }, milliseconds);
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
