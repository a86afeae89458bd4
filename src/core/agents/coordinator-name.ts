/** Who speaks when no specialist does (wire.md 2, `agent`). */
export const coordinatorName = 'coordinator';
