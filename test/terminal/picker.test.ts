import {mkdir, readdir, readFile, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {createSession} from '../../src/pod/disk/log/open.ts';
import {sessionsRoot} from '../../src/pod/disk/paths.ts';
import {systemClock} from '../../src/worker/index.ts';
import {offlineModel} from '../../src/worker/wires/offline/offline-model.ts';
import {builtProgram} from '../helpers/built.ts';
import {histories, idle, openChat, pressApart, send, transcript} from '../helpers/chat.ts';
import {testPod} from '../helpers/pod.ts';
import {runProgram} from '../helpers/program.ts';
import {cleanEnvironment, type Terminal, type TerminalOptions} from '../helpers/pty.ts';
import {tempProject, type TempProject} from '../helpers/temp-project.ts';

const opened = 'Resume session';

/** Creates a project with a session for each text, and their home. */
async function withSessions(
	...texts: readonly string[]
): Promise<{readonly project: TempProject; readonly home: string}> {
	const project = await tempProject();
	const home = join(dirname(project.dir), 'home');
	for (const text of texts) {
		const session = createSession({root: sessionsRoot(cleanEnvironment(home)), cwd: project.dir}, systemClock());
		const told = await testPod(project, {model: offlineModel({delayMs: 0}), session});
		expect(await told.run(text)).toEqual({accepted: true});
		await told.rest();
		await told.pod.send({method: 'shutdown'});
	}
	return {project, home};
}

async function openPicker(made: {readonly project: TempProject; readonly home: string}, options: TerminalOptions = {}) {
	const terminal = await openChat({cwd: made.project.dir, home: made.home, args: ['-r'], ...options});
	await terminal.waitFor(opened);
	return terminal;
}

describe('inkpod -r without an id', () => {
	it('moves a session to the trash and back', async () => {
		const made = await withSessions('tell about apples', 'tell about pears');
		const terminal = await openPicker(made);
		await terminal.waitFor('tell about apples');
		terminal.write('apples');
		await terminal.waitFor('1 of 2');
		terminal.write('\x18');
		await terminal.waitFor('In the trash.');
		const trash = async () => (await runProgram({args: ['trash', '--json'], home: made.home})).stdout;
		expect(JSON.parse(await trash())).toMatchObject([{words: 'tell about apples'}]);
		terminal.write('\x12');
		await terminal.waitFor('The session is back.');
		expect(JSON.parse(await trash())).toEqual([]);
	});

	it.each([
		['', []],
		['inline', ['--inline']],
		['for a screen reader', ['--screen-reader']],
	])('forks a session and exports it, %s', async (_, flags) => {
		const made = await withSessions('tell about apples');
		const terminal = await openPicker(made, {args: ['-r', ...flags]});
		await terminal.waitFor('tell about apples');
		terminal.write('\x0f');
		await terminal.waitFor('Forked. Enter resumes the fork');
		expect(await histories(made.home)).toHaveLength(2);
		terminal.write('\x13');
		await terminal.waitFor('File: inkpod-');
		terminal.write('\x15apples.html\r');
		await terminal.waitFor('Wrote apples.html');
		const file = join(made.project.dir, 'apples.html');
		expect(await readFile(file, 'utf8')).toContain('tell about apples');
		await writeFile(file, 'mine');
		terminal.write('\x13');
		await terminal.waitFor('File: inkpod-');
		terminal.write('\x15apples.html\r');
		await terminal.waitFor('apples.html exists.');
		expect(await readFile(file, 'utf8')).toBe('mine');
		terminal.write('\r');
		await terminal.waitFor('Wrote apples.html');
		expect(await readFile(file, 'utf8')).toContain('tell about apples');
		terminal.write('\r');
		await terminal.waitFor(/(?:▌|You:) tell about apples/);
	});

	it('shows the turns and the state of a session whose process was killed', async () => {
		const project = await tempProject({
			'script.json': JSON.stringify([
				[{type: 'text', text: 'Done.'}],
				[{type: 'text', text: 'One'}, {type: 'stall'}],
			]),
		});
		const first = await openChat({cwd: project.dir, args: ['--model', 'scripted:script.json']});
		await first.waitFor('scripted');
		first.write('tell about apples\r');
		await first.waitFor('Done.');
		await first.waitFor(idle);
		first.write('and pears\r');
		await first.waitFor('One');
		first.kill('SIGKILL');
		await first.exit;
		const terminal = await openPicker({project, home: first.home}, {cols: 100, rows: 20});
		await terminal.waitFor(/❯ interrupted .* tell about apples .* 2 turns · scripted/);
	});

	it('finds a word of an answer while you type, and opens the session at it', async () => {
		const project = await tempProject({
			'script.json': JSON.stringify([
				[{type: 'text', text: 'The zucchini is green.'}],
				[{type: 'text', text: 'row\n\n'.repeat(60)}],
			]),
		});
		const first = await openChat({cwd: project.dir, args: ['--model', 'scripted:script.json']});
		await first.waitFor('scripted');
		await send(first, 'tell about apples');
		await first.waitFor('green.');
		await first.waitFor(idle);
		await send(first, 'and pears');
		await first.waitFor(/row\s+row/);
		await first.waitFor(idle);
		first.write('\x04');
		await first.exit;
		const terminal = await openPicker({project, home: first.home});
		terminal.write('zucchini');
		await terminal.waitFor(/❯ .*tell about apples · answer: The zucchini is green\./);
		terminal.write('\r');
		await terminal.waitFor(/The zucchini is green\.[^]*Search: zucchini {2}1 of 1/);
		terminal.write('\x1b');
		await terminal.waitFor(screen => screen.includes('The zucchini is green.') && !screen.includes('Search: '));
	});

	it('lists the sessions newest first, and text with Enter in one read resumes the match', async () => {
		const made = await withSessions('tell about apples', 'tell about pears');
		const terminal = await openPicker(made);
		await terminal.waitFor(/❯ (?:just now|\d+ min ago) .*tell about pears[^\n]*\n.*tell about apples/);
		await terminal.waitFor(/▌ tell about pears/);
		terminal.write('appl\r');
		await terminal.waitFor(/▌ tell about apples/);
		await terminal.waitFor(idle);
		expect(transcript(terminal).join('\n')).toMatch(/▌ tell about apples/);
		expect(terminal.screen()).not.toContain('pears');
		terminal.write('and more');
		await terminal.waitFor('❯ and more');
		terminal.write('\r');
		await terminal.waitFor('▌ and more');
		await terminal.waitFor(idle);
		terminal.write('\x04');
		expect(await terminal.exit).toEqual({code: 0, signal: undefined});
		expect(await histories(made.home)).toHaveLength(2);
	});

	it('shows only ASCII if the configuration says so', async () => {
		const made = await withSessions('tell about apples');
		const folder = join(made.home, '.config', 'inkpod');
		await mkdir(folder, {recursive: true});
		await writeFile(join(folder, 'config.toml'), '[screen]\nglyphs = "ascii"\n');
		const terminal = await openPicker(made);
		await terminal.waitFor(/> (?:just now|\d+ min ago) .*tell about apples/);
		expect(terminal.screen()).not.toMatch(/[❯▌●·]/);
	});

	it('puts keys that you type while the chat opens into the composer', async () => {
		const made = await withSessions('tell about apples');
		const terminal = await openPicker(made);
		await terminal.waitFor('tell about apples');
		terminal.write('\r');
		await terminal.waitFor(() => terminal.raw().includes('\x1b[?1049l'), {what: 'the end of the picker'});
		for (const character of 'hello there') terminal.write(character);
		await terminal.waitFor(/❯ hello there/);
		await terminal.waitFor(/▌ tell about apples/);
		terminal.write('\r');
		await terminal.waitFor('▌ hello there');
	});

	it('selects with the arrows, and the preview follows', async () => {
		const terminal = await openPicker(await withSessions('tell about apples', 'tell about pears'));
		await terminal.waitFor(/▌ tell about pears\n● /);
		terminal.write('\x1b[B');
		await terminal.waitFor(/▌ tell about apples\n● /);
		await terminal.waitFor(/❯ .* tell about apples/);
		terminal.write('\r');
		await terminal.waitFor(idle);
		await terminal.waitFor(/▌ tell about apples/);
	});

	it('selects nothing and restores the terminal when a key or a signal ends it', async () => {
		const made = await withSessions('tell about apples');
		const ends = [
			['\x1b', 0],
			['\x04', 0],
			['\x03', 130],
			['SIGTERM', 143],
			['SIGHUP', 129],
		] as const;
		for (const [end, code] of ends) {
			const terminal = await openPicker(made);
			if (end.startsWith('SIG')) terminal.kill(end as NodeJS.Signals);
			else terminal.write(end);
			expect(await terminal.exit).toEqual({code, signal: undefined});
			expect(terminal.virtual.isAlternate()).toBe(false);
			expect(terminal.screen().trim()).toBe('');
			const raw = terminal.raw().toString('latin1');
			for (const [on, off] of [
				['?2004h', '?2004l'],
				['?7l', '?7h'],
				['?25l', '?25h'],
				['>5u', '<u'],
			] as const)
				expect(raw.lastIndexOf(`\x1b[${off}`)).toBeGreaterThan(raw.lastIndexOf(`\x1b[${on}`));
		}
	});

	it('opens no screen when there are no sessions, and reports that', async () => {
		const terminal = await openChat({args: ['-r']});
		expect(await terminal.exit).toEqual({code: 0, signal: undefined});
		expect(terminal.screen()).toContain('No sessions yet');
		expect(terminal.raw().toString('latin1')).not.toContain('\x1b[?1049h');
	});

	it('shows the sessions of all directories with Tab, or at once when this directory has none', async () => {
		const made = await withSessions('tell about apples');
		const other = await tempProject();
		await runProgram({args: ['-p', '--model', 'offline', 'tell about plums'], cwd: other.dir, home: made.home});
		const terminal = await openPicker(made);
		await terminal.waitFor(screen => screen.includes('apples') && !screen.includes('plums'));
		terminal.write('\t');
		await terminal.waitFor(/all directories · 2[^]*plums[^]*apples/);
		const third = await tempProject();
		const elsewhere = await openPicker({project: third, home: made.home});
		await elsewhere.waitFor(/all directories · 2/);
		elsewhere.write('plum\r');
		await elsewhere.waitFor(idle);
		await elsewhere.waitFor(/inkpod\s+asks\s+before/);
		elsewhere.write('more\r');
		await elsewhere.waitFor(/Continue this session in another directory\?[^]*Working directory from now on/);
		await elsewhere.waitFor('Esc: ');
		await pressApart(elsewhere, '2');
		await elsewhere.waitFor(/the\s+session\s+stays\s+in[^]*❯ more/);
	});

	it('marks a session that cannot be read, and does not resume it', async () => {
		const made = await withSessions('tell about apples');
		const [file] = await histories(made.home);
		await writeFile(file!, 'no history\n');
		const terminal = await openPicker(made);
		await terminal.waitFor('× ');
		terminal.write('\r');
		await terminal.waitFor('▲ ');
		terminal.write('\x1b');
		expect(await terminal.exit).toMatchObject({code: 0});
		expect(await readdir(dirname(file!))).toEqual(['history.json', 'label.json']);
	});
});

describe('the picker on a terminal', () => {
	it('shows the field, the list and the hints at any size, with hostile text inert', async () => {
		const made = await withSessions('tell about apples', '日本語で検索を説明して', 'see \x1b[2J\u202etxt');
		for (const [cols, rows] of [
			[120, 40],
			[60, 15],
			[40, 10],
		] as const) {
			const terminal = await openPicker(made, {cols, rows});
			await terminal.waitFor('日本語で検索');
			terminal.write('検索');
			await terminal.waitFor(screen => screen.includes('❯ 検索\n') && !screen.includes('apples'));
			expect(terminal.cursor()).toMatchObject({row: 1, column: 6});
			expect(terminal.rows().slice(-2).join('\n')).toContain('Enter resume');
			terminal.write('\x15');
			await terminal.waitFor('see ␛[2J⟨U+202E⟩');
		}
	});

	it('shows the same screen after a resize as on a new terminal of that size', async () => {
		const made = await withSessions('tell about apples', 'tell about pears');
		const terminal = await openPicker(made, {cols: 100, rows: 30});
		await terminal.waitFor(/▌ tell about pears/);
		const age = (rows: readonly string[]) => rows.map(row => row.replaceAll(/just now|\d+ min ago/g, 'then'));
		terminal.resize(50, 22);
		const fresh = await openPicker(made, {cols: 50, rows: 22});
		await fresh.waitFor(/▌ tell about pears/);
		await terminal.waitFor(screen => age(screen.split('\n')).join('\n') === age(fresh.rows()).join('\n'), {
			what: `the screen\n${fresh.screen()}`,
		});
	});
});

/** Returns all rows of the terminal, including those above the screen. */
function kept({virtual}: Terminal): string {
	const {active} = virtual.terminal.buffer;
	return Array.from({length: active.length}, (_, row) => active.getLine(row)!.translateToString(true)).join('\n');
}

describe('the list for a screen reader', () => {
	const reader = {args: ['-r', '--screen-reader'], cols: 80, rows: 24};

	it('consists of plain lines, with the selected session marked in words', async () => {
		const terminal = await openPicker(await withSessions('tell about apples', 'tell about pears'), reader);
		await terminal.waitFor(
			/^\(selected\) (?:just now|\d+ min ago) .*tell about pears[^\n]*\n.*tell about apples/mu,
		);
		await terminal.waitFor(/^Session \w+ · .*\nYou: tell about pears\nAnswer: /mu);
		expect(terminal.virtual.isAlternate()).toBe(false);
		expect(kept(terminal)).not.toMatch(/[▌●❯×▲─]/u);
		expect(terminal.cursor()).toMatchObject({row: 1, column: 'Search: '.length, visible: true});
		terminal.write('\x1b[B');
		await terminal.waitFor(/tell about pears[^\n]*\n\(selected\) .*tell about apples/);
		await terminal.waitFor('You: tell about apples');
	});

	it('shows a typed letter, finds the session, and leaves no list on the screen', async () => {
		const terminal = await openPicker(await withSessions('tell about apples', 'tell about pears'), reader);
		await terminal.waitFor(/^You: tell about pears/mu);
		terminal.write('appl');
		await terminal.waitFor(/^Search: appl$/mu);
		await terminal.waitFor(screen => /^\(selected\) .*apples/mu.test(screen) && !screen.includes('pears'));
		await terminal.waitFor(() => terminal.cursor().row === 1 && terminal.cursor().column === 'Search: appl'.length);
		terminal.write('\r');
		await terminal.waitFor(/^Status: idle/mu);
		await terminal.waitFor('You: tell about apples');
		expect(kept(terminal)).not.toContain(opened);
	});

	it('can also be turned on by the configuration', async () => {
		const made = await withSessions('tell about apples');
		await mkdir(join(made.home, '.config/inkpod'), {recursive: true});
		await writeFile(join(made.home, '.config/inkpod/config.toml'), '[screen]\nreader = true\n');
		const terminal = await openPicker(made);
		await terminal.waitFor(/^\(selected\) .*tell about apples/mu);
		expect(terminal.virtual.isAlternate()).toBe(false);
	});
});

describe('the inline list', () => {
	it('appears below the terminal’s contents, and disappears at the end', async () => {
		const made = await withSessions('tell about apples', 'tell about pears');
		const script = 'echo what was there before; "$@"; echo "the shell again"';
		const command = ['/bin/sh', '-c', script, 'sh', process.execPath, await builtProgram(), '--inline'] as const;
		const terminal = await openPicker(made, {command, cols: 80, rows: 24});
		await terminal.waitFor(/❯ .*tell about pears[^\n]*\n.*tell about apples/);
		await terminal.waitFor(/▌ tell about pears/);
		expect(terminal.virtual.isAlternate()).toBe(false);
		terminal.write('appl');
		await terminal.waitFor(screen => screen.includes('❯ appl') && !screen.includes('pears'));
		terminal.write('\x1b');
		await terminal.exit;
		expect(kept(terminal).trim()).toBe('what was there before\nthe shell again');
		expect(terminal.virtual.terminal.modes).toMatchObject({sendFocusMode: false, wraparoundMode: true});
	});
});

describe('the inline picker', () => {
	it('comes back when no shell can resume it after a suspend', async () => {
		const terminal = await openPicker(await withSessions('tell about apples', 'tell about pears'));
		await terminal.waitFor(/▌ tell about pears/);
		terminal.write('appl\x1a');
		const isBack = (screen: string) =>
			/\x1b\[\?1049l[^]*\x1b\[\?1049h/u.test(terminal.raw().toString('latin1')) && screen.includes('❯ appl');
		await terminal.waitFor(isBack, {what: 'the screen left and back'});
		terminal.write('e');
		await terminal.waitFor(/❯ apple[^]*▌ tell about apples/);
		terminal.write('\x04');
		expect(await terminal.exit).toMatchObject({code: 0});
	});
});
