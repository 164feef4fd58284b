import {onTestFinished} from 'vitest';
import {createMcp, type Mcp} from '../../../../src/pod/servers/mcp/mcp.ts';
import type {McpTimes} from '../../../../src/pod/servers/mcp/server.ts';
import type {Tool, ToolOutput} from '../../../../src/worker/index.ts';
import {configure, writtenServer} from '../../../helpers/mcp-server.ts';
import {tempProject, type TempProject} from '../../../helpers/temp-project.ts';

export type OpenedServers = {
	readonly mcp: Mcp;
	readonly warnings: string[];
	readonly project: TempProject;
	readonly prepare: () => Promise<void>;
	readonly call: (name: string, signal?: AbortSignal) => Promise<ToolOutput>;
};

/** Starts servers with these bodies from the user's mcp.json. */
export async function openServers(
	bodies: Readonly<Record<string, string>>,
	times: Partial<McpTimes> = {},
): Promise<OpenedServers> {
	const project = await tempProject();
	const entries = await Promise.all(
		Object.entries(bodies).map(
			async ([name, body]) => [name, await writtenServer(project, body, `${name}.mjs`)] as const,
		),
	);
	await configure(project, Object.fromEntries(entries));
	const warnings: string[] = [];
	const mcp = createMcp({
		pwd: project.dir,
		env: {HOME: project.path('../home')},
		trust: {checkAll: async claims => claims.map(() => 'denied')},
		attended: true,
		onStart() {},
		onWarning: text => warnings.push(text),
		times,
	});
	onTestFinished(async () => mcp.close());
	const toolOf = (name: string): Tool => mcp.tools().find(({definition}) => definition.name === name)!;
	return {
		mcp,
		warnings,
		project,
		prepare: async () => mcp.prepare(new AbortController().signal),
		async call(name, signal = new AbortController().signal) {
			const output = await toolOf(name).execute({}, {id: 'i', callId: 'c', signal, progress() {}});
			if (output === 'moved') throw new Error('a server has no place that moves');
			return output;
		},
	};
}
