import { chunk, ending, type ModelScript } from '../scripted-model.ts';

/** Replies that send something, and end once they are released. */
export interface HeldReplies {
  readonly script: ModelScript;
  /** The largest number of replies that were under way at the same time. */
  readonly most: () => number;
  /** Ends the running replies, and lets later ones end by themselves. */
  readonly release: () => void;
}

/** Released replies stay released, so each case uses its own. */
export function heldReplies(): HeldReplies {
  const gate = Promise.withResolvers<undefined>();
  let [underWay, most] = [0, 0];
  return {
    script: async (exchange) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await exchange.send(chunk({ role: 'assistant', content: 'Wait.' }));
      await gate.promise;
      underWay -= 1;
      await exchange.send(ending());
      exchange.end();
    },
    most: () => most,
    release: () => {
      gate.resolve(undefined);
    },
  };
}
