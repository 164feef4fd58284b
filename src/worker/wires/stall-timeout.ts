/** A timeout that stops waiting when the user stops the request, or when nothing was received for too long. */
export type StallTimeout = {
	/** Aborted when waiting ends, for any reason. */
	readonly signal: AbortSignal;
	/** Begins a new phase: the silence starts again and may last `ms` from now on. */
	restart(ms: number): void;
	/**
	Call this when something without content was received, such as a keep-alive comment. The silence starts again, but
	the phase lasts at most 30 minutes, or its own limit if that is longer.
	*/
	extend(): void;
	/**
	Resolves with the promise's result or the reason to stop, whichever comes first. Never rejects. Only the time during
	this call counts as silence.
	*/
	wait<Value>(promise: Promise<Value>): Promise<WaitResult<Value>>;
	/** Releases the timers and listeners. Call it once, last. */
	end(): void;
};

export type WaitResult<Value> =
	| {readonly type: 'value'; readonly value: Value}
	| {readonly type: 'error'; readonly error: unknown}
	| {readonly type: 'halt'; readonly why: 'aborted' | 'stalled'};

/** `ms`: how long the silence of the first phase may last. */
export function createStallTimeout(outer: AbortSignal, ms: number): StallTimeout {
	return new Stall(outer, ms);
}

/** The maximum duration of a phase that `extend` prolongs, in milliseconds. */
const maxPhaseMs = 30 * 60_000;

type StopReason = 'aborted' | 'stalled';

class Stall implements StallTimeout {
	readonly #outer: AbortSignal;
	readonly #controller = new AbortController();
	#limit: number;
	/**
	`#left` is the remaining time of the phase, and is valid between waits. `#over` is the time at which the phase ends,
	and is valid during a wait.
	*/
	#left: number;
	#over = 0;
	#timer: NodeJS.Timeout | undefined;
	#lastCheck: NodeJS.Immediate | undefined;
	/** `#checkAt` is the time at which the timer fires. `#deadline` is the time at which the silence is too long. */
	#checkAt = 0;
	#deadline = 0;
	#reason: StopReason | undefined;
	/** Ends the current wait. */
	#halt: ((why: StopReason) => void) | undefined;

	constructor(outer: AbortSignal, ms: number) {
		this.#outer = outer;
		this.#limit = ms;
		this.#left = Math.max(ms, maxPhaseMs);
		outer.addEventListener('abort', this.#onAbort);
		if (outer.aborted) this.#onAbort();
	}

	get signal(): AbortSignal {
		return this.#controller.signal;
	}

	restart(ms: number): void {
		this.#limit = ms;
		this.#left = Math.max(ms, maxPhaseMs);
		this.#over = performance.now() + this.#left;
		this.extend();
	}

	extend(): void {
		if (this.#halt !== undefined) this.#arm(performance.now());
	}

	async wait<Value>(promise: Promise<Value>): Promise<WaitResult<Value>> {
		const now = performance.now();
		this.#over = now + this.#left;
		this.#arm(now);
		const result = await new Promise<WaitResult<Value>>(resolve => {
			this.#halt = why => resolve({type: 'halt', why});
			if (this.#reason !== undefined) this.#halt(this.#reason);
			promise.then(
				value => resolve({type: 'value', value}),
				(error: unknown) => resolve({type: 'error', error}),
			);
		});
		this.#halt = undefined;
		this.#left = this.#over - performance.now();
		return result;
	}

	end(): void {
		this.#outer.removeEventListener('abort', this.#onAbort);
		clearTimeout(this.#timer);
		clearImmediate(this.#lastCheck);
		this.#controller.abort();
	}

	readonly #onAbort = (): void => this.#stop('aborted');

	#stop(reason: StopReason): void {
		this.#reason ??= reason;
		this.#controller.abort();
		this.#halt?.(this.#reason);
	}

	/**
	Sets the deadline. Reuses a timer that fires before the new deadline, because a new timer for every word would take
	too much time.
	*/
	#arm(now: number): void {
		this.#deadline = Math.min(now + this.#limit, this.#over);
		if (this.#timer !== undefined && this.#checkAt <= this.#deadline) return;
		clearTimeout(this.#timer);
		this.#checkIn(Math.max(0, this.#deadline - now));
	}

	#checkIn(ms: number): void {
		this.#checkAt = performance.now() + ms;
		this.#timer = setTimeout(() => this.#check(), ms);
	}

	#check(): void {
		this.#timer = undefined;
		if (this.#halt === undefined) return;
		const left = this.#deadline - performance.now();
		if (left > 0) this.#checkIn(Math.ceil(left));
		// Data that arrived while this process was suspended is processed first.
		else this.#lastCheck = setImmediate(() => this.#stopIfSilent());
	}

	#stopIfSilent(): void {
		if (this.#halt !== undefined && this.#timer === undefined) this.#stop('stalled');
	}
}
