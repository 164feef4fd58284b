import type {Readable, Writable} from 'node:stream';
import type {Env} from '../../pod/index.ts';
import type {McpAction} from '../start/launch.ts';

type McpOptions = {
	readonly action: McpAction;
	readonly version: string;
	readonly env: Env;
	readonly stdin: Readable;
	readonly stdout: Writable;
	readonly stderr: Writable;
	readonly signal: AbortSignal;
};

/** Implements `inkpod mcp ACTION`. Returns the exit code. */
export async function mcp({action, ...options}: McpOptions): Promise<number> {
	if (action.kind === 'serve') {
		const {serveMcp} = await import('./serve.ts');
		return serveMcp({...action, ...options});
	}
	if (action.kind === 'login' || action.kind === 'logout') {
		const {mcpLogin} = await import('./login.ts');
		return mcpLogin({...action, ...options});
	}
	const {changeServers, listServers} = await import('./servers.ts');
	return action.kind === 'list' ? listServers({...action, ...options}) : changeServers({...action, ...options});
}
