/**
Returns the milliseconds of CPU time that this process has used on all its threads. A bound on CPU time also works on a
busy machine.
*/
export function cpuTime(): number {
	const {user, system} = process.cpuUsage();
	return (user + system) / 1000;
}

/**
Repeats an attempt with an increasing time limit, until it gets far enough. Returns the last attempt, however far it
got.
*/
export async function withTime<Result>(
	attempt: (ms: number) => Promise<Result>,
	gotThere: (result: Result) => unknown,
): Promise<{readonly result: Result; readonly ms: number}> {
	for (let ms = 300; ; ms *= 4) {
		const result = await attempt(ms);
		if (ms > 10_000 || (await gotThere(result)) === true) return {result, ms};
	}
}
