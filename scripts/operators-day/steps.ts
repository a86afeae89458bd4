/** One command of the day. */
export interface Step {
  /** What happens, in words. */
  readonly says?: string;
  readonly command: string;
  /** The command is repeated until its output matches, for example while the server starts. */
  readonly until?: RegExp;
  /** The text that the page shows in place of the command. Empty: the page shows neither the command nor its output. */
  readonly shownAs?: string;
}

const start: Step = {
  command: 'helper start >> helper.log 2>&1 & echo $! > helper.pid',
  shownAs: 'helper start >> helper.log &',
};
const ready: Step = { command: 'helper health', until: /^ready/ };
const stop: Step = {
  command:
    'kill $(cat helper.pid); while kill -0 $(cat helper.pid) 2>/dev/null; do sleep 0.1; done; tail -n 1 helper.log | grep -o \'"msg":.*"\'',
  shownAs: 'kill $(cat helper.pid)',
};
const scrape = 'curl -s -H "authorization: Bearer $(cat metrics.token)" localhost:8080/metrics';
const openQuestions: Step = { command: `${scrape} | grep '^helperagent_open_questions'` };

/** The ids of the two questions that were open when version 1.0 stopped, and the last event that the first user got. */
const kept = { cancel: 'rb6YqPTr1yqkRyul121grw', move: 'WwyLvQJ5Agsd0QAA5gNyzw', last: 'OrToF6ScrCw7-16bVtSNug:2' };

const answerKept = (actionId: string, approved: boolean): string =>
  `curl -s localhost:8080/helper/approve --json '{"actionId":"${actionId}","approved":${String(approved)}}'; echo`;

const upgrade: readonly Step[] = [
  {
    says: 'Version 1.0 was stopped for an upgrade while two users had not answered. Its storage is saved first.',
    command: 'helper backup before-upgrade.db',
  },
  start,
  ready,
  { ...openQuestions, says: 'The new version has taken both questions over. One user approves, the other declines.' },
  { command: answerKept(kept.cancel, true) },
  { command: answerKept(kept.move, false) },
  {
    command: `curl -s 'localhost:8080/helper/approve?actionId=${kept.cancel}'`,
    until: /succeeded/,
  },
  {
    command: `curl -sN -H 'last-event-id: ${kept.last}' localhost:8080/helper/chat | sed -n '/^event: end/,$ s/.*"text":"\\([^"]*\\)".*/\\1/p'`,
  },
  openQuestions,
];

const changes: readonly Step[] = [
  {
    says: 'Morning. What does the server offer?',
    command: "helper check | sed -n '/Actions/,/^$/p'",
  },
  {
    says: 'A user asks for something that changes data. Nobody has answered yet.',
    command: `curl -sN 'localhost:8080/helper/chat?message=Cancel+order+1011' > question.txt 2> /dev/null &`,
  },
  { command: 'grep ^event question.txt', until: /confirmation/ },
  {
    says: 'Somebody changes the configuration and misspells a value. The server goes on with the old configuration.',
    command: `sed -i 's/helperLevel: .*/helperLevel: Loud/' helper.yaml && helper reload`,
  },
  { command: `sed -i 's/helperLevel: .*/helperLevel: Proactive/' helper.yaml && helper reload` },
  {
    says: 'Something is wrong in the shop, and no write may run until the cause is known. The switch needs no restart and at most 5 seconds.',
    command: `sed -i 's/writes: false/writes: true/' helper.yaml`,
  },
  { command: `curl -s localhost:8080/readyz | grep -o '"killSwitch":[^}]*}'`, until: /true/ },
  {
    command: `curl -sN 'localhost:8080/helper/chat?message=Cancel+order+1005' | sed -n '/^event: end/,$ s/.*"text":"\\([^"]*\\)".*/\\1/p'`,
  },
  { command: `sed -i 's/writes: true/writes: false/' helper.yaml` },
  { command: 'curl -s localhost:8080/readyz', until: /"status":"ready"(?!.*killSwitch":\{"writes":true)/ },
  { says: 'The token of the monitoring is renewed.', command: 'echo second-token > metrics.token' },
  {
    command: `curl -s -o /dev/null -w '%{http_code}\\n' -H 'authorization: Bearer first-token' localhost:8080/metrics`,
    until: /401/,
  },
  openQuestions,
];

const lostDisk: readonly Step[] = [
  {
    says: 'A backup is made while the server runs. Then the machine is lost, and its disk with it.',
    command: 'helper backup noon.db',
  },
  { command: 'kill -9 $(cat helper.pid); rm -r data' },
  { command: 'helper restore noon.db' },
  start,
  ready,
  {
    says: 'The user comes back and answers. The action runs once.',
    command: `action=$(sed -n 's/.*"actionId":"\\([^"]*\\)".*/\\1/p' question.txt)
curl -s localhost:8080/helper/approve --json "{\\"actionId\\":\\"$action\\",\\"approved\\":true}"; echo
curl -s "localhost:8080/helper/approve?actionId=$action"`,
    until: /succeeded/,
  },
  {
    ...stop,
    says: 'The machine is restarted. The server is told to stop, and ends when the turns that run have ended.',
  },
  start,
  ready,
];

const crash: readonly Step[] = [
  {
    says: 'The server crashes in the middle of an action. Nobody can know whether the action took effect, and the server says so.',
    command: `curl -sN 'localhost:8080/helper/chat?message=Close+the+books' > question.txt 2> /dev/null &`,
  },
  { command: 'grep ^event question.txt', until: /confirmation/ },
  { command: `${scrape} > before.txt` },
  {
    command: `action=$(sed -n 's/.*"actionId":"\\([^"]*\\)".*/\\1/p' question.txt)
curl -s localhost:8080/helper/approve --json "{\\"actionId\\":\\"$action\\",\\"approved\\":true}"; echo`,
  },
  { command: 'grep -c "closing the books" helper.log', until: /1/, shownAs: '' },
  { command: 'kill -9 $(cat helper.pid)' },
  start,
  ready,
  {
    command: `grep -o '"msg":"an action was interrupted.*"' helper.log`,
    until: /interrupted/,
  },
  { command: `${scrape} > after.txt` },
  {
    says: 'The monitoring has seen the figures of before and after the crash.',
    command: `grep -h '^helperagent_tool_calls_total.*close_books.*unknown' before.txt after.txt`,
  },
  stop,
];

/** The day up to the alert. */
export const steps: readonly Step[] = [...upgrade, ...changes, ...lostDisk, ...crash];

/** The steps in which Prometheus judges the day. They need `promtool`, and `play.yaml` made from the two scrapes. */
export const alertSteps: readonly Step[] = [
  {
    says: 'play.yaml has all figures of before.txt for half an hour, then those of after.txt. Nobody is paged on the first. On the second somebody is.',
    command: "sed -n '/promql_expr_test/,$ s/^    //p' play.yaml",
  },
  { command: 'promtool test rules play.yaml' },
];
