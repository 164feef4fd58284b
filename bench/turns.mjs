// A module for --import. It measures the longest turn of the event loop that begins in the first 500 ms of a process,
// and writes {"longest": milliseconds} to BENCH_TURNS. Processes that the program starts are not measured.
import {renameSync, writeFileSync} from 'node:fs';

const file = process.env.BENCH_TURNS;
delete process.env.BENCH_TURNS;
const interval = 1;
let last = performance.now();
let longest = 0;

if (file !== undefined) {
	const timer = setInterval(() => {
		const now = performance.now();
		longest = Math.max(longest, now - last - interval);
		last = now;
		if (now < 500) return;
		clearInterval(timer);
		writeFileSync(`${file}.new`, JSON.stringify({longest}));
		renameSync(`${file}.new`, file);
	}, interval).unref();
}
