/** Waiting that ends when the person stops the request, or when nothing was heard for too long. */
export type Patience = {
	/** Aborted when the waiting is over, for whatever reason. */
	readonly signal: AbortSignal;
	/** A sign of life: the silence is counted anew, and from now on may last `ms`. */
	touch(ms: number): void;
	/** Settles with the promise or with the reason to stop, whichever is first; never rejects. Only the time spent in here counts as silence. */
	wait<Value>(promise: Promise<Value>): Promise<Waited<Value>>;
	/** Ends everything: call it once, last. */
	end(): void;
};

export type Waited<Value> =
	| {readonly type: 'value'; readonly value: Value}
	| {readonly type: 'error'; readonly error: unknown}
	| {readonly type: 'halt'; readonly why: 'aborted' | 'stalled'};

/** Patience of `ms` milliseconds until the first touch. */
export function createPatience(outer: AbortSignal, ms: number): Patience {
	const controller = new AbortController();
	let limit = ms;
	let timer: NodeJS.Timeout | undefined;
	let over: NodeJS.Immediate | undefined;
	let why: 'aborted' | 'stalled' | undefined;
	let halt: (() => void) | undefined;

	const stop = (reason: 'aborted' | 'stalled') => {
		why ??= reason;
		controller.abort();
		halt?.();
	};
	const onAbort = () => stop('aborted');
	const disarm = () => {
		clearTimeout(timer);
		clearImmediate(over);
	};
	const arm = () => {
		disarm();
		// What came while this process stood still is heard first.
		timer = setTimeout(() => (over = setImmediate(() => stop('stalled'))), limit);
	};
	outer.addEventListener('abort', onAbort);
	if (outer.aborted) onAbort();

	return {
		signal: controller.signal,
		touch(next) {
			limit = next;
			if (halt !== undefined) arm();
		},
		async wait<Value>(promise: Promise<Value>) {
			arm();
			const waited = await new Promise<Waited<Value>>(resolve => {
				halt = () => resolve({type: 'halt', why: why!});
				if (why !== undefined) halt();
				promise.then(
					value => resolve({type: 'value', value}),
					(error: unknown) => resolve({type: 'error', error}),
				);
			});
			halt = undefined;
			disarm();
			return waited;
		},
		end() {
			outer.removeEventListener('abort', onAbort);
			disarm();
			controller.abort();
		},
	};
}
