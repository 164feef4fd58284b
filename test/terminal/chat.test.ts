import {describe, expect, it} from 'vitest';
import {idle, onlyHistory, openChat, send, transcript} from '../helpers/chat.ts';
import {blockedModel, inTwo} from '../helpers/blocked-model.ts';
import {tempProject} from '../helpers/temp-project.ts';

const source = [
	'/** Adds. */',
	'export function add(a: number, b: number) {',
	'\treturn a + b;',
	'}',
	'',
	'export const zero = 0;',
	'',
].join('\n');
/** The model sends nothing after the first words. */
const stalling = JSON.stringify([[{type: 'text', text: 'The **first** answer'}, {type: 'stall'}]]);
const whole = JSON.stringify([[{type: 'text', text: 'The **first** answer, until its end.'}]]);

describe('a question about a file', () => {
	it('shows your message, the file and the answer, and leaves a valid history.json', async () => {
		const project = await tempProject({'src/add.ts': source});
		const terminal = await openChat({cwd: project.dir, cols: 120, rows: 40});
		await terminal.waitFor('offline');
		await send(terminal, 'what does @src/add.ts do');
		await terminal.waitFor(/File src\/add\.ts/);
		const {items} = await onlyHistory(terminal.home);
		expect(items.map(item => item.type).slice(0, 3)).toEqual(['setup', 'message', 'message']);
		expect(items[1]).toMatchObject({role: 'user', text: 'what does @src/add.ts do'});
		expect(items[2]).toMatchObject({
			role: 'system',
			origin: {kind: 'file', path: 'src/add.ts'},
			text: expect.stringMatching(/^\[File: src\/add\.ts\]\n\/\*\* Adds/) as unknown,
		});
		await terminal.waitFor(/function add/);
		await terminal.waitFor(idle);
		const shown = transcript(terminal).join('\n');
		expect(shown).toMatch(/▌ what does @src\/add\.ts do\n\n◇ File src\/add\.ts · 6 lines · \d+ B\n/);
		expect(shown).toMatch(/ B\n {2}│ \/\*\* Adds\. \*\/\n(?: {2}│ .*\n){3} {2}│? ?… 2 more lines/);
	});
});

describe('a resumed chat', () => {
	it('shows the same rows as before when the answer was complete', async () => {
		const project = await tempProject({'src/add.ts': source});
		const first = await openChat({cwd: project.dir});
		await first.waitFor('offline');
		await send(first, 'explain @src/add.ts and @missing.md');
		await first.waitFor(screen => screen.includes('offline guide: rules') && idle.test(screen));
		const before = transcript(first);
		first.write('\x04');
		expect(await first.exit).toEqual({code: 0, signal: undefined});
		const [, id] = /inkpod -r ([0-9A-Z]{26})/.exec(first.screen())!;
		const second = await openChat({cwd: project.dir, home: first.home, args: ['-r', id!.slice(0, 20)]});
		await second.waitFor(screen => screen.includes('offline guide: rules') && idle.test(screen));
		expect(transcript(second)).toEqual(before);
		const third = await openChat({cwd: project.dir, home: first.home, args: ['-c']});
		await third.waitFor(`Attached to the session in process ${second.pid}.`);
	});

	it('shows the interrupted answer after a kill, and Enter continues it', async () => {
		const project = await tempProject({'a.md': 'one\n', 'script.json': stalling});
		const first = await openChat({cwd: project.dir, args: ['--model', 'scripted:script.json']});
		await first.waitFor('scripted');
		await send(first, 'see @a.md');
		await first.waitFor('first answer');
		first.kill('SIGKILL');
		await first.exit;
		const killed = await onlyHistory(first.home);
		expect(killed.items.map(item => item.type)).toEqual(['setup', 'message', 'message', 'request']);
		await project.write('script.json', whole);
		const second = await openChat({
			cwd: project.dir,
			home: first.home,
			args: ['--model', 'scripted:script.json', '-r', killed.session.slice(0, 12)],
		});
		await second.waitFor('■ interrupted');
		expect(transcript(second).join('\n')).toMatch(/▌ see @a\.md[^]*◇ File a\.md[^]*Interrupted: inkpod exited/);
		second.write('\r');
		await second.waitFor(/until its end/);
		await second.waitFor(idle);
		expect(transcript(second).join('\n')).not.toMatch(/Enter to continue/);
		expect((await onlyHistory(first.home)).items.at(-1)).toMatchObject({type: 'run_end', outcome: 'finished'});
	});
});

describe('the keys of the chat', () => {
	it('stop an answer with Esc and keep its text, and the next message tells the model', async () => {
		const model = await blockedModel([inTwo('The **first** answer', ', until its end.')], 'And the rest.');
		const terminal = await openChat(model.options);
		await terminal.waitFor('anthropic/test');
		await send(terminal, 'go');
		await terminal.waitFor('first answer');
		terminal.write('\x1b');
		await terminal.waitFor('■ interrupted');
		await send(terminal, 'another');
		await terminal.waitFor('And the rest.');
		await terminal.waitFor('◦ idle');
		const {items} = await onlyHistory(terminal.home);
		expect(
			items.filter(item => (item['origin'] as {kind?: string} | undefined)?.kind === 'interrupt'),
		).toHaveLength(1);
		expect(items.find(item => item['role'] === 'assistant')).toMatchObject({stop: 'aborted'});
	});

	it('queue a message that you send during an answer', async () => {
		const model = await blockedModel([inTwo('The first ', 'answer, until its end.')], 'And the rest.');
		const terminal = await openChat(model.options);
		await terminal.waitFor('anthropic/test');
		await send(terminal, 'go');
		await terminal.waitFor('The first');
		await send(terminal, 'and then this');
		await terminal.waitFor('queued: and then this');
		model.goOn();
		await terminal.waitFor('And the rest.');
		await terminal.waitFor('◦ idle');
		expect(transcript(terminal).join('\n')).toMatch(/until its end[^]*▌ and then this[^]*And the rest/);
	});

	it('clear the message with Ctrl+C, and quit with a second one, naming the session if there is one', async () => {
		const terminal = await openChat();
		await terminal.waitFor('offline');
		terminal.write('draft');
		await terminal.waitFor('❯ draft');
		terminal.write('\x03');
		await terminal.waitFor(screen => screen.includes('Ctrl+C again to quit') && !screen.includes('❯ draft'));
		// If the first key's moment has passed, this key and the next one count as the first and the second.
		terminal.write('\x03\x03');
		expect(await terminal.exit).toEqual({code: 0, signal: undefined});
		expect(terminal.screen()).not.toContain('Session');
	});

	it('are the same on a Cyrillic layout, in a terminal that names the Latin letter of a key', async () => {
		const terminal = await openChat();
		await terminal.waitFor('offline');
		expect(terminal.raw().toString('latin1')).toContain('\x1b[>5u');
		terminal.write('черновик');
		await terminal.waitFor('❯ черновик');
		terminal.write('\x1b[1089::99;5u');
		await terminal.waitFor(screen => screen.includes('Ctrl+C again to quit') && !screen.includes('❯ черновик'));
	});

	it('edit several lines and a paste as one message, and a paste never sends it', async () => {
		const terminal = await openChat();
		await terminal.waitFor('offline');
		terminal.write('first\nsecond ');
		await terminal.waitFor(/❯ first\n\s+second/);
		terminal.write(`\x1b[200~${'pasted line\r'.repeat(30)}\x1b[201~`);
		await terminal.waitFor('[paste #1: 30 lines]');
		terminal.write('\r');
		await terminal.waitFor(/▌ first/);
		await terminal.waitFor(idle);
		const {items} = await onlyHistory(terminal.home);
		expect(items[1]!['text']).toBe(`first\nsecond ${'pasted line\n'.repeat(30)}`);
		expect(terminal.screen()).toContain('[paste #1: 30 lines]');
	});

	it('scroll up with PgUp, return to the end with Ctrl+End, and switch the view with Ctrl+O', async () => {
		const project = await tempProject({
			'script.json': JSON.stringify([
				[{type: 'text', text: Array.from({length: 80}, (_, n) => `- row ${n}`).join('\n')}],
			]),
		});
		const terminal = await openChat({cwd: project.dir, args: ['--model', 'scripted:script.json']});
		await terminal.waitFor('scripted');
		await send(terminal, 'go');
		await terminal.waitFor('row 79');
		await terminal.waitFor(idle);
		terminal.write('\x1b[5~');
		await terminal.waitFor(screen => !screen.includes('row 79') && screen.includes('row 4'));
		terminal.write('\x1b[1;5F');
		await terminal.waitFor('row 79');
		terminal.write('\x0f');
		await terminal.waitFor('detail');
		terminal.write('\x0f');
		await terminal.waitFor(screen => screen.includes('overview') && !screen.includes('row 40'));
	});
});

describe('the chat on a terminal', () => {
	it.each([
		[120, 40],
		[60, 15],
		[40, 10],
	])('shows composer, status and answer with the cursor in place at %i by %i', async (cols, rows) => {
		const terminal = await openChat({cols, rows});
		await terminal.waitFor('offline');
		terminal.write('日本 hi');
		await terminal.waitFor(screen => screen.includes('❯ 日本 hi') && terminal.cursor().column === 9);
		expect(terminal.cursor()).toMatchObject({column: 9, row: rows - (rows < 30 ? 2 : 3)});
		terminal.write('\r');
		// On a small screen the beginning of the answer has scrolled out of view.
		await terminal.waitFor(/\n {2}[\d.]+ s\s*\n(?:─+\n)?❯ Ask anything\s*\n(?:─+\n)?◦ idle/);
		expect(terminal.rows()).toHaveLength(rows);
	});

	it('shows the same after a resize as on a new terminal of that size', async () => {
		const project = await tempProject({'src/add.ts': source});
		const terminal = await openChat({cwd: project.dir, cols: 100, rows: 30});
		await terminal.waitFor('offline');
		await send(terminal, 'explain @src/add.ts');
		await terminal.waitFor(/offline guide: rules/);
		await terminal.waitFor(idle);
		terminal.resize(50, 20);
		await terminal.waitFor(/real\n {2}one\./);
		const narrow = transcript(terminal);
		terminal.write('\x04');
		await terminal.exit;
		const fresh = await openChat({cwd: project.dir, home: terminal.home, args: ['-c'], cols: 50, rows: 20});
		await fresh.waitFor(screen => screen.includes('offline guide: rules') && idle.test(screen));
		expect(narrow).toEqual(transcript(fresh));
	});

	it.each([
		['SIGTERM', 143],
		['SIGINT', 130],
		['SIGHUP', 129],
	] as const)('restores the terminal after %s, with its exit code', async (signal, code) => {
		const terminal = await openChat();
		await terminal.waitFor('offline');
		terminal.kill(signal);
		expect(await terminal.exit).toEqual({code, signal: undefined});
		const raw = terminal.raw().toString('latin1');
		expect(raw).toMatch(/\x1b\[\?1049l/);
		expect(raw.lastIndexOf('\x1b[?2004l')).toBeGreaterThan(raw.lastIndexOf('\x1b[?2004h'));
		expect(raw.lastIndexOf('\x1b[?7h')).toBeGreaterThan(raw.lastIndexOf('\x1b[?7l'));
		expect(raw.lastIndexOf('\x1b[?25h')).toBeGreaterThan(raw.lastIndexOf('\x1b[?25l'));
	});
});
