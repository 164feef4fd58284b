/**
An argument of Node's that makes a program's clock go so many times slower. What it tells apart by milliseconds, as a
lone Escape from the beginning of a sequence, it then tells apart on a machine too that stands still for hundreds of
them.
*/
export function slowClock(times: number): string {
	const source = `
		const [now, later] = [performance.now.bind(performance), globalThis.setTimeout];
		performance.now = () => now() / ${times};
		globalThis.setTimeout = Object.assign((callback, ms = 0, ...rest) => later(callback, ms * ${times}, ...rest), later);
	`;
	return `--import=data:text/javascript,${encodeURIComponent(source)}`;
}
