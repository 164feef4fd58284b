import {cutText, type Clock} from '../../worker/index.ts';
import {closed, createCapture} from './capture.ts';
import {endWords} from './end.ts';
import {openOutput, type KeptOutput} from './output-file.ts';
import {startCommand, type CommandEnd, type CommandOptions} from './run.ts';

export type StartedInBackground = {readonly ok: true; readonly id: string; readonly file: string} | {readonly ok: false; readonly sentence: string};

/** The commands that go on beside the conversation. */
export type Background = {
	/** Its output goes to a file of its own, which is kept. */
	start(command: string, how: Pick<CommandOptions, 'shell' | 'cwd' | 'env' | 'timeoutMs'>): Promise<StartedInBackground>;
	/** Resolves when nothing of it runs any more; nobody else is told of its end. `undefined`: none of that id runs. */
	stop(id: string): Promise<EndedInBackground | undefined>;
	/** The ids of those that run. */
	running(): readonly string[];
	/** Stops all of them for good, and answers what is still to be told. */
	close(): Promise<readonly string[]>;
};

/** `text`: how it ended and the last lines of its output, for the model. */
export type EndedInBackground = {readonly end: CommandEnd; readonly file: string; readonly bytes: number; readonly text: string};

export type BackgroundOptions = {
	readonly clock: Clock;
	/** Of kept outputs. */
	readonly dir: string;
	/** A command ended by itself, by its time-out or by the size of its output. False: it could not be told any more. */
	readonly onEnd: (text: string) => Promise<boolean>;
};

/** As many as may run at once. */
export const maxInBackground = 8;

/** Background commands of one pod. They outlive runs, not the pod. */
export function createBackground({clock, dir, onEnd}: BackgroundOptions): Background {
	const all = new Map<string, {readonly abort: AbortController; readonly over: Promise<EndedInBackground>}>();
	const telling = new Set<Promise<void>>();
	const untold: string[] = [];
	let starting = 0;
	let isClosed = false;

	async function begin(command: string, how: Parameters<Background['start']>[1]): Promise<StartedInBackground> {
		const name = clock.id();
		const id = name.slice(-idLength).toLowerCase();
		const opened = await openOutput(dir, `${name}.txt`);
		if (!opened.ok) return opened;
		const {output} = opened;
		const abort = new AbortController();
		const started = isClosed ? ({ok: false, sentence: 'The session is closed.'} as const) : await startCommand(command, {...how, output, signal: abort.signal});
		if (!started.ok) {
			await output.remove();
			return {ok: false, sentence: started.sentence};
		}
		const over = ended(id, command, started.ended, output);
		all.set(id, {abort, over});
		void over.then(({text}) => {
			all.delete(id);
			if (!abort.signal.aborted) tell(text);
		});
		return {ok: true, id, file: output.path};
	}

	function tell(text: string): void {
		const told = onEnd(text).then(isTold => {
			telling.delete(told);
			if (!isTold) untold.push(text);
		});
		telling.add(told);
	}

	return {
		async start(command, how) {
			if (all.size + starting >= maxInBackground) return {ok: false, sentence: `There are ${maxInBackground} commands in the background already, as many as may run at once: ${[...all.keys()].join(', ')}. Stop one with bash_stop, or wait for one to end.`};
			starting++;
			return begin(command, how).finally(() => starting--);
		},
		async stop(id) {
			const one = all.get(id);
			one?.abort.abort();
			return one?.over;
		},
		running: () => [...all.keys()],
		async close() {
			isClosed = true;
			const list = [...all.values()];
			for (const {abort} of list) abort.abort();
			const ends = await Promise.all(list.map(async ({over}) => over));
			await Promise.all(telling);
			return [...untold, ...ends.map(({text}) => text)];
		},
	};
}

/** The random end of a ULID. */
const idLength = 6;

/** Of output that the notice of an end quotes. */
const lastBytes = 2000;
const lastLines = 20;
const shownCommand = 200;

async function ended(id: string, command: string, running: Promise<CommandEnd>, output: KeptOutput): Promise<EndedInBackground> {
	try {
		const end = await running;
		const bytes = await output.size();
		const how = end.type === 'exit' ? `ended with ${endWords(end)}` : end.type === 'stopped' ? 'was stopped' : `is over (${endWords(end)})`;
		const {text: shown, dropped} = cutText(command.split('\n', 1)[0]!, shownCommand);
		const last = await lastOf(output, bytes);
		const text = `Background command ${id} ${how}${last === '' ? ', without output' : ''}: ${shown}${dropped > 0 || command.includes('\n') ? '…' : ''}\n${last === '' ? '' : `${closed(last)}[${bytes} bytes of output in ${output.path}]`}`;
		return {end, file: output.path, bytes, text: text.trimEnd()};
	} finally {
		await output.close();
	}
}

async function lastOf(output: KeptOutput, bytes: number): Promise<string> {
	const capture = createCapture(2 * lastBytes);
	capture.add(await output.read(Math.max(0, bytes - lastBytes), lastBytes));
	const {text} = capture.end();
	const whole = bytes > lastBytes ? text.replace(/^\uFFFD{1,3}/u, '') : text;
	return whole.trimEnd().split('\n').slice(-lastLines).join('\n');
}
