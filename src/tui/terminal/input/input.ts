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

/** The part of a terminal's input stream that is used. */
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
How a key arrived. What was pasted, came as the rest of a broken sequence, or is repeated by a key that is held down
looks like a key, and is none that somebody pressed to answer a question.
*/
export type Arrival = {
	/** It came in a read of its own, not right after another key, and not after a sequence that broke off. */
	readonly alone: boolean;
	/** The terminal says that the key is held down. */
	readonly repeat: boolean;
	/** Escape as a lone ESC, which may be the beginning of a sequence on a slow line. */
	readonly bare: boolean;
};

export type InputHandlers = {
	onKey(key: Key, arrival: Arrival): void;
	/** The text; its line ends are LF, or as they came. `cut`: when it was longer than the limit. */
	onPaste(text: string, cut: boolean): void;
	onMouse?(mouse: Mouse): void;
	onFocus?(focused: boolean): void;
	/** The Escape key before was the beginning of a sequence, which follows or broke off. */
	onLate?(): void;
	/** Bytes came that make nothing yet: a key or a report is under way. */
	onPart?(): void;
	/** What the terminal answered. Never a key. */
	onReply?(reply: Reply): void;
	/** The terminal is gone. */
	onEnd?(): void;
};

export type TerminalInput = {
	/** Raw mode, and listening. Twice does nothing more. */
	start(): void;
	/**
	Raw mode anew, where somebody else has had the terminal and set its modes. What was half read is gone on with.
	*/
	renew(): void;
	/** Gives the stream back as it was found, paused. What was half read is dropped. */
	stop(): void;
};

/**
Turns the bytes of a terminal into keys, pastes and reports, in order, each once. Many of them are delivered in slices,
and reading pauses while too many wait.
*/
export function createInput(stream: InputStream, handlers: InputHandlers, timers: Timers = realTimers): TerminalInput {
	let tokenizer = createTokenizer();
	let burst = createBurst();
	let started = false;
	let sequenceSince: number | undefined;
	/** Until when keys may be the rest of a sequence that broke off. */
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
		// What is not read cannot be late.
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
		// The rest of it may come as slowly as it began.
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
			// A mode that is the last one asked for is not set again.
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

/** A key that had to wait came before its time: what it would answer was not on the screen. */
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

/** Whether a read held more than a token: the beginning of a character or sequence came with it. */
function holdsMore(bytes: Uint8Array, token: Token): boolean {
	return bytes.length > Buffer.byteLength(sourceOf(token));
}

/**
Milliseconds without a byte, after which the rest of a sequence is no longer waited for. 0: nothing is waited for.
*/
const patiences: {readonly [Name in Waiting]: number} = {
	nothing: 0,
	escape: 20,
	introducer: 50,
	sequence: 500,
	late: 400,
	paste: 2000,
};

/** Milliseconds for which keys are in doubt when the rest of something did not come in time. A lone ESC was a key. */
const doubts: {readonly [Name in Waiting]: number} = {
	nothing: 0,
	escape: 0,
	introducer: 1500,
	sequence: 1500,
	late: 1500,
	paste: 10_000,
};

const ESC = 0x1b;

/**
Milliseconds that a sequence or string may take in all: what is typed after one that never ends is heard again after
that.
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
