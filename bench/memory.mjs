// Loaded into a program with --import and --expose-gc: on SIGUSR2 it collects all garbage and writes what is left, in
// MiB, to BENCH_MEMORY_FILE.
import {renameSync, writeFileSync} from 'node:fs';

process.on('SIGUSR2', () => {
	// The memory of buffers is released after the collection that found them.
	for (let time = 0; time < 2; time++) globalThis.gc();
	const {heapUsed, external} = process.memoryUsage();
	const file = process.env.BENCH_MEMORY_FILE;
	writeFileSync(`${file}.new`, JSON.stringify({heapUsed: heapUsed / 2 ** 20, external: external / 2 ** 20}));
	renameSync(`${file}.new`, file);
});
