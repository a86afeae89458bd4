/** The states of tasks that are not over, by their names in the protocol (A2A 1.0, TaskState). */
export const openTaskStates: readonly string[] = ['TASK_STATE_WORKING', 'TASK_STATE_INPUT_REQUIRED'];
