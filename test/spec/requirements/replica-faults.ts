import type { Requirement } from '../requirement.ts';

const seenIds = 'test/unit/adapters/bus/seen-ids.test.ts';
const found = 'test/unit/core/replicas/found-turns.test.ts';
const tls = 'test/unit/adapters/bus/redis-tls.test.ts';
const news = 'test/unit/adapters/bus/news.test.ts';
const killed = 'test/integration/replica-pages.test.ts';
const pages = 'test/unit/core/replicas/pages-elsewhere.test.ts';

/** What replicas bear of each other, and of Redis between them. */
export const replicaFaultRequirements: readonly Requirement[] = [
  {
    id: 'configuration-5-92',
    tests: [
      { file: killed, title: 'may have done what it was asked: the user and the model are told that nobody knows' },
      { file: pages, title: 'may have done what it was asked when %s: the outcome is unknown' },
      { file: pages, title: 'may have done it when its replica fails at it' },
      {
        file: pages,
        title: 'has done it when it answers with more than fits between replicas, or with what is no JSON',
      },
      { file: pages, title: 'that only reads is told to the model as gone, and a Stop as a Stop' },
    ],
  },
  {
    id: 'configuration-5-93',
    tests: [
      {
        file: news,
        title: 'reach a replica that has just started from one whose clock is half a minute %s, once',
      },
    ],
  },
  {
    id: 'configuration-5-94',
    tests: [
      { file: seenIds, title: 'hears further calls, and none of them twice' },
      { file: seenIds, title: 'has room for every sender, however much another one sends' },
      {
        file: seenIds,
        title: 'takes a message for seen that was sent before what it had to forget of the same sender',
      },
      { file: seenIds, title: 'knows a message for its time, and forgets it later' },
      { file: seenIds, title: 'takes no more senders than it has places' },
    ],
  },
  {
    id: 'configuration-5-95',
    tests: [
      {
        file: found,
        title: 'costs another replica one call when nobody has it, and one when it is of somebody else',
      },
    ],
  },
  {
    id: 'wire-10-56',
    tests: [
      {
        file: found,
        title: 'is looked for each second while the store does not know it: a client may have made it up',
      },
      { file: found, title: 'is looked for more often where it exists' },
    ],
  },
  {
    id: 'wire-10-51',
    tests: [
      {
        file: found,
        title:
          'costs the replica that its id names one call, and a few looks into the journal, when nobody has asked it',
      },
    ],
  },
  {
    id: 'configuration-5-96',
    tests: [
      {
        file: tls,
        title: 'is that of url for the servers behind Sentinels of %s, and no password is sent in the clear',
      },
      {
        file: tls,
        title: 'is that of their addresses for Sentinels alone, each of which is known by a name of the list',
      },
      { file: tls, title: 'holds a server to the host that Sentinels name' },
      {
        file: tls,
        title: 'may be ended at any moment of its beginning: a certificate that is refused ends no process',
      },
      { file: tls, title: 'holds a node of a Redis Cluster to %s' },
    ],
  },
];
