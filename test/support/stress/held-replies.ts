import { chunk, ending, type ModelScript } from '../scripted-model.ts';

/** Replies that say something, and end once they are released. */
export interface HeldReplies {
  readonly script: ModelScript;
  /** The most that were under way at the same time. */
  readonly most: () => number;
  /** Ends those that are under way, and lets later ones end by themselves. */
  readonly release: () => void;
}

/** Once released, they stay so: for a case that is played once in a process. */
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
