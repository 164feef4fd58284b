import type {Env} from '../../pod/first-frame.ts';

/** What the chat uses of the process. */
export type ChatIo = {
	readonly version: string;
	readonly env: Env;
	readonly stdin: NodeJS.ReadStream;
	readonly stdout: NodeJS.WriteStream;
	readonly stderr: {write(text: string): unknown};
};
