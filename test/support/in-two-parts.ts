import { chunk, ending, type ModelScript } from './scripted-model.ts';

/** A script that sends the first part, waits for the test, and sends the second part. */
export function inTwoParts(first: string, second: string): { script: ModelScript; goOn: () => void } {
  const gate = Promise.withResolvers<undefined>();
  return {
    goOn: () => gate.resolve(undefined),
    async script(exchange) {
      await exchange.send(chunk({ content: first }));
      await gate.promise;
      await exchange.send(chunk({ content: second }) + ending());
      exchange.end();
    },
  };
}
