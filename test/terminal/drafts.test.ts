import {mkdir, readdir, readFile, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {idle, onlyHistory, openChat, send, transcript} from '../helpers/chat.ts';
import type {Terminal} from '../helpers/pty.ts';
import {tempProject} from '../helpers/temp-project.ts';

const slow = JSON.stringify([[{type: 'text', text: 'An answer that does not come to its end.'}, {type: 'stall'}]]);

/** Returns the files of drafts below a home. */
async function draftFiles(home: string): Promise<string[]> {
	const names = await readdir(join(home, '.local/state/inkpod/drafts'), {recursive: true}).catch(() => []);
	return names
		.filter(name => name.endsWith('draft.json'))
		.map(name => join(home, '.local/state/inkpod/drafts', name));
}

async function until(condition: () => Promise<boolean>, what: string): Promise<void> {
	const end = Date.now() + 15_000;
	while (!(await condition())) {
		if (Date.now() > end) throw new Error(`it did not come about: ${what}`);
		await new Promise(resolve => setTimeout(resolve, 20));
	}
}

async function draftHolds({home}: Terminal, text: string): Promise<void> {
	await until(
		async () =>
			(await Promise.all((await draftFiles(home)).map(async file => readFile(file, 'utf8')))).some(draft =>
				draft.includes(text),
			),
		`a draft with ${text}`,
	);
}

async function killed(terminal: Terminal): Promise<void> {
	terminal.kill('SIGKILL');
	await terminal.exit;
}

describe('a draft', () => {
	it('is in the composer of the next session after a kill, and its paste is still a paste', async () => {
		const project = await tempProject();
		const first = await openChat({cwd: project.dir});
		await first.waitFor('offline');
		first.write('half a thought ');
		await first.waitFor('half a thought');
		first.write('\x1b[200~one\rtwo\rthree\x1b[201~');
		await first.waitFor(/half a thought one\s+two\s+three/);
		await draftHolds(first, 'one\\ntwo\\nthree');
		const [file] = await draftFiles(first.home);
		expect((await stat(file!)).mode & 0o777).toBe(0o600);
		expect((await stat(join(file!, '..'))).mode & 0o777).toBe(0o700);
		await killed(first);
		const second = await openChat({cwd: project.dir, home: first.home});
		await second.waitFor(/❯ half a thought one\s+two\s+three/);
		await second.waitFor(/Restored your unsent message from .*\./);
		const other = await openChat({cwd: project.dir, home: first.home});
		await other.waitFor('offline');
		await other.waitFor('Ask anything');
		second.write('\r');
		await second.waitFor(/▌ half a thought/);
		await second.waitFor(idle);
		await until(async () => (await draftFiles(first.home)).length === 0, 'no draft is kept');
		expect((await onlyHistory(first.home)).items.find(item => item['role'] === 'user')).toMatchObject({
			text: 'half a thought one\ntwo\nthree',
			origin: {segments: [{type: 'text'}, {type: 'paste', content: 'one\ntwo\nthree'}]},
		});
	});

	it('is reported as lost when it cannot be saved at exit', async () => {
		const project = await tempProject();
		const terminal = await openChat({cwd: project.dir});
		await terminal.waitFor('offline');
		await mkdir(join(terminal.home, '.local/state/inkpod'), {recursive: true});
		await writeFile(join(terminal.home, '.local/state/inkpod/drafts'), 'no folder');
		terminal.write('half a thought');
		await terminal.waitFor('half a thought');
		terminal.kill('SIGTERM');
		expect(await terminal.exit).toMatchObject({code: 143});
		expect(terminal.screen()).toContain('inkpod: Your unsent message could not be saved and is lost: ');
	});

	it('comes back only with its stored session, even after the terminal was closed', async () => {
		const project = await tempProject();
		const first = await openChat({cwd: project.dir});
		await first.waitFor('offline');
		await send(first, 'hello');
		await first.waitFor('▌ hello');
		await first.waitFor(idle);
		first.write('and then');
		await first.waitFor('❯ and then');
		first.kill('SIGHUP');
		await first.exit;
		const fresh = await openChat({cwd: project.dir, home: first.home});
		await fresh.waitFor('Ask anything');
		await fresh.waitFor('offline');
		const again = await openChat({cwd: project.dir, home: first.home, args: ['-c']});
		await again.waitFor('❯ and then');
		expect(transcript(again).join('\n')).toContain('▌ hello');
		expect(fresh.screen()).toContain('Ask anything');
	});

	it('is shown by Down after a kill, when Up had set it aside', async () => {
		const project = await tempProject();
		const first = await openChat({cwd: project.dir});
		await first.waitFor(idle);
		await send(first, 'hello');
		await first.waitFor('▌ hello');
		await first.waitFor(/\n {2}[\d.]+ s[^]*◦ idle/);
		first.write('half a thought');
		await first.waitFor('❯ half a thought');
		first.write('\x1b[A');
		await first.waitFor('❯ hello');
		await draftHolds(first, '"aside":[[{"type":"text","text":"half a thought"}]]');
		await killed(first);
		const second = await openChat({cwd: project.dir, home: first.home, args: ['-c']});
		await second.waitFor('❯ hello');
		second.write('\x1b[B');
		await second.waitFor('❯ half a thought');
	});

	it('is not lost when it is queued until the end of a run', async () => {
		const project = await tempProject({'script.json': slow});
		const args = ['--model', 'scripted:script.json'];
		const first = await openChat({cwd: project.dir, args});
		await first.waitFor('scripted');
		await send(first, 'go');
		await first.waitFor('An answer');
		await send(first, 'what comes next');
		await first.waitFor(/queued/);
		first.write('and this');
		await draftHolds(first, 'and this');
		await killed(first);
		const second = await openChat({cwd: project.dir, home: first.home, args: [...args, '-c']});
		await second.waitFor(/❯ and this/);
		await second.waitFor('queued: what comes next (↑ to edit)');
		second.write('\x15');
		await second.waitFor(screen => !screen.includes('and this'));
		second.write('\x1b[A');
		await second.waitFor(/❯ what comes next/);
		expect(second.screen()).not.toContain('queued:');
	});

	it('is saved in the new session after /new, and is not saved when it is empty', async () => {
		const project = await tempProject();
		const first = await openChat({cwd: project.dir});
		await first.waitFor('offline');
		await send(first, 'hello');
		await first.waitFor('▌ hello');
		await first.waitFor(idle);
		await send(first, '/new');
		await first.waitFor(screen => screen.includes('Ask anything') && !screen.includes('▌ hello'));
		first.write('unsent');
		await draftHolds(first, 'unsent');
		await killed(first);
		const second = await openChat({cwd: project.dir, home: first.home});
		await second.waitFor('❯ unsent');
		second.write('\x15');
		await second.waitFor('Ask anything');
		await send(second, '/resume');
		await second.waitFor(screen => screen.includes('hello') && !screen.includes('Ask anything'));
		second.write('\x1b');
		await second.waitFor('Ask anything');
		await second.waitFor(idle);
		second.write('\x04');
		await second.exit;
		expect(await draftFiles(first.home)).toEqual([]);
	});

	it('is skipped with a warning, and not deleted, when it cannot be read', async () => {
		const project = await tempProject();
		const first = await openChat({cwd: project.dir});
		await first.waitFor('offline');
		first.write('something long');
		await draftHolds(first, 'something long');
		await killed(first);
		const [file] = await draftFiles(first.home);
		await writeFile(file!, '{"format":"inkpod.draft/1","draft":[{"ty');
		const second = await openChat({cwd: project.dir, home: first.home, cols: 200});
		await second.waitFor('An unsent message of an earlier session could not be read');
		expect(second.screen()).toContain('Ask anything');
		expect((await readdir(join(file!, '..'))).filter(name => name.startsWith('damaged-'))).toHaveLength(1);
	});
});
