// A module for --import, together with --expose-gc. On SIGUSR2 it collects all garbage and writes the remaining MiB to
// BENCH_MEMORY_FILE.
import {renameSync, writeFileSync} from 'node:fs';

process.on('SIGUSR2', () => {
	// A second collection is needed, because buffers are released only after the first collection.
	for (let time = 0; time < 2; time++) globalThis.gc();
	const {heapUsed, external} = process.memoryUsage();
	const file = process.env.BENCH_MEMORY_FILE;
	writeFileSync(`${file}.new`, JSON.stringify({heapUsed: heapUsed / 2 ** 20, external: external / 2 ** 20}));
	renameSync(`${file}.new`, file);
});
