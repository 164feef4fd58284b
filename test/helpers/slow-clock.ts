/**
Returns an argument for Node that makes a program's clock this many times slower. The program uses milliseconds to tell
a lone Escape from the beginning of a sequence. With a slow clock this also works on a machine that stops for a while.
*/
export function slowClock(times: number): string {
	const source = `
		const [now, later] = [performance.now.bind(performance), globalThis.setTimeout];
		performance.now = () => now() / ${times};
		globalThis.setTimeout = Object.assign((callback, ms = 0, ...rest) => later(callback, ms * ${times}, ...rest), later);
	`;
	return `--import=data:text/javascript,${encodeURIComponent(source)}`;
}
