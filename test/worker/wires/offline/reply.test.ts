import {describe, expect, it} from 'vitest';
import {answered, reply, user} from './guide.ts';

describe('the guide’s answer to a plain request', () => {
	it.each<[string, string, unknown]>([
		['list the files', 'glob', {pattern: '**/*'}],
		['What files are here?', 'glob', {pattern: '**/*'}],
		['ls src', 'glob', {pattern: '**/*', path: 'src'}],
		['please list all typescript files in the src folder', 'glob', {pattern: '**/*.{ts,tsx}', path: 'src'}],
		['what is in this project?', 'glob', {pattern: '**/*'}],
		['what is in the src folder?', 'glob', {pattern: '**/*', path: 'src'}],
		['find package.json', 'glob', {pattern: '**/package.json'}],
		['find *.md', 'glob', {pattern: '**/*.md'}],
		['find TODO', 'grep', {pattern: 'TODO', output: 'content'}],
		['list the TODO comments', 'grep', {pattern: 'TODO', output: 'content'}],
		['Are there any todos left in src?', 'grep', {pattern: 'TODO', path: 'src', output: 'content'}],
		[
			'Hi! Could you please have a look and find TODO comments in src, so that I can plan my day?',
			'grep',
			{pattern: 'TODO', path: 'src', output: 'content'},
		],
		['find TODO and FIXME comments', 'grep', {pattern: 'TODO|FIXME', output: 'content'}],
		['search for parse(x)', 'grep', {pattern: String.raw`parse\(x\)`, output: 'content'}],
		['search the code for "a.b and c"', 'grep', {pattern: String.raw`a\.b and c`, output: 'content'}],
		['find "a in b.ts" in src', 'grep', {pattern: String.raw`a in b\.ts`, path: 'src', output: 'content'}],
		['grep foo.*bar', 'grep', {pattern: 'foo.*bar', output: 'content'}],
		['where is createHistory defined?', 'grep', {pattern: 'createHistory', output: 'content'}],
		['which files mention parse', 'grep', {pattern: 'parse', output: 'files'}],
		['how many TODOs are there in src?', 'grep', {pattern: 'TODO', path: 'src', output: 'count'}],
		[
			'look for uses of fold in src/screen/*.ts',
			'grep',
			{pattern: 'fold', glob: 'src/screen/*.ts', output: 'content'},
		],
		['read src/a.ts', 'read_file', {path: 'src/a.ts'}],
		['can you explain how src/worker/loop/turn.ts works and why?', 'read_file', {path: 'src/worker/loop/turn.ts'}],
		['what is in @a.md and [unresolved file ref: b.md]?', 'read_file', {path: 'a.md'}],
		['show me README.md lines 1-20', 'read_file', {path: 'README.md', offset: 1, limit: 20}],
		['open src/a.ts:10-12', 'read_file', {path: 'src/a.ts', offset: 10, limit: 3}],
		['first 5 lines of docs/x.md', 'read_file', {path: 'docs/x.md', offset: 1, limit: 5}],
		['run npm test', 'bash', {command: 'npm test'}],
		[
			'please run `npm test -- --watch=false` and tell me what fails',
			'bash',
			{command: 'npm test -- --watch=false'},
		],
		['can you run the tests?', 'bash', {command: 'npm test'}],
		['replace X by Y in Z', 'read_file', {path: 'Z'}],
		['in src/a.ts, replace "old name" with "new name"', 'read_file', {path: 'src/a.ts'}],
		['create hello.txt with "hi there"', 'write_file', {path: 'hello.txt', content: 'hi there\n'}],
	])('calls the right tool when it is "%s"', async (words, name, args) => {
		const {calls, stop, text} = await reply(user(words));
		expect(calls).toEqual([{name, args}]);
		expect(stop).toBe('tool_calls');
		expect(text).toMatch(/…$/);
	});
	it('makes several calls together when they only read', async () => {
		expect((await reply(user('read a.ts and b.ts'))).calls).toEqual([
			{name: 'read_file', args: {path: 'a.ts'}},
			{name: 'read_file', args: {path: 'b.ts'}},
		]);
		expect((await reply(user('list the files and find TODO'))).calls.map(({name}) => name)).toEqual([
			'glob',
			'grep',
		]);
	});
	it.each([
		'how does the run loop work?',
		'what is the meaning of life?',
		'hello',
		'thanks a lot',
		'I would rather start over',
		'@alice said hi',
		'/tmp',
	])('calls no tool when it is "%s"', async words => {
		const {calls, text} = await reply(user(words));
		expect(calls).toEqual([]);
		expect(text).toContain('not an AI model');
		expect(text).toContain('ANTHROPIC_API_KEY');
		expect(text).toContain('--model');
	});
	it('reports a tool that the session does not offer', async () => {
		const {calls, text, stop} = await reply(user('run npm test'), ['read_file']);
		expect(calls).toEqual([]);
		expect(stop).toBe('end');
		expect(text).toContain('`bash`, which this session does not offer');
		expect((await reply(user('replace a by b in c.ts'), ['read_file'])).text).toContain('`edit_file`, which');
	});
	it('lists only examples whose tools the session offers', async () => {
		const {text} = await reply(user('help'), ['glob']);
		expect(text).toContain('list the files');
		expect(text).not.toContain('npm test');
	});

	it('does not treat an email address as a file', async () => {
		expect((await reply(user('see what someone@example.com said'))).calls).toEqual([]);
	});
});

describe('the guide’s answer to a request with several steps', () => {
	const read = {
		name: 'read_file',
		args: {path: 'z.ts'},
		content: '[z.ts: lines 1-2 of 2, sha256 0]\n     1\tfoo foo\n     2\tbar',
	};
	it('reads, edits and reports when it replaces a text', async () => {
		const asked = user('replace foo by baz in z.ts');
		expect((await reply([...asked, ...answered(read)])).calls).toEqual([
			{name: 'edit_file', args: {path: 'z.ts', edits: [{old: 'foo', new: 'baz', all: true}]}},
		]);
		const edit = (content: string, isError = false) => ({name: 'edit_file', args: {}, content, isError});
		const reportOf = async (answer: ReturnType<typeof edit>) =>
			(await reply([...asked, ...answered(read), ...answered(answer)])).text;
		const diff = '--- z.ts\n+++ z.ts\n@@ -1,2 +1,2 @@\n-foo foo\n+baz baz\n bar';
		expect(await reportOf(edit(diff))).toContain('Replaced `foo` by `baz` in `z.ts`, 2 places.');
		expect(await reportOf(edit(diff))).not.toContain('+++');
		expect(await reportOf(edit('It was not run.', true))).toContain(
			'`edit_file` on `z.ts` failed: It was not run.',
		);
		expect(await reportOf(edit('[Interrupted by user]'))).toContain('`edit_file` on `z.ts`: [Interrupted by user]');
	});
	it('uses no "all" in an edit when the text occurs once', async () => {
		expect((await reply([...user('replace bar by baz in z.ts'), ...answered(read)])).calls).toEqual([
			{name: 'edit_file', args: {path: 'z.ts', edits: [{old: 'bar', new: 'baz'}]}},
		]);
	});
	it('changes nothing and stops when the text does not occur', async () => {
		const {calls, text} = await reply([
			...user('replace nope by baz in z.ts, then run npm test'),
			...answered(read),
		]);
		expect(calls).toEqual([]);
		expect(text).toContain('`nope` does not occur in `z.ts`: nothing was changed.');
	});
	it('edits an attached file without reading it again', async () => {
		expect((await reply(user('replace foo with baz in @z.ts', '[File: z.ts]\nfoo\n'))).calls).toEqual([
			{name: 'edit_file', args: {path: 'z.ts', edits: [{old: 'foo', new: 'baz'}]}},
		]);
	});
	it('runs a command after an edit only when the edit succeeds', async () => {
		const asked = user('change foo to baz in z.ts, then run npm test');
		const edit = (isError: boolean) => ({name: 'edit_file', args: {}, content: 'edit answer', isError});
		expect((await reply([...asked, ...answered(read), ...answered(edit(false))])).calls).toEqual([
			{name: 'bash', args: {command: 'npm test'}},
		]);
		expect((await reply([...asked, ...answered(read), ...answered(edit(true))])).calls).toEqual([]);
	});
	it('follows only the last message', async () => {
		const messages = [
			...user('find TODO'),
			...answered({name: 'grep', args: {}, content: 'No matches.'}),
			{role: 'assistant', parts: [{type: 'text', text: 'None.'}]} as const,
			...user(
				'The previous turn was cut short: the person cancelled it. What they want now follows.',
				'list the files',
			),
		];
		expect((await reply(messages)).calls).toEqual([{name: 'glob', args: {pattern: '**/*'}}]);
	});
});
