import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {builtProgram} from '../helpers/built.ts';
import {idle, openChat, send} from '../helpers/chat.ts';
import type {Terminal} from '../helpers/pty.ts';
import {tempProject, type TempProject} from '../helpers/temp-project.ts';

/**
An editor that reports the text that it got, and writes the text of the test. It also shows the terminal's modes as a
program finds them.
*/
const program = `
import {readFileSync, statSync, writeFileSync} from 'node:fs';
const [, , how, file] = process.argv;
const text = readFileSync(file, 'utf8');
writeFileSync('seen.json', JSON.stringify({file, text, mode: (statSync(file).mode & 0o777).toString(8)}));
const edits = {
	append: () => writeFileSync(file, text.trimEnd() + ' and more\\n'),
	none: () => {},
	fail: () => { writeFileSync(file, 'lost'); process.exit(3); },
	bytes: () => writeFileSync(file, Buffer.from([0x61, 0xff, 0x62])),
	huge: () => writeFileSync(file, 'x'.repeat(11_000_000)),
	suspend() {
		process.on('SIGCONT', () => {
			process.stdin.setRawMode(true);
			process.stdout.write('CONTINUED');
		});
		process.stdin.setRawMode(true);
		process.stdin.on('data', chunk => {
			process.stdin.setRawMode(false);
			if (String(chunk) === '\\x1a') process.kill(0, 'SIGTSTP');
			else {
				writeFileSync(file, text.trimEnd() + ' and more');
				process.exit(0);
			}
		});
		process.stdout.write('THE EDITOR');
	},
	async wait() {
		process.on('SIGINT', () => process.stdout.write('INTERRUPTED'));
		process.stdout.write('THE EDITOR');
		for await (const chunk of process.stdin) {
			process.stdout.write('GOT ' + JSON.stringify(String(chunk)));
			if (String(chunk).includes('q')) break;
		}
		writeFileSync(file, 'typed outside\\n');
		process.exit(0);
	},
};
await edits[how]();
`;

async function openEditing(
	how: string,
	more: {
		readonly files?: Readonly<Record<string, string>>;
		readonly args?: readonly string[];
		readonly env?: Readonly<Record<string, string>>;
	} = {},
): Promise<{readonly terminal: Terminal; readonly project: TempProject}> {
	const project = await tempProject({'an editor.mjs': program, ...more.files});
	const terminal = await openChat({
		cwd: project.dir,
		args: more.args ?? [],
		env: {EDITOR: `node './an editor.mjs' ${how}`, TMPDIR: project.dir, ...more.env},
	});
	await terminal.waitFor(/offline|scripted/);
	return {terminal, project};
}

async function leftovers({dir}: TempProject): Promise<string[]> {
	return (await readdir(dir)).filter(name => name.startsWith('inkpod-draft-'));
}

describe('the editor', () => {
	it('replaces the message with its text, and one undo restores the earlier message', async () => {
		const {terminal, project} = await openEditing('append');
		terminal.write('a draft of @src/');
		await terminal.waitFor('a draft of @src/');
		terminal.write('\x07');
		await terminal.waitFor('❯ a draft of @src/ and more');
		expect(JSON.parse(await readFile(join(project.dir, 'seen.json'), 'utf8'))).toMatchObject({
			text: 'a draft of @src/\n',
			mode: '600',
			file: expect.stringMatching(/\.md$/) as unknown,
		});
		expect(await leftovers(project)).toEqual([]);
		terminal.write('\x1f');
		await terminal.waitFor(screen => screen.includes('❯ a draft of @src/') && !screen.includes('and more'));
	});

	it('keeps a paste as a paste', async () => {
		const {terminal} = await openEditing('append');
		terminal.write(`\x1b[200~${Array.from({length: 20}, (_, line) => `line ${line}`).join('\r')}\x1b[201~`);
		await terminal.waitFor('[paste #1: 20 lines]');
		terminal.write('\x07');
		await terminal.waitFor('❯ [paste #1: 20 lines] and more');
	});

	it.each([
		['fail', 'ended with exit 3'],
		['bytes', 'not UTF-8 text'],
		['huge', 'is larger than 10 MB'],
	])('leaves the message unchanged and reports the reason: %s', async (how, sentence) => {
		const {terminal, project} = await openEditing(how);
		terminal.write('my words');
		await terminal.waitFor('❯ my words');
		terminal.write('\x07');
		await terminal.waitFor(sentence);
		await terminal.waitFor('❯ my words');
		expect(await leftovers(project)).toEqual([]);
	});

	it('leaves the message unchanged and is reported as not found', async () => {
		const {terminal} = await openEditing('', {env: {VISUAL: 'no-such-editor --wait'}});
		terminal.write('my words');
		await terminal.waitFor('❯ my words');
		terminal.write('\x07');
		await terminal.waitFor('The editor no-such-editor was not found.');
		await terminal.waitFor('❯ my words');
	});

	it('gets all keys, even Ctrl+C, while the run continues, and the screen is complete afterwards', async () => {
		const script = JSON.stringify([
			[{type: 'text', text: 'The first words, and then the last ones.', chunk: 8, delayMs: 60}],
		]);
		const {terminal, project} = await openEditing('wait', {
			files: {'script.json': script},
			args: ['--model', 'scripted:script.json'],
		});
		await send(terminal, 'go');
		await terminal.waitFor('The first');
		terminal.write('kept?');
		await terminal.waitFor('❯ kept?');
		terminal.write('\x07');
		await terminal.waitFor('THE EDITOR');
		expect(terminal.virtual.terminal.modes).toMatchObject({bracketedPasteMode: false, sendFocusMode: false});
		terminal.write('\x03');
		await terminal.waitFor('INTERRUPTED');
		terminal.write('abc\r');
		await terminal.waitFor(/GOT "abc/);
		terminal.write('q\r');
		await terminal.waitFor('❯ typed outside');
		await terminal.waitFor('the last ones.');
		await terminal.waitFor(idle);
		expect(terminal.virtual.terminal.modes).toMatchObject({bracketedPasteMode: true, sendFocusMode: true});
		expect(terminal.screen()).not.toContain('GOT');
		expect(await leftovers(project)).toEqual([]);
		terminal.write('\x15');
		await terminal.waitFor('Ask anything');
		terminal.write('\x04');
		expect(await terminal.exit).toEqual({code: 0, signal: undefined});
	});

	it('returns to the shell when it is suspended, and continues with fg', async () => {
		const project = await tempProject({'an editor.mjs': program});
		const env = {EDITOR: "node './an editor.mjs' suspend", PS1: 'PROMPT> '};
		const terminal = await openChat({command: ['/bin/bash', '--norc', '--noprofile', '-i'], cwd: project.dir, env});
		await terminal.waitFor('PROMPT>');
		terminal.write(`'${process.execPath}' '${await builtProgram()}'\r`);
		await terminal.waitFor('offline');
		terminal.write('hello');
		await terminal.waitFor('❯ hello');
		terminal.write('\x07');
		await terminal.waitFor('THE EDITOR');
		terminal.write('\x1a');
		await terminal.waitFor(screen => screen.trimEnd().endsWith('PROMPT>'));
		terminal.write('fg\r');
		await terminal.waitFor('CONTINUED');
		terminal.write('x');
		await terminal.waitFor('❯ hello and more');
		terminal.write('!');
		await terminal.waitFor('❯ hello and more!');
	});

	it('ends together with inkpod, and its file is deleted', async () => {
		const {terminal, project} = await openEditing('wait');
		terminal.write('my words');
		await terminal.waitFor('❯ my words');
		terminal.write('\x07');
		await terminal.waitFor('THE EDITOR');
		terminal.kill('SIGTERM');
		expect(await terminal.exit).toEqual({code: 143, signal: undefined});
		expect(await leftovers(project)).toEqual([]);
		const second = await openChat({cwd: project.dir, home: terminal.home});
		await second.waitFor('❯ my words');
	});
});
