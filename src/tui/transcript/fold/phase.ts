import type {Block} from './block.ts';
import type {Transcript} from './state.ts';

export type Phase = 'asking' | 'queued' | 'running' | 'background' | 'waiting';

/**
Returns the phase of a call without a result, or of a call whose command is still running. The phase comes from the
status, not from the history. No call begins before its whole batch is approved. Other blocks do not depend on the
phase.
*/
export function phaseOf(block: Block | undefined, {status}: Pick<Transcript, 'status'>): Phase {
	if (block?.kind !== 'tool') return 'waiting';
	if (block.result !== undefined && block.result.partialOf === undefined) {
		const isRunning = status.background?.some(({call}) => call === block.call?.id) === true;
		return isRunning ? 'background' : 'waiting';
	}
	if (status.asks.some(ask => ask.callId === block.call?.callId)) return 'asking';
	if (status.kind !== 'running') return 'waiting';
	return status.asks.some(ask => ask.callId !== undefined) ? 'queued' : 'running';
}
