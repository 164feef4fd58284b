import type {Start} from '../start/launch.ts';
import type {Env} from '../../pod/first-frame.ts';

export type AcpOptions = {
	/** The command-line options. They apply to all sessions. */
	readonly start: Start;
	readonly version: string;
	readonly env: Env;
	readonly stdin: NodeJS.ReadableStream;
	readonly stdout: NodeJS.WritableStream;
	readonly stderr: NodeJS.WritableStream;
	/** Aborts when the program has to exit. */
	readonly exit: AbortController;
};
