import {describe, expect, it} from 'vitest';
import {defaultLimits} from '../../../src/pod/config/limits.ts';
import {toolFacts, toolFactsOf} from '../../../src/pod/protocol/tool-definitions.ts';
import {createBackground} from '../../../src/pod/tools/processes/background.ts';
import {askTool} from '../../../src/pod/tools/talk/ask.ts';
import {bashStopTool, bashTool} from '../../../src/pod/tools/commands/bash.ts';
import {fetchTool} from '../../../src/pod/tools/web/fetch.ts';
import {nestedPodTool} from '../../../src/pod/family/children/pod-tool.ts';
import {planTool} from '../../../src/pod/tools/talk/plan.ts';
import {tasksTool} from '../../../src/pod/tools/talk/ask.ts';
import {findToolsTool} from '../../../src/pod/tools/deferred/definitions.ts';
import {createTools} from '../../../src/pod/tools/tools.ts';
import {workflowTool} from '../../../src/pod/references/workflows/workflow-tool.ts';
import {systemClock, type Tool} from '../../../src/worker/index.ts';
import {tempProject} from '../../helpers/temp-project.ts';
import {createGuard} from '../tools/web/setting.ts';

/** Returns all tools of a pod for a model, without those of MCP servers. */
async function allTools(): Promise<readonly Tool[]> {
	const project = await tempProject();
	const {scope} = project;
	const clock = systemClock();
	const outputDir = project.path('../outputs');
	const background = createBackground({clock, dir: outputDir, onEnd: async () => true});
	const commands = {scope, env: {}, clock, outputDir, background, onKept: async () => {}};
	const bounds = {maxOutputBytes: 1024, maxScanBytes: 1024};
	return [
		...createTools({
			scope,
			env: {},
			limits: defaultLimits,
			sessionDir: project.path('../session'),
			items: () => [],
		}),
		workflowTool({
			clock,
			widen: async () => {},
			workflows: {
				offered: async () => [],
				invoke: async () => ({ok: false, sentence: 'There is none.'}),
			},
		}),
		bashTool({...commands, ...bounds}),
		bashStopTool(commands),
		fetchTool({
			reader: async () => Promise.reject(new Error('not used')),
			guard: () => createGuard(),
			problem: () => undefined,
			maxOutputBytes: 1024,
		}),
		askTool({}),
		tasksTool(),
		nestedPodTool(),
		findToolsTool(() => []),
		planTool({clock, mode: {isOn: () => true}, setMode: async () => {}}),
	];
}

describe('the definition of a tool', () => {
	it('exists for each tool of the pod and equals the tool', async () => {
		const tools = await allTools();
		expect(tools.map(({definition}) => definition.name).toSorted()).toEqual(
			toolFacts.map(({name}) => name).toSorted(),
		);
		for (const {definition, effect} of tools) {
			const facts = toolFactsOf(definition.name);
			expect({description: facts?.description, effect: facts?.effect}).toEqual({
				description: definition.description,
				effect,
			});
			expect(definition.parameters).toHaveProperty(`properties.${facts?.subject.argument}`);
			const described = JSON.stringify(definition.parameters);
			for (const text of Object.values(facts?.arguments ?? {})) expect(described).toContain(JSON.stringify(text));
		}
	});

	it('makes a title of any arguments from a model', () => {
		const values = [undefined, null, 7, '', 'a', ['a'], {a: 1}];
		for (const {title, subject} of toolFacts)
			for (const value of values) expect(typeof title?.({[subject.argument]: value}, {})).not.toBe('object');
		expect(toolFactsOf('glob')?.title?.({pattern: '*.ts', path: 'src'}, {})).toBe('*.ts in src');
		expect(toolFactsOf('read_file')?.title?.({path: 'a', offset: 3, limit: 2}, {})).toBe('a:3-4');
	});

	it.each(['constructor', '__proto__', 'toString', 'mcp__s__t'])('does not exist for %s', name => {
		expect(toolFactsOf(name)).toBeUndefined();
	});
});
