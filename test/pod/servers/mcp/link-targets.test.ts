import {describe, expect, it} from 'vitest';
import {changedList, createChangeFinder} from '../../../../src/pod/servers/mcp/link-targets.ts';

describe('an announcement that a list has changed', () => {
	it('names its list', () => {
		expect(changedList('notifications/tools/list_changed')).toBe('tools');
		expect(changedList('notifications/resources/list_changed')).toBe('resources');
		expect(changedList('notifications/resources/updated')).toBeUndefined();
		expect(changedList(undefined)).toBeUndefined();
	});

	it('is found in a stream wherever its pieces end', () => {
		const text = Buffer.from('data: {"method":"notifications/prompts/list_changed"}\n\n');
		for (let cut = 0; cut <= text.length; cut++) {
			const found: string[] = [];
			const take = createChangeFinder(list => found.push(list));
			take(text.subarray(0, cut));
			take(text.subarray(cut));
			expect(found.length).toBeGreaterThan(0);
			expect(new Set(found)).toEqual(new Set(['prompts']));
		}
	});
});
