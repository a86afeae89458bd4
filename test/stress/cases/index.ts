import type { StressCase } from '../../support/stress/stress-case.ts';
import { connectionsPerAddress, turnsPerAddress } from './caller-limits.ts';
import { crumbledMessages } from './crumbs.ts';
import { endlessReplies } from './endless-replies.ts';
import { foreignWebsites } from './foreign-websites.ts';
import { nestedArguments, worstPatterns } from './patterns.ts';
import { lostAnswers } from './lost-answers.ts';
import { ownTokens } from './own-tokens.ts';
import { costlyHeaders } from './costly-headers.ts';
import { pipelinedChats } from './pipelining.ts';
import { queuedMessages } from './queued-messages.ts';
import { reconnects } from './reconnects.ts';
import { slowHeads, stalledUploads } from './slow-requests.ts';
import { unmeantTurns } from './unmeant-turns.ts';
import { failedUpgrades } from './upgrades.ts';

/** All cases, in the order of docs/reference/stress.md. */
export const stressCases: readonly StressCase[] = [
  stalledUploads,
  slowHeads,
  failedUpgrades,
  crumbledMessages,
  queuedMessages,
  pipelinedChats,
  turnsPerAddress,
  connectionsPerAddress,
  worstPatterns,
  nestedArguments,
  endlessReplies,
  foreignWebsites,
  unmeantTurns,
  ownTokens,
  lostAnswers,
  costlyHeaders,
  reconnects,
];
