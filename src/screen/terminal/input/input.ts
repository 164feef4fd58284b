import {createBurst, type Arrived} from './burst.ts';
import {decode, type Input, type Key, type Mouse, type Reply} from './keys/key-names.ts';
import {createTokenizer, type Waiting} from './tokens.ts';
import {mayGoOn, sourceOf} from './source.ts';
import {createSilence, realTimers, type Timers} from './source.ts';
import type {Token} from './token.ts';

export type {Key, Mouse, Reply} from './keys/key-names.ts';

/** The parts of a terminal's input stream that inkpod uses. */
type InputStream = {
	readonly isTTY?: boolean;
	setRawMode?(raw: boolean): unknown;
	on(event: 'data', listener: (bytes: Uint8Array | string) => void): unknown;
	on(event: 'end' | 'error', listener: () => void): unknown;
	off(event: 'data', listener: (bytes: Uint8Array | string) => void): unknown;
	off(event: 'end' | 'error', listener: () => void): unknown;
	resume(): unknown;
	pause(): unknown;
};

/**
How a key arrived, which shows whether you pressed it to answer a question. Pastes, late rests of sequences and repeats
of a held key look like keys, but must not answer questions.
*/
export type Arrival = {
	/** Whether the key came in a read of its own, not right after another key or a broken sequence. */
	readonly alone: boolean;
	/** Whether the terminal reports that the key is held down. */
	readonly repeat: boolean;
	/** Whether Escape came as a single ESC, which may also begin a sequence on a slow connection. */
	readonly bare: boolean;
};

export type InputHandlers = {
	onKey(key: Key, arrival: Arrival): void;
	/** Receives the text of a paste. Line endings are LF, or unchanged. `cut`: the text was longer than the limit. */
	onPaste(text: string, cut: boolean): void;
	onMouse?(mouse: Mouse): void;
	onFocus?(focused: boolean): void;
	/** Reports that the previous Escape key was the beginning of a sequence, which follows or broke off. */
	onLate?(): void;
	/** Reports that the bytes so far are an incomplete key or report. */
	onPart?(): void;
	/** Receives the terminal's answer to a query. Such an answer is never a key. */
	onReply?(reply: Reply): void;
	/** Reports that the terminal no longer exists. */
	onEnd?(): void;
};

export type TerminalInput = {
	/** Sets raw mode and starts listening. A second call has no effect. */
	start(): void;
	/**
	Sets raw mode again after another program has changed the terminal's modes. Input that was read in part continues.
	*/
	renew(): void;
	/**
	Pauses the stream and restores it. Input that was read in part is dropped. If another screen follows (`isFollowed`),
	raw mode stays: the terminal would turn a Ctrl+D before that screen into the end of the input, and Enter into a line
	feed.
	*/
	stop(isFollowed?: boolean): void;
};

/**
Turns the bytes of a terminal into keys, pastes and reports, in order. Large input is delivered in slices, and reading
pauses while too much waits.
*/
export function createInput(stream: InputStream, handlers: InputHandlers, timers: Timers = realTimers): TerminalInput {
	let tokenizer = createTokenizer();
	let burst = createBurst();
	let started = false;
	let sequenceSince: number | undefined;
	/** The time until which keys may be the rest of a broken sequence. */
	let doubtUntil = -Infinity;

	const slices = createSlices<Arrived>(timers, handTo(handlers), () => started && stream.resume());
	const deliver = (arrived: readonly Arrived[]) => {
		const isDoubtful = timers.now() < doubtUntil;
		slices.add(isDoubtful ? arrived.map(one => ({...one, alone: false})) : arrived);
		if (started && slices.isFull()) stream.pause();
	};
	const wait = () => {
		const waiting = tokenizer.waiting();
		const now = timers.now();
		sequenceSince = waiting === 'sequence' ? (sequenceSince ?? now) : undefined;
		sequenceEnd.wait(
			sequenceSince === undefined
				? patiences[waiting]
				: Math.min(patiences[waiting], Math.max(1, sequenceSince + maxSequence - now)),
		);
		burstEnd.wait(burst.patience());
	};
	const sequenceEnd = createSilence(timers, () => {
		// Bytes that have not been read yet cannot count as late.
		if (slices.isFull()) {
			wait();
			return;
		}
		const now = timers.now();
		doubtUntil = Math.max(doubtUntil, now + doubts[tokenizer.waiting()]);
		deliver(burst.push(tokenizer.flush(now), now));
		if (started) wait();
	});
	const burstEnd = createSilence(timers, () => {
		if (slices.isFull()) wait();
		else deliver(burst.flush());
	});
	const read = (bytes: Uint8Array | string) => {
		const now = timers.now();
		const given = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
		const tokens = tokenizer.push(given, now);
		deliver(burst.push(tokens, now).map(one => (holdsMore(given, one.token) ? {...one, alone: false} : one)));
		if (tokens.length === 0) handlers.onPart?.();
		// The rest of a broken sequence may arrive as slowly as its beginning.
		if (now < doubtUntil || tokens.some(mayGoOn)) doubtUntil = Math.max(doubtUntil, now + doubts.sequence);
		if (started) wait();
	};
	const ended = () => handlers.onEnd?.();
	return {
		start() {
			if (started) return;
			started = true;
			if (stream.isTTY === true) stream.setRawMode?.(true);
			stream.on('data', read);
			stream.on('end', ended);
			stream.on('error', ended);
			stream.resume();
		},
		renew() {
			if (!started || stream.isTTY !== true) return;
			// Node does not set a mode that it considers set, so the mode is reset first.
			stream.setRawMode?.(false);
			stream.setRawMode?.(true);
		},
		stop(isFollowed = false) {
			if (!started) return;
			started = false;
			for (const silence of [sequenceEnd, burstEnd]) silence.wait(0);
			stream.off('data', read);
			stream.off('end', ended);
			stream.off('error', ended);
			stream.pause();
			if (stream.isTTY === true && !isFollowed) stream.setRawMode?.(false);
			[tokenizer, burst, doubtUntil] = [createTokenizer(), createBurst(), -Infinity];
		},
	};
}

/** A key that had to wait must not answer a question, because you pressed it before the screen showed that question. */
function handTo(handlers: InputHandlers): (arrived: Arrived, isLate: boolean) => void {
	return ({token, alone}, isLate) => {
		const arrival = {alone: alone && !isLate, bare: token.type === 'control' && token.code === ESC};
		if (token.type === 'fragment') handlers.onLate?.();
		for (const input of decode(token)) deliverInput(handlers, input, arrival);
	};
}

function deliverInput(handlers: InputHandlers, input: Input, arrival: Omit<Arrival, 'repeat'>): void {
	if (input.type === 'key') handlers.onKey(input.key, {...arrival, repeat: input.repeat === true});
	else deliver(handlers, input);
}

function deliver<Type extends DeliveredType>(handlers: InputHandlers, input: DeliveredOf<Type>): void {
	const type: Type = input.type;
	deliveries[type](handlers, input);
}

type DeliveredType = Exclude<Input['type'], 'key'>;

type DeliveredOf<Type extends DeliveredType> = {
	readonly [Each in Type]: Extract<Input, {readonly type: Each}> & {readonly type: Each};
}[Type];

/** Tells whether a read contained more than the token, such as the beginning of a character or sequence. */
function holdsMore(bytes: Uint8Array, token: Token): boolean {
	return bytes.length > Buffer.byteLength(sourceOf(token));
}

/** The number of milliseconds without a byte after which the wait for the rest of a sequence ends. 0 means no wait. */
const patiences: {readonly [Name in Waiting]: number} = {
	nothing: 0,
	escape: 20,
	introducer: 50,
	sequence: 500,
	late: 400,
	part: 30,
	paste: 2000,
};

/**
The number of milliseconds after an incomplete sequence during which keys may be its rest. A single ESC was a key, so no
keys after it are in doubt.
*/
const doubts: {readonly [Name in Waiting]: number} = {
	nothing: 0,
	escape: 0,
	introducer: 1500,
	sequence: 1500,
	late: 1500,
	part: 1500,
	paste: 10_000,
};

const ESC = 0x1b;

/**
The maximum number of milliseconds that a sequence may take. Afterwards keys work again, even if a sequence never ends.
*/
const maxSequence = 2000;

const deliveries: {
	readonly [Type in DeliveredType]: (handlers: InputHandlers, input: DeliveredOf<Type>) => void;
} = {
	paste: (handlers, {text, cut}) => handlers.onPaste(text, cut),
	mouse: (handlers, {mouse}) => handlers.onMouse?.(mouse),
	late: handlers => handlers.onLate?.(),
	focus: (handlers, {focused}) => handlers.onFocus?.(focused),
	reply: (handlers, {reply}) => handlers.onReply?.(reply),
};

/** Runs work in order, in slices. Between slices the screen, signals and the model can run. */
type Slices<Work> = {
	/** Runs the work now, or after the waiting work. */
	add(work: readonly Work[]): void;
	/** Whether so much work is waiting that reading should pause. */
	isFull(): boolean;
};

/** `run` is told whether the work had to wait. `onRoom` is called when there is room again after `isFull`. */
function createSlices<Work extends {}>(
	timers: Timers,
	run: (work: Work, isLate: boolean) => void,
	onRoom: () => void,
): Slices<Work> {
	let waiting: Work[] = [];
	let next = 0;
	let isRunning = false;
	let isDue = false;

	/** The work may add more work, and may throw. */
	function runSlice(isLate: boolean): void {
		const end = timers.now() + sliceMs;
		isRunning = true;
		try {
			for (let work = waiting[next]; work !== undefined && timers.now() < end; work = waiting[next]) {
				next++;
				run(work, isLate);
			}
		} finally {
			isRunning = false;
			rest();
		}
	}

	function rest(): void {
		if (next < waiting.length) {
			isDue = true;
			timers.after(0, runLater);
		} else [waiting, next] = [[], 0];
	}

	function runLater(): void {
		isDue = false;
		const wasFull = isFull();
		runSlice(true);
		if (wasFull && !isFull()) onRoom();
	}

	function isFull(): boolean {
		return waiting.length - next > maxWaiting;
	}

	return {
		add(work) {
			for (const one of work) waiting.push(one);
			if (!isDue && !isRunning) runSlice(false);
		},
		isFull,
	};
}

/** The number of milliseconds of a slice, about one frame of the screen. */
const sliceMs = 16;

/** The number of waiting items from which reading pauses. It fits several reads of the smallest keys. */
const maxWaiting = 50_000;
