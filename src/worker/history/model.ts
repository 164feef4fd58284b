import type {AnsweredBy, ProviderData, Settings, Stop, ToolDefinition, Usage} from './item.ts';
import type {Media, ReadMedia} from './media.ts';
import type {RewriteNotes} from './rewrites.ts';

/**
A language model of one provider.

`stream` never throws and never rejects: a failure arrives as the last event, `error`. The last event is always `finish`
or `error`. When `signal` is aborted, the stream soon ends with an `error` whose reason is `aborted`. Each part is a
`start`, any number of `delta`s and an `end`, in the order in which the model wrote the parts.
*/
export type Model = {
	/** The name in the form `provider/name`, as users write it. */
	readonly name: string;
	/** Opens a connection for a request that follows soon. Nothing is sent over it, and it never fails. */
	connect?(): void;
	stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
};

/** The request to a model, which is a pure function of the history (context.ts). */
export type ModelRequest = {
	readonly prompt: string;
	readonly tools: readonly ToolDefinition[];
	readonly settings: Settings;
	readonly messages: readonly ModelMessage[];
	/**
	Reads the images and documents of the messages when the request is sent. Required if the messages have images or
	documents.
	*/
	readonly readMedia?: ReadMedia;
};

export type ModelMessage =
	| {readonly role: 'user'; readonly text: string; readonly media?: Media}
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
	/**
	The body is ready, and `hash` is its sha256 in hex. The model sends the body when the caller asks for the next
	event. If the caller stops here, nothing is sent. This event comes at most once, before the first part. `rewrites`:
	how the body deviates from the request.
	*/
	| {readonly type: 'sending'; readonly hash: string; readonly rewrites?: RewriteNotes}
	/** What the server says about the answer. Later events of this type replace earlier ones. */
	| {readonly type: 'answered'; readonly by: AnsweredBy}
	| {readonly type: 'start'; readonly key: string; readonly part: PartHead}
	| {readonly type: 'delta'; readonly key: string; readonly text: string}
	/**
	The end of a part. `text` replaces the text of the deltas when the provider's final text differs (tool arguments).
	`isThought`: the part began as a text, but turned out to be a thought.
	*/
	| {
			readonly type: 'end';
			readonly key: string;
			readonly text?: string;
			readonly provider?: ProviderData;
			readonly isThought?: true;
	  }
	| {readonly type: 'finish'; readonly stop: Stop; readonly usage: Usage; readonly explanation?: string}
	| {readonly type: 'error'; readonly error: ModelFailure; readonly usage?: Usage};

export type PartHead =
	| {readonly type: 'text'}
	| {readonly type: 'reasoning'}
	| {readonly type: 'tool_call'; readonly callId: string; readonly name: string}
	/** A part that inkpod cannot read: its type, and its content as JSON. The part has no deltas. */
	| {readonly type: 'unread'; readonly kind: string; readonly data?: string};

export type ModelFailure = {
	readonly reason: ModelFailureReason;
	/** One sentence for the user: what happened and, if known, what to do. The sentence never includes an API key. */
	readonly message: string;
	/** Whether the same request may succeed later. This matters only before the first part. */
	readonly retryable: boolean;
	/** The wait in milliseconds that the server asked for. */
	readonly retryAfterMs?: number;
	/**
	The changes to the request's form (`settings.forms`) that the server's error message names. The server may accept a
	request with these changes.
	*/
	readonly forms?: readonly string[];
	/** The server's error message, if the server could not parse a call that the model wrote. */
	readonly unreadCall?: string;
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
	/** The answer is larger than the limit. */
	| 'too_large'
	| 'other';
