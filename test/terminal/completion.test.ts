import {describe, expect, it} from 'vitest';
import {idle, onlyHistory, openChat, transcript} from '../helpers/chat.ts';
import type {Terminal} from '../helpers/pty.ts';
import {blockedModel, inTwo} from '../helpers/blocked-model.ts';
import {tempProject} from '../helpers/temp-project.ts';

const files = {
	'src/add.ts': 'one\ntwo\nthree\nfour\n',
	'src/deep/er/inner.ts': 'inner\n',
	'my notes/a b.md': 'note one\nnote two\n',
	'README.md': '# read\n',
};

/** Returns the rows between the rule and the composer. A small screen has no rule, and a list begins with its mark. */
function popup(terminal: Terminal): string[] {
	const rows = terminal
		.rows()
		.slice(0, terminal.cursor().row)
		.map(row => row.trimEnd());
	const rule = rows.findLastIndex(row => /^─+$/u.test(row));
	const mark = rows.findIndex(row => row.startsWith('▸ '));
	return rule >= 0 ? rows.slice(rule + 1) : mark >= 0 ? rows.slice(mark) : [];
}

const highlighted = (terminal: Terminal) =>
	popup(terminal)
		.find(row => row.startsWith('▸ '))
		?.slice(2);

async function until(terminal: Terminal, highlight: string): Promise<void> {
	await terminal.waitFor(() => highlighted(terminal)?.startsWith(highlight) === true, {
		what: `${highlight} highlighted`,
	});
}

describe('completion after @', () => {
	it('attaches the highlighted file at Enter, with the range that is typed after it', async () => {
		const project = await tempProject(files);
		const terminal = await openChat({cwd: project.dir});
		await terminal.waitFor('offline');
		terminal.write('see @add');
		await until(terminal, 'src/add.ts');
		terminal.write('\r');
		await terminal.waitFor(/❯ see @src\/add\.ts/);
		expect(highlighted(terminal)).toBeUndefined();
		for (const key of ':2-3 ') terminal.write(key);
		await terminal.waitFor('❯ see @src/add.ts:2-3');
		terminal.write('please');
		await terminal.waitFor('please');
		expect(terminal.cursor().column).toBe(2 + 'see @src/add.ts:2-3 please'.length);
		terminal.write('\r');
		await terminal.waitFor(/File src\/add\.ts:2-3/);
		await terminal.waitFor(idle);
		const {items} = await onlyHistory(terminal.home);
		expect(items[1]).toMatchObject({
			text: 'see @src/add.ts:2-3 please',
			origin: {
				segments: [
					{type: 'text'},
					{type: 'file_ref', path: 'src/add.ts', range: {first: 2, last: 3}},
					{type: 'text', text: ' please'},
				],
			},
		});
	});

	it('opens directories with Enter, Tab and slash, even with a space in the name', async () => {
		const project = await tempProject(files);
		const terminal = await openChat({cwd: project.dir});
		await terminal.waitFor('offline');
		terminal.write('@my');
		await until(terminal, 'my notes/');
		terminal.write('\t');
		await terminal.waitFor('❯ @"my notes/');
		await until(terminal, 'my notes/a b.md');
		terminal.write('\t');
		await terminal.waitFor(screen => screen.includes('❯ @"my notes/a b.md"'));
		expect(terminal.cursor().column).toBe(2 + '@"my notes/a b.md"'.length);
		terminal.write(' @src/dee');
		await until(terminal, 'src/deep/');
		terminal.write('/');
		await terminal.waitFor('@src/deep/');
		terminal.write('\x7f'.repeat(30));
		await terminal.waitFor(/❯ Ask anything/);
	});

	it('lets Enter send when nothing matches, and shows no list for an e-mail address', async () => {
		const project = await tempProject(files);
		const terminal = await openChat({cwd: project.dir});
		await terminal.waitFor('offline');
		terminal.write('ask someone@example.com or @zzzzqq');
		await terminal.waitFor('No matching files or directories.');
		terminal.write('\r');
		await terminal.waitFor(() => transcript(terminal).some(row => row.includes('▌ ask someone@example.com')));
	});

	it('does not stop the answer when Esc closes its list', async () => {
		const model = await blockedModel([inTwo('A long ', 'answer, until its very end.')]);
		const project = await tempProject(files);
		const terminal = await openChat({cwd: project.dir, ...model.options});
		await terminal.waitFor('anthropic/test');
		terminal.write('go');
		await terminal.waitFor('❯ go');
		terminal.write('\r');
		await terminal.waitFor('A long');
		terminal.write('@READ');
		await until(terminal, 'README.md');
		terminal.write('\x1b');
		await terminal.waitFor(() => popup(terminal).length === 0);
		model.goOn();
		await terminal.waitFor('until its very end.');
		await terminal.waitFor('◦ idle');
		expect(terminal.screen()).toContain('❯ @READ');
	});
});

describe('completion after /', () => {
	it('lists the commands with descriptions, and Tab completes one', async () => {
		const terminal = await openChat({});
		await terminal.waitFor('offline');
		terminal.write('/');
		await until(terminal, '/help');
		expect(popup(terminal).join('\n')).toMatch(/\/resume \[id\] +Resume another session/);
		terminal.write('co');
		await until(terminal, '/copy');
		terminal.write('\t');
		await terminal.waitFor(/❯ \/copy$/m);
		expect(popup(terminal)).toEqual([]);
		expect(terminal.cursor().column).toBe(2 + '/copy '.length);
	});
});

describe('the popup', () => {
	it.each([
		[80, 15, 4],
		[30, 10, 4],
		[100, 30, 8],
	])('is small at %d by %d, with the cursor in place', async (cols, rows, most) => {
		const names = Array.from({length: 30}, (_, index) => [
			`some/deep/place/with/a/long/name/日本語/${'x'.repeat(index)}-file.ts`,
			'x',
		]);
		const project = await tempProject(Object.fromEntries(names));
		const terminal = await openChat({cwd: project.dir, cols, rows});
		await terminal.waitFor('offline');
		terminal.write('日本 @-file');
		await terminal.waitFor(
			() => highlighted(terminal)?.endsWith('-file.ts') === true && !terminal.screen().includes('indexing'),
		);
		expect(popup(terminal)).toHaveLength(most);
		const row = rows - (rows < 30 ? 2 : 3);
		expect(terminal.cursor()).toMatchObject({row, column: 2 + 4 + ' @-file'.length});
		expect(terminal.rows()[row]).toContain('❯ 日本 @-file');
	});

	it('shows names with escape sequences inert', async () => {
		const project = await tempProject({'evil\x1b[2J\x1b]0;owned\x07.md': 'x\n', 'evil\u202egnp.md': 'y\n'});
		const terminal = await openChat({cwd: project.dir});
		await terminal.waitFor('offline');
		terminal.write('@evil');
		await terminal.waitFor(/evil␛\[2J␛\]0;owned␇\.md/);
		await terminal.waitFor(/evil⟨U\+202E⟩gnp\.md/);
		expect(terminal.raw().includes('\x1b]0;owned')).toBe(false);
		expect(terminal.screen()).toContain('offline');
	});
});
