import { chunk, ending, type ModelScript } from './scripted-model.ts';

/** Says the first part, waits for the test, says the second. */
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
