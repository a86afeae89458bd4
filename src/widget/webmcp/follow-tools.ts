import type { PageTools } from '../conversation/page-actions.ts';
import { actionsOf, type ToolAction } from './tool-actions.ts';
import type { ModelContext, WebMcpModule } from './webmcp-contract.ts';

/** As long as the server waits for a page. */
const answerMs = 30_000;
/** A page that does not list its tools for so long has none. */
const listMs = 5000;
/** The longest answer that the server takes, in bytes; a character has one at least. */
const longestAnswer = 64 * 1024;

/** The tools of the page as UI actions, which follow its `toolchange`. */
export const followTools: WebMcpModule['followTools'] = async (given, signal) => {
  const modelContext = given as ModelContext; // looked at below; a browser without these members rejects
  let actions: ReadonlyMap<string, ToolAction> = new Map();
  /** By name, as they were when the server did not take them. */
  const refused = new Map<string, string>();
  const list = async (): Promise<void> => {
    const tools = await inTime(modelContext.getTools());
    actions = actionsOf(tools);
  };
  await list();
  // What cannot be listed any more cannot be run either.
  const listAgain = (): void => void list().catch(() => (actions = new Map()));
  modelContext.addEventListener('toolchange', listAgain, { signal });
  return {
    get offered() {
      return [...actions.values()].flatMap(({ offer }) => {
        return refused.get(offer.name) === JSON.stringify(offer) ? [] : [offer];
      });
    },
    refuse(name) {
      const action = actions.get(name);
      if (action !== undefined) refused.set(name, JSON.stringify(action.offer));
      return action !== undefined;
    },
    async run(name, values) {
      const action = actions.get(name);
      if (action === undefined) throw new Error('The page does not offer this any more.');
      const answer = await modelContext.executeTool(action.tool, values, { signal: AbortSignal.timeout(answerMs) });
      if (answer !== null && answer.length > longestAnswer) throw new Error('The answer is longer than 64 KiB.');
      return answer;
    },
  } satisfies PageTools;
};

function inTime<Result>(result: Promise<Result>): Promise<Result> {
  const late = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error('The page did not list its tools in time.')), listMs);
  });
  return Promise.race([result, late]);
}
