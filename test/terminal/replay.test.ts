import {mkdtemp, realpath, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {exportBundle} from '../../src/cli/bundle/export-bundle.ts';
import {openChat, transcript} from '../helpers/chat.ts';
import {fixtureEnvironment, storeFixture, writeSeenFiles} from '../helpers/fixtures.ts';
import type {Terminal} from '../helpers/pty.ts';
import {tempProject} from '../helpers/temp-project.ts';

const fixtures = ['plain-chat', 'cjk', 'interrupted-turn', 'rewound', 'stopped-and-denied'] as const;

/** Returns the cells of the transcript, row by row. */
function cells(terminal: Terminal): readonly unknown[] {
	const first = terminal.rows().findIndex(row => row.trim() !== '');
	return transcript(terminal).map((_, row) => terminal.virtual.cells(first + row));
}

async function otherMachine(): Promise<string> {
	const home = await realpath(await mkdtemp(join(tmpdir(), 'inkpod-other-')));
	onTestFinished(async () => rm(home, {recursive: true, force: true, maxRetries: 5}));
	return home;
}

describe('inkpod replay', () => {
	it('shows a bundle on another machine as the session is shown where it was made, cell by cell', async () => {
		const project = await tempProject();
		for (const name of fixtures) {
			const id = await storeFixture(project, name);
			// Otherwise the resumed screen marks them a moment later.
			await writeSeenFiles(project, name);
			const to = join(dirname(project.dir), `${name}.tgz`);
			const stderr = {write: () => true};
			const options = {id, to, exact: true, force: false, version: '0.1.0', cwd: project.dir, stderr};
			expect(await exportBundle({...options, env: fixtureEnvironment(project)})).toBe(0);
			const size = {cols: 90, rows: 40, answers: {'\x1b[c': '\x1b[?62c'}};
			const home = await otherMachine();
			const replayed = await openChat({...size, home, cwd: home, args: ['replay', to, '--speed', '9000']});
			await replayed.waitFor(/\d+\/\d+ · /);
			replayed.write('\x1b[F');
			const resumed = await openChat({
				...size,
				home: dirname(project.dir),
				cwd: project.dir,
				args: ['-r', id, '--model', 'offline'],
			});
			await resumed.waitFor(screen => transcript(resumed).length > 3 && screen.includes('Ask anything'));
			const shown = () => [cells(replayed), cells(resumed)].map(found => JSON.stringify(found));
			await expect.poll(() => new Set(shown()).size, {timeout: 20_000}).toBe(1);
			expect(transcript(replayed).join('\n')).toBe(transcript(resumed).join('\n'));
			replayed.write('q');
			expect(await replayed.exit).toMatchObject({code: 0});
		}
	});

	it('steps back and forth, shows the context of each place, and takes no text', async () => {
		const project = await tempProject({'script.json': JSON.stringify([[{type: 'text', text: 'The answer'}]])});
		const id = await storeFixture(project, fixtures[0]);
		const home = dirname(project.dir);
		const args = ['replay', id, '--speed', '9000'];
		const terminal = await openChat({cwd: project.dir, home, cols: 100, rows: 30, args});
		await terminal.waitFor(/(\d+)\/\1 · .*Space play/);
		const whole = transcript(terminal);
		terminal.write('\x1b[H');
		await terminal.waitFor(/ 0\/\d+ · /);
		expect(transcript(terminal)).not.toEqual(whole);
		terminal.write('\x1b[C');
		await terminal.waitFor(/ 1\/\d+ · /);
		terminal.write('c');
		await terminal.waitFor('Context · ');
		terminal.write('\x1b');
		await terminal.waitFor(screen => !screen.includes('Context · '));
		terminal.write('hello\r');
		terminal.write('\x1b[200~pasted\x1b[201~');
		terminal.write('\x1b[F');
		await terminal.waitFor(/(\d+)\/\1 · .*Space play/);
		expect(terminal.screen()).not.toMatch(/hello|pasted/);
		await expect.poll(() => transcript(terminal)).toEqual(whole);
		terminal.write('\x03');
		expect(await terminal.exit).toMatchObject({code: 0});
	});

	it('opens paused at an item, and names one that does not exist', async () => {
		const project = await tempProject();
		const id = await storeFixture(project, fixtures[0]);
		const options = {cwd: project.dir, home: dirname(project.dir), cols: 100, rows: 30};
		const missing = await openChat({...options, args: ['replay', id, '--at', 'nothing']});
		expect(await missing.exit).toMatchObject({code: 2});
		expect(missing.screen()).toContain('No item of this session begins with "nothing"');
	});
});
