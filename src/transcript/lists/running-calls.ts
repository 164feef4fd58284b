import type {Status, ToolCall} from '../../pod/protocol.ts';
import type {Block, BlockOf} from '../block.ts';
import {phaseOf} from '../phase.ts';
import type {Transcript} from '../state.ts';

type RunningBlock = BlockOf<'tool'> & {readonly call: ToolCall};

/** Returns the calls that are executing, in the order of their starts. */
export function runningCalls({calls = []}: Status, transcript: Transcript): readonly ToolCall[] {
	return calls.flatMap(({callId}) => runningBlocks(callId, transcript).map(({call}) => call));
}

/** Returns the blocks of a call that is executing. */
export function runningBlocks(callId: string, transcript: Transcript): readonly RunningBlock[] {
	const {calls, blocks} = transcript.folded;
	return (calls.get(callId)?.blocks ?? []).flatMap(index => {
		const block = blocks[index];
		return isRunning(block, transcript) ? [block] : [];
	});
}

/**
Tells whether the call of a block is executing. A call that has printed output is open, and its output is a provisional
result.
*/
function isRunning(block: Block | undefined, transcript: Transcript): block is RunningBlock {
	if (block?.kind !== 'tool' || block.call === undefined) return false;
	return block.open ? block.result !== undefined : phaseOf(block, transcript) === 'running';
}
