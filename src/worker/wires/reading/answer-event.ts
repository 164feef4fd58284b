import type {ProviderData, Stop, Usage} from '../../history/item.ts';

/**
An event that a wire's reader finds in an answer. The events are in the order in which the model wrote the answer. `id`
names a part in its answer. `data` is the provider's own data, which is sent back with the part.
*/
export type AnswerEvent =
	| {readonly type: 'start'; readonly kind: TextKind; readonly id: string; readonly data?: ProviderData}
	/**
	More content of a part. The part begins here if it has not begun. The text may be empty if there is only data.
	*/
	| AnswerDelta
	/** `isThought`: the text turned out to be a thought. */
	| {
			readonly type: 'end';
			readonly kind: TextKind;
			readonly id: string;
			readonly data?: ProviderData;
			readonly isThought?: true;
	  }
	| {readonly type: 'call_start'; readonly id: unknown; readonly name: unknown; readonly data?: ProviderData}
	/** `text`: the complete arguments, which replace the arguments in the deltas. */
	| {
			readonly type: 'call_end';
			readonly id: unknown;
			readonly name: unknown;
			readonly text: string;
			readonly data?: ProviderData;
	  }
	/** `raw`: the server's own word for why the answer ended. `interrupted`: the answer is not complete. */
	| {
			readonly type: 'finish';
			readonly stop: Stop | 'interrupted' | 'error';
			readonly raw?: string;
			readonly usage: Usage;
	  }
	/** An error that the server sent inside the answer, in its own form. */
	| {readonly type: 'error'; readonly error: unknown};

type TextKind = 'text' | 'reasoning';

/** More content of a text, a thought, or the arguments of a call. */
export type AnswerDelta = {
	readonly type: 'delta';
	readonly kind: TextKind | 'tool_call';
	readonly id: string;
	readonly text: string;
	readonly data?: ProviderData;
};
