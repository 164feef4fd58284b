import {expect, it} from 'vitest';
import {defaultLimits} from '../../../src/pod/config/limits.ts';
import {createTools} from '../../../src/pod/tools/tools.ts';
import {offlineModel} from '../../../src/worker/wires/offline/offline-model.ts';
import type {ModelMessage, Tool} from '../../../src/worker/index.ts';
import {ask, collect} from '../../helpers/collect.ts';
import {tempProject} from '../../helpers/temp-project.ts';
import {runTool} from './run-tool.ts';

/** Runs real tools for the offline guide until it answers, like a worker. */
async function answerTo(words: string, tools: readonly Tool[]): Promise<string> {
	const model = offlineModel({delayMs: 0});
	const messages: ModelMessage[] = [{role: 'user', text: words}];
	for (let turn = 0; turn < 5; turn += 1) {
		const {parts} = await collect(model, ask(messages, {tools: tools.map(({definition}) => definition)}));
		messages.push({role: 'assistant', parts});
		const calls = parts.filter(part => part.type === 'tool_call');
		if (calls.length === 0) return parts.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('');
		const results = await Promise.all(
			calls.map(async ({callId, name, arguments: args}) => {
				const {content, isError = false} = await runTool(
					tools.find(({definition}) => definition.name === name)!,
					JSON.parse(args),
				);
				return {callId, name, content, isError};
			}),
		);
		messages.push({role: 'tool', results});
	}
	throw new Error('no answer after five turns');
}

const files = {
	'src/a.ts': '// Adds.\nexport function add() {} // TODO test\n',
	'src/b.ts': 'export const b = 1; // TODO name\n',
	'README.md': '# Demo\n\nA small demo.\n',
};

it.each([
	['list the files', ['3 paths for `**/*`', '- `README.md`', '- `src/a.ts`']],
	['find TODO', ['2 matches of `TODO` in 2 files', '`src/a.ts:2`', '`src/b.ts:1`']],
	['which files mention demo', ['1 match of `demo` in 1 file', '`README.md`']],
	[
		'read src/a.ts and README.md',
		['**src/a.ts** (lines 1-2): Adds.', 'line 2: function `add`', '**README.md** (lines 1-3): A small demo.'],
	],
	['show me ../secret.txt', ['it is outside the directories that may be read']],
	['create notes/new.txt containing hello', ['`write_file` on `notes/new.txt`: new file, 1 line']],
	[
		'replace add by plus in src/a.ts',
		['`edit_file` on `src/a.ts` failed: src/a.ts: read the file with read_file before you change it (not_read).'],
	],
	['run npm test', ['`bash`, which this session does not offer']],
])('the offline guide answers with results of the real tools: %s', async (words, expected) => {
	const project = await tempProject(files);
	const text = await answerTo(
		words,
		createTools({
			scope: project.scope,
			limits: defaultLimits,
			env: {},
			sessionDir: project.path('../session'),
			items: () => [],
		}),
	);
	for (const part of expected) expect(text).toContain(part);
});

it('the definition of each tool is a small JSON schema', async () => {
	const project = await tempProject();
	const tools = createTools({
		scope: project.scope,
		limits: defaultLimits,
		env: {},
		sessionDir: project.path('../session'),
		items: () => [],
	});
	expect(tools.map(({definition, effect}) => [definition.name, effect])).toEqual([
		['read_file', 'read'],
		['glob', 'read'],
		['grep', 'read'],
		['write_file', 'write'],
		['edit_file', 'write'],
	]);
	for (const {definition} of tools)
		expect(definition.parameters).toMatchObject({type: 'object', properties: expect.any(Object)});
	expect(JSON.stringify(tools.map(({definition}) => definition)).length).toBeLessThan(4000);
});
