import {describe, expect, it} from 'vitest';
import type {Item} from '../../../../src/pod/protocol.ts';
import {commandOutput, commandStart} from '../../../../src/pod/ground/history/shell-item.ts';
import type {StoredPrompt, StoredUse} from '../../../../src/pod/disk/prompt-history/prompt-files.ts';
import {promptOf, recordPrompts} from '../../../../src/pod/disk/prompt-history/record-prompts.ts';
import {ShortWrite} from '../../../../src/pod/disk/files.ts';
import {createHistory, memoryLog} from '../../../../src/worker/index.ts';

let count = 0;
function message(origin: object, role: 'user' | 'system' = 'user'): Item {
	return {id: `i${count++}`, at: '2026-01-01T00:00:00.000Z', type: 'message', role, text: '', origin} as Item;
}
const clock = {id: () => `c${count++}`, now: () => 0};
const startedCommand = commandStart('ls', clock);
const submit = (text: string) => message({kind: 'submit', segments: [{type: 'text', text}]});

function recorded(add: (stored: StoredPrompt | StoredUse) => Promise<void>) {
	const history = createHistory(memoryLog);
	const problems: string[] = [];
	const {use, stop: settled} = recordPrompts({
		history,
		place: () => ({project: '/p', session: 'S'}),
		onProblem: sentence => problems.push(sentence),
		openWriter: async () => ({add: async (_, prompt) => add(prompt)}),
	});
	return {history, problems, settled, use};
}

describe('the record of prompts', () => {
	it('contains each message and command of the user, in order', async () => {
		const stored: Array<StoredPrompt | StoredUse> = [];
		const {history, settled} = recorded(async each => void stored.push(each));
		await history.append([submit('one'), startedCommand]);
		await history.append([commandOutput(startedCommand, clock), submit('two')]);
		await settled();
		expect(stored.map(each => 'segments' in each && each.segments)).toEqual(
			['one', '!ls', 'two'].map(text => [{type: 'text', text}]),
		);
		expect(stored[0]).toMatchObject({session: 'S', at: '2026-01-01T00:00:00.000Z'});
	});

	it('contains the names of the commands that were used', async () => {
		const stored: Array<StoredPrompt | StoredUse> = [];
		const {use} = recorded(async each => void stored.push(each));
		await use('context');
		expect(stored).toEqual([{at: expect.any(String), session: 'S', command: 'context'}]);
	});

	it('reports only the first failure, and none for a session without a folder', async () => {
		const codes = ['ENOENT', 'EACCES', 'ENOSPC'];
		const {history, problems, settled} = recorded(async () => {
			throw Object.assign(new Error('no'), {code: codes.shift()});
		});
		await history.append([submit('one'), submit('two'), submit('three')]);
		await settled();
		expect(problems).toEqual(['Your prompts are not stored for later sessions. Access to /p is not permitted.']);
	});
});

describe('a disk that takes only a part of a prompt', () => {
	it('is a failure that is reported', async () => {
		const {history, problems, settled} = recorded(async () => {
			throw new ShortWrite(3, 9);
		});
		await history.append([submit('one')]);
		await settled();
		expect(problems).toHaveLength(1);
	});
});

describe('the prompt of an item', () => {
	it('has refs without outcomes and confirmations', () => {
		const segments = [
			{type: 'file_ref', path: '.env', confirmed: '/p/.env', range: {first: 2}, outcome: {item: 'x'}},
			{type: 'workflow', slug: 'review', arguments: 'all'},
		];
		expect(promptOf(message({kind: 'submit', segments}))).toEqual([
			{type: 'file_ref', path: '.env', range: {first: 2}},
			{type: 'workflow', slug: 'review', arguments: 'all'},
		]);
	});

	it('is absent if it begins with a space, and for other items', () => {
		expect(promptOf(submit(' secret'))).toBeUndefined();
		expect(promptOf(message({kind: 'submit', segments: []}))).toBeUndefined();
		expect(promptOf(message({kind: 'notice', about: 'moved'}, 'system'))).toBeUndefined();
		expect(promptOf({...submit('x'), role: 'system'} as Item)).toBeUndefined();
		expect(promptOf({type: 'run_end'} as Item)).toBeUndefined();
	});
});
