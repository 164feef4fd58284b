import {readFile} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import {histories, idle, onlyHistory, openChat, send, transcript} from '../helpers/chat.ts';
import {blockedModel, inTwo} from '../helpers/blocked-model.ts';
import {tempProject} from '../helpers/temp-project.ts';

const answer = 'Here it is:\n\n```sh\nmake all\n```\n';
const first = {type: 'text', text: 'The first answer, word by word, until its end.'};
const whole = [[first], [{type: 'text', text: 'And the rest.'}], [{type: 'text', text: answer}]];
const fresh = /The transcript is the context/;

async function chatWith(answers: readonly unknown[] = whole, options: Parameters<typeof openChat>[0] = {}) {
	const project = await tempProject({'script.json': JSON.stringify(answers), 'a.md': 'one\n'});
	const terminal = await openChat({cwd: project.dir, args: ['--model', 'scripted:script.json'], ...options});
	await terminal.waitFor('scripted');
	return {project, terminal};
}

describe('/help', () => {
	it('shows keys and commands over the transcript, scrolls and closes', async () => {
		const {terminal} = await chatWith();
		await send(terminal, '/help');
		await terminal.waitFor(/Help · Esc close · PgDn more · rows 1-\d+ of \d+/);
		expect(terminal.screen()).toMatch(/\/copy \[n\] +Copy the last answer/);
		terminal.write('\x1b[F');
		await terminal.waitFor(/Expand the nearest collapsed block/);
		terminal.write('\x1b');
		await terminal.waitFor(fresh);
		expect(await histories(terminal.home)).toEqual([]);
	});
});

describe('the switch to another session', () => {
	it('starts a session with /new in the same process, and the previous one can be resumed', async () => {
		const {terminal, project} = await chatWith();
		await send(terminal, 'go');
		await terminal.waitFor(/until its end[^]*◦ idle/);
		const {session: first} = await onlyHistory(terminal.home);
		await send(terminal, '/new');
		await terminal.waitFor(screen => fresh.test(screen) && !screen.includes('until its end'));
		const other = await openChat({cwd: project.dir, home: terminal.home, args: ['-r', first]});
		await other.waitFor('until its end');
		other.write('\x04');
		await other.exit;
		await send(terminal, 'again');
		await terminal.waitFor(/until its end[^]*◦ idle/);
		await send(terminal, `/resume ${first.toLowerCase()}`);
		await terminal.waitFor(/▌ go/);
		await terminal.waitFor('until its end');
		terminal.write('\x04');
		expect(await terminal.exit).toEqual({code: 0, signal: undefined});
		expect(terminal.screen()).toContain(`Resume with: inkpod -r ${first}`);
		expect(
			terminal
				.raw()
				.toString()
				.match(/Resume with/g),
		).toHaveLength(1);
		expect(await histories(terminal.home)).toHaveLength(2);
	});

	it('reports an unknown id of /resume and keeps the session', async () => {
		const {terminal} = await chatWith();
		await send(terminal, 'go');
		await terminal.waitFor(/until its end[^]*◦ idle/);
		const before = transcript(terminal);
		await send(terminal, '/resume 7ZZZZZZZ');
		await terminal.waitFor('No session begins with 7ZZZZZZZ');
		expect(transcript(terminal)).toEqual(before);
		expect(terminal.screen()).toContain('❯ /resume 7ZZZZZZZ');
	});

	it('attaches with /resume to a session that is open elsewhere, or explains why it cannot', async () => {
		const {terminal, project} = await chatWith();
		await send(terminal, 'go');
		await terminal.waitFor(/until its end[^]*◦ idle/);
		const {session} = await onlyHistory(terminal.home);
		const other = await openChat({cwd: project.dir, home: terminal.home});
		await other.waitFor('◦ idle');
		await send(other, `/resume ${session}`);
		await other.waitFor(`Attached to the session in process ${terminal.pid}.`);
		await other.waitFor('until its end');
		await send(terminal, `/resume ${session}`);
		await terminal.waitFor('This session is already open.');
		terminal.write('\x03');
		await terminal.waitFor(screen => !screen.includes(session), {what: 'an empty composer'});
		await send(terminal, '/new');
		await other.waitFor('The other terminal closed; the session continues here.');

		const deaf = await openChat({cwd: project.dir, home: terminal.home, args: ['--no-socket']});
		await deaf.waitFor('◦ idle');
		await send(deaf, '!echo mine');
		await expect.poll(async () => histories(terminal.home)).toHaveLength(2);
		const third = await openChat({cwd: project.dir, home: terminal.home});
		await third.waitFor('◦ idle');
		const mine = (await histories(terminal.home))
			.map(file => file.split('/').at(-2)!)
			.toSorted()
			.at(-1)!;
		await send(third, `/resume ${mine}`);
		await third.waitFor(`This session is open in process ${deaf.pid}`);
		expect(third.screen()).toMatch(fresh);
	});

	it('shows the list with /resume, and Esc returns to the previous session with its paused turn', async () => {
		const {terminal} = await chatWith([[first, {type: 'stall'}]]);
		await send(terminal, 'go');
		await terminal.waitFor('first answer');
		terminal.write('\x1b');
		await terminal.waitFor('■ interrupted');
		await send(terminal, '/new');
		await terminal.waitFor(screen => fresh.test(screen) && screen.includes('◦ idle'));
		await send(terminal, '/resume');
		await terminal.waitFor(screen => !fresh.test(screen) && screen.includes('go'), {what: 'the list of sessions'});
		terminal.write('\x1b');
		await terminal.waitFor(fresh);
		await send(terminal, '/resume');
		await terminal.waitFor(screen => !fresh.test(screen) && screen.includes('go'));
		terminal.write('\r');
		await terminal.waitFor('■ interrupted');
		expect(transcript(terminal).join('\n')).toMatch(/▌ go[^]*first answer/);
	});

	it('is refused for /new during an answer, which continues', async () => {
		const model = await blockedModel([inTwo('The first ', 'answer, until its end.')]);
		const terminal = await openChat(model.options);
		await terminal.waitFor('anthropic/test');
		await send(terminal, 'go');
		await terminal.waitFor('The first');
		await send(terminal, '/new');
		await terminal.waitFor('Still running.');
		model.goOn();
		await terminal.waitFor('until its end');
	});

	it('causes no leak warning after twelve times, and inkpod still exits at a signal', async () => {
		const {terminal} = await chatWith();
		for (let count = 0; count < 12; count++) {
			const before = terminal.raw().toString().split('\x1b[?1049h').length;
			await send(terminal, '/new');
			await terminal.waitFor(
				screen =>
					fresh.test(screen) &&
					!screen.includes('/new') &&
					terminal.raw().toString().split('\x1b[?1049h').length > before,
			);
			await terminal.waitFor('◦ idle');
		}
		await send(terminal, 'go');
		await terminal.waitFor(/until its end[^]*◦ idle/);
		terminal.kill('SIGTERM');
		expect(await terminal.exit).toEqual({code: 143, signal: undefined});
		expect(/\w*Warning.*/.exec(terminal.raw().toString())?.[0]).toBeUndefined();
		expect(terminal.screen()).toContain('Resume with');
		expect(await histories(terminal.home)).toHaveLength(1);
	});
});

describe('/copy', () => {
	it('sends the stored code block to the terminal when there is no clipboard program', async () => {
		const {terminal} = await chatWith(whole, {env: {PATH: '/nowhere'}});
		for (const words of ['one', 'two', 'three']) {
			await send(terminal, words);
			await terminal.waitFor(screen => screen.includes(`▌ ${words}`) && idle.test(screen));
		}
		await terminal.waitFor('make all');
		await send(terminal, '/copy 1');
		await terminal.waitFor('via OSC 52');
		expect(terminal.raw().toString()).toContain(`\x1b]52;c;${Buffer.from('make all').toString('base64')}\x07`);
	});
});

describe('!command', () => {
	it('runs in the shell, shows its output, and is recalled with its “!”', async () => {
		const {terminal} = await chatWith();
		await send(terminal, '!echo one-$((1+1)) && cat a.md');
		await terminal.waitFor(/one-2[^]*◦ idle/);
		terminal.write('\x1b[A');
		await terminal.waitFor(/[❯!] !echo one-/);
		const {items} = await onlyHistory(terminal.home);
		expect(items.findLast(item => (item['origin'] as {kind?: string} | undefined)?.kind === 'shell')).toMatchObject(
			{
				role: 'system',
				origin: {command: 'echo one-$((1+1)) && cat a.md', exitCode: 0},
			},
		);
	});
});

describe('a message that is sent during an answer', () => {
	it('comes back with Up, and is delivered to the run with Ctrl+S', async () => {
		const model = await blockedModel([inTwo('The first ', 'answer, until its end.')], 'And the rest.');
		const terminal = await openChat(model.options);
		await terminal.waitFor('anthropic/test');
		await send(terminal, 'go');
		await terminal.waitFor('The first');
		await send(terminal, 'later');
		await terminal.waitFor('queued: later (Ctrl+S: send now) (↑ to edit)');
		terminal.write('\x1b[A');
		await terminal.waitFor(screen => /❯ later/.test(screen) && !screen.includes('queued: later'));
		terminal.write('\x13');
		await terminal.waitFor('steering: later');
		model.goOn();
		await terminal.waitFor('And the rest.');
		await terminal.waitFor('◦ idle');
		const {items} = await onlyHistory(terminal.home);
		expect(items.filter(item => item['role'] === 'user').map(item => item['text'])).toEqual(['go', 'later']);
		expect(items.filter(item => item.type === 'run_end')).toHaveLength(1);
		expect(await readFile((await histories(terminal.home))[0]!, 'utf8')).toContain('later');
	});
});
