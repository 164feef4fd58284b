import type {Block} from './block.ts';
import type {Transcript} from './state.ts';

export type Phase = 'asking' | 'queued' | 'running' | 'background' | 'waiting';

/**
Returns the phase of a call without a result, or of a call whose command is still running. The phase depends on the
status, not on the history. No call begins before its whole batch is approved. For blocks that are not calls, the phase
has no meaning.
*/
export function phaseOf(block: Block | undefined, {status, session}: Pick<Transcript, 'status' | 'session'>): Phase {
	if (block?.kind !== 'tool') return 'waiting';
	// The status of each session also contains the questions of its parent and of all children.
	const own = session?.child === undefined ? undefined : session.id;
	if (block.result !== undefined && block.result.partialOf === undefined) {
		const isRunning = status.background?.some(({call}) => call === block.call?.id) === true;
		return isRunning ? 'background' : 'waiting';
	}
	const asks = status.asks.filter(({child}) => child?.id === own);
	if (asks.some(ask => ask.callId === block.call?.callId)) return 'asking';
	if (status.kind !== 'running') return 'waiting';
	return asks.some(ask => ask.callId !== undefined) ? 'queued' : 'running';
}
