import {Console} from 'node:console';
import {ndJsonStream} from '@agentclientprotocol/sdk';
import {serveEditor} from '../../acp/agent.ts';
import type {Start} from '../../args.ts';
import type {Env} from '../../pod/index.ts';
import type {Host} from '../../acp/host.ts';
import type {HostOptions} from './host.ts';

export type AcpOptions = {
	readonly start: Start;
	readonly version: string;
	readonly env: Env;
	readonly stdin: NodeJS.ReadableStream;
	readonly stdout: NodeJS.WritableStream;
	readonly stderr: NodeJS.WritableStream;
	/** Aborts when the program has to exit. */
	readonly signal: AbortSignal;
};

/** Implements `inkpod acp`: serves an editor over stdio until it closes stdin. stdout carries only the protocol. */
export async function acp({start, version, env, stdin, stdout, stderr, signal}: AcpOptions): Promise<number> {
	globalThis.console = new Console(stderr, stderr);
	const host = lazyHost({start, env, version});
	await serveEditor(ndJsonStream(webOutput(stdout), webInput(stdin)), host, signal);
	return 0;
}

/** Loads the code of the pod when the editor first needs it, so that the editor soon has an answer. */
function lazyHost(options: HostOptions): Host {
	let loaded: Promise<Host> | undefined;
	const load = async () => (loaded ??= import('./host.ts').then(({createHost}) => createHost(options)));
	return {
		version: options.version,
		providers: async () => (await load()).providers(),
		open: async order => (await load()).open(order),
		list: async cwd => (await load()).list(cwd),
		remove: async id => (await load()).remove(id),
		readText: async path => (await load()).readText(path),
	};
}

/** Reads a stream only as fast as the messages are handled. */
function webInput(stdin: NodeJS.ReadableStream): ReadableStream<Uint8Array> {
	const chunks = stdin[Symbol.asyncIterator]();
	return new ReadableStream<Uint8Array>({
		async pull(controller) {
			const {value, done} = await chunks.next();
			if (done === true) controller.close();
			else controller.enqueue(typeof value === 'string' ? Buffer.from(value) : value);
		},
		async cancel() {
			await chunks.return?.();
		},
	});
}

/** Writes to a stream and waits while it is full, so that a slow editor does not fill the memory of this process. */
function webOutput(stdout: NodeJS.WritableStream): WritableStream<Uint8Array> {
	return new WritableStream<Uint8Array>({
		async write(chunk) {
			await new Promise<void>((resolve, reject) => {
				stdout.write(chunk, error => (error === null || error === undefined ? resolve() : reject(error)));
			});
		},
	});
}
