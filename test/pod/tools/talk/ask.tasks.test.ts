import {describe, expect, it} from 'vitest';
import {tasksTool} from '../../../../src/pod/tools/talk/ask.ts';
import {runTool} from '../run-tool.ts';

describe('the tool tasks', () => {
	it('returns the whole list as details, and its progress as the summary', async () => {
		const items = [
			{text: 'read', state: 'done'},
			{text: 'write the\nparser', state: 'in_progress'},
			{text: 'test', state: 'pending'},
		];
		const output = await runTool(tasksTool(), {items});
		expect(output.summary).toBe('1 of 3 · now: write the parser');
		expect(output.details).toEqual({tasks: items});
	});

	it('says that the list is empty', async () => {
		expect((await runTool(tasksTool(), {items: []})).summary).toBe('no tasks');
	});

	it('refuses an unknown state and a list that is too long', () => {
		const many = Array.from({length: 101}, () => ({text: 'a', state: 'done'}));
		expect(tasksTool().check({items: [{text: 'a', state: 'later'}]}).ok).toBe(false);
		expect(tasksTool().check({items: many}).ok).toBe(false);
	});
});
