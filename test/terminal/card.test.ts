import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {idle, onlyHistory, openChat, send} from '../helpers/chat.ts';
import type {Terminal} from '../helpers/pty.ts';
import {tempProject} from '../helpers/temp-project.ts';

/** More than 300 columns with what would hide its beginning, repaint the screen, or turn its end around. */
const hostile = `rm -rf ${'a'.repeat(150)}\x1b[2J\x1b[1;1H\x1b]0;owned\x07/\x1b[8mhidden\x1b[0m \x9b31m\u202egnp.exe\u202c \u200b\t${'b c '.repeat(30)}\rls   # harmless.pem`;
const shown = `rm -rf ${'a'.repeat(150)}␛[2J␛[1;1H␛]0;owned␇/␛[8mhidden␛[0m ⟨9b⟩31m⟨U+202E⟩gnp.exe⟨U+202C⟩ ⟨U+200B⟩␉${'b c '.repeat(30)}␍ls   # harmless.pem`;

async function askAbout(path: string, size: {readonly cols: number; readonly rows: number}): Promise<Terminal> {
	const project = await tempProject({[path]: 'the body\n'});
	await writeFile(join(project.dir, 'script.json'), JSON.stringify([[{type: 'tool_call', name: 'read_file', arguments: {path}}], [{type: 'text', text: 'All right.'}]]));
	const terminal = await openChat({cwd: project.dir, args: ['--model', 'scripted:script.json'], ...size});
	await terminal.waitFor('idle');
	await send(terminal, 'go');
	return terminal;
}

/** What the rows of the card's detail say, without gutters, marks and blanks. */
function detail(terminal: Terminal): string {
	return terminal.rows().filter(row => /^[│┆] /.test(row)).map(row => row.slice(2).replace(/ →\s*$/, '')).join('').replaceAll(' ', '');
}

describe('a card about more than 300 columns of escape sequences, bidi marks and a carriage return', () => {
	test.each([{cols: 120, rows: 40}, {cols: 60, rows: 15}])('at $cols by $rows, shows all of it, inert', async size => {
		const terminal = await askAbout(hostile, size);
		const before = terminal.raw().length;
		await terminal.waitFor(screen => screen.includes('? asking you') && screen.includes('Esc] No') && detail(terminal) === shown.replaceAll(' ', ''), {what: 'the whole command'});
		expect(terminal.screen()).not.toMatch(/more rows|PgDn/);
		expect(terminal.screen()).toMatch(/→\s*\n┆ /);
		expect(terminal.raw().subarray(Math.max(0, before - 2000)).toString('utf8')).not.toMatch(/\x1b\]0;owned|\x1b\[8m|\x9b|\u202e|\u200b|\t/);
		terminal.write('\x1b');
		await terminal.waitFor(screen => idle.test(screen) && screen.includes('All right.'));
		const {items} = await onlyHistory(terminal.home);
		expect(items.find(({type}) => type === 'tool_result')).toMatchObject({isError: true});
	});
});

test('a card that is larger than the screen, is not said yes to before it was scrolled to its end', async () => {
	const terminal = await askAbout(`${'long '.repeat(45)}/${'name '.repeat(45)}/${'of a '.repeat(45)}/key.pem`, {cols: 40, rows: 10});
	await terminal.waitFor(screen => /▼ \d+ more rows: PgDn, then yes/.test(screen) && screen.includes('Esc] No'));
	terminal.write('y');
	terminal.write('x');
	await terminal.waitFor(screen => /❯ y?x/.test(screen));
	expect(terminal.screen()).toContain('▼');
	for (let page = 0; !terminal.screen().includes('▲'); page++) {
		const seen = terminal.screen();
		terminal.write('\x1b[6~');
		await terminal.waitFor(screen => screen !== seen, {what: `page ${page}`});
	}
	expect(terminal.screen()).toContain('key.pem');
	await terminal.waitFor(screen => screen.includes('answer the card') || /\[1, y\] Yes/.test(screen));
});
