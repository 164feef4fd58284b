import type {Recipe} from './recipe.ts';

export const setting: Recipe = {
	title: 'A setting',
	tests: ['test/pod/config/settings/all-settings.test.ts'],
	changes: {
		'src/pod/config/screen-schema.ts': [
			{
				before: "mouse: z.boolean().optional().meta({about: 'uses the mouse",
				add: "\tdummy: z.boolean().optional().meta({about: 'says hello', fallback: 'false'}),",
			},
		],
	},
};

export const tool: Recipe = {
	title: 'A tool',
	folder: 'talk',
	tests: [
		'test/pod/tools/talk/dummy.test.ts',
		'test/pod/tools/tools.test.ts',
		'test/pod/open.test.ts',
		'test/cli/mcp/serve.test.ts',
		'test/pod/protocol/tool-definitions.test.ts',
		'test/docs.test.ts',
	],
	changes: {
		'src/pod/protocol/tool-definitions.ts': [
			{
				before: '/** All tools. */',
				add: `export const dummyFacts = {
	name: 'dummy',
	description: 'Says hello.',
	arguments: {name: 'Whom to greet.'},
	effect: 'read',
	subject: {kind: 'other', argument: 'name'},
} as const satisfies ToolFacts;
`,
			},
			{before: 'workflowFacts,', add: '\tdummyFacts,'},
		],
		'src/pod/tools/talk/dummy.ts': `import {z} from 'zod';
import {defineTool, type Tool} from '../../../worker/index.ts';
import {dummyFacts} from '../../protocol/tool-definitions.ts';

/** Creates the tool that says hello. */
export function dummyTool(): Tool {
	return defineTool({
		...dummyFacts,
		input: z.object({name: z.string().min(1).describe(dummyFacts.arguments.name)}),
		execute: async ({name}) => ({summary: 'hello', content: \`Hello, \${name}.\`}),
	});
}
`,
		'src/pod/tools/tools.ts': [
			{
				before: "import {editFileTool} from './files/edit-file.ts';",
				add: "import {dummyTool} from './talk/dummy.ts';",
			},
			{before: 'editFileTool(changes),', add: '\t\tdummyTool(),'},
		],
		'test/pod/tools/talk/dummy.test.ts': `import {describe, expect, it} from 'vitest';
import {dummyTool} from '../../../../src/pod/tools/talk/dummy.ts';
import {runTool} from '../run-tool.ts';

describe('the tool dummy', () => {
	it('says hello', async () => {
		expect(await runTool(dummyTool(), {name: 'Ada'})).toEqual({summary: 'hello', content: 'Hello, Ada.'});
	});
});
`,
		'test/pod/tools/tools.test.ts': [{before: "['edit_file', 'write'],", add: "\t\t['dummy', 'read'],"}],
		'test/pod/open.test.ts': [{before: "'edit_file',", add: "\t\t\t'dummy',"}],
		'test/cli/mcp/serve.test.ts': [
			{
				before: "expect(await names()).toEqual(['read_file', 'glob', 'grep']);",
				add: "\t\texpect(await names()).toEqual(['read_file', 'glob', 'grep', 'dummy']);",
				replaces: true,
			},
			{
				before: "expect(await names()).toEqual(['read_file', 'glob', 'grep', 'write_file', 'edit_file']);",
				add: "\t\texpect(await names()).toEqual(['read_file', 'glob', 'grep', 'write_file', 'dummy', 'edit_file']);",
				replaces: true,
			},
		],
		'docs/mcp.md': [{before: 'working directory and the folders of', add: 'model, also `dummy`, for the'}],
	},
};
