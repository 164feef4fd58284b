import type {PlanEntry, ToolCall} from '@agentclientprotocol/sdk';

/** The kind of update with which an editor shows a text. */
export type Channel = 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk';

/**
A part of a block in the form in which an editor shows it. `id` identifies the part in all of its updates. `isFinal`:
the part no longer changes.
*/
export type Part =
	| {
			readonly kind: 'text';
			readonly id: string;
			readonly channel: Channel;
			readonly text: string;
			readonly isFinal: boolean;
	  }
	| {readonly kind: 'call'; readonly id: string; readonly call: Call; readonly isFinal: boolean}
	| {readonly kind: 'plan'; readonly id: string; readonly entries: PlanEntry[]; readonly isFinal: true};

export type Call = Omit<ToolCall, 'toolCallId'>;

/** The data of a session that its parts depend on in addition to the blocks. */
export type PartContext = {
	/** The working directory. Relative paths start there. */
	readonly pwd: string;
	/** Returns the state of a call: it waits, runs, or will never run. */
	readonly stateOf: (callId: string) => 'pending' | 'in_progress' | 'failed';
};
