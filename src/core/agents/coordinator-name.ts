/** Who speaks when no specialist does (contract/events.md, `agent`). */
export const coordinatorName = 'coordinator';
