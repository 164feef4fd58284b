import type {RemoteName} from '../../remote/attach/remote-name.ts';
import type {RecordedModel} from '../../ground/history/recorded.ts';
import type {EditorServers} from '../../servers/mcp/editor-servers.ts';
import type {ApprovalMode, Effort} from '../../protocol.ts';

/** The folder to work in (`--cwd`, `--manifest`), and whether its contents are trusted (`--trust`). */
export type ProjectOptions = {
	readonly cwd?: string | undefined;
	readonly manifest?: string | undefined;
	readonly trust?: boolean | undefined;
	/** Whether files of the folder's owner are used like yours. */
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
	/** The reasoning effort. A level that the model lacks becomes the next lower one. */
	readonly effort?: Effort;
	/** The maximum number of model calls in one turn. */
	readonly maxTurns?: number;
	/** The cost of the session in USD. */
	readonly maxCost?: number;
	/** The options of the model's requests, each as `key=value`. */
	readonly options?: readonly string[];
	readonly cwd?: string;
	readonly manifest?: string;
	readonly readOnly: boolean;
	/** Whether files may be changed although the session was read-only. */
	readonly writable?: boolean;
	/** The model of another open session, for one that continues with it. `model` comes before it. */
	readonly like?: RecordedModel | undefined;
	readonly addDirs: readonly string[];
	/** Whether to continue in a copy of the session. The original does not change. */
	readonly fork?: boolean;
	/** Whether to trust the project's current contents for this run. */
	readonly trust?: boolean;
	/** Whether files of the owner of `cwd` are used like yours for this run. */
	readonly trustOwner?: boolean;
	/** Whether commands run without confinement. */
	readonly noConfine?: boolean;
	/** The rules of the command line, each `TOOL` or `TOOL(PATTERN)`. They come before those of the configuration. */
	readonly allow?: readonly string[];
	readonly deny?: readonly string[];
	/** The file of the system prompt, instead of that of inkpod. */
	readonly systemPromptFile?: string;
	/** The approval mode, by default that of the session, and `ask` in a new one. */
	readonly approval?: ApprovalMode;
};

/** The options for the start of a chat. */
export type ChatOptions = StartOptions & {
	/** The MCP servers that an editor passed with the session. */
	readonly editorServers?: EditorServers;
	/** Whether other terminals may not attach. */
	readonly noSocket?: boolean;
	/** The session in another terminal to attach to. `remote`: it is on another machine. */
	readonly attach?: {readonly id?: string; readonly remote?: RemoteName};
};

/** What the command line says about a session. It comes before the record and the configuration. */
export type Said = Pick<
	StartOptions,
	'model' | 'like' | 'effort' | 'approval' | 'readOnly' | 'writable' | 'maxTurns' | 'maxCost'
>;
