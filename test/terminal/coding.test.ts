import {readFile} from 'node:fs/promises';
import {describe, expect, it, onTestFinished} from 'vitest';
import {narrowDetails} from '../../src/pod/protocol.ts';
import type {Answer} from '../../src/worker/wires/script.ts';
import {idle, onlyHistory, openChat, pressApart, pressUntil, send, type StoredHistory} from '../helpers/chat.ts';
import {runProgram} from '../helpers/program.ts';
import type {Terminal} from '../helpers/pty.ts';
import {tempProject, type TempProject} from '../helpers/temp-project.ts';
import {startServer, type WireServer} from '../helpers/wire-servers/index.ts';

const project = {
	'package.json': JSON.stringify({name: 'demo', type: 'module'}),
	'sum.js': [
		'export function sum(numbers) {',
		'\tlet total = 1;',
		'\tfor (const number of numbers) total += number;',
		'\treturn total;',
		'}\n',
	].join('\n'),
	'sum.test.js': [
		"import {test} from 'node:test';",
		"import {equal} from 'node:assert/strict';",
		"import {sum} from './sum.js';\n",
		"test('the sum of nothing is 0', () => equal(sum([]), 0));",
		"test('the sum of some numbers', () => equal(sum([1, 2]), 3));\n",
	].join('\n'),
};

const runTests = {type: 'tool_call', name: 'bash', arguments: {command: 'node --test'}} as const;
const edit = (old: string, now: string) =>
	({type: 'tool_call', name: 'edit_file', arguments: {path: 'sum.js', edits: [{old, new: now}]}}) as const;

/**
Plays a model that was asked to make the tests pass. It reads the file and makes a wrong change. After the tests fail,
it makes a right change, and the tests pass.
*/
const task: readonly Answer[] = [
	[
		{type: 'text', text: 'I read it first.'},
		{type: 'tool_call', name: 'read_file', arguments: {path: 'sum.js'}},
	],
	[edit('let total = 1;', 'let total = 2;')],
	[runTests],
	[{type: 'text', text: 'That was wrong.'}, edit('let total = 2;', 'let total = 0;')],
	[runTests],
	[{type: 'tool_call', name: 'write_file', arguments: {path: 'NOTES.md', content: 'It began at 1.\n'}}],
	[{type: 'text', text: 'Both tests pass now.'}],
];

async function serve(): Promise<{
	readonly server: WireServer;
	readonly env: Record<string, string>;
	readonly files: TempProject;
}> {
	const server = await startServer('anthropic', task);
	onTestFinished(async () => server.close());
	return {
		server,
		env: {ANTHROPIC_API_KEY: 'test', ANTHROPIC_BASE_URL: server.url},
		files: await tempProject(project),
	};
}

const model = ['--model', 'anthropic/test'];
const sum = async (files: TempProject) => readFile(files.path('sum.js'), 'utf8');

/**
Waits for the card that shows all of these texts, and returns its answering key. A card accepts keys only a moment after
it appears.
*/
async function answer(terminal: Terminal, seen: readonly string[], key: string): Promise<void> {
	await terminal.waitFor(screen => /1\.? Yes/.test(screen) && seen.every(text => screen.includes(text)), {
		what: `the card of ${seen.join(', ')}`,
	});
	await terminal.waitFor(screen => screen.includes('Esc: '), {what: 'the card listening'});
	await pressApart(terminal, key);
}

/** Returns the rows above the status line. */
function blocks(terminal: Terminal): string[] {
	const rows = terminal.rows().map(row => row.trimEnd());
	return rows.slice(
		0,
		rows.findLastIndex(row => idle.test(row)),
	);
}

/** Returns the outcome of each call in order: its tool, whether it failed, how its command ended. */
function ends({items}: StoredHistory): unknown[] {
	const calls = items.filter(({type}) => type === 'tool_call');
	return calls.map(({callId, name}) => {
		const result = items.find(item => item.type === 'tool_result' && item['callId'] === callId)!;
		const {command} = narrowDetails((result['details'] ?? {}) as Record<string, unknown>);
		return [
			name,
			result['isError'] === true ? 'failed' : 'done',
			...(command?.exitCode === undefined ? [] : [command.exitCode]),
		];
	});
}

const allDone = [
	['read_file', 'done'],
	['edit_file', 'done'],
	['bash', 'failed', 1],
	['edit_file', 'done'],
	['bash', 'done', 0],
];

describe('a coding task with edits and tests on a provider’s server', () => {
	it('works in the chat with cards, diffs and exit codes, and shows the same after a resume', async () => {
		const {server, env, files} = await serve();
		const terminal = await openChat({cwd: files.dir, cols: 100, rows: 70, args: model, env});
		await terminal.waitFor('anthropic/test');
		await send(terminal, 'make the tests pass');
		await answer(terminal, ['? Allow this edit to sum.js?', '-   let total = 1;', '+   let total = 2;'], '1');
		await answer(terminal, ['? Run this command?', '│ node --test'], '2');
		await terminal.waitFor('× Run node --test · exit 1');
		await answer(terminal, ['-   let total = 2;', '+   let total = 0;', '→ more'], '\x1b[C');
		await answer(terminal, ['always in this project: edits to "sum.js"'], '4');
		await terminal.waitFor(
			screen => screen.includes('? Write this rule and stop asking?') && screen.includes('│ sum.js'),
		);
		await pressUntil(terminal, '\r', screen => !screen.includes('Write this rule'));
		await answer(terminal, ['? Allow writing NOTES.md?', '+It began at 1.'], '');
		terminal.write('no notes, please');
		await terminal.waitFor('Enter to answer "No" with this reason');
		await pressUntil(terminal, '\r', screen => screen.includes('Both tests pass now.'));
		await terminal.waitFor(screen => screen.includes('Both tests pass now.') && idle.test(screen));

		const shown = blocks(terminal);
		expect(shown.map(row => row.trim())).toEqual(
			expect.arrayContaining([
				expect.stringMatching(/^● Read sum\.js · 5 lines/),
				expect.stringMatching(/^● Edit sum\.js · 1 edit · \+1 −1/),
				expect.stringMatching(/^│ 2 -\s+let total = 1;/),
				expect.stringMatching(/^│ 2 \+\s+let total = 2;/),
				expect.stringMatching(/^× Run node --test · exit 1/),
				expect.stringMatching(/^│ 2 \+\s+let total = 0;/),
				expect.stringMatching(/^● Run node --test/),
				'× Write NOTES.md · denied · You declined this call: no notes, please',
			]),
		);
		const stored = await onlyHistory(terminal.home);
		expect(ends(stored)).toEqual([...allDone, ['write_file', 'failed']]);
		expect(await sum(files)).toBe(project['sum.js'].replace('total = 1', 'total = 0'));
		expect([server.requests.length, server.refusals]).toEqual([task.length, []]);
		expect(server.requests.at(-1)!.body).toContain('They say: no notes, please');

		terminal.write('\x04');
		expect(await terminal.exit).toMatchObject({code: 0});
		const again = await openChat({
			cwd: files.dir,
			cols: 100,
			rows: 70,
			home: terminal.home,
			args: [...model, '-r', stored.session],
			env,
		});
		await again.waitFor(screen => screen.includes('Both tests pass now.') && idle.test(screen));
		expect(blocks(again)).toEqual(shown);
	});

	it('works in print mode with --approval auto', async () => {
		const {server, env, files} = await serve();
		const {code, stdout, stderr, home} = await runProgram({
			args: ['-p', ...model, '--approval', 'auto', 'make the tests pass'],
			cwd: files.dir,
			env,
		});
		expect([code, stdout, stderr]).toEqual([0, expect.stringMatching(/Both tests pass now\.\n$/), '']);
		expect(ends(await onlyHistory(home))).toEqual([...allDone, ['write_file', 'done']]);
		expect(await sum(files)).toContain('let total = 0;');
		expect(server.refusals).toEqual([]);
	});

	it('reports each denial once in print mode, changes nothing, and exits with 5', async () => {
		const {server, env, files} = await serve();
		const {code, stdout, stderr, home} = await runProgram({
			args: ['-p', ...model, 'make the tests pass'],
			cwd: files.dir,
			env,
		});
		expect([code, stdout]).toEqual([5, expect.stringMatching(/Both tests pass now\.\n$/)]);
		expect(
			stderr
				.trim()
				.split('\n')
				.map(
					line =>
						/^inkpod: (\w+) denied: no one to approve in print mode \(use --approval or a rule\): /.exec(
							line,
						)?.[1],
				),
		).toEqual(['edit_file', 'bash', 'write_file']);
		expect(ends(await onlyHistory(home)).slice(1)).toEqual(
			['edit_file', 'bash', 'edit_file', 'bash', 'write_file'].map(name => [name, 'failed']),
		);
		// The second edit replaces text that the first edit would have written, so it must fail.
		expect(server.requests.at(-1)!.body.match(/nobody can approve it here; it was not run/g)).toHaveLength(4);
		expect(server.requests.at(-1)!.body).toContain('does not occur');
		expect([await sum(files), server.refusals]).toEqual([project['sum.js'], []]);
	});
});
