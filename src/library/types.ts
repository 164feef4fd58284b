/* The types of `import {openPod} from 'inkpod'`. The build copies this file into the package, so it imports nothing. */

/** The session that `openPod` opens, and its options. */
export type OpenOptions = {
	/** The folder to work in. As with the command `inkpod`, its `inkpod.toml`, instructions and sessions apply. */
	readonly directory: string;
	/** The id of a session to resume, or the beginning of the id. By default, a new session begins. */
	readonly session?: string;
	/** `provider/name` as for `--model`, or your own model. By default, the configured model. */
	readonly model?: string | OwnModel;
	/** Your own tools, in addition to inkpod's tools. */
	readonly tools?: readonly OwnTool[];
	/** Your own features: tools with the resources that they need. */
	readonly features?: readonly Feature[];
	/** The approval mode. It decides which calls run without a question. By default, `ask`. */
	readonly approval?: 'ask' | 'accept-edits' | 'plan' | 'auto';
	/**
	Whether you answer questions with `Pod.answer`. By default, nobody answers, and calls that need approval are
	refused.
	*/
	readonly attended?: boolean;
	/**
	Rules as for `--allow` and `--deny`, such as `bash(npm test*)`, or names of your own tools. `deny` has priority.
	*/
	readonly allow?: readonly string[];
	readonly deny?: readonly string[];
	/** Whether the session is read-only. */
	readonly readOnly?: boolean;
	/** Other folders that the session may read. */
	readonly addDirectories?: readonly string[];
	/** Whether to trust the present contents of the project, as `--trust` does. */
	readonly trust?: boolean;
	/** The environment, with API keys, HOME and INKPOD_HOME. By default, the environment of this process. */
	readonly env?: Readonly<Record<string, string | undefined>>;
};

/**
An open pod, or the reason why the pod could not be opened. `sentence` is a text for the user and never contains an API
key.
*/
export type Opened =
	| {readonly ok: true; readonly pod: Pod}
	| {readonly ok: false; readonly reason: OpenFailure; readonly sentence: string};

/**
- `options`: an option does not exist, or one of your own tools or models has an invalid name or schema.
- `configuration`: an option, the configuration or the project cannot be used.
- `in_use`: another process has the session open.
- `session`: the session cannot be opened.
*/
export type OpenFailure = 'options' | 'configuration' | 'in_use' | 'session';

/** A session with a model and tools. Close it, or write `await using`. */
export type Pod = {
	/** The id of the session. `inkpod -r ID` resumes it later. */
	readonly id: string;
	/** The warnings that came up while the pod was opened, as sentences. */
	readonly warnings: readonly string[];
	/** The items that are in the history of the session now. */
	readonly items: readonly Item[];
	/** The open questions. */
	readonly questions: readonly Question[];
	/**
	Sends a message and waits for the end of its turn. `@path` attaches a file and `/name` invokes a workflow, as in the
	chat. An aborted signal cancels the turn.
	*/
	send(text: string, options?: {readonly signal?: AbortSignal}): Promise<Turn>;
	/** Calls the listener for every later event. Returns a function that removes the listener. */
	subscribe(listener: (event: PodEvent) => void): () => void;
	/** Answers a question with one of its choices. Resolves with false if the question is no longer open. */
	answer(question: string, choice: string, reason?: string): Promise<boolean>;
	/** Stops the running turn, and closes the session. Further calls have no effect. */
	close(): Promise<void>;
	[Symbol.asyncDispose](): Promise<void>;
};

/**
The end of a turn. `text` is the last text of the model, even if the turn did not finish. In that case, `cause` gives
the reason. If `ok` is false, the pod sent nothing.
*/
export type Turn =
	| {
			readonly ok: true;
			readonly outcome: 'finished' | 'limit' | 'cancelled' | 'paused' | 'error';
			readonly text: string;
			readonly cause?: string;
	  }
	| {readonly ok: false; readonly reason: string; readonly sentence: string};

/** An item of the history, in the form of `history.json`. Its keys depend on its type. */
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
- `item`: an item is now in the history.
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

/** Your own tool. */
export type OwnTool = {
	/** Letters, digits, `_` and `-`. */
	readonly name: string;
	/** The description of the tool that the model reads. */
	readonly description: string;
	/** A JSON Schema (2020-12) of type `object`. The pod refuses calls whose arguments do not match the schema. */
	readonly parameters: Readonly<Record<string, unknown>>;
	/**
	Whether the tool only reads. Such a tool runs without a question. Every other tool needs approval, like a command.
	*/
	readonly readOnly?: boolean;
	/** Returns the text that the model reads. A rejection becomes an error result for the model. */
	run(
		args: Readonly<Record<string, unknown>>,
		call: {readonly signal: AbortSignal},
	): Promise<string | {readonly content: string; readonly isError: boolean}>;
};

/** Your own feature, similar to inkpod's built-in features. Child sessions share the feature with their parent. */
export type Feature = {
	readonly name: string;
	readonly tools?: readonly OwnTool[];
	/**
	Releases the resources of the tools. The pod calls this function when it closes and no call runs any more. The last
	feature stops first. When the session continues later, the model reads the returned sentences.
	*/
	stop?(): Promise<readonly string[] | void>;
};

/**
Your own model. `stream` yields the parts of an answer. Each part has a `start`, any number of `delta`s and an `end`.
The last event is a `finish` or an `error`. The stream must end soon after the signal is aborted.
*/
export type OwnModel = {
	/** `own/NAME`, so that it cannot be confused with the model of a provider. */
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
	/** `text`: a piece of the part's text, or of the JSON of a call's arguments. */
	| {readonly type: 'delta'; readonly key: string; readonly text: string}
	| {readonly type: 'end'; readonly key: string}
	| {
			readonly type: 'finish';
			readonly stop: 'end' | 'tool_calls' | 'length' | 'refused';
			/** The numbers of input and output tokens. */
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
