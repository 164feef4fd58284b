import {describe, expect, it} from 'vitest';
import {findIn, nearestTools} from '../../../../src/pod/tools/deferred/find.ts';
import {manyDefinitions} from '../../../helpers/many-tools.ts';

const many = manyDefinitions();

const found = (query: string, tools = many) => {
	const {content} = findIn(tools, query);
	return content
		.split('\n')
		.flatMap(line => (line.startsWith('{') ? [JSON.parse(line) as (typeof many)[number]] : []));
};

describe('findIn', () => {
	it('returns the schemas of the best tools, and names others', () => {
		const output = findIn(many, 'archive the label of a calendar');
		expect(found('archive the label of a calendar')[0]).toEqual(
			many.find(({name}) => name === 'mcp__hub__archive_label_of_calendar'),
		);
		const lines = output.content.split('\n');
		expect(lines.filter(line => line.startsWith('{'))).toHaveLength(5);
		expect(lines.at(-2)).toMatch(/^Also: (mcp__hub__\w+, ){14}mcp__hub__\w+ and \d+ more\. Query a name/);
		expect(lines.at(-1)).toBe('Run a tool with call_tool.');
		expect(output.summary).toMatch(/^\d+ of 400 tools$/);
	});

	it('returns exactly the tools of a query of names, with and without their beginning', () => {
		const names = [
			'mcp__hub__create_issue_of_team',
			'mcp__hub__delete_issue_of_team',
			'mcp__hub__get_label_of_user',
		];
		expect(found(names.join(', ')).map(({name}) => name)).toEqual(names);
		expect(found('create_issue_of_team').map(({name}) => name)).toEqual(names.slice(0, 1));
		expect(findIn(many, 'create_issue_of_team').content).not.toContain('Also');
		expect(
			found(
				many
					.slice(0, 12)
					.map(({name}) => name)
					.join(' '),
			),
		).toHaveLength(12);
	});

	it('reaches every tool by its name', () => {
		for (const tool of many) expect(found(tool.name)).toEqual([tool]);
	});

	it('says how many tools there are if none matches', () => {
		expect(findIn(many, 'weather\nin "Rome"')).toEqual({
			summary: 'no match in 400 tools',
			content: [
				String.raw`None of the 400 tools matches "weather\nin \"Rome\"".`,
				'Try other words, or a name. The tools are: mcp__hub__* (400)',
			].join(' '),
		});
	});

	it('keeps large schemas within its limit, but always returns one', () => {
		const large = many
			.slice(0, 5)
			.map(tool => ({...tool, parameters: {type: 'object', $comment: 'x'.repeat(20_000)}}));
		expect(found('create issue', large)).toHaveLength(1);
		expect(findIn(large, 'create issue').content.length).toBeLessThan(25_000);
	});
});

describe('nearestTools', () => {
	it.each([
		['mcp__hub__create_isue_of_team', 'mcp__hub__create_issue_of_team'],
		['create_issue_of_team', 'mcp__hub__create_issue_of_team'],
		['mcp__hub__removeLabelOfUser', expect.stringMatching(/_label_of_user$/)],
	])('for %s begins with %s', (wrong, name) => {
		expect(nearestTools(many, wrong)[0]).toEqual(name);
		expect(nearestTools(many, wrong).length).toBeLessThanOrEqual(3);
	});

	it('is empty for a name that nothing resembles', () => {
		expect(nearestTools(many, 'x'.repeat(1_000_000))).toEqual([]);
	});
});
