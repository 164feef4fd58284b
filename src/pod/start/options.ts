import type {ApprovalMode} from '../protocol.ts';

/** Where to work: `--cwd` and `--manifest`, and whether its contents are trusted (`--trust`). */
export type ProjectOptions = {
	readonly cwd?: string | undefined;
	readonly manifest?: string | undefined;
	readonly trust?: boolean | undefined;
};

/** How a pod is started. */
export type StartOptions = {
	readonly session:
		| {readonly kind: 'new'}
		| {readonly kind: 'latest'}
		| {readonly kind: 'pick'}
		| {readonly kind: 'id'; readonly id: string};
	readonly model?: string;
	readonly cwd?: string;
	readonly manifest?: string;
	readonly readOnly: boolean;
	readonly addDirs: readonly string[];
	/** Continue in a new session that begins as a copy of that one, which does not change. */
	readonly fork?: boolean;
	/** Trust what needs trust as it is, for this run. */
	readonly trust?: boolean;
	/** What tools may do without asking; `ask` when absent. */
	readonly approval?: ApprovalMode;
};

/** How a pod is started for a chat. */
export type ChatOptions = StartOptions & {
	/** Other terminals cannot attach. */
	readonly noSocket?: boolean;
	/** Attach to a session that is open elsewhere. */
	readonly attach?: {readonly id?: string};
};
