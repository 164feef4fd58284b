/** Places for a limited number of holders. Others wait in their order. */
export type Slots = {
	/** Resolves with a function that frees the place, or with `undefined` if the signal is aborted first. */
	take(signal: AbortSignal): Promise<(() => void) | undefined>;
};

export function createSlots(count: number): Slots {
	const waiting = new Set<() => void>();
	let free = count;

	function release(): void {
		const [next] = waiting;
		if (next === undefined) free++;
		else {
			waiting.delete(next);
			next();
		}
	}

	function releaseOnce(): () => void {
		let isHeld = true;
		return () => {
			if (isHeld) release();
			isHeld = false;
		};
	}

	return {
		async take(signal) {
			if (signal.aborted) return undefined;
			if (free > 0) {
				free--;
				return releaseOnce();
			}
			const {promise, resolve} = Promise.withResolvers<(() => void) | undefined>();
			const begin = () => resolve(releaseOnce());
			const leave = () => {
				if (waiting.delete(begin)) resolve(undefined);
			};
			waiting.add(begin);
			signal.addEventListener('abort', leave, {once: true});
			return promise.finally(() => signal.removeEventListener('abort', leave));
		},
	};
}
