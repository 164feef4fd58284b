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
The way in which a key arrived. Only a key that the user pressed on purpose may answer a question. Pastes, late parts of
escape sequences, and repeats of a key that is held down look like keys, but must not answer.
*/
export type Arrival = {
	/** Whether the key arrived in its own read, and not right after another key or an incomplete sequence. */
	readonly alone: boolean;
	/** Whether the terminal reports that the user holds the key down. */
	readonly repeat: boolean;
	/**
	Whether the Escape key arrived as a single ESC byte. On a slow connection this byte may also be the beginning of a
	sequence.
	*/
	readonly bare: boolean;
};

export type InputHandlers = {
	onKey(key: Key, arrival: Arrival): void;
	/**
	Receives the text of a paste. Line breaks may be LF or unchanged. `cut`: the paste was longer than the limit and was
	cut.
	*/
	onPaste(text: string, cut: boolean): void;
	onMouse?(mouse: Mouse): void;
	onFocus?(focused: boolean): void;
	/** Reports that the previous Escape key was the beginning of a sequence. The sequence follows, or is incomplete. */
	onLate?(): void;
	/** Reports that bytes arrived that do not form a complete key or report yet. */
	onPart?(): void;
	/** Receives the terminal's answer to a query. */
	onReply?(reply: Reply): void;
	/** Reports that the terminal no longer exists. */
	onEnd?(): void;
};

export type TerminalInput = {
	/** Sets raw mode and starts listening. A second call has no effect. */
	start(): void;
	/**
	Sets raw mode again after another program has changed the terminal's modes. An incomplete sequence stays and may
	continue.
	*/
	renew(): void;
	/**
	Pauses the stream and restores its mode. An incomplete sequence is discarded. If another screen follows
	(`isFollowed`), raw mode stays on. Without raw mode, the terminal would turn a Ctrl+D into the end of the input, and
	an Enter into a line feed, before the next screen starts.
	*/
	stop(isFollowed?: boolean): void;
};

/**
Turns the bytes of a terminal into keys, pastes and reports, in order. Large input is delivered in slices. Reading
pauses while too much input is waiting.
*/
export function createInput(stream: InputStream, handlers: InputHandlers, timers: Timers = realTimers): TerminalInput {
	let tokenizer = createTokenizer();
	let burst = createBurst();
	let started = false;
	let sequenceSince: number | undefined;
	/** Until this time, keys may belong to an incomplete sequence. */
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
		// While reading is paused, the rest of a sequence may be unread, so the wait does not end.
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
		// The rest of an incomplete sequence may arrive in several slow parts, so the time of doubt is extended.
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
			// Node does nothing if it assumes that the mode is already set, so the mode is turned off first.
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

/**
Returns a function that delivers a token to the handlers. A delayed key (`isLate`) does not count as alone, because the
user may have pressed it before the screen showed a question.
*/
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

/** Tells whether a read contained more bytes than the token, such as the beginning of another sequence. */
function holdsMore(bytes: Uint8Array, token: Token): boolean {
	return bytes.length > Buffer.byteLength(sourceOf(token));
}

/**
The wait for the rest of a sequence ends after this number of milliseconds without a byte. 0 means that there is no
wait.
*/
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
After an incomplete sequence, keys may belong to that sequence for this number of milliseconds. A single ESC counts as a
key, so it causes no doubt.
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
The maximum duration of a sequence in milliseconds. With this limit, keys work again even if a sequence never ends.
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

/**
Runs work in order, in slices. Between the slices, inkpod can draw the screen, handle signals and receive data from the
model.
*/
type Slices<Work> = {
	/** Runs the work now, or after the work that is already waiting. */
	add(work: readonly Work[]): void;
	/** Tells whether so much work is waiting that reading should pause. */
	isFull(): boolean;
};

/** `isLate` tells `run` whether the work had to wait. `onRoom` is called when `isFull` becomes false again. */
function createSlices<Work extends {}>(
	timers: Timers,
	run: (work: Work, isLate: boolean) => void,
	onRoom: () => void,
): Slices<Work> {
	let waiting: Work[] = [];
	let next = 0;
	let isRunning = false;
	let isDue = false;

	/** Runs one slice of the waiting work. The work may add more work, and may throw. */
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

/** The maximum duration of a slice in milliseconds, about one frame of the screen. */
const sliceMs = 16;

/**
Reading pauses if more items than this are waiting. This is enough for several reads that consist only of single-byte
keys.
*/
const maxWaiting = 50_000;
