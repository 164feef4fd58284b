/**
The states of an open session. `needs_you`: a question waits for the user. `paused`: its turn was interrupted. `idle`:
nothing runs.
*/
export type LiveState = (typeof liveStates)[number];
export const liveStates = ['needs_you', 'running', 'paused', 'idle'] as const;

/** The states of a stored session. Those that need the user come first. `ended`: no process has the session open. */
export type SessionState = LiveState | 'ended';
export const sessionStates: readonly SessionState[] = [...liveStates, 'ended'];
