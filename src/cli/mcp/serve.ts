import {mkdtemp, rm} from 'node:fs/promises';
import {Console} from 'node:console';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Readable, Writable} from 'node:stream';
import {createToolbox, planStart, serveMcpClient, type Env, type Rules} from '../../pod/index.ts';
import {sanitizeLine} from '../../text/sanitize.ts';
import type {Start} from '../start/launch.ts';

type ServeMcpOptions = {
	readonly start: Start;
	readonly write: boolean;
	readonly version: string;
	readonly env: Env;
	readonly stdin: Readable;
	readonly stdout: Writable;
	readonly stderr: Writable;
	readonly signal: AbortSignal;
};

/** Implements `inkpod mcp serve`: offers the pod's tools to another program. Returns the exit code. */
export async function serveMcp({start, write, env, stderr, ...streams}: ServeMcpOptions): Promise<number> {
	globalThis.console = new Console(stderr, stderr);
	const say = (sentence: string) => void stderr.write(`inkpod: ${sanitizeLine(sentence)}\n`);
	const folder = await mkdtemp(join(tmpdir(), 'inkpod-mcp-'));
	try {
		const planned = await planStart(
			{...start, model: 'offline', readOnly: start.readOnly || !write, addDirs: [...start.addDirs, folder]},
			env,
		);
		if (!planned.ok) {
			say(planned.sentence);
			return 2;
		}
		const {plan} = planned;
		for (const warning of plan.warnings) say(warning);
		const toolbox = createToolbox({
			plan,
			env,
			folder,
			write: write && plan.scope.writable,
			commands: allowsCommands(plan.approval.rules),
			onWarning: say,
		});
		await serveMcpClient({toolbox, ...streams});
		await toolbox.close();
		return 0;
	} finally {
		await rm(folder, {recursive: true, force: true});
	}
}

/** Tells whether a rule can allow a command. Otherwise commands are not offered, because no one can approve them. */
function allowsCommands({user, project}: Omit<Rules, 'answered'>): boolean {
	return [...user, ...project].some(({action, tool}) => action === 'allow' && ['bash', '*'].includes(tool));
}
