import {describe, expect, test} from 'vitest';
import {idle, onlyHistory, openChat, send, transcript} from '../helpers/chat.ts';
import {heldModel, inTwo} from '../helpers/held-model.ts';
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
/** Nothing comes after the first words. */
const stalling = JSON.stringify([[{type: 'text', text: 'The **first** answer'}, {type: 'stall'}]]);
const whole = JSON.stringify([[{type: 'text', text: 'The **first** answer, until its end.'}]]);

test('a question about a file, shows the words, the file as it was read, then the answer; history.json is JSON at that moment', async () => {
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
	expect(shown).toMatch(
		/▌ what does @src\/add\.ts do\n\n◇ File src\/add\.ts · 6 lines · \d+ B\n {2}│ \/\*\* Adds\. \*\/\n(?: {2}│ .*\n){3} {2}│? ?… 2 more lines/,
	);
});

describe('a resume', () => {
	test('after the end of an answer, shows exactly the same rows', async () => {
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

	test('after a kill in the middle of an answer, shows what was committed and that it was cut; Enter goes on', async () => {
		const project = await tempProject({'a.md': 'one\n', 'script.json': stalling});
		const first = await openChat({cwd: project.dir, args: ['--model', 'scripted:script.json']});
		await first.waitFor('scripted');
		await send(first, 'see @a.md');
		await first.waitFor('first answer');
		first.kill('SIGKILL');
		await first.exit;
		const killed = await onlyHistory(first.home);
		expect(killed.items.map(item => item.type)).toEqual(['setup', 'message', 'message']);
		await project.write('script.json', whole);
		const second = await openChat({
			cwd: project.dir,
			home: first.home,
			args: ['--model', 'scripted:script.json', '-r', killed.session.slice(0, 12)],
		});
		await second.waitFor('‖ paused');
		expect(transcript(second).join('\n')).toMatch(/▌ see @a\.md[^]*◇ File a\.md[^]*[Cc]ut short/);
		second.write('\r');
		await second.waitFor(/until its end/);
		await second.waitFor(idle);
		expect(transcript(second).join('\n')).not.toMatch(/Enter goes on/);
		expect((await onlyHistory(first.home)).items.at(-1)).toMatchObject({type: 'run_end', outcome: 'finished'});
	});
});

describe('keys', () => {
	test('Esc stops an answer, what came of it stays; the next message tells the model', async () => {
		const model = await heldModel([inTwo('The **first** answer', ', until its end.')], 'And the rest.');
		const terminal = await openChat(model.options);
		await terminal.waitFor('anthropic/test');
		await send(terminal, 'go');
		await terminal.waitFor('first answer');
		terminal.write('\x1b');
		await terminal.waitFor('‖ paused');
		await send(terminal, 'another');
		await terminal.waitFor('And the rest.');
		await terminal.waitFor('○ idle');
		const {items} = await onlyHistory(terminal.home);
		expect(
			items.filter(item => (item['origin'] as {kind?: string} | undefined)?.kind === 'interrupt'),
		).toHaveLength(1);
		expect(items.find(item => item['role'] === 'assistant')).toMatchObject({stop: 'aborted'});
	});

	test('a message that is sent while an answer streams, waits and goes out after it', async () => {
		const model = await heldModel([inTwo('The first ', 'answer, until its end.')], 'And the rest.');
		const terminal = await openChat(model.options);
		await terminal.waitFor('anthropic/test');
		await send(terminal, 'go');
		await terminal.waitFor('The first');
		await send(terminal, 'and then this');
		await terminal.waitFor('queued: and then this');
		model.goOn();
		await terminal.waitFor('And the rest.');
		await terminal.waitFor('○ idle');
		expect(transcript(terminal).join('\n')).toMatch(/until its end[^]*▌ and then this[^]*And the rest/);
	});

	test('Ctrl+C clears the draft, and twice quits with the session’s name only if there is one', async () => {
		const terminal = await openChat();
		await terminal.waitFor('offline');
		terminal.write('draft');
		await terminal.waitFor('❯ draft');
		terminal.write('\x03');
		await terminal.waitFor(screen => screen.includes('Ctrl+C again quits') && !screen.includes('❯ draft'));
		// Where the first one's moment was over when this came, it is the first and the second.
		terminal.write('\x03\x03');
		expect(await terminal.exit).toEqual({code: 0, signal: undefined});
		expect(terminal.screen()).not.toContain('Session');
	});

	test('several lines and a paste, are edited as one draft and sent whole; a paste never submits', async () => {
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

	test('PgUp and Ctrl+End, leave the end and follow it again; Ctrl+O switches the view', async () => {
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

describe('the terminal', () => {
	test.each([
		[120, 40],
		[60, 15],
		[40, 10],
	])('of %i columns and %i rows, shows composer, status and answer, the cursor at the caret', async (cols, rows) => {
		const terminal = await openChat({cols, rows});
		await terminal.waitFor('offline');
		terminal.write('日本 hi');
		await terminal.waitFor(screen => screen.includes('❯ 日本 hi') && terminal.cursor().column === 9);
		expect(terminal.cursor()).toMatchObject({column: 9, row: rows - 1});
		terminal.write('\r');
		// The beginning of the answer is out of sight at its end on a small screen.
		await terminal.waitFor(/\n {2}offline · [\d.]+ s\s*\n○ idle/);
		expect(terminal.rows()).toHaveLength(rows);
	});

	test('that is resized, shows the same as a fresh one of that size', async () => {
		const project = await tempProject({'src/add.ts': source});
		const terminal = await openChat({cwd: project.dir, cols: 100, rows: 30});
		await terminal.waitFor('offline');
		await send(terminal, 'explain @src/add.ts');
		await terminal.waitFor(/offline guide: rules/);
		await terminal.waitFor(idle);
		terminal.resize(50, 20);
		await terminal.waitFor(/ rules, not a language\n {2}model/);
		const narrow = transcript(terminal);
		terminal.write('\x04');
		await terminal.exit;
		const fresh = await openChat({cwd: project.dir, home: terminal.home, args: ['-c'], cols: 50, rows: 20});
		await fresh.waitFor(screen => screen.includes('offline guide: rules') && idle.test(screen));
		expect(narrow).toEqual(transcript(fresh));
	});

	test.each([
		['SIGTERM', 143],
		['SIGINT', 130],
		['SIGHUP', 129],
	] as const)('after %s, is given back as it was, and the exit code says so', async (signal, code) => {
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
