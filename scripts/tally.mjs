// Prints the sum of the test runs that a file counts: `N passed, N failed`. A step that failed without a failed test
// counts as one.
// Usage: node scripts/tally.mjs FILE EXIT_STATUS. Runs on any Node.
import {readFileSync} from 'node:fs';

const [, , file, status] = process.argv;
const runs = readFileSync(file, 'utf8')
	.split('\n')
	.filter(line => line !== '')
	.map(line => JSON.parse(line));
const sum = key => runs.reduce((total, run) => total + run[key], 0);
const failed = sum('failed') || (status === '0' ? 0 : 1);
process.stdout.write(`\n${sum('passed')} passed, ${failed} failed\n`);
