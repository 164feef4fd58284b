/**
An argument of Node's that makes a program's clock this many times slower. The program tells a lone Escape from the
beginning of a sequence by milliseconds; with a slow clock it still does so on a machine that stops for a while.
*/
export function slowClock(times: number): string {
	const source = `
		const [now, later] = [performance.now.bind(performance), globalThis.setTimeout];
		performance.now = () => now() / ${times};
		globalThis.setTimeout = Object.assign((callback, ms = 0, ...rest) => later(callback, ms * ${times}, ...rest), later);
	`;
	return `--import=data:text/javascript,${encodeURIComponent(source)}`;
}
