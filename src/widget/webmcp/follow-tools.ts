import type { PageTools } from '../conversation/page-actions.ts';
import { actionsOf, type ToolAction } from './tool-actions.ts';
import type { ModelContext, WebMcpModule } from './webmcp-contract.ts';

/** Milliseconds for which the server waits for an answer of a page. */
const answerMs = 30_000;
/** Milliseconds. A page that has not listed its tools by then has none. */
const listMs = 5000;
/** The longest answer that the server takes, in bytes. Each character has at least one. */
const longestAnswer = 64 * 1024;

/** Turns the tools of the page into UI actions, again at each `toolchange`. */
export const followTools: WebMcpModule['followTools'] = async (given, signal) => {
  const modelContext = given as ModelContext; // if members are missing, the calls below reject
  let actions: ReadonlyMap<string, ToolAction> = new Map();
  /** The JSON of each refused tool by the tool's name. A tool that has changed is offered again. */
  const refused = new Map<string, string>();
  const list = async (): Promise<void> => {
    const tools = await inTime(modelContext.getTools());
    actions = actionsOf(tools);
  };
  await list();
  // A tool that cannot be listed any more cannot run either.
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
