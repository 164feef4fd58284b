import {access, readdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {idle, onlyHistory, openChat, pressApart, pressUntil, send} from '../helpers/chat.ts';
import type {Terminal} from '../helpers/pty.ts';
import {tempProject} from '../helpers/temp-project.ts';

/** More than 300 columns that could hide their beginning, repaint the screen, or reverse their end. */
const hostile = [
	`rm -rf ${'a'.repeat(150)}`,
	'\x1b[2J\x1b[1;1H\x1b]0;owned\x07/\x1b[8mhidden\x1b[0m \x9b31m\u202egnp.exe\u202c \u200b\t',
	`${'b c '.repeat(30)}\rls   # harmless.pem`,
].join('');
const shown = [
	`rm -rf ${'a'.repeat(150)}`,
	'␛[2J␛[1;1H␛]0;owned␇/␛[8mhidden␛[0m ⟨9b⟩31m⟨U+202E⟩gnp.exe⟨U+202C⟩ ⟨U+200B⟩␉',
	`${'b c '.repeat(30)}␍ls   # harmless.pem`,
].join('');

async function askAbout(path: string, size: {readonly cols: number; readonly rows: number}): Promise<Terminal> {
	const project = await tempProject({[path]: 'the body\n'});
	await writeFile(
		join(project.dir, 'script.json'),
		JSON.stringify([
			[{type: 'tool_call', name: 'read_file', arguments: {path}}],
			[{type: 'text', text: 'All right.'}],
		]),
	);
	const terminal = await openChat({cwd: project.dir, args: ['--model', 'scripted:script.json'], ...size});
	await terminal.waitFor('idle');
	await send(terminal, 'go');
	return terminal;
}

/** Returns the words of the card's detail, without gutters, marks and blanks. */
function detail(terminal: Terminal): string {
	return terminal
		.rows()
		.filter(row => /^[│┆] /.test(row))
		.map(row => row.slice(2).replace(/ →\s*$/, ''))
		.join('')
		.replaceAll(' ', '');
}

describe('a card about more than 300 columns of escape sequences, bidi marks and a carriage return', () => {
	it.each([
		{cols: 120, rows: 40},
		{cols: 60, rows: 15},
	])('shows all of the text inert at $cols by $rows', async size => {
		const terminal = await askAbout(hostile, size);
		const before = terminal.raw().length;
		await terminal.waitFor(
			screen =>
				screen.includes('? approval needed') &&
				screen.includes('(Esc)') &&
				detail(terminal) === shown.replaceAll(' ', ''),
			{what: 'the whole command'},
		);
		expect(terminal.screen()).not.toMatch(/more rows|PgDn/);
		expect(terminal.screen()).toMatch(/→\s*\n┆ /);
		expect(
			terminal
				.raw()
				.subarray(Math.max(0, before - 2000))
				.toString('utf8'),
		).not.toMatch(/\x1b\]0;owned|\x1b\[8m|\x9b|\u202e|\u200b|\t/);
		await pressApart(terminal, '2');
		await terminal.waitFor(screen => idle.test(screen) && screen.includes('All right.'));
		const {items} = await onlyHistory(terminal.home);
		expect(items.find(({type}) => type === 'tool_result')).toMatchObject({isError: true});
	});
});

describe('a card larger than the screen', () => {
	it('cannot be approved before it was scrolled to its end', async () => {
		const terminal = await askAbout(`${'long '.repeat(45)}/${'name '.repeat(45)}/${'of a '.repeat(45)}/key.pem`, {
			cols: 40,
			rows: 10,
		});
		await terminal.waitFor(screen => /▼ \d+ more rows: PgDn/.test(screen) && screen.includes('(Esc)'));
		await pressApart(terminal, '1');
		await terminal.waitFor('Read to the end first: PgDn, Ctrl+End.');
		expect(terminal.screen()).toContain('▼');
		for (let page = 0; !terminal.screen().includes('▲'); page++) {
			const seen = terminal.screen();
			terminal.write('\x1b[6~');
			await terminal.waitFor(screen => screen !== seen, {what: `page ${page}`});
		}
		expect(terminal.screen()).toContain('key.pem');
		await pressUntil(terminal, '\x1b[A', /❯1 Yes/);
		await pressUntil(terminal, '\r', 'All right.');
	});
});

/** Opens a chat whose model wants to run one command. Waits until its card accepts answers. */
async function askToRun(size: {
	readonly cols: number;
	readonly rows: number;
}): Promise<Terminal & {readonly ran: () => Promise<boolean>}> {
	const project = await tempProject();
	const script = [
		[{type: 'tool_call', name: 'bash', arguments: {command: 'touch ran'}}],
		[{type: 'text', text: 'All right.'}],
	];
	await writeFile(join(project.dir, 'script.json'), JSON.stringify(script));
	const terminal = await openChat({cwd: project.dir, args: ['--model', 'scripted:script.json'], ...size});
	await terminal.waitFor('idle');
	await send(terminal, 'go');
	await terminal.waitFor(screen => screen.includes('touch ran') && screen.includes('Esc: '), {
		what: 'the card',
	});
	// Enter and Esc answer a card only when it was on the screen for 400 ms.
	await new Promise(resolve => setTimeout(resolve, 500));
	return {
		...terminal,
		ran: async () =>
			access(project.path('ran')).then(
				() => true,
				() => false,
			),
	};
}

const said = async (terminal: Terminal) =>
	(await onlyHistory(terminal.home)).items.find(({type}) => type === 'tool_result')?.['content'];

/** Writes each byte separately, with a pause between them. */
async function dribble(terminal: Terminal, bytes: string, ms: number): Promise<void> {
	for (const byte of bytes) {
		terminal.write(byte);
		await new Promise(resolve => setTimeout(resolve, ms));
	}
}

describe.each([
	{cols: 120, rows: 40},
	{cols: 60, rows: 15},
])('a card at $cols by $rows', size => {
	it('takes a sentence as the reason for a denial, whatever it begins with', async () => {
		const terminal = await askToRun(size);
		await dribble(terminal, 'always use make, yes?', 30);
		await terminal.waitFor(
			screen =>
				screen.includes('❯ always use make, yes?') && screen.includes('Enter to answer "No" with this reason'),
		);
		await pressUntil(terminal, '\r', 'All right.');
		expect([await terminal.ran(), await said(terminal)]).toEqual([
			false,
			expect.stringContaining('always use make, yes?'),
		]);
	});

	it('takes an Esc of the kitty protocol that arrives in parts as Esc, not as digits', async () => {
		const terminal = await askToRun(size);
		terminal.write('\x1b[');
		await new Promise(resolve => setTimeout(resolve, 60));
		terminal.write('27u');
		await terminal.waitFor('All right.');
		expect([await terminal.ran(), await said(terminal)]).toEqual([false, expect.not.stringContaining('They say')]);
	});

	it('is not answered by an unbracketed paste', async () => {
		const terminal = await askToRun(size);
		terminal.write('1 yes\ralways\r');
		await terminal.waitFor(/❯ 1 yes|\[paste/);
		terminal.write('\x15\x7F\x15\x7F\x15');
		await terminal.waitFor(screen => screen.includes('Type to say no') && screen.includes('Esc: '));
		expect(await terminal.ran()).toBe(false);
		await pressUntil(terminal, '\x1b[A', /❯ 1/);
		await pressUntil(terminal, '\r', 'All right.');
		expect(await terminal.ran()).toBe(true);
	});

	it('shows the rule of "Always", and saves it at the second Enter', async () => {
		const terminal = await askToRun(size);
		terminal.write('\x1b[C');
		await terminal.waitFor(/4\.? Yes, a/);
		await pressApart(terminal, '4');
		await terminal.waitFor(
			screen =>
				screen.includes('Write this rule') &&
				screen.includes('│ Allow bash, only for exactly:') &&
				screen.includes('│ touch ran'),
		);
		expect(await terminal.ran()).toBe(false);
		await pressUntil(terminal, '\r', 'All right.');
		expect(await terminal.ran()).toBe(true);
	});
});

describe('a chain of five cards', () => {
	const chain = async () => {
		const project = await tempProject();
		const calls = [1, 2, 3, 4, 5].map(number => ({
			type: 'tool_call',
			name: 'bash',
			arguments: {command: `touch ran${number}`},
		}));
		await writeFile(project.path('script.json'), JSON.stringify([calls, [{type: 'text', text: 'All right.'}]]));
		const terminal = await openChat({cwd: project.dir, args: ['--model', 'scripted:script.json']});
		await terminal.waitFor('idle');
		await send(terminal, 'go');
		await terminal.waitFor(/touch ran1[^]*1\. Yes/);
		return {terminal, ran: async () => (await readdir(project.dir)).filter(name => name.startsWith('ran'))};
	};

	it('takes five digits that are pressed 600 ms apart', async () => {
		const {terminal, ran} = await chain();
		await dribble(terminal, '11111', 600);
		await terminal.waitFor('All right.');
		expect(await ran()).toHaveLength(5);
	});

	it.each([150, 300])('sends no message, denial or reason for digits that are pressed %i ms apart', async ms => {
		const {terminal, ran} = await chain();
		await dribble(terminal, '11111\r', ms);
		await terminal.waitFor('Digits alone are neither');
		const {items} = await onlyHistory(terminal.home);
		const results = items.filter(({type}) => type === 'tool_result');
		expect(JSON.stringify(results)).not.toContain('denied');
		expect(items.filter(({type, role}) => type === 'message' && role === 'user')).toHaveLength(1);
		expect(await ran()).toEqual([]);
	});
});
