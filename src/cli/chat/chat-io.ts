import type {Env} from '../../pod/first-frame.ts';

/** The parts of the process that the chat uses. */
export type ChatIo = {
	readonly version: string;
	readonly env: Env;
	readonly stdin: NodeJS.ReadStream;
	readonly stdout: NodeJS.WriteStream;
	/** Whether the state folder is deleted at the end, because the permanent state folder is not writable. */
	readonly isUnsaved?: boolean;
	readonly stderr: {write(text: string): unknown};
};
