/**
Milliseconds of work that this process has done, on all its threads: what a bound on it says of a machine that has
nothing else to do, it says of a busy one.
*/
export function effort(): number {
	const {user, system} = process.cpuUsage();
	return (user + system) / 1000;
}

/**
An attempt that is about a time-out, with ever more time, until it got as far as it had to before that came. The last
one counts, however far it got.
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
