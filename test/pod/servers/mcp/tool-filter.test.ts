import fc from 'fast-check';
import {expect, it} from 'vitest';
import {offeredNames, filterTools} from '../../../../src/pod/servers/mcp/tool-filter.ts';
import {anyText} from '../../../helpers/any-text.ts';

it('the names of tools are legal and unique, and plain names do not change', () => {
	expect(
		offeredNames([
			{server: 'git hub', listed: 'get.user'},
			{server: 'a', listed: 'b__c'},
			{server: 'a__b', listed: 'c'},
			{server: '_git.hub_', listed: 'get_user'},
			{server: '日本', listed: 'x'},
			{server: 'a', listed: 'x'.repeat(70)},
		]),
	).toEqual(
		[
			'mcp__git_hub__get_user',
			'mcp__a__b__c',
			'mcp__a_b__c',
			'mcp__git_hub__get_user_d5d2a1b8',
			'mcp__d5d2a1b8__x',
			`mcp__a__${'x'.repeat(47)}_96d6b1b8`,
		].map(name => expect.stringMatching(new RegExp(`^${name.replace(/_[0-9a-f]{8}(?=_|$)/, '_[0-9a-f]{8}')}$`))),
	);
	const part = fc.oneof(anyText({maxLength: 80}), fc.constantFrom('a', 'a_', '_a', 'a__a'));
	fc.assert(
		fc.property(
			fc.uniqueArray(fc.record({server: part, listed: part}), {
				maxLength: 30,
				selector: ({server, listed}) => JSON.stringify([server, listed]),
			}),
			tools => {
				const names = offeredNames(tools);
				expect(new Set(names).size).toBe(tools.length);
				for (const name of names) expect(name).toMatch(/^mcp__[\w-]{1,59}$/);
			},
		),
		{seed: 20_261_121, numRuns: process.env['INKPOD_TEST'] === 'long' ? 20_000 : 300},
	);
});

it('a long list keeps its first tools, and one sentence covers the rest', () => {
	const {tools, remarks} = filterTools({
		tools: Array.from({length: 534}, (_, index) => ({name: `t${index}`, inputSchema: {type: 'object'}})),
		isCut: false,
	});
	expect(tools).toHaveLength(512);
	expect(remarks).toHaveLength(9);
	expect(remarks.at(-1)).toBe('14 more of its tools are left out');
});
