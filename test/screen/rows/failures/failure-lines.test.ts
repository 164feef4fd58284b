import {readFileSync} from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {failureLines, maxFailureLines} from '../../../../src/screen/rows/failures/failure-lines.ts';
import {cpuTime} from '../../../helpers/cpu-time.ts';

const seed = 52_038;
const outputs = path.join(import.meta.dirname, 'outputs');
const outputOf = (name: string) => readFileSync(path.join(outputs, `${name}.txt`), 'utf8').trim();

/** Returns what is shown: the lines, and the notes as numbers. */
const shown = (output: string, command = 'sh check.sh') =>
	failureLines(output, command)?.map(part => ('line' in part ? part.line : part.count));
const numbered = (count: number) => Array.from({length: count}, (_, index) => `line ${index + 1}`);

describe('the output of a failed program that marks its failures', () => {
	it.each([
		['node-test', 'node --test'],
		['tap', 'node --test --test-reporter=tap'],
		['vitest', 'npx vitest run'],
		['jest', 'npx jest'],
		['mocha', 'npx mocha'],
		['pytest', 'python3 -m pytest'],
		['go-test', 'go test -v ./...'],
		['go-build', 'go build ./...'],
		['cargo-build', 'cargo build'],
		['cargo-test', 'cargo test'],
		['tsc', 'npx tsc --noEmit'],
		['eslint', 'npx eslint src'],
		['ruff', 'ruff check'],
		['ruff-concise', 'ruff check --output-format concise'],
		['gcc', 'gcc -Wall a.c'],
		['make', 'make b'],
		['make-gcc', 'make'],
		['maven', 'mvn test'],
		['gradle', './gradlew test'],
		['gradle-javac', './gradlew build'],
		['npm', 'npm run nothing'],
	])('shows what %s marks', async (name, command) => {
		const output = outputOf(name);
		// The lines before it make the output too long to be shown whole.
		const long = `${numbered(20).join('\n')}\n${output}`;
		const text = [output, long].map(each => (shown(each, command) ?? []).map(textOf).join('\n'));
		await expect(`${text.join('\n\n=== after 20 lines\n')}\n`).toMatchFileSnapshot(
			path.join(outputs, `${name}.shown.txt`),
		);
	});

	it('shows the same if a script runs the program', () => {
		for (const name of ['node-test', 'vitest', 'jest', 'mocha', 'pytest', 'go-test', 'tsc', 'ruff', 'maven'])
			expect([name, shown(outputOf(name), 'npm test')]).toEqual([name, shown(outputOf(name), name)]);
	});

	it('shows the program that the command line names, if several mark something', () => {
		const output = [...numbered(20), 'a.ts(1,2): error TS1005: Bad.', 'b.c:1:2: error: worse', 'end'].join('\n');
		expect(shown(output, 'make')).toEqual([20, 'a.ts(1,2): error TS1005: Bad.', 2]);
		expect(shown(output, '/usr/bin/gcc b.c')).toEqual([21, 'b.c:1:2: error: worse', 1]);
	});

	it('does not show what follows a block', () => {
		const output = ['a.c:1:2: error: bad', '  code', 'b.ts(1,2): error TS1005: bad', '  more'];
		expect(shown([...numbered(20), ...output.slice(0, 2), ...numbered(20)].join('\n'))).toEqual([
			20,
			...output.slice(0, 2),
			20,
		]);
		expect(shown([...numbered(20), ...output.slice(2), ...numbered(20)].join('\n'))).toEqual([
			20,
			...output.slice(2),
			20,
		]);
		expect(shown([...numbered(20), 'make: *** No rule', ...numbered(20)].join('\n'))).toEqual([
			20,
			'make: *** No rule',
			20,
		]);
	});

	it('shows as much of each block as fits, and at least four lines', () => {
		const block = (name: string) => [` FAIL  ${name}`, ...numbered(20), '⎯⎯⎯⎯⎯'];
		const lines = (name: string, count: number) => block(name).slice(0, count);
		expect(shown(block('a').join('\n'))).toEqual([...lines('a', 12), 10]);
		expect(shown([...block('a'), ...block('b')].join('\n'))).toEqual([...lines('a', 6), 16, ...lines('b', 6), 16]);
		expect(shown(['a', 'b', 'c', 'd'].flatMap(block).join('\n'))).toEqual([
			...lines('a', 4),
			18,
			...lines('b', 4),
			18,
			...lines('c', 4),
			40,
		]);
	});

	it('shows what another program printed, if make or npm only reports that it failed', () => {
		const output = [
			...numbered(20),
			'config: value missing: error',
			...numbered(9),
			'make: *** [Makefile:2: a] Error 1',
		];
		expect(shown(output.join('\n'), 'make')).toEqual([
			18,
			'line 19',
			'line 20',
			'config: value missing: error',
			'line 1',
			'line 2',
			5,
			'line 8',
			'line 9',
			'make: *** [Makefile:2: a] Error 1',
		]);
	});
});

describe('the output of another failed program', () => {
	it.each(['Error: it broke', 'Test failed', 'panic at 3', 'Traceback (most recent call last):', '✖ adds', 'a.ts:3'])(
		'shows two lines around %s, and the last three lines',
		line => {
			const output = [...numbered(20), line, ...numbered(20)].join('\n');
			const around = ['line 19', 'line 20', line, 'line 1', 'line 2'];
			expect(shown(output)).toEqual([18, ...around, 15, 'line 18', 'line 19', 'line 20']);
		},
	);

	it('shows the first of many such lines', () => {
		const output = Array.from({length: 100}, (_, index) => `error ${index}`).join('\n');
		const first = Array.from({length: 9}, (_, index) => `error ${index}`);
		expect(shown(output)).toEqual([...first, 88, 'error 97', 'error 98', 'error 99']);
	});

	it('does not take a count of no failures, or a test that passed, for a failure', () => {
		expect(
			shown([...numbered(20), '0 errors', 'Failures: 0', '✓ reports an error', 'no failures'].join('\n')),
		).toBe(undefined);
		expect(shown([...numbered(20), 'Failures: 2, Errors: 0'].join('\n'))).toContain('Failures: 2, Errors: 0');
	});

	it('leaves out notices, progress and blank lines, and counts them', () => {
		const noise = ['npm notice New version', '', '  45% done', '[#####.....]', '⠙ waiting', '[ 50%]', '\r10%\r20%'];
		const output = [...noise, 'Error: it broke', ...noise, 'usage: x', ...noise].join('\n');
		expect(shown(output)).toEqual([7, 'Error: it broke', 'usage: x', 14]);
		expect(shown('npm notice error\nError: it broke')).toEqual([1, 'Error: it broke']);
	});

	it('is shown whole if it is short', () => {
		expect(shown('a\n\nError: it broke\n\nb')).toEqual(['a', '', 'Error: it broke', '', 'b']);
		expect(shown(['Error: it broke', ...numbered(11)].join('\n'))).toHaveLength(12);
		expect(shown(['Error: it broke', '', ...numbered(11)].join('\n'))).toEqual([
			'Error: it broke',
			...numbered(11),
			1,
		]);
	});

	it('gives nothing if no line says that anything failed', () => {
		expect(shown('')).toBe(undefined);
		expect(shown(numbered(50).join('\n'))).toBe(undefined);
	});
});

describe('any output', () => {
	const samples = ['node-test', 'vitest', 'pytest', 'go-test', 'cargo-build', 'ruff', 'gcc', 'maven', 'gradle']
		.flatMap(name => outputOf(name).split('\n'))
		.concat(['', 'npm notice', '50%', '\u001b[31merror\u001b[0m', 'a\rb', '\ud800 fail']);
	const line = fc.oneof(
		{weight: 4, arbitrary: fc.constantFrom(...samples)},
		fc.string({unit: 'binary', maxLength: 20}),
	);
	const output = fc.array(line, {maxLength: 80}).map(lines => lines.join('\n'));
	const command = fc.constantFrom('npm test', 'cargo test', 'go test', 'make', 'ruff check', './gradlew', '');

	it('gives at most twelve of its lines, in order, and counts each other line once', () => {
		fc.assert(
			fc.property(output, command, (text, run) => {
				const lines = text.split('\n');
				const parts = failureLines(text, run) ?? [];
				const at: number[] = [];
				let next = 0;
				for (const part of parts) {
					if ('line' in part) at.push(next);
					if ('line' in part) expect(part.line).toBe(lines[next++]);
					next += part.hides;
				}
				const counted = parts.reduce((sum, part) => sum + ('count' in part ? part.count : 0), 0);
				expect(at.length).toBeLessThanOrEqual(maxFailureLines);
				expect(parts.length).toBeLessThanOrEqual(2 * maxFailureLines + 1);
				if (parts.length > 0) expect([next, at.length + counted]).toEqual([lines.length, lines.length]);
			}),
			{seed, numRuns: 500},
		);
	});

	it.each([
		['one line', 'x'],
		['short lines', 'line 12\n'],
		['blank lines', '\n'],
		['failures', 'a.ts:1:2: error: fail\n'],
		['places', `${'a:1:1'.repeat(80)}\n`],
		['spaces', `${' '.repeat(399)}x\n`],
		['titles', `${'x > '.repeat(100)}\n`],
		['underscores', `${'___ '.repeat(100)}\n`],
		['brackets', `${'[====='.repeat(60)}\n`],
		['colours', `${'\u001b[31m'.repeat(80)}\n`],
		['progress', '50%\r'],
	])('of 1 MB of %s is read in one pass', (_, text) => {
		const whole = text.repeat(Math.ceil(1_000_000 / text.length));
		const start = cpuTime();
		failureLines(whole, 'cargo go ruff gradle');
		expect(cpuTime() - start).toBeLessThan(8000);
	});
});

function textOf(part: string | number): string {
	return typeof part === 'number' ? `… ${part}` : part;
}
