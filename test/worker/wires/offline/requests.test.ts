import {describe, expect, it} from 'vitest';
import {answered, reply, user} from './guide.ts';

describe('the guide’s answer to a plain request', () => {
	it.each<[string, string, unknown]>([
		['list the files', 'glob', {pattern: '**/*'}],
		['What files are here?', 'glob', {pattern: '**/*'}],
		['ls src', 'glob', {pattern: '**/*', path: 'src'}],
		['what is in this project?', 'glob', {pattern: '**/*'}],
		['what files are in the src folder?', 'glob', {pattern: '**/*', path: 'src'}],
		['list the *.ts files in src', 'glob', {pattern: '**/*.ts', path: 'src'}],
		['find all TODO comments in src/tui/*.ts', 'grep', {pattern: 'TODO', glob: 'src/tui/*.ts', output: 'content'}],
		['find package.json', 'glob', {pattern: '**/package.json'}],
		['find *.md', 'glob', {pattern: '**/*.md'}],
		['list the TODO comments', 'grep', {pattern: 'TODO', output: 'content'}],
		['find TODO', 'grep', {pattern: 'TODO', output: 'content'}],
		['search for parse(x)', 'grep', {pattern: String.raw`parse\(x\)`, output: 'content'}],
		['search the code for "a.b and c"', 'grep', {pattern: String.raw`a\.b and c`, output: 'content'}],
		['find "a in b.ts" in src', 'grep', {pattern: String.raw`a in b\.ts`, path: 'src', output: 'content'}],
		['where is createHistory defined?', 'grep', {pattern: 'createHistory', output: 'content'}],
		['which files mention parse', 'grep', {pattern: 'parse', output: 'files'}],
		['read src/a.ts', 'read_file', {path: 'src/a.ts', numbers: true}],
		['show me README.md lines 1-20', 'read_file', {path: 'README.md', offset: 1, limit: 20, numbers: true}],
		['open src/a.ts:10-12', 'read_file', {path: 'src/a.ts', offset: 10, limit: 3, numbers: true}],
		['run npm test', 'bash', {command: 'npm test'}],
		['please run `npm test -- --watch=false`', 'bash', {command: 'npm test -- --watch=false'}],
		['replace X by Y in Z', 'read_file', {path: 'Z', numbers: true}],
		['create hello.txt with "hi there"', 'write_file', {path: 'hello.txt', content: 'hi there\n'}],
	])('calls the right tool when it is "%s"', async (words, name, args) => {
		const {calls, stop, text} = await reply(user(words));
		expect(calls).toEqual([{name, args}]);
		expect(stop).toBe('tool_calls');
		expect(text).toMatch(/…$/);
	});
	it('reads several files together', async () => {
		expect((await reply(user('read a.ts and b.ts'))).calls).toEqual([
			{name: 'read_file', args: {path: 'a.ts', numbers: true}},
			{name: 'read_file', args: {path: 'b.ts', numbers: true}},
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
		'run it',
		'explain how src/a.ts works',
		'create a function with a loop',
		'list the files\nfind TODO',
		`find ${'x'.repeat(400)}`,
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

describe('the guide’s answer after a call', () => {
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
		const args = {path: 'z.ts', edits: [{old: 'foo', new: 'baz', all: true}]};
		const edit = (content: string, isError = false) => ({name: 'edit_file', args, content, isError});
		const reportOf = async (answer: ReturnType<typeof edit>) =>
			(await reply([...asked, ...answered(read), ...answered(answer)])).text;
		const diff = '--- z.ts\n+++ z.ts\n@@ -1,2 +1,2 @@\n-foo foo\n+baz baz\n bar';
		expect(await reportOf(edit(diff))).toContain('Replaced `foo` with `baz` in `z.ts`.');
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
		const {calls, text} = await reply([...user('replace nope by baz in z.ts'), ...answered(read)]);
		expect(calls).toEqual([]);
		expect(text).toContain('`nope` does not occur in `z.ts`: nothing was changed.');
	});
	it('follows only the last message', async () => {
		const messages = [
			...user('find TODO'),
			...answered({name: 'grep', args: {}, content: 'No matches.'}),
			{role: 'assistant', parts: [{type: 'text', text: 'None.'}]} as const,
			...user(
				'The previous turn was cut short: the user cancelled it. What they want now follows.',
				'list the files',
			),
		];
		expect((await reply(messages)).calls).toEqual([{name: 'glob', args: {pattern: '**/*'}}]);
	});
});
