/** Of routes that only read: HEAD tells of them what GET would send. No route that runs a turn has it. */
export const answersHead = { exposeHeadRoute: true } as const;
