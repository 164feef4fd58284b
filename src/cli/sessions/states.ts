import {sessionStates, type LiveSession, type SessionState} from '../../pod/index.ts';

/** The sessions that processes have open, by their ids. */
export type LiveSessions = ReadonlyMap<string, LiveSession>;

/**
Returns sessions with their states. With `needs`, sessions that need an answer come first, then other open sessions.
*/
export function inOrder<Session extends {readonly id: string}>(
	sessions: readonly Session[],
	live: LiveSessions,
	needs: boolean,
): ReadonlyArray<Session & {readonly state: SessionState}> {
	const states = sessions.map(session => ({...session, state: stateOf(session.id, live)}));
	return needs ? states.toSorted((one, other) => rank(one.state) - rank(other.state)) : states;
}

export function isOpen({state}: {readonly state: SessionState}): boolean {
	return state !== 'ended';
}

function stateOf(id: string, live: LiveSessions): SessionState {
	const open = live.get(id);
	return open === undefined ? 'ended' : (open.state ?? 'idle');
}

function rank(state: SessionState): number {
	return sessionStates.indexOf(state);
}
