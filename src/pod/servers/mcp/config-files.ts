import {realpath} from 'node:fs/promises';
import {join} from 'node:path';
import {configDirectory, type Env} from '../../ground/env/env.ts';
import {pathExists} from '../../ground/files/path-exists.ts';
import {filesAbove} from '../../scope/files-above.ts';
import type {Owners} from '../../scope/scope.ts';

/** The existing files that define servers. inkpod uses only the nearest usable file of `projects`. */
export type McpFiles = {readonly user?: string; readonly projects?: readonly string[]};

type FindOptions = {readonly pwd: string; readonly env: Env; readonly owners?: Owners | undefined};

/**
Finds the user's `mcp.json` in the folder of config.toml, and the project's `.mcp.json` files from `pwd` up to the git
root.
*/
export async function findMcpFiles({pwd, env, owners}: FindOptions): Promise<McpFiles> {
	const user = join(configDirectory(env), 'mcp.json');
	const [isUser, {files}] = await Promise.all([pathExists(user), filesAbove(pwd, '.mcp.json', owners)]);
	const same = await Promise.all(files.map(async file => isSame(file, user)));
	const projects = files.filter((_, index) => same[index] === false);
	return {...(isUser && {user}), ...(projects.length > 0 && {projects})};
}

async function isSame(one: string, other: string): Promise<boolean> {
	const [left, right] = await Promise.all([one, other].map(async path => realpath(path).catch(() => path)));
	return left === right;
}
