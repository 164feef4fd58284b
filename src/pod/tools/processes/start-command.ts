import {en} from '../../../language/index.ts';
import {randomUUID} from 'node:crypto';
import {Duplex} from 'node:stream';
import {wait} from '../../../worker/index.ts';
import type {Env} from '../../ground/env/env.ts';
import {resolveLinks} from '../../scope/locate.ts';
import {namedDescriptor, openDescriptors, type DescriptorContents} from '../../platform/process-identity.ts';
import type {OutputFile} from './output-file.ts';
import {forget, markVariable, remember, stopLeft, stopTree, type Tree} from '../../platform/process-tree.ts';
import {systemOf} from '../../platform/system.ts';

export type CommandOptions = {
	/** The absolute path of the shell that runs the command. Its arguments are `-c` and the command. */
	readonly shell: string;
	/** Changes how the command is started, in order to confine it. */
	readonly launch?: ((shell: string, command: string, env: Env) => Promise<LaunchedCommand>) | undefined;
	/** The real path of the working directory. The command does not start if a link has replaced it. */
	readonly cwd: string;
	/** The whole environment of the command. */
	readonly env: Env;
	readonly output: OutputFile;
	/** Stops the command with every process that it started. */
	readonly signal: AbortSignal;
	/** The time limit in milliseconds. If it is absent, there is no limit. */
	readonly timeoutMs?: number | undefined;
	/** Lifts the time limit. */
	readonly untimed?: AbortSignal;
	/**
	The maximum number of bytes of output, 256 MiB by default. If a command writes more, inkpod stops the command and
	drops the remaining output.
	*/
	readonly maxBytes?: number;
	/**
	The function that is called when the command can start. The command starts only after its promise has resolved.
	*/
	readonly beforeStart?: () => Promise<void>;
	/** Receives every byte of the output in order, in pieces. The buffer is reused afterwards. */
	readonly onOutput?: (bytes: Uint8Array) => void;
	/**
	The function that is called once, when the command has ended or before it is stopped. `ended` waits for it. If it
	rejects, so does `ended`.
	*/
	readonly settle?: (end: CommandEnd['type'], code?: number) => Promise<void>;
};

/** How a command is started, or the reason why it is not allowed to start. */
type LaunchedCommand = {readonly ok: true; readonly launch: Launch} | {readonly ok: false; readonly sentence: string};
type Launch = {
	readonly file: string;
	readonly args: readonly string[];
	readonly env: Env;
	/** The contents that the program reads from descriptor 4 and from those after it, in this order. */
	readonly descriptors?: readonly DescriptorContents[];
	/** Absent if the command ends when its program ends. */
	readonly cell?: CommandCell;
};

/**
A cell reports the end of its command over descriptor 3. The program of the cell ends when inkpod has settled the
changes.
*/
type CommandCell = {
	/** Resolves with the exit code of the command, or with `undefined` if the program ended before the command. */
	readonly ended: (socket: Duplex, program: Promise<unknown>) => Promise<number | undefined>;
};

/** `left`: the command left processes, and inkpod stopped them. */
export type CommandEnd =
	| {readonly type: 'exit'; readonly code: number; readonly left: boolean}
	| {readonly type: 'signal'; readonly name: string; readonly left: boolean}
	| {readonly type: 'timeout'; readonly ms: number}
	| {readonly type: 'too_much'; readonly maxBytes: number}
	| {readonly type: 'stopped'};

type StartedCommand =
	/**
	`ended` resolves when all processes of the command have ended and `onOutput` has its whole output.
	It rejects if the output cannot be read.
	*/
	{readonly ok: true; readonly ended: Promise<CommandEnd>} | Refused;
type Refused = {readonly ok: false; readonly reason: 'aborted' | 'io'; readonly sentence: string};

/**
Starts a command in its own Unix session (setsid) and process group, without a terminal. Its input is empty, and both
outputs go to one file. The command ends when its shell ends. inkpod then stops the other processes of its group. If
`beforeStart` rejects, this function rejects with the same error, and the command has not run.
*/
export async function startCommand(command: string, options: CommandOptions): Promise<StartedCommand> {
	const {shell, cwd, env, output, beforeStart} = options;
	const {execa} = await import('execa');
	const marked = {...env, [markVariable]: randomUUID()};
	const launched = await options.launch?.(shell, command, marked);
	if (launched?.ok === false) return {ok: false, reason: 'io', sentence: launched.sentence};
	const refused = await refusal(command, options);
	if (refused !== undefined) return refused;
	if (beforeStart !== undefined) {
		await beforeStart();
		// Meanwhile, the command may have been stopped, or its working directory replaced.
		const later = await refusal(command, options);
		if (later !== undefined) return later;
	}
	const mark = marked[markVariable];
	const plain: Launch = {file: shell, args: ['-c', command], env: marked};
	const {file, args, env: own, descriptors = [], cell} = launched?.launch ?? plain;
	const both = namedDescriptor(output.fd);
	using opened = openDescriptors(descriptors);
	const child = execa(file, args, {
		cwd,
		env: own,
		extendEnv: false,
		stdio: ['ignore', both, both, cell ? 'pipe' : 'ignore', ...opened.fds],
		buffer: false,
		reject: false,
		detached: true,
	});
	if (child.pid === undefined)
		return {
			ok: false,
			reason: 'io',
			sentence: en`The command could not be started: ${String((await child).originalMessage).split('\n', 1)[0] ?? ''}`,
		};
	const program = child.then(({exitCode, signal: name}): Ended =>
		exitCode === undefined ? {type: 'signal', name: String(name)} : {type: 'exit', code: exitCode},
	);
	const exited = cell === undefined ? program : endInCell(cell, Array.from<unknown>(child.stdio)[3], program);
	return {ok: true, ended: supervise({leader: child.pid, mark}, {exited, program}, options)};
}

/** Node's pipes are sockets, so inkpod and the cell use one pipe in both directions. */
async function endInCell(cell: CommandCell, socket: unknown, program: Promise<Ended>): Promise<Ended> {
	const code = socket instanceof Duplex ? await cell.ended(socket, program) : undefined;
	return code === undefined ? program : {type: 'exit', code};
}

/** Returns the reason not to start a command. */
async function refusal(command: string, {cwd, signal}: CommandOptions): Promise<Refused | undefined> {
	const io = (sentence: string): Refused => ({ok: false, reason: 'io', sentence});
	if (signal.aborted) return {ok: false, reason: 'aborted', sentence: en`The command was stopped before it began.`};
	if (command.includes('\0')) return io(en`The command cannot be run: it contains a NUL byte.`);
	const {maxArgument} = systemOf();
	if (Buffer.byteLength(command) >= maxArgument)
		return io(en`The command could not be started: it is longer than ${maxArgument / 1024} KB.`);
	return (await resolveLinks(cwd)) === cwd ? undefined : io(movedSentence);
}

const movedSentence = en`The command was not run: the working directory was replaced by a link (changed).`;

/** The default limit of a command's output on disk. `read_file` can still read a file of this size. */
const defaultMaxBytes = 256 * 1024 * 1024;

type Ended = {readonly type: 'exit'; readonly code: number} | {readonly type: 'signal'; readonly name: string};
type Cut = Exclude<CommandEnd, {readonly left: boolean}>;

async function supervise(
	tree: Tree,
	{exited, program}: {readonly exited: Promise<Ended>; readonly program: Promise<Ended>},
	{output, signal, timeoutMs, untimed, maxBytes = defaultMaxBytes, onOutput, settle}: CommandOptions,
): Promise<CommandEnd> {
	const cut = Promise.withResolvers<Cut>();
	const stop = () => cut.resolve({type: 'stopped'});
	const timer =
		timeoutMs === undefined
			? undefined
			: setTimeout(() => cut.resolve({type: 'timeout', ms: timeoutMs}), timeoutMs);
	untimed?.addEventListener('abort', () => clearTimeout(timer), {once: true});
	const over = new AbortController();
	remember(tree);
	if (signal.aborted) stop();
	else signal.addEventListener('abort', stop, {once: true});
	const followed = follow(output, {
		maxBytes,
		onOutput,
		over: over.signal,
		onTooMuch: () => cut.resolve({type: 'too_much', maxBytes}),
	});
	followed.catch(stop);
	try {
		const end = await Promise.race([exited, cut.promise]);
		clearTimeout(timer);
		const isCut = end.type !== 'exit' && end.type !== 'signal';
		try {
			await settle?.(end.type, end.type === 'exit' ? end.code : undefined);
			// The program of a cell ends now. It must not count as a process that the command left.
			if (!isCut) await Promise.race([program, wait(settledMs, over.signal)]);
		} catch (cause) {
			await stopTree(tree);
			throw cause;
		}
		if (!isCut) return {...end, left: await stopLeft(tree)};
		await stopTree(tree);
		return end;
	} finally {
		clearTimeout(timer);
		signal.removeEventListener('abort', stop);
		forget(tree);
		over.abort();
		await followed;
	}
}

const settledMs = 2000;
/** The number of milliseconds between two checks of a growing output. */
const lookMs = 50;

type Following = {
	readonly maxBytes: number;
	readonly onOutput: CommandOptions['onOutput'];
	readonly over: AbortSignal;
	readonly onTooMuch: () => void;
};

/** Reports a growing output, and its last part when the command is over. */
async function follow(output: OutputFile, {maxBytes, onOutput, over, onTooMuch}: Following): Promise<void> {
	let position = 0;
	for (;;) {
		const last = over.aborted;
		const size = await output.size();
		if (size > maxBytes) onTooMuch();
		if (size > maxBytes && last) await output.cut(maxBytes);
		const end = Math.min(size, maxBytes);
		// A command that opens its own output again, as `> /dev/stdout` does, empties the file.
		if (size < position) position = 0;
		if (onOutput !== undefined && position < end) {
			const bytes = await output.read(position, end - position);
			position += bytes.length;
			onOutput(bytes);
			if (bytes.length > 0) continue;
		}
		if (last) return;
		await wait(lookMs, over);
	}
}
