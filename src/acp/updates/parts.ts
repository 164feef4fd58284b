import type {PlanEntry, ToolCall} from '@agentclientprotocol/sdk';

/** The place of a text in an editor. */
export type Channel = 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk';

/**
A part of a block, as an editor shows it. `id` identifies the part in all of its updates. `isFinal`: the part no longer
changes.
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

/** The data that the parts of a session depend on besides its blocks. */
export type PartContext = {
	/** The working directory, from which relative paths start. */
	readonly pwd: string;
	/** Tells whether a call is being executed, waits, or will no longer be executed. */
	readonly stateOf: (callId: string) => 'pending' | 'in_progress' | 'failed';
};
