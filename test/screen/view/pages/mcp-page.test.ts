import {describe, expect, it} from 'vitest';
import type {McpServerInfo} from '../../../../src/pod/protocol.ts';
import {mcpPage} from '../../../../src/screen/view/pages/mcp-page.ts';
import {width} from '../../../../src/text/width.ts';
import {fakeApp} from '../../../helpers/fake-app.ts';

const server = (name: string, rest: Partial<McpServerInfo> = {}): McpServerInfo => ({
	name,
	source: 'user',
	transport: 'stdio',
	target: 'npx server',
	state: 'idle',
	tools: [],
	...rest,
});

async function shown(servers: readonly McpServerInfo[], columns = 80): Promise<readonly string[]> {
	const {app, rows} = await fakeApp(undefined, {});
	app.dispatch({type: 'open page', page: mcpPage(servers)});
	return rows(columns, 40).map(row => row.trimEnd());
}

describe('the page of the MCP servers', () => {
	it('shows the state, source, errors and tools of each server', async () => {
		expect(
			await shown([
				server('files', {
					state: 'ready',
					tools: [
						{name: 'read', description: 'Reads a file.\nSecond line.'},
						{name: 'list', description: ''},
					],
				}),
				server('issues', {
					state: 'failed',
					transport: 'http',
					target: 'https://example.org/mcp',
					sentence: 'It did not answer.\nIt said: no such thing',
				}),
				server('later'),
				server('slow', {state: 'starting'}),
				server('theirs', {
					source: 'project',
					state: 'untrusted',
					target: 'node evil.js',
					sentence: 'The project names it, and you have not trusted it.',
				}),
			]),
		).toEqual([
			'MCP servers · Esc close',
			'',
			'Your servers',
			'  files     ● ready, 2 tools',
			'            stdio · npx server',
			'            read · Reads a file.',
			'            list',
			'  issues    × failed',
			'            It did not answer.',
			'            It said: no such thing',
			'            http · https://example.org/mcp',
			'  later     ◦ not started',
			'            stdio · npx server',
			'  slow      ◔ starting',
			'            stdio · npx server',
			'',
			'Project servers',
			'  theirs    ▲ not trusted',
			'            The project names it, and you have not trusted it.',
			'            stdio · node evil.js',
		]);
	});

	it('explains how to add a server when there is none', async () => {
		expect((await shown([])).join('\n')).toMatch(/No MCP servers\..*\.mcp\.json/s);
	});

	it.each([30, 60])('shows hostile words inert and fits %d columns', async columns => {
		const evil = '\x1b[2J\x1b]0;x\x07\r\u202e\u200b\t';
		const rows = await shown(
			[
				server(evil.repeat(4), {
					target: evil,
					state: 'failed',
					sentence: evil,
					tools: [{name: evil, description: evil.repeat(500)}],
				}),
			],
			columns,
		);
		for (const row of rows) {
			expect(row).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e\u200b]/);
			expect(width(row)).toBeLessThanOrEqual(columns);
		}
		expect(rows.join('')).toContain('␛]0;x␇␍⟨U+202E⟩⟨U+200B⟩␉');
	});
});
