import {describe, expect, it} from 'vitest';
import {serverEntries} from '../../src/acp/agent.ts';
import {testEditor} from '../helpers/editor.ts';
import {writtenServer} from '../helpers/mcp-server.ts';
import {tempProject} from '../helpers/temp-project.ts';

describe('the MCP servers of an editor', () => {
	it('get the form of a configuration file', () => {
		const stdio = {name: 'a', command: 'node', args: ['a.js'], env: [{name: 'K', value: 'v'}]};
		const http = {type: 'http' as const, name: 'b', url: 'https://b.example/', headers: [{name: 'X', value: 'y'}]};
		expect(serverEntries([stdio, http])).toEqual([
			['a', {command: 'node', args: ['a.js'], env: {K: 'v'}}],
			['b', {type: 'http', url: 'https://b.example/', headers: {X: 'y'}}],
		]);
	});

	it('start without a question, and are named in an item before the first prompt', async () => {
		const server = await writtenServer(await tempProject(), `tools = [tool('look')];`);
		const script = [
			[{type: 'tool_call', name: 'mcp__mine__look', arguments: {}}],
			[{type: 'text', text: 'Seen.'}],
			[{type: 'text', text: 'Yes.'}],
		];
		const editor = await testEditor({script});
		const session = await editor.open([{name: 'mine', ...server, args: [...server.args], env: []}]);
		await editor.prompt(session, 'look');
		expect(editor.questions.map(({toolCall}) => toolCall.title)).toEqual(['Allow this call of mine: look?']);
		const notices = () => editor.updatesOf('tool_call').filter(({title}) => title.startsWith('[Notification'));
		expect(JSON.stringify(notices())).toContain(`mine (stdio): ${process.execPath}`);
		await editor.prompt(session, 'again');
		expect(notices()).toHaveLength(1);
	});
});
