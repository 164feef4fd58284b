import type {ProviderData, Stop, Usage} from '../../history/item.ts';

/**
What a wire's reader finds in an answer, in the order in which the model wrote it. `id` names a part in its answer;
`data` is what the provider wants back with the part, under its key.
*/
export type AnswerEvent =
	| {readonly type: 'start'; readonly kind: TextKind; readonly id: string; readonly data?: ProviderData}
	/** More of a part, which begins if it has not begun. The text may be empty if there is only data. */
	| AnswerDelta
	/** `isThought`: the text proves to be a thought. */
	| {
			readonly type: 'end';
			readonly kind: TextKind;
			readonly id: string;
			readonly data?: ProviderData;
			readonly isThought?: true;
	  }
	| {readonly type: 'call_start'; readonly id: unknown; readonly name: unknown; readonly data?: ProviderData}
	/** `text`: all arguments, which replace those of the deltas. */
	| {
			readonly type: 'call_end';
			readonly id: unknown;
			readonly name: unknown;
			readonly text: string;
			readonly data?: ProviderData;
	  }
	/** `raw`: the server's own word for why the answer ended. `interrupted`: the answer is not whole. */
	| {
			readonly type: 'finish';
			readonly stop: Stop | 'interrupted' | 'error';
			readonly raw?: string;
			readonly usage: Usage;
	  }
	/** An error that the server sent inside the answer, in its own form. */
	| {readonly type: 'error'; readonly error: unknown};

type TextKind = 'text' | 'reasoning';

/** More of a text, a thought, or the arguments of a call. */
export type AnswerDelta = {
	readonly type: 'delta';
	readonly kind: TextKind | 'tool_call';
	readonly id: string;
	readonly text: string;
	readonly data?: ProviderData;
};
