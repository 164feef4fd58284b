/* The types of `import {openPod} from 'inkpod'`. The build copies this file into the package, so it imports nothing. */

/** What `openPod` opens, and with which parts. */
export type OpenOptions = {
	/** The folder to work in. Its `inkpod.toml`, instructions and sessions are used as by `inkpod`. */
	readonly directory: string;
	/** The id of a session to resume, or the beginning of one. By default a new session begins. */
	readonly session?: string;
	/** `provider/name` as for `--model`, or a model of your own. By default the configured one. */
	readonly model?: string | OwnModel;
	/** Tools of your own, beside those of inkpod. */
	readonly tools?: readonly OwnTool[];
	/** Capabilities of your own: tools with what belongs to them. */
	readonly features?: readonly Feature[];
	/** Which calls run without a question. By default `ask`. */
	readonly approval?: 'ask' | 'accept-edits' | 'plan' | 'auto';
	/**
	Whether you answer questions with `Pod.answer`. By default nobody does, and calls that need approval are refused.
	*/
	readonly attended?: boolean;
	/** Rules as for `--allow` and `--deny`, such as `bash(npm test*)`, or names of your own tools. A denial wins. */
	readonly allow?: readonly string[];
	readonly deny?: readonly string[];
	/** Whether the session may change no files. */
	readonly readOnly?: boolean;
	/** Other folders that the session may read. */
	readonly addDirectories?: readonly string[];
	/** Whether to trust the present contents of the project, as `--trust` does. */
	readonly trust?: boolean;
	/** The environment: keys, HOME and INKPOD_HOME. By default that of this process. */
	readonly env?: Readonly<Record<string, string | undefined>>;
};

/** An open pod, or why it is not open. `sentence` is for people and never contains a key. */
export type Opened =
	| {readonly ok: true; readonly pod: Pod}
	| {readonly ok: false; readonly reason: OpenFailure; readonly sentence: string};

/**
- `options`: an option does not exist, or a tool or model of your own has a bad name or schema.
- `configuration`: an option, the configuration or the project cannot be used.
- `in_use`: another process has the session open.
- `session`: the session cannot be opened.
*/
export type OpenFailure = 'options' | 'configuration' | 'in_use' | 'session';

/** A session with a model and tools. Close it, or write `await using`. */
export type Pod = {
	/** The id of the session. `inkpod -r ID` resumes it later. */
	readonly id: string;
	/** The warnings of the start, as sentences. */
	readonly warnings: readonly string[];
	/** The items of the session so far: exactly what is in its history. */
	readonly items: readonly Item[];
	/** The questions that are open now. */
	readonly questions: readonly Question[];
	/**
	Sends a message and waits for the end of its turn. `@path` attaches a file and `/name` invokes a workflow, as in the
	chat. An aborted signal cancels the turn.
	*/
	send(text: string, options?: {readonly signal?: AbortSignal}): Promise<Turn>;
	/** Calls the listener for every later event. Returns a function that ends this. */
	subscribe(listener: (event: PodEvent) => void): () => void;
	/** Answers a question with one of its choices. Resolves with false if it is not open any more. */
	answer(question: string, choice: string, reason?: string): Promise<boolean>;
	/** Stops what runs, and closes the session. Further calls do nothing. */
	close(): Promise<void>;
	[Symbol.asyncDispose](): Promise<void>;
};

/**
The end of a turn. `text` is what the model wrote last, also if the turn did not finish. `cause` says why it did not.
Without `ok`, nothing was sent.
*/
export type Turn =
	| {
			readonly ok: true;
			readonly outcome: 'finished' | 'limit' | 'cancelled' | 'paused' | 'error';
			readonly text: string;
			readonly cause?: string;
	  }
	| {readonly ok: false; readonly reason: string; readonly sentence: string};

/** An item of history, as `history.json` has it. The keys depend on its type. */
export type Item = {
	readonly type: string;
	readonly id: string;
	readonly at: string;
	readonly [key: string]: unknown;
};

/** A question, such as whether a call may run. `detail` is untrusted text. */
export type Question = {
	readonly id: string;
	readonly title: string;
	readonly detail: string;
	readonly choices: ReadonlyArray<{readonly choice: string; readonly label: string; readonly refuses?: boolean}>;
};

/**
- `item`: an item is in history.
- `text`: a piece of an item that is still being written. `id` is the id that the item will have.
- `questions`: the open questions have changed.
- `state`: the session runs, is idle, or is paused.
- `alert`: a sentence for the user.
- `closed`: there are no further events.
*/
export type PodEvent =
	| {readonly type: 'item'; readonly item: Item}
	| {readonly type: 'text'; readonly id: string; readonly text: string}
	| {readonly type: 'questions'; readonly questions: readonly Question[]}
	| {readonly type: 'state'; readonly state: 'idle' | 'running' | 'paused'}
	| {readonly type: 'alert'; readonly level: 'info' | 'warn' | 'error'; readonly text: string}
	| {readonly type: 'closed'; readonly sentence?: string};

/** A tool of your own. */
export type OwnTool = {
	/** Letters, digits, `_` and `-`. */
	readonly name: string;
	/** What the model reads about it. */
	readonly description: string;
	/** A JSON Schema (2020-12) of type `object`. Calls whose arguments do not match it are refused. */
	readonly parameters: Readonly<Record<string, unknown>>;
	/** Whether it only reads. Such a tool runs without a question; any other needs approval like a command. */
	readonly readOnly?: boolean;
	/** Returns what the model reads. A rejection is an error result for the model. */
	run(
		args: Readonly<Record<string, unknown>>,
		call: {readonly signal: AbortSignal},
	): Promise<string | {readonly content: string; readonly isError: boolean}>;
};

/** A capability of your own, in the form that inkpod's own capabilities have. Child sessions share it. */
export type Feature = {
	readonly name: string;
	readonly tools?: readonly OwnTool[];
	/**
	Ends what belongs to the tools when the pod closes and no call runs any more. The last feature stops first. The model
	reads the sentences that it returns when the session continues.
	*/
	stop?(): Promise<readonly string[] | void>;
};

/**
A model of your own. `stream` yields the parts of an answer: for each a `start`, any number of `delta`s and an `end`,
and last a `finish` or an `error`. It ends soon after the signal aborts.
*/
export type OwnModel = {
	/** `own/NAME`, so that nobody takes it for the model of a provider. */
	readonly name: string;
	stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
};

/** Everything that the model reads. `settings` are the options of its requests. */
export type ModelRequest = {
	readonly prompt: string;
	readonly tools: ReadonlyArray<{
		readonly name: string;
		readonly description: string;
		readonly parameters: Readonly<Record<string, unknown>>;
	}>;
	readonly settings: Readonly<Record<string, unknown>>;
	readonly messages: readonly ModelMessage[];
};

export type ModelMessage =
	| {readonly role: 'user'; readonly text: string}
	| {readonly role: 'assistant'; readonly parts: readonly AssistantPart[]}
	| {
			readonly role: 'tool';
			readonly results: ReadonlyArray<{
				readonly callId: string;
				readonly name: string;
				readonly content: string;
				readonly isError: boolean;
			}>;
	  };

export type AssistantPart =
	| {readonly type: 'text' | 'reasoning'; readonly text: string}
	| {readonly type: 'tool_call'; readonly callId: string; readonly name: string; readonly arguments: string};

export type ModelEvent =
	| {
			readonly type: 'start';
			readonly key: string;
			readonly part:
				| {readonly type: 'text'}
				| {readonly type: 'reasoning'}
				| {readonly type: 'tool_call'; readonly callId: string; readonly name: string};
	  }
	/** `text`: a piece of the part, or of the JSON of a call's arguments. */
	| {readonly type: 'delta'; readonly key: string; readonly text: string}
	| {readonly type: 'end'; readonly key: string}
	| {
			readonly type: 'finish';
			readonly stop: 'end' | 'tool_calls' | 'length' | 'refused';
			/** Tokens. */
			readonly usage: {readonly input?: number; readonly output?: number};
	  }
	/** `message`: a sentence for the user. `retryable`: whether the same request may succeed later. */
	| {
			readonly type: 'error';
			readonly error: {
				readonly reason: 'unreachable' | 'rate_limited' | 'overloaded' | 'too_long' | 'bad_request' | 'other';
				readonly message: string;
				readonly retryable: boolean;
			};
	  };
