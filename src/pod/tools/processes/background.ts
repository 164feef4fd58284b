import {en} from '../../../language/index.ts';
import {cutText, moment, type Clock} from '../../../worker/index.ts';
import type {BackgroundCommand, BackgroundOutput} from '../../protocol.ts';
import {closed} from '../../ground/text/one-line.ts';
import {createCapture} from './capture.ts';
import {exitText} from './capture.ts';
import {openOutput, type KeptOutput} from './output-file.ts';
import {startCommand, type CommandEnd, type CommandOptions} from './start-command.ts';

type StartedInBackground =
	| {readonly ok: true; readonly id: string; readonly file: string}
	| {readonly ok: false; readonly sentence: string};

/** `wakes`: a turn begins when the command ends while no turn is running. */
type BackgroundHow = Pick<CommandOptions, 'shell' | 'launch' | 'cwd' | 'env' | 'timeoutMs'> & {
	readonly wakes?: boolean;
	/** Begins to watch the changes that the command makes. It is called when the command has started. */
	readonly watch?: () => Watch | undefined;
};

/** A watch on a command. `stop` ends the watch after the command, and returns sentences for the notice. */
export type Watch = {readonly stop: () => Promise<readonly string[]>};

/** The background commands of a pod. */
export type Background = {
	/** Starts a command. Its output goes to its own file. `call` is the id of the call's item. */
	start(command: string, how: BackgroundHow, call: string): Promise<StartedInBackground>;
	/** Moves a running command from the foreground to the background, unless the session is closed. Returns its id. */
	adopt(command: string, begun: Begun, call: string): string | undefined;
	readonly foreground: Foreground;
	/** Moves all commands of the foreground to the background. If this is not possible, it returns the reason. */
	moveHere(): 'none' | 'too_many' | undefined;
	/**
	Stops a command. Resolves when all its processes have ended, or with `undefined` if no command with that id runs.
	inkpod notifies the model if the user stops a command.
	*/
	stop(id: string, by: Stopper): Promise<EndedInBackground | undefined>;
	/** Sets whether the end of a command begins a turn. Returns false if no command with that id runs. */
	setWakes(id: string, wakes: boolean): boolean;
	/** Returns the running commands, oldest first. */
	running(): readonly BackgroundCommand[];
	/** Returns the last part of a command's current output, or `undefined` if no command with that id runs. */
	output(id: string): Promise<BackgroundOutput | undefined>;
	/** Stops all commands. Returns the notices that the model has not read yet. */
	close(): Promise<readonly string[]>;
};

/** The end of a command. `text` is for the model: the kind of end, and the last lines of the output. */
type EndedInBackground = {
	readonly end: CommandEnd;
	readonly file: string;
	readonly bytes: number;
	readonly text: string;
};

type BackgroundOptions = {
	readonly clock: Clock;
	/** The folder of the saved outputs. */
	readonly dir: string;
	/** The function that is called when a command ends. It returns false if inkpod could no longer notify the model. */
	readonly onEnd: (text: string, how: EndHow) => Promise<boolean>;
	/** The function that is called when the set of running commands changes. */
	readonly onChange?: (running: readonly BackgroundCommand[]) => void;
};

/** `run`: the model or the user wants a turn at the end. `isStopped`: the user has stopped the command. */
type EndHow = {readonly id: string; readonly run: boolean; readonly isStopped: boolean};

/** A running command. Its output file is closed when the command ends. */
export type Begun = {
	readonly ended: Promise<CommandEnd>;
	readonly output: KeptOutput;
	readonly abort: AbortController;
	readonly watch?: Watch | undefined;
};

type Stopper = 'model' | 'user';

type Running = BackgroundCommand & {
	readonly abort: AbortController;
	readonly over: Promise<EndedInBackground>;
	readonly output: KeptOutput;
};

type About = {readonly name: string; readonly call: string; readonly wakes: boolean};

/** The maximum number of background commands that run at the same time. */
export const maxInBackground = 8;

/** Creates the background commands of one pod. They outlive runs, but not the pod. */
export function createBackground({clock, dir, onEnd, onChange}: BackgroundOptions): Background {
	const all = new Map<string, Running>();
	const notices = createNotices(onEnd);
	const foreground = createForeground();
	let starting = 0;
	let isClosed = false;

	const running = (): readonly BackgroundCommand[] => [...all.values()].map(shownOf);

	async function begin(...[command, how, call]: Parameters<Background['start']>): Promise<StartedInBackground> {
		const name = clock.id();
		const opened = await openOutput(dir, name);
		if (!opened.ok) return opened;
		const {output} = opened;
		const abort = new AbortController();
		const started = isClosed
			? ({ok: false, sentence: en`The session is closed.`} as const)
			: await startCommand(command, {...how, output, signal: abort.signal});
		if (!started.ok) {
			await output.remove();
			return {ok: false, sentence: started.sentence};
		}
		const begun: Begun = {ended: started.ended, output, abort, watch: how.watch?.()};
		const id = register(command, begun, {name, call, wakes: how.wakes === true});
		return {ok: true, id, file: output.path};
	}

	function register(command: string, {ended: end, output, abort, watch}: Begun, {name, call, wakes}: About): string {
		const id = name.slice(-idLength).toLowerCase();
		const over = ended(id, command, {running: end, output, signal: abort.signal, watch});
		all.set(id, {id, call, command: firstLine(command), since: moment(clock), wakes, abort, over, output});
		onChange?.(running());
		void over.then(({text}) => {
			const isStopped = abort.signal.aborted;
			const run = all.get(id)?.wakes === true && !isStopped;
			all.delete(id);
			onChange?.(running());
			if (!isStopped || abort.signal.reason === 'user') notices.notify(text, {id, run, isStopped});
		});
		return id;
	}

	return {
		async start(command, how, call) {
			if (all.size + starting >= maxInBackground) return {ok: false, sentence: tooMany([...all.keys()])};
			starting++;
			return begin(command, how, call).finally(() => starting--);
		},
		adopt: (command, begun, call) =>
			isClosed ? undefined : register(command, begun, {name: clock.id(), call, wakes: false}),
		foreground,
		moveHere() {
			return foreground.moveAll(maxInBackground - all.size - starting);
		},
		async stop(id, by) {
			const one = all.get(id);
			one?.abort.abort(by);
			return one?.over;
		},
		setWakes(id, wakes) {
			const one = all.get(id);
			if (one === undefined) return false;
			all.set(id, {...one, wakes});
			onChange?.(running());
			return true;
		},
		running,
		async output(id) {
			const output = all.get(id)?.output;
			return output && outputOfPage(output);
		},
		async close() {
			isClosed = true;
			const list = [...all.values()];
			for (const {abort} of list) abort.abort();
			const ends = await Promise.all(list.map(async ({over}) => over));
			return [...(await notices.undelivered()), ...ends.map(({text}) => text)];
		},
	};
}

/**
Creates the notices about ended commands. `undelivered` waits for all notices, and returns those that the model has not
read yet.
*/
function createNotices(onEnd: BackgroundOptions['onEnd']) {
	const notifying = new Set<Promise<void>>();
	const undelivered: string[] = [];
	return {
		notify(text: string, how: EndHow): void {
			const notified = onEnd(text, how).then(isNotified => {
				notifying.delete(notified);
				if (!isNotified) undelivered.push(text);
			});
			notifying.add(notified);
		},
		async undelivered(): Promise<readonly string[]> {
			await Promise.all(notifying);
			return undelivered;
		},
	};
}

function shownOf({id, call, command, since, wakes}: Running): BackgroundCommand {
	return {id, call, command, since, ...(wakes === true && {wakes})};
}

/** Returns the sentence for the model that refuses another command. */
function tooMany(running: readonly string[]): string {
	return en`${maxInBackground} commands are already running in the background, and no more may run at once:
		${running.join(', ')}. Stop one with bash_stop, or wait for one to end.`;
}

/** The length of the random end of a ULID that is used as an id. */
const idLength = 6;

/** The part of the output that a notice quotes. */
const noticed = {bytes: 2000, lines: 20};
/** The part of the output that a page shows. */
const [pageBytes, pageLines] = [65_536, 1000];
const shownCommand = 200;

function firstLine(command: string): string {
	const [line = ''] = command.split('\n', 1);
	const {text, dropped} = cutText(line, shownCommand);
	return `${text}${dropped > 0 || command.includes('\n') ? '…' : ''}`;
}

type Ending = Pick<Begun, 'output' | 'watch'> & {
	readonly running: Promise<CommandEnd>;
	readonly signal: AbortSignal;
};

async function ended(
	id: string,
	command: string,
	{running, output, signal, watch}: Ending,
): Promise<EndedInBackground> {
	try {
		const end = await running;
		const bytes = await output.size();
		const stopped = signal.reason === 'user' ? en`was stopped by the user` : en`was stopped`;
		const ran = end.type === 'exit' ? en`ended with ${exitText(end)}` : en`is over (${exitText(end)})`;
		const how = end.type === 'stopped' ? stopped : ran;
		const last = await lastOf(output, bytes, noticed);
		const title =
			last === ''
				? en`Background command ${id} ${how}, without output: ${firstLine(command)}`
				: en`Background command ${id} ${how}: ${firstLine(command)}`;
		const quoted = last === '' ? '' : `${closed(last)}${en`[${bytes} bytes of output in ${output.path}]`}`;
		const notes = ((await watch?.stop()) ?? []).map(note => `\n[${note}]`).join('');
		return {end, file: output.path, bytes, text: `${`${title}\n${quoted}`.trimEnd()}${notes}`};
	} finally {
		await output.close();
	}
}

async function outputOfPage(output: KeptOutput): Promise<BackgroundOutput> {
	const bytes = await output.size();
	return {text: await lastOf(output, bytes, {bytes: pageBytes, lines: pageLines}), bytes, file: output.path};
}

type Limits = {readonly bytes: number; readonly lines: number};

async function lastOf(output: KeptOutput, bytes: number, limits: Limits): Promise<string> {
	const capture = createCapture(2 * limits.bytes);
	capture.add(await output.read(Math.max(0, bytes - limits.bytes), limits.bytes));
	const {text} = capture.end();
	const whole = bytes > limits.bytes ? text.replace(/^\uFFFD{1,3}/u, '') : text;
	return whole.trimEnd().split('\n').slice(-limits.lines).join('\n');
}

/** The commands of the foreground, which the user can move to the background. */
type Foreground = {
	/** Adds a running command. `moved` resolves when the user moves the command. `done` removes the command. */
	add(): {readonly moved: Promise<'moved'>; readonly done: () => void};
	/** Moves all commands if there is room for them. If this is not possible, it returns the reason. */
	moveAll(room: number): 'none' | 'too_many' | undefined;
};

export function createForeground(): Foreground {
	const movers = new Set<() => void>();
	return {
		add() {
			const {promise, resolve} = Promise.withResolvers<'moved'>();
			const move = () => resolve('moved');
			movers.add(move);
			return {moved: promise, done: () => void movers.delete(move)};
		},
		moveAll(room) {
			if (movers.size === 0) return 'none';
			if (movers.size > room) return 'too_many';
			for (const move of movers) move();
			movers.clear();
			return undefined;
		},
	};
}
