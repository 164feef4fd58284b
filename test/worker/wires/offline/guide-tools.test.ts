import {describe, expect, it} from 'vitest';
import type {GuideTool} from '../../../../src/worker/wires/offline/guide-tools.ts';
import {offlineModel} from '../../../../src/worker/wires/offline/offline-model.ts';
import {ask, collect} from '../../../helpers/collect.ts';

const finder: GuideTool = {name: 'find_files', act: 'list', doing: 'finding', example: '“list everything”'};

async function reply(words: string, tools: readonly GuideTool[], offered: readonly string[]) {
	const definitions = offered.map(name => ({name, description: '', parameters: {}}));
	const request = ask([{role: 'user', text: words}], {tools: definitions});
	const {parts} = await collect(offlineModel({tools, delayMs: 0}), request);
	return {
		text: parts.flatMap(part => (part.type === 'text' ? [part.text] : [])).join(''),
		calls: parts.flatMap(part => (part.type === 'tool_call' ? [part.name] : [])),
	};
}

describe('the tools of the offline guide', () => {
	it('are called and shown by their own names', async () => {
		const listed = await reply('list the files', [finder], ['find_files']);
		expect(listed.calls).toEqual(['find_files']);
		expect(listed.text).toMatch(/^Finding /);
		expect((await reply('hello', [finder], ['find_files'])).text).toContain('- “list everything”');
	});

	it('are not named as examples when a session does not offer them', async () => {
		expect((await reply('hello', [finder], [])).text).not.toContain('list everything');
		expect((await reply('list the files', [finder], [])).text).toContain('`find_files`, which this session does');
	});

	it('are reported as missing when the message needs one that the session does not have', async () => {
		const told = await reply('run npm test', [finder], ['find_files', 'bash']);
		expect(told).toEqual({calls: [], text: expect.stringContaining('`run`, which this session does not offer')});
	});
});
