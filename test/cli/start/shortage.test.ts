import {describe, expect, it} from 'vitest';
import {shortage, type Surroundings} from '../../../src/cli/start/shortage.ts';
import {histories} from '../../helpers/chat.ts';
import {runProgram} from '../../helpers/program.ts';

/** `free`: the number of descriptors that are left. */
function surroundings({free = 1000, ...more}: Partial<Surroundings> & {readonly free?: number} = {}) {
	const opened = new Set<number>();
	let next = 0;
	return {
		opened,
		arguments: [],
		env: {},
		limits: '',
		open() {
			if (opened.size >= free) throw Object.assign(new Error('too many'), {code: 'EMFILE'});
			opened.add(next);
			return next++;
		},
		close: (fd: number) => void opened.delete(fd),
		...more,
	};
}

const limitsOf = (space: string) => `Limit                     Soft Limit           Hard Limit           Units
Max open files            1024                 1048576              files
Max address space         ${space}            unlimited            bytes
`;

describe('shortage', () => {
	it('finds none in usual surroundings, and closes what it opened', () => {
		const usual = surroundings({limits: limitsOf('unlimited'), env: {NODE_OPTIONS: '--max-old-space-size=4096'}});
		expect([shortage(usual), usual.opened.size]).toEqual([undefined, 0]);
	});

	it.each<[string, Partial<Surroundings> & {readonly free?: number}, RegExp]>([
		['few descriptors', {free: 10}, /ulimit -n 256/],
		['few addresses', {limits: limitsOf('1536000000')}, /only 1500000 KB .*ulimit -v.* 2000000 KB/],
		['a small heap in the arguments', {arguments: ['--max-old-space-size=20']}, /only 20 MB .* 64 MB/],
		['a small heap in NODE_OPTIONS', {env: {NODE_OPTIONS: '--max_old_space_size 32 --x'}}, /only 32 MB/],
	])('reports %s', (_, more, sentence) => {
		const given = surroundings(more);
		expect([shortage(given), given.opened.size]).toEqual([expect.stringMatching(sentence), 0]);
	});
});

describe.runIf(process.platform === 'linux')('print mode with too little', () => {
	it.each([
		['files', 'ulimit -n 24; exec "$@"', /^inkpod: Too few files can be opened at once\. Run: ulimit -n 256\n$/],
		['addresses', 'ulimit -v 1900000; exec "$@"', /^inkpod: This shell allows only 1900000 KB .*\n$/],
		['memory', 'NODE_OPTIONS=--max-old-space-size=24 exec "$@"', /^inkpod: Node may use only 24 MB .*\n$/],
	])('ends with a sentence about %s and exit code 2', async (_, line, sentence) => {
		const {code, stderr, home} = await runProgram({
			command: ['sh', '-c', line, 'sh'],
			args: ['-p', '--model', 'offline', 'list the files'],
		});
		expect([code, stderr]).toEqual([2, expect.stringMatching(sentence)]);
		expect(await histories(home)).toEqual([]);
	});
});
