import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {methods, type SessionUpdate} from '@agentclientprotocol/sdk';
import {describe, expect, it} from 'vitest';
import {testEditor, textOf, type TestEditor} from '../helpers/editor.ts';

const says = (text: string) => ({type: 'text', text});
const calls = (name: string, args: unknown) => ({type: 'tool_call', name, arguments: args});

/** Merges updates as an editor does: the texts of a message, and all fields of a call. */
function merged(updates: readonly SessionUpdate[]): ReadonlyMap<string, unknown> {
	const shown = new Map<string, unknown>();
	const texts = new Map<string, string>();
	for (const update of updates) {
		if (update.sessionUpdate === 'tool_call' || update.sessionUpdate === 'tool_call_update') {
			const {sessionUpdate: _, ...fields} = update;
			shown.set(update.toolCallId, {...(shown.get(update.toolCallId) as object | undefined), ...fields});
		} else if ('messageId' in update) {
			const id = String(update.messageId);
			texts.set(id, (texts.get(id) ?? '') + textOf(update.content));
			shown.set(id, texts.get(id));
		} else if (update.sessionUpdate === 'plan') shown.set('plan', update.entries);
	}
	return shown;
}

async function load(editor: TestEditor, sessionId: string): Promise<readonly SessionUpdate[]> {
	const before = editor.updates.length;
	await editor.agent.request(methods.agent.session.load, {sessionId, cwd: editor.cwd, mcpServers: []});
	return editor.updates.slice(before).map(({update}) => update);
}

const script = [
	[
		{type: 'reasoning', text: 'Hm.'},
		says('I look.'),
		calls('glob', {pattern: '*'}),
		calls('tasks', {items: [{text: 'Look', state: 'done'}]}),
	],
	[says('Nothing here.')],
];

describe('a stored session', () => {
	it('is replayed before the answer, with everything that was shown live', async () => {
		const editor = await testEditor({script});
		const session = await editor.open();
		await editor.prompt(session, 'look around');
		const live = merged(editor.updates.map(({update}) => update));
		await editor.agent.request(methods.agent.session.close, {sessionId: session});
		const replayed = await load(editor, session);
		const shown = [...merged(replayed)];
		expect(shown.map(([, value]) => value)).toContain('look around');
		expect(shown.filter(([, value]) => value !== 'look around')).toEqual([...live]);
		expect(live.size).toBeGreaterThan(5);
	});

	it('is not replayed when it is resumed, and goes on', async () => {
		const editor = await testEditor({script: [[says('One.')], [says('Two.')]]});
		const session = await editor.open();
		await editor.prompt(session, 'a');
		await editor.agent.request(methods.agent.session.close, {sessionId: session});
		const before = editor.updates.length;
		await editor.agent.request(methods.agent.session.resume, {sessionId: session, cwd: editor.cwd});
		await editor.prompt(session, 'b');
		const later = editor.updates.slice(before).map(({update}) => update);
		expect([...merged(later).values()].filter(each => typeof each === 'string')).toEqual(['One.']);
	});

	it('is listed with its title, and can be deleted to the trash', async () => {
		const editor = await testEditor({script: [[says('One.')]]});
		const session = await editor.open();
		await editor.prompt(session, 'name me');
		const listed = await editor.agent.request(methods.agent.session.list, {cwd: editor.cwd});
		expect(listed.sessions).toEqual([
			{sessionId: session, cwd: editor.cwd, title: 'name me', updatedAt: expect.any(String) as unknown},
		]);
		await editor.agent.request(methods.agent.session.delete, {sessionId: session});
		expect(await editor.agent.request(methods.agent.session.list, {})).toEqual({sessions: []});
		const trash = join(editor.home, 'state', 'trash');
		const [project] = await readdir(trash);
		expect(await readdir(join(trash, project!))).toEqual([session]);
		await expect(load(editor, session)).rejects.toMatchObject({code: -32603});
	});

	it('is not found by the start of its id', async () => {
		const editor = await testEditor({script: [[says('One.')]]});
		const session = await editor.open();
		await editor.prompt(session, 'a');
		await expect(load(editor, session.slice(0, 10))).rejects.toMatchObject({code: -32603});
		await expect(editor.agent.request('session/delete', {sessionId: session.slice(0, 10)})).resolves.toEqual({});
		expect((await editor.agent.request(methods.agent.session.list, {})).sessions).toHaveLength(1);
	});

	it('is not opened again while it runs', async () => {
		const editor = await testEditor({script: [[says('Part.'), {type: 'stall'}]]});
		const session = await editor.open();
		const prompted = editor.prompt(session, 'a');
		await editor.until(() => editor.answer() === 'Part.');
		await expect(load(editor, session)).rejects.toMatchObject({
			message: expect.stringContaining('running') as unknown,
		});
		await editor.agent.request(methods.agent.session.close, {sessionId: session});
		expect(await prompted).toMatchObject({stopReason: 'cancelled'});
	});

	it('of another process is attached to, and is not ended with this connection', async () => {
		const script = [[says('One.')], [calls('bash', {command: 'echo hi'})], [says('Two.')]];
		const owner = await testEditor({script, onQuestion: async () => new Promise(() => {})});
		const session = await owner.open();
		await owner.prompt(session, 'a');
		const other = await testEditor({script, beside: owner});
		const replayed = await load(other, session);
		expect([...merged(replayed).values()]).toEqual(expect.arrayContaining(['a', 'One.']));
		const prompted = owner.prompt(session, 'b');
		await other.until(() => other.updatesOf('user_message_chunk').some(({content}) => textOf(content) === 'b'));
		await other.prompt(session, 'c').catch(() => {});
		await other.agent.request(methods.agent.session.close, {sessionId: session});
		expect(await prompted).toMatchObject({stopReason: 'end_turn'});
		await expect(other.agent.request(methods.agent.session.delete, {sessionId: session})).rejects.toMatchObject({
			message: expect.stringContaining('open') as unknown,
		});
	});
});
