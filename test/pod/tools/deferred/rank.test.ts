import {describe, expect, it} from 'vitest';
import {rankTools} from '../../../../src/pod/tools/deferred/rank.ts';

const tool = (name: string, description: string, args: readonly string[] = []) => ({
	name,
	description,
	parameters: {type: 'object', properties: Object.fromEntries(args.map(arg => [arg, {type: 'string'}]))},
});

const tools = [
	tool('mcp__github__create_issue', 'Creates an issue in a repository', ['title', 'body']),
	tool('mcp__github__createPullRequest', 'Opens a pull request for a branch', ['head', 'base']),
	tool('mcp__github__list_issues', 'Lists the issues of a repository', ['state']),
	tool('mcp__slack__post_message', 'Sends a message to a channel', ['channel']),
	tool('mcp__slack__search', 'Searches for messages with an issue or a request', ['query']),
	tool('mcp__wetter__vorhersage', 'Zeigt das Wetter für München 天気予報', ['ort']),
];

const best = (query: string) => rankTools(tools, query).map(({name}) => name.replace(/^mcp__/, ''));

describe('rankTools', () => {
	it.each([
		['create issue', 'github__create_issue'],
		['open a pull request', 'github__createPullRequest'],
		['all issues of the repository', 'github__list_issues'],
		['MESSAGE', 'slack__post_message'],
		['slack search', 'slack__search'],
		['messages', 'slack__post_message'],
		['channel', 'slack__post_message'],
		['wetter in münchen', 'wetter__vorhersage'],
		['天気予報', 'wetter__vorhersage'],
		['head base', 'github__createPullRequest'],
	])('finds for %j first %s', (query, name) => {
		expect(best(query)[0]).toBe(name);
	});

	it('puts the name before the server, and both before the description', () => {
		expect(best('issue')).toEqual(['github__create_issue', 'github__list_issues', 'slack__search']);
		expect(best('github').slice(0, 3)).toEqual([
			'github__create_issue',
			'github__createPullRequest',
			'github__list_issues',
		]);
	});

	it.each(['', '   ', '!?', 'a', 'xyz', '__proto__', 'constructor', 'mcp'])('finds nothing for %j', query => {
		expect(best(query)).toEqual([]);
	});

	it('reads only the beginning of a long query', () => {
		expect(best(`${Array.from({length: 32}, (_, index) => `no${index}`).join(' ')} issue`)).toEqual([]);
	});
});
