import {describe, expect, it} from 'vitest';
import {argumentSpans, summaryBeside, toolName, toolWord} from '../../src/transcript/tool-title.ts';
import {createItems} from '../helpers/items.ts';

const call = (name: string, args: unknown) => createItems().call('1', name, args);
const title = (name: string, args: unknown, details = {}, columns = 80) =>
	argumentSpans(call(name, args), details, {columns})
		.map(({text}) => text)
		.join('');
const read = {path: 'a.ts', real: '/p/a.ts', sha256: '', first: 5, last: 9, totalLines: 40, whole: false};

describe('the title of a call', () => {
	it.each([
		['read_file', {path: 'a.ts'}, ' a.ts'],
		['read_file', {path: 'a.ts', offset: 5, limit: 3}, ' a.ts:5-7'],
		['read_file', {path: 'a.ts', limit: 3}, ' a.ts:1-3'],
		['grep', {pattern: 'x+', output: 'files'}, ' x+'],
		['grep', {pattern: 'x+', path: 'src', glob: '*.ts'}, ' x+ in src in *.ts'],
		['glob', {pattern: '**/*.md'}, ' **/*.md'],
		['workflow', {slug: 'review'}, ' /review'],
		['mcp__issues__create', {count: 2, title: 'A bug'}, ' A bug'],
		['mcp__issues__list', {}, ''],
		['bash', {command: 7}, ''],
	])('of %s with %j is%s', (name, args, shown) => {
		expect(title(name, args)).toBe(shown);
	});

	it('names the lines of a finished read', () => {
		expect(title('read_file', {path: 'a.ts', offset: 5, limit: 2000}, {read})).toBe(' a.ts:5-9');
		expect(title('read_file', {path: 'a.ts'}, {read: {...read, whole: true}})).toBe(' a.ts');
	});

	it('shows a command of several lines in one row, or its first line and the number of others', () => {
		expect(title('bash', {command: 'set -e\nnpm test\n'})).toBe(' set -e␊npm test');
		expect(title('bash', {command: `cat > a.txt <<E\n${'a line of it\n'.repeat(20)}E`})).toBe(
			' cat > a.txt <<E … 21 more lines',
		);
	});

	it('truncates a long argument to three rows and marks the truncation', () => {
		expect(title('bash', {command: 'x'.repeat(1000)}, {}, 40)).toBe(` ${'x'.repeat(89)}…`);
	});
});

it.each([
	['bash', 'bash'],
	['mcp__my_files__read_text_file', 'my_files: read_text_file'],
	['mcp__only', 'mcp__only'],
	['mcp__\x1b[2J__\r', '␛[2J: ␍'],
])('the tool %j is shown as %s', (name, shown) => {
	expect(toolName(name)).toBe(shown);
});

it.each([
	['ask', 'Ask'],
	['bash', 'Run'],
	['edit_file', 'Edit'],
	['fetch', 'Fetch'],
	['glob', 'Find'],
	['grep', 'Search'],
	['plan', 'Plan'],
	['read_file', 'Read'],
	['tasks', 'Tasks'],
	['write_file', 'Write'],
	['workflow', 'workflow'],
	['Run', 'Run'],
	['mcp__my_files__read_file', 'my_files: read_file'],
	['constructor', 'constructor'],
	['\x1b[2J', '␛[2J'],
])('a call of the tool %j is called %s', (name, word) => {
	expect(toolWord(name)).toBe(word);
});

it.each([
	['edit_file', {path: 'a.ts'}, 'a.ts: nothing may be changed', 'nothing may be changed'],
	['edit_file', {path: 'a.ts'}, 'b.ts: changed', 'b.ts: changed'],
	['bash', {command: 'ls', path: 'a.ts'}, 'a.ts: x', 'a.ts: x'],
	['read_file', {}, ': x', ': x'],
])('a title of %s with %j shows the summary %j as %j', (name, args, summary, shown) => {
	expect(summaryBeside(call(name, args), summary)).toBe(shown);
});
