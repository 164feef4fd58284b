import type {ProviderData, Settings, Stop, ToolDefinition, Usage} from './item.ts';

/**
A language model behind one of the wires.

`stream` never throws and never rejects: whatever goes wrong arrives as the last event, `error`.
The last event is always `finish` or `error`. When `signal` is aborted the stream ends soon with `error` reason
`aborted`.
Parts do not overlap an id: `start`, any `delta`s, `end`, in the order in which the model wrote them.
*/
export type Model = {
	/** `provider/name`, as a person writes it. */
	readonly name: string;
	stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
};

/** What a model is asked: a pure function of history (see context.ts). */
export type ModelRequest = {
	readonly prompt: string;
	readonly tools: readonly ToolDefinition[];
	readonly settings: Settings;
	readonly messages: readonly ModelMessage[];
};

export type ModelMessage =
	| {readonly role: 'user'; readonly text: string}
	| {readonly role: 'assistant'; readonly parts: readonly AssistantPart[]}
	| {readonly role: 'tool'; readonly results: readonly ToolAnswer[]};

export type AssistantPart =
	| {readonly type: 'text'; readonly text: string; readonly provider?: ProviderData}
	| {readonly type: 'reasoning'; readonly text: string; readonly provider?: ProviderData}
	| {
			readonly type: 'tool_call';
			readonly callId: string;
			readonly name: string;
			readonly arguments: string;
			readonly provider?: ProviderData;
	  };

export type ToolAnswer = {
	readonly callId: string;
	readonly name: string;
	readonly content: string;
	readonly isError: boolean;
};

export type ModelEvent =
	/** The body is on its way; `hash` is sha256 of it in hex. Before any part. */
	| {readonly type: 'sent'; readonly hash: string}
	| {readonly type: 'start'; readonly key: string; readonly part: PartHead}
	| {readonly type: 'delta'; readonly key: string; readonly text: string}
	/** `text` replaces what the deltas made, where the provider's final word differs (tool arguments). */
	| {readonly type: 'end'; readonly key: string; readonly text?: string; readonly provider?: ProviderData}
	| {readonly type: 'finish'; readonly stop: Stop; readonly usage: Usage}
	| {readonly type: 'error'; readonly error: ModelFailure; readonly usage?: Usage};

export type PartHead =
	| {readonly type: 'text'}
	| {readonly type: 'reasoning'}
	| {readonly type: 'tool_call'; readonly callId: string; readonly name: string};

export type ModelFailure = {
	readonly reason: ModelFailureReason;
	/** One sentence for a person: what happened and, where known, what to do. Never holds a key. */
	readonly message: string;
	/** Whether the same request may succeed later. Only asked before the first part. */
	readonly retryable: boolean;
	/** What the server asked to wait, in milliseconds. */
	readonly retryAfterMs?: number;
	readonly cause?: unknown;
};

export type ModelFailureReason =
	| 'aborted'
	| 'unreachable'
	| 'unauthorized'
	| 'not_found'
	| 'rate_limited'
	| 'overloaded'
	| 'too_long'
	| 'bad_request'
	| 'cut'
	| 'stalled'
	| 'bad_response'
	/** The answer is larger than inkpod reads. */
	| 'too_large'
	| 'other';
