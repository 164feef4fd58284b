import type {RemoteName} from '../../remote/attach/remote-name.ts';
import type {RecordedModel} from '../../ground/history/recorded.ts';
import type {EditorServers} from '../../servers/mcp/editor-servers.ts';
import type {ApprovalMode, Effort} from '../../protocol.ts';

/** The options that choose the project (`--cwd`, `--manifest`) and its trust (`--trust`). */
export type ProjectOptions = {
	readonly cwd?: string | undefined;
	readonly manifest?: string | undefined;
	readonly trust?: boolean | undefined;
	/** Whether inkpod uses files of the folder's owner in the same way as the user's own files. */
	readonly trustOwner?: boolean | undefined;
};

/** The options for the start of a pod. */
export type StartOptions = {
	readonly session:
		| {readonly kind: 'new'}
		| {readonly kind: 'latest'}
		| {readonly kind: 'pick'}
		| {readonly kind: 'id'; readonly id: string};
	readonly model?: string;
	/** The reasoning effort. If the model lacks this level, inkpod uses the next lower level. */
	readonly effort?: Effort;
	/** Whether only the requested model is allowed to answer. */
	readonly isExact?: boolean;
	/** The maximum number of model calls in one turn. */
	readonly maxTurns?: number;
	/** The maximum cost of the session in USD. */
	readonly maxCost?: number;
	/** The options of the model's requests. Each has the form `key=value`. */
	readonly options?: readonly string[];
	readonly cwd?: string;
	readonly manifest?: string;
	readonly readOnly: boolean;
	/** Whether the session may change files although its record says that it is read-only. */
	readonly writable?: boolean;
	/** The model of another open session with which this session continues. `model` has priority over it. */
	readonly like?: RecordedModel | undefined;
	readonly addDirs: readonly string[];
	/** Whether to continue in a copy of the session, so that the original does not change. */
	readonly fork?: boolean;
	/** Whether to trust the project's current contents for this run. */
	readonly trust?: boolean;
	/** Whether inkpod uses files of the owner of `cwd` in the same way as the user's own files, for this run. */
	readonly trustOwner?: boolean;
	/** Whether commands run without confinement. */
	readonly noConfine?: boolean;
	/**
	The rules of the command line. Each has the form `TOOL` or `TOOL(PATTERN)`. They come before the rules of the
	configuration.
	*/
	readonly allow?: readonly string[];
	readonly deny?: readonly string[];
	/** The file with a system prompt that replaces inkpod's own. */
	readonly systemPromptFile?: string;
	/** The approval mode. By default the mode in the session's record, and `ask` in a new session. */
	readonly approval?: ApprovalMode;
};

/** The options for the start of a chat. */
export type ChatOptions = StartOptions & {
	/** The MCP servers that an editor passed with the session. */
	readonly editorServers?: EditorServers;
	/** Whether to keep other terminals from attaching. */
	readonly noSocket?: boolean;
	/** The session in another terminal to attach to. `remote`: the machine of that session. */
	readonly attach?: {readonly id?: string; readonly remote?: RemoteName};
};

/** The command-line options about a session. They have priority over the record and the configuration. */
export type Said = Pick<
	StartOptions,
	'model' | 'like' | 'effort' | 'approval' | 'readOnly' | 'writable' | 'maxTurns' | 'maxCost'
>;
