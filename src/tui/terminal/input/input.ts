import {createBurst, type Arrived} from './burst.ts';
import {decode} from './keys/key-names.ts';
import type {Input, Key, Mouse, Reply} from './keys/key-names.ts';
import {createTokenizer} from './tokens.ts';
import {createSlices} from './slices.ts';
import {mayGoOn, sourceOf} from './source.ts';
import {createSilence, realTimers, type Timers} from './timers.ts';
import type {Token} from './token.ts';
import type {Waiting} from './tokens.ts';

export type {Key, Mouse, Reply} from './keys/key-names.ts';

/** The used part of a terminal's input stream. */
export type InputStream = {
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
The arrival of a key shows whether you pressed it to answer a question. Pastes, late rests of sequences and repeats of a
held key look like keys, but answer nothing.
*/
export type Arrival = {
	/** The key came in its own read, not right after another key or a broken sequence. */
	readonly alone: boolean;
	/** The terminal reports that the key is held down. */
	readonly repeat: boolean;
	/** Escape came as a lone ESC, which may begin a sequence on a slow line. */
	readonly bare: boolean;
};

export type InputHandlers = {
	onKey(key: Key, arrival: Arrival): void;
	/** Receives the text. Line ends are LF, or as they came. `cut`: the text was longer than the limit. */
	onPaste(text: string, cut: boolean): void;
	onMouse?(mouse: Mouse): void;
	onFocus?(focused: boolean): void;
	/** The previous Escape key began a sequence, which follows or broke off. */
	onLate?(): void;
	/** The bytes so far are an incomplete key or report. */
	onPart?(): void;
	/** The terminal's answer to a query. It is never a key. */
	onReply?(reply: Reply): void;
	/** The terminal has gone away. */
	onEnd?(): void;
};

export type TerminalInput = {
	/** Sets raw mode and starts listening. A second call has no effect. */
	start(): void;
	/** Sets raw mode again after another program has changed the terminal's modes. Half-read input continues. */
	renew(): void;
	/** Pauses the stream and restores it. Half-read input is dropped. */
	stop(): void;
};

/**
Turns the bytes of a terminal into keys, pastes and reports, in order. Large input is delivered in slices, and reading
pauses when too much waits.
*/
export function createInput(stream: InputStream, handlers: InputHandlers, timers: Timers = realTimers): TerminalInput {
	let tokenizer = createTokenizer();
	let burst = createBurst();
	let started = false;
	let sequenceSince: number | undefined;
	/** Until this time keys may be the rest of a broken sequence. */
	let doubtUntil = -Infinity;

	const slices = createSlices<Arrived>(timers, handOver(handlers), () => started && stream.resume());
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
		// Bytes that were not read yet cannot be late.
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
		// The rest of a broken sequence may come as slowly as its beginning.
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
			// Node does not set a mode twice, so the mode is reset first.
			stream.setRawMode?.(false);
			stream.setRawMode?.(true);
		},
		stop() {
			if (!started) return;
			started = false;
			for (const silence of [sequenceEnd, burstEnd]) silence.wait(0);
			stream.off('data', read);
			stream.off('end', ended);
			stream.off('error', ended);
			stream.pause();
			if (stream.isTTY === true) stream.setRawMode?.(false);
			[tokenizer, burst, doubtUntil] = [createTokenizer(), createBurst(), -Infinity];
		},
	};
}

/** A key that had to wait may answer nothing, since you pressed it before the screen showed the question. */
function handOver(handlers: InputHandlers): (arrived: Arrived, isLate: boolean) => void {
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

/** Checks whether a read contained more than a token, such as the beginning of a character or sequence. */
function holdsMore(bytes: Uint8Array, token: Token): boolean {
	return bytes.length > Buffer.byteLength(sourceOf(token));
}

/** After these milliseconds without a byte, the wait for a sequence's rest ends. 0 means no wait. */
const patiences: {readonly [Name in Waiting]: number} = {
	nothing: 0,
	escape: 20,
	introducer: 50,
	sequence: 500,
	late: 400,
	paste: 2000,
};

/** After an incomplete sequence, keys are in doubt for these milliseconds. A lone ESC was a key. */
const doubts: {readonly [Name in Waiting]: number} = {
	nothing: 0,
	escape: 0,
	introducer: 1500,
	sequence: 1500,
	late: 1500,
	paste: 10_000,
};

const ESC = 0x1b;

/** A sequence may take at most these milliseconds. After that, keys work again even if a sequence never ends. */
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
