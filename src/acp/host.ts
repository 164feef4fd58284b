import type {AuthMethod, InitializeResponse} from '@agentclientprotocol/sdk';
import type {PodClient} from '../pod/protocol.ts';

/** The functions of the program that the ACP server needs: they open, list and remove sessions, and read a file. */
export type Host = {
	/** Returns the capabilities of inkpod. */
	initialize(authMethods: AuthMethod[]): InitializeResponse;
	/** The providers whose key `inkpod login` can store. */
	readonly providers: () => Promise<readonly string[]>;
	open(order: OpenOrder): Promise<Opened>;
	/** Returns the stored sessions of a folder, or of all folders. The most recently changed session comes first. */
	list(cwd: string | undefined): Promise<readonly StoredInfo[]>;
	/** Moves a session to the trash. */
	remove(id: string): Promise<Removed>;
	/** Returns the text of a file, or `undefined` if it is not a small text file. */
	readText(path: string): Promise<string | undefined>;
};

/**
A session to open. `id` is absent for a new session. `servers` are MCP servers by name, as entries of `mcpServers`.
*/
export type OpenOrder = {
	readonly id?: string;
	readonly cwd: string;
	readonly addDirs: readonly string[];
	readonly servers: ReadonlyArray<readonly [name: string, entry: unknown]>;
};

export type Opened =
	| {
			readonly ok: true;
			readonly id: string;
			readonly pod: PodClient;
			/** Sentences for the user. They may contain untrusted text. */
			readonly warnings: readonly string[];
	  }
	| {readonly ok: false; readonly sentence: string};

/** A stored session. `title` is on one line. */
export type StoredInfo = {readonly id: string; readonly cwd: string; readonly title: string; readonly changed: string};

type Removed =
	| {readonly ok: true}
	| {readonly ok: false; readonly reason: 'unknown' | 'failed'; readonly sentence: string};
