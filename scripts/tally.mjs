// Prints the sum of several test runs: `N passed, N failed`. A failed step without a failed test counts as one failure.
// Usage: node scripts/tally.mjs FILE EXIT_STATUS. It runs on any Node.
import {readFileSync} from 'node:fs';

const [, , file, status] = process.argv;
const runs = readFileSync(file, 'utf8')
	.split('\n')
	.filter(line => line !== '')
	.map(line => JSON.parse(line));
const sum = key => runs.reduce((total, run) => total + run[key], 0);
const failed = sum('failed') || (status === '0' ? 0 : 1);
process.stdout.write(`\n${sum('passed')} passed, ${failed} failed\n`);
