/** Waiting that ends when the person stops the request, or when nothing was heard for too long. */
export type StallTimeout = {
	/** Aborted when the waiting is over, for whatever reason. */
	readonly signal: AbortSignal;
	/** A sign of life: the silence is counted anew, and from now on may last `ms`. */
	restart(ms: number): void;
	/**
	Settles with the promise or with the reason to stop, whichever is first; never rejects. Only the time spent in here
	counts as silence.
	*/
	wait<Value>(promise: Promise<Value>): Promise<WaitResult<Value>>;
	/** Ends everything: call it once, last. */
	end(): void;
};

export type WaitResult<Value> =
	| {readonly type: 'value'; readonly value: Value}
	| {readonly type: 'error'; readonly error: unknown}
	| {readonly type: 'halt'; readonly why: 'aborted' | 'stalled'};

/** StallTimeout of `ms` milliseconds until the first restart. */
export function createStallTimeout(outer: AbortSignal, ms: number): StallTimeout {
	const controller = new AbortController();
	let limit = ms;
	let timer: NodeJS.Timeout | undefined;
	let over: NodeJS.Immediate | undefined;
	/** When the timer looks, and when the silence will have been too long. */
	let looksAt = 0;
	let deadline = 0;
	let why: 'aborted' | 'stalled' | undefined;
	let halt: (() => void) | undefined;

	const stop = (reason: 'aborted' | 'stalled') => {
		why ??= reason;
		controller.abort();
		halt?.();
	};
	const onAbort = () => stop('aborted');
	// A timer for every word would cost more than the word: the one that runs looks again when it has been heard from
	// meanwhile.
	const arm = () => {
		deadline = performance.now() + limit;
		if (timer !== undefined && looksAt <= deadline) return;
		clearTimeout(timer);
		lookIn(limit);
	};
	const lookIn = (wait: number) => {
		looksAt = performance.now() + wait;
		timer = setTimeout(look, wait);
	};
	const look = () => {
		timer = undefined;
		if (halt === undefined) return;
		const left = deadline - performance.now();
		if (left > 0) lookIn(Math.ceil(left));
		// What came while this process stood still is heard first.
		else over = setImmediate(() => halt !== undefined && timer === undefined && stop('stalled'));
	};
	outer.addEventListener('abort', onAbort);
	if (outer.aborted) onAbort();

	return {
		signal: controller.signal,
		restart(next) {
			limit = next;
			if (halt !== undefined) arm();
		},
		async wait<Value>(promise: Promise<Value>) {
			arm();
			const waited = await new Promise<WaitResult<Value>>(resolve => {
				halt = () => resolve({type: 'halt', why: why!});
				if (why !== undefined) halt();
				promise.then(
					value => resolve({type: 'value', value}),
					(error: unknown) => resolve({type: 'error', error}),
				);
			});
			halt = undefined;
			return waited;
		},
		end() {
			outer.removeEventListener('abort', onAbort);
			clearTimeout(timer);
			clearImmediate(over);
			controller.abort();
		},
	};
}
