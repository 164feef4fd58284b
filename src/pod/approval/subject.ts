import {relative, resolve, sep} from 'node:path';
import {whereabouts} from '../scope/locate.ts';
import {pathTools, type Subject} from './rule.ts';

/** What a call is about, for rules. `args` are those that the tool will be given. */
export async function subjectOf(tool: string, args: unknown, pwd: string): Promise<Subject> {
	const command = tool === 'bash' ? textAt(args, 'command') : undefined;
	if (command !== undefined) return {kind: 'command', command};
	const path = pathTools.includes(tool) ? textAt(args, 'path') : undefined;
	if (path === undefined) return {kind: 'tool', tool};
	const written = resolve(pwd, path);
	const names = [written, await whereabouts(written)].map(name => relative(pwd, name).split(sep).join('/') || '.');
	return {kind: 'path', names: [...new Set(names)]};
}

function textAt(args: unknown, key: string): string | undefined {
	const value: unknown = typeof args === 'object' && args !== null ? (args as Readonly<Record<string, unknown>>)[key] : undefined;
	return typeof value === 'string' ? value : undefined;
}
