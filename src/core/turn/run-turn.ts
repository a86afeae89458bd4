import { coordinatorName } from '../agents/coordinator-name.ts';
import { handingOver } from '../agents/handing-over.ts';
import { noAgents } from '../agents/offered-agents.ts';
import { runMember } from '../agents/run-member.ts';
import { runAgent } from '../agents/run-agent.ts';
import { readerOf } from '../identity/may-read.ts';
import type { CountedCaller } from '../limits/counted-caller.ts';
import { TurnError } from '../errors/turn-error.ts';
import { documentsPart } from '../knowledge/documents-part.ts';
import { factsPart } from '../memory/facts-part.ts';
import { filesAsWritten, filesPart } from '../prompt/files-part.ts';
import { beside, pagePart, userMessage, withImages } from '../prompt/user-message.ts';
import { withUiActions } from '../ui-actions/ui-action-tools.ts';
import { admitTurn, isCounted } from './steps/admit-turn.ts';
import { askScope, keepInScope } from './steps/check-scope.ts';
import { concludeTurn } from './end/conclude-turn.ts';
import { documentsBeside, tellSources } from './steps/documents-beside.ts';
import { factsBeside, keepWords } from './steps/facts-beside.ts';
import { filesBeside } from './steps/files-beside.ts';
import { guardMessage } from './steps/guard-message.ts';
import type { EndedTurn } from './live/ended-turn.ts';
import { completed, type End, endOf, wordsStand } from './end/end-of-turn.ts';
import { HonestReply } from './steps/honest-reply.ts';
import type { LiveTurn } from './live/live-turn.ts';
import { tellLeftOut } from './steps/left-out.ts';
import { keepConversation, storeEarlier, suggestTitle } from './end/keep-conversation.ts';
import { noteLimit } from './end/note-limit.ts';
import { reduceOnce } from './conversation/reduced-history.ts';
import { holdReply, releaseReply } from './steps/release-reply.ts';
import { rememberTurn } from './end/remember-turn.ts';
import { requireBudget } from './steps/require-budget.ts';
import { modelAtStart, routeBeside, routedModel } from './steps/route-turn.ts';
import { sentHistory } from './conversation/sent-history.ts';
import { skillsOfTurn } from './steps/skills-of-turn.ts';
import { cascading } from './steps/cascade.ts';
import { rosterOfTurn, staffOfTurn } from './steps/staff-of-turn.ts';
import { sumUpOnce } from './conversation/summed-history.ts';
import { sweepRows } from './end/sweep-rows.ts';
import { toolboxOfTurn } from './steps/toolbox-of-turn.ts';
import { toolsOfTurn } from './steps/tools-of-turn.ts';
import type { TurnServices } from './live/turn-services.ts';
import type { Conversation } from './conversation/conversation.ts';
import type { StopReason } from './live/turn.ts';

/** A turn to run. */
export interface TurnRun {
  readonly turn: LiveTurn;
  readonly conversation: Conversation;
  /** Ends the turn as refused before anything else happens. The session or the server already knows the reason. */
  readonly refusal: TurnError | undefined;
  /** Who the turn counts for, where that is known. */
  readonly caller?: CountedCaller | undefined;
}

/**
 * Runs one turn, from the message of the user to the last event (docs/architecture.md). Exactly one `TurnCompleted` closes it, whatever
 * happens. With the record of an earlier process or of a snapshot, the turn continues where that record ends. Never rejects; resolves with
 * what is kept of the turn.
 */
export async function runTurn(run: TurnRun, services: TurnServices): Promise<EndedTurn> {
  const { turn, conversation } = run;
  announce(turn, services);
  turn.events.takeBack(turn.record.has('end'));
  const end = await turn.record.step('end', () => answer(run, services));
  turn.record.trace?.ended(end.status, end.error?.code);
  const said = rememberTurn(turn, conversation, { end, services });
  const hasWords = wordsStand(end) && !conversation.isForgotten;
  const keeping = hasWords ? keepWords(turn, services.memory) : undefined;
  if (keeping !== undefined) await keeping;
  if (turn.tape.isKept) await sweepRows(turn, services);
  const told = await keepConversation(turn, conversation, { end, said, services });
  const ended = await concludeTurn(turn, told, services);
  suggestTitle(turn, { end: told, said, services });
  return ended;
}

function answer(run: TurnRun, services: TurnServices): Promise<End> {
  const { turn } = run;
  return keptHonest(run, services).then(
    () => {
      turn.tape.gather();
      return isStoppedByReader(turn.stopReason) ? endOf(undefined, turn, services) : completed(turn, services);
    },
    (fault: unknown) => {
      noteLimit(fault, run, services);
      // Refused messages do not count toward the rate. Only the window of the model shows that this message is too long, so it is given
      // back here.
      if (fault instanceof TurnError && fault.isOverWindow && isCounted(turn))
        services.messageRate.giveBack(turn.principal);
      // Half a reply is kept: clients have seen the numbers of its events, and a number must never stand for another text.
      turn.events.keepText();
      return endOf(fault, turn, services);
    },
  );
}

/**
 * Whether the turn must end as `stopped`. A reader who was told of the Stop must not see another end, even if the reply was completed in
 * the meantime.
 */
function isStoppedByReader(reason: StopReason | undefined): boolean {
  return reason !== undefined && reason !== 'draining' && reason !== 'interrupted';
}

async function keptHonest(run: TurnRun, services: TurnServices): Promise<void> {
  if (run.refusal !== undefined) throw run.refusal;
  const honest = new HonestReply(run.turn, services);
  try {
    await admitAndAnswer(run, honest, services);
  } finally {
    const ending = honest.end();
    if (ending !== undefined) await ending;
  }
}

async function admitAndAnswer(
  { turn, conversation, caller }: TurnRun,
  honest: HonestReply,
  services: TurnServices,
): Promise<void> {
  const { request, options, principal } = turn;
  const admitted = admitTurn(turn, services);
  if (admitted !== undefined) await admitted;
  const { kept, page } = promptOf(turn);
  const budgeted = requireBudget(turn, services);
  if (budgeted !== undefined) await budgeted;
  const reading = filesBeside(turn, caller, services);
  const sent = reading instanceof Promise ? await reading : reading;
  const gate = guardMessage(turn, beside(kept, [filesAsWritten(sent), page]).text, services);
  honest.begin(kept.text);
  holdReply(turn, services);
  const inScope = askScope(turn, kept.text, services);
  if (conversation.unstored.length > 0) await storeEarlier(turn, conversation, services);
  const reducing = reduceOnce(turn, services);
  if (reducing !== undefined) await reducing;
  const summing = sumUpOnce(turn, services);
  if (summing !== undefined) await summing;
  const present = toolboxOfTurn(turn, services);
  const toolbox = present instanceof Promise ? await present : present;
  const routing = routeBeside(turn, kept.text, services);
  const search = documentsBeside(turn, services);
  const recall = factsBeside(turn, services);
  const choice = toolsOfTurn(turn, toolbox, services);
  const isWaiting = search instanceof Promise || recall instanceof Promise || choice instanceof Promise;
  const [found, facts, tools] = isWaiting ? await allOf(search, recall, choice) : [search, recall, choice];
  if (routing !== undefined) await routing;
  if (inScope !== undefined) await keepInScope(inScope, { turn, gate, services });
  const offered = skillsOfTurn(turn, conversation, services);
  const skills = offered instanceof Promise ? await offered : offered;
  const roster = rosterOfTurn(request, services);
  const agents = roster?.offeredTo(readerOf(request.caller.principal)) ?? noAgents;
  const coordinator = {
    name: coordinatorName,
    model: routedModel(turn, services),
    instructions: skills.beside(services.instructions),
    foreign: services.foreign,
    toolbox: withUiActions(tools.addTo(agents.addTo(skills.addTo(toolbox))), request.uiActions, turn.events),
    offered: tools,
    maxRounds: options.maxToolRounds,
    hosted: services.hosted?.(),
    mayApproveByRule: true,
    mustAsk: honest.asksForChange,
  };
  const parts = [factsPart(facts, principal), documentsPart(found.documents, found.template), filesPart(sent), page];
  const messages = [...skills.within(sentHistory(turn, services)), withImages(beside(kept, parts), request.message)];
  const scope = { turn, path: coordinatorName, gate, spending: services.spending, services: services.calls };
  const staff = staffOfTurn(services, { roster, toolbox, skills });
  const hands = staff && handingOver({ ...scope, staff, runMember, depth: 0, isSilent: false });
  const run = cascading(turn, services, (agent, again) =>
    runAgent(agent, messages, { ...scope, again, handingOver: hands }),
  );
  const stands = await honest.reply(coordinator, (again) => run(coordinator, again));
  await releaseReply(turn, services);
  if (stands) tellSources(turn, found, services);
}

/** Records what is sent of the message and of the page. */
function promptOf({ record, request }: LiveTurn): {
  readonly kept: ReturnType<typeof userMessage>;
  readonly page: ReturnType<typeof pagePart>;
} {
  const kept = record.now('prompt/message', () => userMessage(request.message), { kind: 'prompt', part: 'message' });
  const page = record.now(
    'prompt/page',
    () => pagePart(request.page),
    request.page === undefined ? undefined : { kind: 'prompt', part: 'page' },
  );
  return { kept, page };
}

function announce(turn: LiveTurn, services: TurnServices): void {
  const { events, request, conversationId } = turn;
  const { warnings = [] } = request.message;
  const named = modelAtStart(turn, services);
  events.once('started', {
    type: 'turn-started',
    conversationId,
    ...(named === undefined ? {} : { model: named.model }),
    ...(warnings.length > 0 ? { warnings } : {}),
  });
  tellLeftOut(turn, services);
}

/** Waits for look-ups that run at the same time. If one fails, the others end first, so that none keeps running. */
async function allOf<One, Two, Three>(
  one: One | Promise<One>,
  two: Two | Promise<Two>,
  three: Three | Promise<Three>,
): Promise<[One, Two, Three]> {
  await Promise.allSettled([one, two, three]);
  return [await one, await two, await three];
}
