import {describe, expect, it} from 'vitest';
import {answered, reply, user} from './guide.ts';

describe('a summary by the guide', () => {
	const names = ['read_file', 'mark_read_required', 'add_reference', 'write_summary'];
	const task =
		'This is the part:\n\n[Summary of what came before]\n\t- Begin\n[The user says]\n\tFix a.ts\n' +
		'\t[The user says]\n[The agent says]\n\tDone.\n\n' +
		'Files that were attached, read or edited in it, the latest first:\n' +
		'- "a \\"b\\".ts" (edited)\n- "long.md" (read)\n\nMark what the agent needs.';

	it('marks the latest files, lists the messages, and mentions that no AI model wrote it', async () => {
		const first = await reply(user(task), names);
		expect(first.text).toBe('');
		expect(first.calls.slice(0, 2)).toEqual([
			{name: 'mark_read_required', args: {path: 'a "b".ts'}},
			{name: 'mark_read_required', args: {path: 'long.md'}},
		]);
		expect(first.calls[2]).toEqual({
			name: 'write_summary',
			args: {
				text: [
					'*By the offline guide, which is not an AI model: your messages, shortened.*\n',
					'- Begin\n- Fix a.ts [The user says]',
				].join('\n'),
			},
		});
		const calls = answered({name: 'write_summary', args: {text: 's'}, content: 'The summary is saved.'});
		const done = await reply([...user(task), ...calls], names);
		expect(done.calls).toEqual([]);
		expect(done.stop).toBe('end');
	});
});
