import type {ChatOptions, StartOptions} from '../../pod/first-frame.ts';

/** What the arguments ask inkpod to start. */
export type Launch =
	| ({
			readonly command: 'chat';
			readonly prompt: string;
			/** If true, the mouse is left to the terminal. */ readonly noMouse?: boolean;
			/** If true, the screen is rendered without the alternate screen. */ readonly inline?: boolean;
			/** If true, plain lines for a screen reader replace the full screen. */ readonly screenReader?: boolean;
			/** If true, the transcript is printed to the scrollback at the end. */ readonly dump?: boolean;
	  } & ChatOptions)
	/** `--bg`: a task for the server. */
	| ({readonly command: 'background'; readonly prompt: string} & Start)
	/** The server for an editor. The options of the start apply to all of its sessions. */
	| {readonly command: 'acp'; readonly start: Start}
	/** `idle`: minutes. */
	| {readonly command: 'serve'; readonly unit: boolean; readonly idle?: number}
	/** `attach --stdio`: the wire of a session for another machine. */
	| {readonly command: 'relay'; readonly id: string}
	/** `schema`: the file of a JSON Schema for the last answer. `isStream`: methods come from stdin. */
	| ({
			readonly command: 'print';
			readonly prompt: string;
			readonly format: OutputFormat;
			readonly schema?: string;
			readonly isStream?: boolean;
	  } & Start)
	| ({
			readonly command: 'sessions';
			readonly json: boolean;
			readonly all: boolean;
			readonly needs: boolean;
			readonly search?: string;
	  } & Place)
	| ({readonly command: 'verify'; readonly id: string; readonly requests?: boolean} & Place)
	/** `source`: a session or a bundle. `at`: the item at which the replay opens. */
	| {
			readonly command: 'replay';
			readonly source: string;
			readonly isBundle: boolean;
			readonly start: ChatLaunch;
			readonly at?: string;
			readonly speed?: number;
	  }
	| ({readonly command: 'verifyBundle'; readonly file: string} & Place)
	| ({readonly command: 'repair'; readonly id: string} & Place)
	| ({readonly command: 'delete'; readonly id: string} & Place)
	/** `restore`: the id of the session to bring back. `empty`: delete all of them for good. */
	| {readonly command: 'trash'; readonly restore?: string; readonly empty: boolean; readonly json: boolean}
	| ({readonly command: 'import'; readonly file: string} & Place)
	/** `to`: a file instead of stdout. `exact`: secrets stay. */
	| ({
			readonly command: 'export';
			readonly id: string;
			readonly format: ExportFormat;
			readonly to?: string;
			readonly exact: boolean;
			readonly force: boolean;
	  } & Place)
	| ({readonly command: 'context'; readonly id: string; readonly json: boolean; readonly request: boolean} & Place)
	| ({readonly command: 'notify'; readonly id: string; readonly text: string; readonly run: boolean} & Place)
	| {readonly command: 'models'; readonly json: boolean}
	| ({readonly command: 'config'; readonly json: boolean} & Place)
	| ({readonly command: 'login'; readonly provider: string} & Place)
	| ({readonly command: 'logout'; readonly provider: string} & Place)
	| {readonly command: 'mcp'; readonly action: McpAction}
	| ({readonly command: 'doctor'; readonly json: boolean; readonly model?: string} & Place)
	/** `completions`: a script for a shell. `man`: the manual page. */
	| {readonly command: 'completions'; readonly shell: Shell}
	| {readonly command: 'man'}
	| {readonly command: 'help'}
	| {readonly command: 'version'};

/** What `inkpod mcp` does. `isProject`: with the project's file instead of the user's. */
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

/** Where a command looks for the project. */
export type Place = {readonly cwd?: string; readonly manifest?: string; readonly trustOwner?: boolean};

export type Start = StartOptions;
export type ChatLaunch = Extract<Launch, {command: 'chat'}>;

export const outputFormats = ['text', 'json', 'stream-json'] as const;
export type OutputFormat = (typeof outputFormats)[number];

export const inputFormats = ['text', 'stream-json'] as const;

export const exportFormats = ['md', 'html', 'json', 'bundle'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];
