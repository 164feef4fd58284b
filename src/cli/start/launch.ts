import type {ChatOptions, StartOptions} from '../../pod/first-frame.ts';

/** The chat that the arguments describe. */
export type ChatLaunch = ChatOptions & {
	readonly command: 'chat';
	readonly prompt: string;
	/** If true, the mouse is left to the terminal. */
	readonly noMouse?: boolean;
	/** If true, the screen is rendered without the alternate screen. */
	readonly inline?: boolean;
	/** If true, plain lines for a screen reader replace the full screen. */
	readonly screenReader?: boolean;
	/** If true, the transcript is printed to the scrollback when the chat ends. */
	readonly dump?: boolean;
};

export type PrintLaunch = Start & {
	readonly command: 'print';
	readonly prompt: string;
	readonly format: OutputFormat;
	/** The file of a JSON Schema for the last answer. */
	readonly schema?: string;
	/** If true, methods come from stdin. */
	readonly isStream?: boolean;
};

export type ReplayLaunch = {
	readonly command: 'replay';
	/** A session or a bundle. */
	readonly source: string;
	readonly isBundle: boolean;
	readonly start: ChatLaunch;
	/** The item at which the replay opens. */
	readonly at?: string;
	readonly speed?: number;
};

/** An action of `inkpod mcp`. `isProject`: it uses the project's file instead of the user's file. */
export type McpAction =
	| {readonly kind: 'serve'; readonly write: boolean; readonly start: Start}
	| ({readonly kind: 'list'; readonly json: boolean} & Place)
	| ({
			readonly kind: 'add';
			readonly name: string;
			readonly entry: Readonly<Record<string, unknown>>;
			readonly isProject: boolean;
	  } & Place)
	| ({readonly kind: 'remove'; readonly name: string; readonly isProject: boolean} & Place)
	| ({readonly kind: 'login'; readonly name: string; readonly noBrowser: boolean; readonly trust: boolean} & Place)
	| ({readonly kind: 'logout'; readonly name: string} & Place);

/** The options that say where a command looks for the project. */
export type Place = {readonly cwd?: string; readonly manifest?: string; readonly trustOwner?: boolean};

export type Start = StartOptions;

export const outputFormats = ['text', 'json', 'stream-json'] as const;
export type OutputFormat = (typeof outputFormats)[number];

export const inputFormats = ['text', 'stream-json'] as const;

export const exportFormats = ['md', 'html', 'json', 'bundle'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export const recordKinds = [
	'sessions',
	'messages',
	'calls',
	'results',
	'requests',
	'costs',
	'files',
	'approvals',
] as const;
export type RecordKind = (typeof recordKinds)[number];

export const blameFormats = ['text', 'json', 'agent-trace'] as const;

/** The completions of `--format`, which are the same in all subcommands. */
export const formatWords = [...exportFormats, 'agent-trace'] as const;

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];
