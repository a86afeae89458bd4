import type { Requirement } from '../requirement.ts';

const attacks = 'test/integration/attacks.test.ts';
const declared = 'test/integration/provenance.test.ts';
const calls = 'test/unit/core/calls/provenance.test.ts';
const influences = 'test/unit/core/provenance/influences.test.ts';
const messages = 'test/unit/core/prompt/provenance-of-messages.test.ts';
const sinks = 'test/unit/core/calls/sinks.test.ts';
const values = 'test/unit/core/tools/sink-values.test.ts';
const words = 'test/unit/core/provenance/word-for-word.test.ts';

const by = (id: string, file: string, ...titles: readonly string[]): Requirement => ({
  id,
  tests: titles.map((title) => ({ file, title })),
});

/** The statements of `docs/contract/provenance.md`, and what other pages say of it. */
export const provenanceRequirements: readonly Requirement[] = [
  {
    id: 'service-10-01',
    tests: [
      { file: declared, title: 'trusted: true of a plugin lets rules approve after its result' },
      { file: declared, title: 'trusted: true and sink: true of a manifest mean the same' },
    ],
  },
  by('service-10-02', calls, 'is asked about where a form was submitted: what a card submits may come from anybody'),
  by('service-10-03', messages, 'knows facts of a user from those of all anonymous callers together'),
  by('service-10-04', attacks, 'is shown no picture that its user has not sent'),
  {
    id: 'service-10-05',
    tests: [
      {
        file: calls,
        title: 'is asked about once the model has read the result of an action that is not trusted, in later turns too',
      },
      { file: messages, title: 'names documents that are not trusted, those of the web as such, and the page' },
    ],
  },
  {
    id: 'service-10-06',
    tests: [
      {
        file: calls,
        title:
          'is asked about where the model was sent a page, and after: its replies were written under that influence',
      },
      { file: calls, title: 'is asked about after a snapshot was put back' },
      {
        file: 'test/integration/carried-influences.test.ts',
        title: 'is behind a later write %s, and the words of a trusted action are not',
      },
      { file: 'test/unit/core/turn/summed-history.test.ts', title: 'carries the origins of what it sums up' },
    ],
  },
  by('service-10-07', influences, 'names each text once, at most ten, the latest, and each origin at least once'),
  by('service-10-08', influences, 'makes a title one short line without invisible characters'),
  by(
    'service-10-09',
    calls,
    'is approved by a rule while the model has read its user, the operator and trusted actions alone',
    'is asked about again although its user chose otherwise, once something untrusted was read',
  ),
  by('service-10-10', calls, 'offers to be remembered only where the results of its own action do not end that'),
  by(
    'service-10-11',
    calls,
    'is approved by rules all the same with provenance.enforce: false, and a question says what was read',
  ),
  by(
    'service-10-29',
    'test/unit/config/warnings.test.ts',
    'rules beside the page of the widget (contract/provenance.md#enforcement)',
    'rules beside a server of the provider (contract/provenance.md#enforcement)',
    'rules beside an MCP server (contract/provenance.md#enforcement)',
    'names what makes rules approve nothing',
  ),
  by('service-10-12', sinks, 'asks nothing with requireConfirmation: false, nor with provenance.enforce: false'),
  by(
    'service-10-13',
    sinks,
    'runs unasked with what the user has written, in this message or an earlier one',
    'asks with any other value, although it reads only, and marks the value',
    'takes the results of trusted actions for a source, and those of others not',
  ),
  by(
    'service-10-14',
    sinks,
    'asks in spite of a rule that approves the call, and keeps the reason of one that asks anyway',
  ),
  {
    id: 'service-10-15',
    tests: [
      { file: values, title: 'reads a member of an object' },
      { file: values, title: 'leaves out true, false and null' },
      { file: sinks, title: 'is one by %s too' },
    ],
  },
  by(
    'service-10-16',
    sinks,
    'takes what the user typed into a question for theirs afterwards, and nothing else of that question',
    'takes of a text that the user changed only what the model had not written',
  ),
  by(
    'service-10-17',
    sinks,
    'takes neither a submitted form nor the name of a picture for the words of the user',
    'takes the words that are sent with a submitted card for those of the card, since they name its button',
  ),
  by(
    'service-10-18',
    sinks,
    'does not take a trusted result for a source of what its own call has brought',
    'takes a trusted result for no source of an address in several lines that its own call has brought',
  ),
  {
    id: 'service-10-19',
    tests: [
      { file: words, title: 'looks for no value of more than 300 characters' },
      { file: words, title: 'looks at the first 1,000 places of a text' },
      { file: sinks, title: 'looks for 20 values of a call, and asks about more' },
    ],
  },
  by('service-10-20', words, 'finds another case', 'finds words with other white space', 'finds letters of full width'),
  by(
    'service-10-21',
    words,
    'does not find a part of an address',
    'does not find a part of a number',
    'finds an address in Chinese',
  ),
  by('service-10-22', words, 'finds an account without its groups', 'finds a telephone number'),
  by('service-10-23', words, 'does not find a letter within a word', 'does not find a character within a name'),
  by(
    'service-10-24',
    attacks,
    'does no harm: no write, no role, no secret and no request that its user has not wanted',
    'does no harm over A2A either, where nobody can be asked',
    'does no harm over MCP either, where the model of a program obeys, and its user declines',
    'does harm by every way in without the defences, or the attacks would prove nothing',
    'is done at least 95 times of 100 as often as without the defences',
  ),
  {
    id: 'service-10-25',
    tests: [
      { file: declared, title: 'trusted: true of a plugin lets rules approve after its result' },
      { file: sinks, title: 'asks with any other value, although it reads only, and marks the value' },
    ],
  },
  by('service-10-26', sinks, 'asks with any other value, although it reads only, and marks the value'),
  by(
    'service-10-27',
    calls,
    'is asked about once the model has read the result of an action that is not trusted, in later turns too',
  ),
  by('service-10-28', messages, 'takes the name call add_note now.png for a text of somebody else'),
];
