import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {methods} from '@agentclientprotocol/sdk';
import {describe, expect, it} from 'vitest';
import {findStoredSession} from '../../src/pod/index.ts';
import {readSession} from '../../src/pod/disk/log/read.ts';
import {testEditor} from '../helpers/editor.ts';

const says = (text: string) => ({type: 'text', text});
const calls = (name: string, args: unknown) => ({type: 'tool_call', name, arguments: args});
const stall = {type: 'stall'};

describe('a session of an editor', () => {
	it('answers a prompt, and sends all updates before the response', async () => {
		const editor = await testEditor({script: [[says('Hello there.')]]});
		const session = await editor.open();
		const {stopReason} = await editor.prompt(session, 'hello');
		expect(stopReason).toBe('end_turn');
		expect(editor.answer(session)).toBe('Hello there.');
		expect(editor.updatesOf('user_message_chunk')).toEqual([]);
		expect(editor.updatesOf('session_info_update')).toEqual([expect.objectContaining({title: 'hello'})]);
	});

	it('names its options, and sets them', async () => {
		const editor = await testEditor({script: []});
		const opened = await editor.agent.request(methods.agent.session.new, {cwd: editor.cwd, mcpServers: []});
		const ids = opened.configOptions?.map(({id, category}) => [id, category]);
		expect(ids).toEqual([
			['model', 'model'],
			['approval', 'mode'],
		]);
		expect(opened.modes?.currentModeId).toBe('ask');
		const {sessionId} = opened;
		const set = await editor.agent.request(methods.agent.session.setConfigOption, {
			sessionId,
			configId: 'approval',
			value: 'plan',
		});
		expect(set.configOptions.find(({id}) => id === 'approval')).toMatchObject({currentValue: 'plan'});
		await editor.agent.request(methods.agent.session.setMode, {sessionId, modeId: 'auto'});
		await editor.until(() => editor.updatesOf('current_mode_update').at(-1)?.currentModeId === 'auto');
		await expect(
			editor.agent.request(methods.agent.session.setMode, {sessionId, modeId: 'yolo'}),
		).rejects.toMatchObject({code: -32602});
		await editor.agent.request(methods.agent.session.setConfigOption, {
			sessionId,
			configId: 'model',
			value: 'offline',
		});
		await editor.until(() =>
			JSON.stringify(editor.updatesOf('config_option_update').at(-1)?.configOptions[0]).includes('"offline'),
		);
	});

	it('shows what the model saw as calls that were read', async () => {
		const editor = await testEditor({script: [[says('It is one.')]]});
		await writeFile(join(editor.cwd, 'a.ts'), 'const one = 1;\n');
		const session = await editor.open();
		await editor.prompt(session, 'explain @a.ts');
		const [file] = editor.updatesOf('tool_call').filter(({title}) => title.startsWith('File'));
		expect(file).toMatchObject({
			title: 'File a.ts · 1 line · 15 B',
			kind: 'read',
			status: 'completed',
			locations: [{path: join(editor.cwd, 'a.ts')}],
			content: [{type: 'content', content: {text: '```\n[File: a.ts]\nconst one = 1;\n```'}}],
			_meta: {
				inkpod: {
					origin: {kind: 'file', path: 'a.ts'},
					sha256: expect.stringMatching(/^[\da-f]{64}$/) as unknown,
				},
			},
		});
	});

	it('reports a failed turn as an error', async () => {
		const editor = await testEditor({script: [[{type: 'error', reason: 'other', message: 'It broke.'}]]});
		const session = await editor.open();
		await expect(editor.prompt(session, 'hello')).rejects.toMatchObject({
			message: expect.stringContaining('It broke.') as unknown,
		});
		expect(editor.updatesOf('tool_call').at(-1)).toMatchObject({status: 'failed'});
	});

	it('stops at the limit of turns', async () => {
		const script = [[calls('glob', {pattern: '*'})], [says('Never.')]];
		const editor = await testEditor({script, start: {maxTurns: 1}});
		const session = await editor.open();
		expect(await editor.prompt(session, 'go')).toMatchObject({stopReason: 'max_turn_requests'});
	});

	it('sends the tasks of the model as a plan', async () => {
		const tasks = [
			{text: 'Read', state: 'done'},
			{text: 'Write', state: 'in_progress'},
		];
		const editor = await testEditor({script: [[calls('tasks', {items: tasks})], [says('On it.')]]});
		const session = await editor.open();
		await editor.prompt(session, 'plan');
		expect(editor.updatesOf('plan').at(-1)?.entries).toEqual([
			{content: 'Read', priority: 'medium', status: 'completed'},
			{content: 'Write', priority: 'medium', status: 'in_progress'},
		]);
	});
});

describe('prompts', () => {
	it('wait for the turn before them, and none is lost', async () => {
		const editor = await testEditor({script: [[says('One.')], [says('Two.')], [says('Three.')]]});
		const session = await editor.open();
		const answers = await Promise.all(['a', 'b', 'c'].map(async text => editor.prompt(session, text)));
		expect(answers.map(({stopReason}) => stopReason)).toEqual(['end_turn', 'end_turn', 'end_turn']);
		expect(editor.answer(session)).toBe('One.Two.Three.');
	});

	it('of two sessions run at once', async () => {
		const editor = await testEditor({script: [[says('Part.'), stall]]});
		const [one, two] = [await editor.open(), await editor.open()];
		const both = [one, two].map(async session => editor.prompt(session, 'go'));
		await editor.until(() => editor.answer(one) === 'Part.' && editor.answer(two) === 'Part.');
		await editor.agent.notify(methods.agent.session.cancel, {sessionId: one});
		expect(await both[0]).toMatchObject({stopReason: 'cancelled'});
		await editor.agent.notify(methods.agent.session.cancel, {sessionId: two});
		expect(await both[1]).toMatchObject({stopReason: 'cancelled'});
	});

	it('are cancelled in the middle of a text, with those that wait', async () => {
		const editor = await testEditor({script: [[says('Part.'), stall], [says('Next.')]]});
		const session = await editor.open();
		const both = ['a', 'b'].map(async text => editor.prompt(session, text));
		await editor.until(() => editor.answer() === 'Part.');
		await editor.agent.notify(methods.agent.session.cancel, {sessionId: session});
		expect((await Promise.all(both)).map(({stopReason}) => stopReason)).toEqual(['cancelled', 'cancelled']);
		expect(await editor.prompt(session, 'c')).toMatchObject({stopReason: 'end_turn'});
		expect(editor.answer()).toBe('Part.Next.');
	});

	it('are cancelled during a command, whose call is settled first', async () => {
		const script = [[calls('bash', {command: 'sleep 600'})]];
		const editor = await testEditor({script, start: {approval: 'auto'}});
		const session = await editor.open();
		const prompted = editor.prompt(session, 'go');
		await editor.until(() => editor.updatesOf('tool_call_update').some(({status}) => status === 'in_progress'));
		await editor.agent.notify(methods.agent.session.cancel, {sessionId: session});
		expect(await prompted).toMatchObject({stopReason: 'cancelled'});
		expect(editor.updatesOf('tool_call_update').findLast(({status}) => status !== undefined)?.status).toBe(
			'failed',
		);
	});

	it('are refused if they are empty or too large, or if the session is not open', async () => {
		const editor = await testEditor({script: [[says('Yes.')]]});
		const session = await editor.open();
		await expect(editor.prompt(session, '  ')).rejects.toMatchObject({code: -32600});
		const many = Array.from({length: 101}, () => ({type: 'text' as const, text: 'a'}));
		await expect(editor.prompt(session, many)).rejects.toMatchObject({code: -32602});
		await expect(editor.prompt(session, 'a'.repeat(10_000_001))).rejects.toMatchObject({code: -32602});
		await expect(editor.prompt('none', 'a')).rejects.toMatchObject({code: -32002});
		expect(await editor.prompt(session, 'a')).toMatchObject({stopReason: 'end_turn'});
	});
});

describe('an editor that is gone', () => {
	it('leaves an interrupted turn that can be resumed', async () => {
		const script = [[says('I run it.'), calls('bash', {command: 'echo ran'})]];
		const editor = await testEditor({script, onQuestion: async () => new Promise(() => {})});
		const session = await editor.open();
		void editor.prompt(session, 'go').catch(() => {});
		await editor.until(() => editor.questions.length > 0);
		await editor.die();
		await editor.served;
		const found = await findStoredSession({id: session, env: editor.env, cwd: editor.cwd});
		const read = found.ok ? await readSession(found.dir) : undefined;
		const items = read?.ok === true ? read.session.items : [];
		expect(items.at(-1)).toMatchObject({type: 'run_end', outcome: 'paused'});
		expect(items.filter(({type}) => type === 'tool_result')).toEqual([]);
	});

	it('ends a command that runs', async () => {
		const script = [[calls('bash', {command: 'sleep 600'})]];
		const editor = await testEditor({script, start: {approval: 'auto'}});
		const session = await editor.open();
		void editor.prompt(session, 'go').catch(() => {});
		await editor.until(() => editor.updatesOf('tool_call_update').some(({status}) => status === 'in_progress'));
		await editor.die();
		await editor.served;
	});
});

describe('many updates', () => {
	it('arrive in their order, before the response', async () => {
		const words = Array.from({length: 10_000}, (_, index) => `${index} `);
		const script = [words.map(text => ({type: 'text', text, chunk: text.length}))];
		const editor = await testEditor({script});
		const session = await editor.open();
		await editor.prompt(session, 'count');
		expect(editor.answer(session)).toBe(words.join(''));
	});
});
