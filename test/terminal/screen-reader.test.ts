import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {Answer} from '../../src/worker/wires/script.ts';
import {projectRoot} from '../helpers/built.ts';
import {openChat, pressApart, pressUntil, send} from '../helpers/chat.ts';
import type {Terminal} from '../helpers/pty.ts';
import {tempProject} from '../helpers/temp-project.ts';

const files = {
	'README.md': Array.from({length: 12}, (_, line) => `Line ${line + 1} of the readme.\n`).join(''),
	'sum.js': 'export const sum = (a, b) => a - b;\n',
};

const script: readonly Answer[] = [
	[
		{
			type: 'text',
			text: [
				'# What it is\n\nA package with **one** function:\n\n- `sum` adds two numbers,\n- and it has a fault.\n',
				'| file | lines |\n|---|---|\n| README.md | 12 |\n\n```js\nsum(1, 2);\n```\n',
			].join('\n'),
		},
	],
	[{type: 'tool_call', name: 'read_file', arguments: {path: 'sum.js'}}],
	[{type: 'tool_call', name: 'edit_file', arguments: {path: 'sum.js', edits: [{old: 'a - b', new: 'a + b'}]}}],
	[{type: 'text', text: 'It adds now.'}],
];

const isIdle = /^Status: idle/m;

async function openSpoken(options: Parameters<typeof openChat>[0] = {}): Promise<Terminal> {
	const project = await tempProject({...files, 'script.json': JSON.stringify(script)});
	return openChat({
		cwd: project.dir,
		rows: 24,
		cols: 80,
		...options,
		args: ['--model', 'scripted:script.json', ...(options.args ?? [])],
	});
}

/** Returns all rows of the terminal, including those above the screen. */
function kept({virtual}: Terminal): string {
	const {active} = virtual.terminal.buffer;
	return Array.from({length: active.length}, (_, row) => active.getLine(row)!.translateToString(true))
		.join('\n')
		.trim();
}

describe('a session for a screen reader', () => {
	it('sends no control sequence to a dumb terminal, and shows the same lines there', async () => {
		const terminal = await openSpoken({env: {TERM: 'dumb', COLORTERM: undefined}});
		await terminal.waitFor(isIdle);
		await send(terminal, 'What is in @README.md');
		const rests = (text: string) => (screen: string) =>
			screen.includes(text) && /Status: idle.*\s+Message:\s*$/.test(screen);
		await terminal.waitFor(rests('Usage:'));
		await send(terminal, 'Mend the fault');
		await terminal.waitFor(screen => screen.includes('1. Yes') && screen.includes('Esc: '));
		await pressApart(terminal, '1');
		await terminal.waitFor(rests('It adds now.'));
		terminal.write('\x04');
		expect(await terminal.exit).toMatchObject({code: 0});
		const text = terminal.raw().toString('utf8');
		expect(text).not.toContain('\x1b');
		expect(text).toMatch(/Answer: It adds now\.\r+\n/);
		expect(text).toContain('Resume with: inkpod -r ');
	});

	it('writes each line once and names the speaker, as docs/screen-reader.md shows', async () => {
		const terminal = await openSpoken({args: ['--screen-reader']});
		await terminal.waitFor(isIdle);
		await send(terminal, 'What is in @README.md');
		await terminal.waitFor(screen => isIdle.test(screen) && screen.includes('Usage:'));
		const first = kept(terminal);
		await send(terminal, 'Mend the fault');
		await terminal.waitFor(screen => screen.includes('1. Yes') && screen.includes('Esc: '));
		const card = kept(terminal).slice(kept(terminal).indexOf('You: Mend'));
		await pressApart(terminal, '1');
		await terminal.waitFor(
			screen => isIdle.test(screen) && screen.includes('It adds now.') && screen.includes('Usage:'),
		);
		const second = kept(terminal);
		const last = second.slice(second.indexOf('You: Mend'));
		for (const text of [second, last]) expect(text.match(/It adds now\./gu)).toHaveLength(1);
		expect(second.match(/You: What is in/gu)).toHaveLength(1);
		expect(second).not.toMatch(/[▌◇●◔│❯◦]/u);
		await compare({question: first, card, answer: last});
		terminal.write('\x04');
		expect(await terminal.exit).toMatchObject({code: 0});
	});

	it('writes the end of an interrupted turn once, also after you continue it', async () => {
		const slow: Answer = [{type: 'text', text: 'It takes its time. '.repeat(20), chunk: 20, delayMs: 300}];
		const project = await tempProject({'slow.json': JSON.stringify([slow, [{type: 'text', text: 'Continued.'}]])});
		const terminal = await openChat({
			cwd: project.dir,
			args: ['--screen-reader', '--model', 'scripted:slow.json'],
		});
		await terminal.waitFor(isIdle);
		await send(terminal, 'Begin');
		await terminal.waitFor(/^Status: answering/im);
		terminal.write('\u001b');
		await terminal.waitFor(/^Status: interrupted/m);
		expect(kept(terminal).match(/^Usage: .*/gmu)).toEqual([expect.stringMatching(/interrupted$/u)]);
		terminal.write('\r');
		await terminal.waitFor(screen => isIdle.test(screen) && screen.includes('Continued.'));
		expect(kept(terminal).match(/^Usage: .*/gmu)).toEqual([
			expect.stringMatching(/interrupted$/u),
			expect.not.stringMatching(/interrupted/u),
		]);
	});

	it('writes only the letter that you type, with the cursor after it', async () => {
		const terminal = await openSpoken({env: {INK_SCREEN_READER: 'true'}});
		await terminal.waitFor(isIdle);
		await pressUntil(terminal, 'd', 'Message: d');
		terminal.write('raf');
		await terminal.waitFor('Message: draf');
		await terminal.waitFor(() => terminal.raw().includes('\x1b]2;'), {what: 'the window title'});
		const before = terminal.bytes();
		terminal.write('t');
		await terminal.waitFor(
			screen => screen.includes('Message: draft') && terminal.cursor().column === 'Message: draft'.length,
		);
		expect(terminal.raw().subarray(before).toString()).toBe('t');
		terminal.write('\x1b[D\x1b[D');
		await terminal.waitFor(() => terminal.cursor().column === 'Message: dra'.length && terminal.cursor().visible);
		terminal.write('\x1b[F');
		await terminal.waitFor(() => terminal.cursor().column === 'Message: draft'.length);
		terminal.write('\x15\x04');
		expect(await terminal.exit).toMatchObject({code: 0});
		expect(terminal.virtual.isAlternate()).toBe(false);
		expect(terminal.virtual.terminal.modes).toMatchObject({
			sendFocusMode: false,
			wraparoundMode: true,
			mouseTrackingMode: 'none',
		});
	});

	it('is turned on by the configuration', async () => {
		const project = await tempProject({'home/.config/inkpod/config.toml': '[screen]\nreader = true\n'});
		const terminal = await openSpoken({home: project.path('home')});
		await terminal.waitFor(isIdle);
		expect(terminal.virtual.isAlternate()).toBe(false);
	});
});

const page = join(projectRoot, 'docs/screen-reader.md');

/**
Compares texts with the code blocks of the same names on the page. INKPOD_UPDATE=docs writes the texts there instead.
Text that differs between runs gets a fixed name first.
*/
async function compare(texts: Readonly<Record<string, string>>): Promise<void> {
	const before = await readFile(page, 'utf8');
	let after = before;
	for (const [name, text] of Object.entries(texts)) {
		const block = new RegExp(`(\`\`\`text ${name}\n)[^]*?(\n\`\`\`\n)`, 'u');
		expect(before).toMatch(block);
		after = after.replace(block, (_, start: string, end: string) => start + stable(text) + end);
	}
	if (process.env['INKPOD_UPDATE'] === 'docs') await writeFile(page, after);
	else expect(after).toBe(before);
}

function stable(text: string): string {
	return text
		.replace(/^Project {2}.*$/mu, 'Project   ~/sum')
		.replaceAll(/\d+\.\d s$/gmu, '0.1 s')
		.trimEnd();
}
