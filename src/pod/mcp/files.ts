import {realpath} from 'node:fs/promises';
import {join} from 'node:path';
import {configDirectory} from '../config.ts';
import type {Env} from '../home.ts';
import {isThere} from '../is-there.ts';
import {nearestFile} from '../scope/manifest.ts';

/** The files that name servers, those that there are. */
export type McpFiles = {readonly user?: string; readonly project?: string};

/** The person's `mcp.json`, beside their config.toml, and the project's `.mcp.json`: the nearest from `pwd` up to the git root. */
export async function findMcpFiles({pwd, env}: {readonly pwd: string; readonly env: Env}): Promise<McpFiles> {
	const user = join(configDirectory(env), 'mcp.json');
	const [isUser, project] = await Promise.all([isThere(user), nearestFile(pwd, '.mcp.json')]);
	const isProject = project !== undefined && !(await isSame(project, user));
	return {...(isUser && {user}), ...(isProject && {project})};
}

async function isSame(one: string, other: string): Promise<boolean> {
	const [left, right] = await Promise.all([one, other].map(async path => realpath(path).catch(() => path)));
	return left === right;
}
