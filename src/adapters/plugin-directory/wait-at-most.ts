/**
 * The outcome of `work`, or a rejection saying `late` after `milliseconds`. The work itself cannot be ended: it is a
 * plugin's own code, and whatever it still does is ignored.
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
