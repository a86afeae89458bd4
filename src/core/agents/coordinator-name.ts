/** The agent that speaks when no specialist does (contract/events.md, `agent`). */
export const coordinatorName = 'coordinator';
