import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {listening, onlyHistory, openChat, pressApart, send, transcript} from '../helpers/chat.ts';
import {runProgram} from '../helpers/program.ts';
import {tempProject} from '../helpers/temp-project.ts';

/** This command takes a minute, or ends earlier when a certain file exists. */
const slow = (word: string) => ({
	type: 'tool_call',
	name: 'bash',
	arguments: {command: `[ -e quick ] || sleep 60; echo ${word}`},
});

describe('two paused tools', () => {
	async function paused() {
		const project = await tempProject({
			'script.json': JSON.stringify([[slow('one'), slow('two')], [{type: 'text', text: 'After that.'}]]),
			'rest.json': JSON.stringify([[{type: 'text', text: 'After that.'}]]),
		});
		const args = ['--model', 'scripted:script.json', '--approval', 'auto'];
		const terminal = await openChat({cwd: project.dir, args});
		await terminal.waitFor('scripted');
		await send(terminal, 'search it');
		await terminal.waitFor(' Running ');
		terminal.write('\x1b');
		await terminal.waitFor(/Interrupted · Enter to continue[^]*■ interrupted/);
		return {project, terminal, args};
	}

	it('are closed in the order of their calls before a new message, with one note, even after a restart', async () => {
		const {project, terminal, args} = await paused();
		await send(terminal, 'leave it');
		await terminal.waitFor('After that.');
		await terminal.waitFor('◦ idle');
		const {items, session} = await onlyHistory(terminal.home);
		const ends = items.slice(items.findIndex(({type}) => type === 'run_end'));
		expect(
			ends
				.map(({type, role, origin}) => [type, role ?? (origin as {kind?: string} | undefined)?.kind])
				.slice(0, 5),
		).toEqual([
			['run_end', undefined],
			['tool_result', undefined],
			['tool_result', undefined],
			['message', 'system'],
			['message', 'user'],
		]);
		expect(ends.slice(1, 3).map(({callId}) => callId)).toEqual(
			items.filter(({type}) => type === 'tool_call').map(({callId}) => callId),
		);
		const shown = transcript(terminal);
		expect(shown.join('\n')).toMatch(
			new RegExp(
				[
					String.raw`Run[^\n]*one[^\n]*interrupted by user[^]*Run[^]*two[^\n]*interrupted by user[^]*`,
					String.raw`You interrupted the previous turn[^]*▌ leave it[^]*After that\.`,
				].join(''),
			),
		);
		terminal.write('\x04');
		await terminal.exit;
		const again = await openChat({cwd: project.dir, home: terminal.home, args: [...args, '-r', session]});
		await again.waitFor('After that.');
		expect(transcript(again)).toEqual(shown);
	});

	it('need approval again when Enter resumes them after a restart, and then run', async () => {
		const {project, terminal} = await paused();
		terminal.write('\x04');
		await terminal.exit;
		const {session} = await onlyHistory(terminal.home);
		await project.write('quick', '');
		const again = await openChat({
			cwd: project.dir,
			home: terminal.home,
			args: ['--model', 'scripted:rest.json', '--approval', 'auto', '-r', session],
		});
		await again.waitFor(/Interrupted · Enter to continue[^]*■ interrupted/);
		again.write('\r');
		for (const word of ['one', 'two']) {
			await again.waitFor(screen =>
				new RegExp(`was interrupted after .* Run it again\\?[^]*│ .*echo ${word}`).test(screen),
			);
			await again.waitFor(/Esc: /);
			await pressApart(again, '1');
		}
		await again.waitFor('After that.');
		await again.waitFor('◦ idle');
		const {items} = await onlyHistory(terminal.home);
		expect(
			items
				.filter(({type, partialOf}) => type === 'tool_result' && partialOf === undefined)
				.map(({content}) => String(content))
				.toSorted(),
		).toEqual([expect.stringContaining('one'), expect.stringContaining('two')]);
		expect(items.filter(({role}) => role === 'system')).toEqual([]);
	});
});

describe('a failed request', () => {
	it('counts down to a retry, which Esc ends', async () => {
		const project = await tempProject({
			'script.json': JSON.stringify([
				[{type: 'error', reason: 'overloaded', message: 'Too busy.', retryable: true, retryAfterMs: 90_000}],
				[{type: 'text', text: 'Now then.'}],
			]),
		});
		const terminal = await openChat({cwd: project.dir, args: ['--model', 'scripted:script.json']});
		await terminal.waitFor('scripted');
		await send(terminal, 'go');
		const left = () => Number(/◔ Retrying in (\d+) s/.exec(terminal.screen())?.[1] ?? Number.NaN);
		await terminal.waitFor(() => left() > 0, {what: 'the seconds that are left'});
		const before = left();
		expect(before).toBeLessThanOrEqual(90);
		await terminal.waitFor(() => left() < before, {what: `fewer than ${before} s`});
		terminal.write('\x1b');
		await terminal.waitFor('■ interrupted');
		terminal.write('\r');
		await terminal.waitFor('Now then.');
	});
});

describe('inkpod notify', () => {
	it('is shown in a running session, and answered with --run', async () => {
		const project = await tempProject({
			'script.json': JSON.stringify([[{type: 'text', text: 'Hello.'}], [{type: 'text', text: 'Good to know.'}]]),
		});
		const home = join(dirname(project.dir), 'home');
		const runtime = await project.mkdir('../run');
		const at = {cwd: project.dir, home, env: {XDG_RUNTIME_DIR: runtime}};
		const terminal = await openChat({...at, args: ['--model', 'scripted:script.json']});
		await terminal.waitFor('scripted');
		await send(terminal, 'hi');
		await terminal.waitFor(/Hello\.[^]*◦ idle/);
		const {session} = await onlyHistory(home);
		await listening(runtime);
		expect(
			await runProgram({...at, args: ['notify', session.slice(0, 12).toLowerCase(), 'the build', 'is done']}),
		).toMatchObject({code: 0, stdout: '', stderr: ''});
		await terminal.waitFor('[Notification] the build is done');
		expect(terminal.screen()).not.toContain('Good to know.');
		expect(await runProgram({...at, args: ['notify', '--run', session, 'and the tests']})).toMatchObject({code: 0});
		await terminal.waitFor('Good to know.');
		terminal.write('\x04');
		await terminal.exit;
		expect(await runProgram({...at, args: ['notify', session, 'too late']})).toMatchObject({
			code: 1,
			stderr: `inkpod: This session is not open in another terminal. Resume it with: inkpod -r ${session}\n`,
		});
	});

	it.each([
		[['notify', '01ZZZZ', 'x'], 1, /^inkpod: No session begins with 01ZZZZ/],
		[['notify', '01ZZZZ'], 2, /^inkpod: inkpod notify needs a session id or prefix, and text\.\n$/],
		[['notify', '01ZZZZ', 'x', '--cwd', '/nowhere/at/all'], 2, /^inkpod: .*\/nowhere\/at\/all/],
	] as const)('prints one sentence and exits with its code: %j', async (args, code, sentence) => {
		expect(await runProgram({args})).toMatchObject({
			code,
			stdout: '',
			stderr: expect.stringMatching(sentence) as unknown,
		});
	});
});
