import {describe, expect, it, onTestFinished} from 'vitest';
import {idle, onlyHistory, openChat, send, transcript, type StoredHistory} from '../helpers/chat.ts';
import type {Terminal} from '../helpers/pty.ts';
import {tempProject} from '../helpers/temp-project.ts';
import {startServer, type RecordedRequest} from '../helpers/wire-servers/index.ts';

type Talk = {readonly terminal: Terminal; readonly requests: readonly RecordedRequest[]};

/** Opens a chat with a server that answers every message with one word. */
async function talk(
	files: Readonly<Record<string, string>>,
): Promise<Talk & {readonly dir: string; readonly url: string}> {
	const project = await tempProject(files);
	const server = await startServer(
		'anthropic',
		Array.from({length: 9}, () => [{type: 'text', text: 'Understood.'}] as const),
	);
	onTestFinished(async () => server.close());
	const terminal = await openChat({
		cwd: project.dir,
		cols: 120,
		rows: 40,
		args: ['--model', 'anthropic/test'],
		env: environment(server.url),
	});
	await terminal.waitFor('anthropic/test');
	return {terminal, requests: server.requests, dir: project.dir, url: server.url};
}

function environment(url: string): Record<string, string> {
	return {ANTHROPIC_API_KEY: 'test', ANTHROPIC_BASE_URL: url};
}

async function said(terminal: Terminal, text: string): Promise<void> {
	await send(terminal, text);
	await terminal.waitFor('Understood.');
	await terminal.waitFor(idle);
}

/** Returns the user turns of a request, part by part, as the server got them. */
function userTexts({json}: RecordedRequest): string[] {
	const {messages} = json as {
		messages: ReadonlyArray<{role: string; content: string | ReadonlyArray<{type: string; text?: string}>}>;
	};
	const parts = messages
		.filter(message => message.role === 'user')
		.flatMap(({content}) => (typeof content === 'string' ? [content] : content.map(part => part.text ?? '')));
	return parts;
}

function systemTexts({items}: StoredHistory): unknown[] {
	return items.filter(item => item['role'] === 'system').map(item => item['text']);
}

/** Returns the alerts, with their rows joined. */
function alerts(terminal: Terminal): string[] {
	return (
		terminal
			.rows()
			.join('\n')
			.match(/^▲ .*(?:\n {2}\S.*)*/gm)
			?.map(alert => alert.replaceAll(/\s+/g, ' ')) ?? []
	);
}

describe('references in a message', () => {
	it('attach a file, and report a missing one with a similar name, even after a restart', async () => {
		const {terminal, requests, dir, url} = await talk({'a.md': 'one\ntwo\n', 'mising.md': 'x'});
		await send(terminal, 'see @a.md and @missing.md today');
		await terminal.waitFor(/▲ /);
		expect(alerts(terminal)).toEqual([
			'▲ missing.md was not attached: there is no such file; did you mean mising.md?',
		]);
		await terminal.waitFor('Understood.');
		await terminal.waitFor(idle);
		const shown = transcript(terminal);
		expect(shown.join('\n')).toMatch(/▌ see @a\.md and @missing\.md \(not found\) today\n\n◇ File a\.md · 2 lines/);
		expect(shown.filter(row => row.includes('◇ File'))).toHaveLength(1);
		expect(userTexts(requests[0]!)).toEqual([
			'see @a.md and [unresolved file ref: missing.md] today',
			'[File: a.md]\none\ntwo\n',
		]);
		const history = await onlyHistory(terminal.home);
		expect(systemTexts(history)).toEqual(['[File: a.md]\none\ntwo\n']);
		terminal.write('\x04');
		await terminal.exit;
		const again = await openChat({
			cwd: dir,
			home: terminal.home,
			cols: 120,
			rows: 40,
			args: ['--model', 'anthropic/test', '-r', history.session],
			env: environment(url),
		});
		await again.waitFor('Understood.');
		expect(transcript(again)).toEqual(shown);
		expect(alerts(again)).toEqual([]);
		const chip = again.rows().findIndex(row => row.includes('@missing.md (not found)'));
		expect(chip).toBeGreaterThanOrEqual(0);
		// After the restart, the request contains the same words and file, byte for byte.
		await send(again, 'and now');
		await again.waitFor(/and now[^]*Understood\./);
		await again.waitFor(idle);
		expect(userTexts(requests.at(-1)!)).toEqual([...userTexts(requests[0]!), 'and now']);
	});

	it('attach the first five of six files, and report the sixth', async () => {
		const names = ['a', 'b', 'c', 'd', 'e', 'f'];
		const {terminal, requests} = await talk(Object.fromEntries(names.map(name => [`${name}.md`, `${name}\n`])));
		await send(terminal, `compare ${names.map(name => `@${name}.md`).join(' ')} please`);
		await terminal.waitFor(/▲ /);
		expect(alerts(terminal)).toEqual(['▲ f.md was not attached: at most 5 files per message.']);
		await terminal.waitFor('Understood.');
		await terminal.waitFor(idle);
		expect(transcript(terminal).join('\n')).toContain('@f.md (too many files) please');
		expect(userTexts(requests[0]!)).toEqual([
			'compare @a.md @b.md @c.md @d.md @e.md [unresolved file ref: f.md] please',
			...names.slice(0, 5).map(name => `[File: ${name}.md]\n${name}\n`),
		]);
	});

	it('do not include an e-mail address, a package, a decorator or a price', async () => {
		const {terminal, requests} = await talk({'README.md': 'x'});
		const text =
			'mail someone@example.com about @types/node, the `@decorator` and what costs 5@3, says @alice there';
		await said(terminal, text);
		expect(alerts(terminal)).toEqual([]);
		expect(userTexts(requests[0]!)).toEqual([text]);
		expect((await onlyHistory(terminal.home)).items.find(item => item['role'] === 'user')).toMatchObject({
			text,
			origin: {segments: [{type: 'text', text}]},
		});
	});
});

describe('ways to write a reference', () => {
	const lines = Array.from({length: 12}, (_, index) => `line ${index + 1}\n`).join('');

	it.each([
		[
			'a quoted path with a range',
			'my notes/a b.md',
			'read @"my notes/a b.md":3-9 now',
			'read @"my notes/a b.md":3-9 now',
			`[File: my notes/a b.md:3-9]\n${lines.split('\n').slice(2, 9).join('\n')}`,
		],
		[
			'a full-width sign in full-width brackets',
			'src/main.tsx',
			'（＠src/main.tsx）を見て',
			'（@src/main.tsx）を見て',
			`[File: src/main.tsx]\n${lines}`,
		],
		[
			'a path that Japanese follows directly',
			'src/main.tsx',
			'@src/main.tsxを見て',
			'@src/main.tsxを見て',
			`[File: src/main.tsx]\n${lines}`,
		],
		[
			'an escaped space and a full stop after it',
			'a b.md',
			'read @a\\ b.md#L2-L3. Now',
			'read @"a b.md":2-3. Now',
			'[File: a b.md:2-3]\nline 2\nline 3',
		],
	])('attach %s', async (_, name, text, words, attached) => {
		const {terminal, requests} = await talk({[name]: lines});
		await said(terminal, text);
		expect(alerts(terminal)).toEqual([]);
		expect(userTexts(requests[0]!)).toEqual([words, attached]);
	});
});
