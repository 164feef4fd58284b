import {mkdir, readFile, rename, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {z} from 'zod';
import type {Env} from '../ground/env/env.ts';
import {stateHome} from '../disk/paths.ts';

/**
Returns the names of the models that were used last, the latest first. If the file cannot be read, the result is empty.
*/
export async function readRecentModels(env: Env): Promise<readonly string[]> {
	try {
		return listSchema.parse(JSON.parse(await readFile(fileOf(env), 'utf8')));
	} catch {
		// The list is only a convenience. If it is missing, the models have their usual order.
		return [];
	}
}

/** Moves a model to the start of the list. A failure is not reported, because the list is only a convenience. */
export async function addRecentModel(env: Env, name: string): Promise<void> {
	const names = [name, ...(await readRecentModels(env)).filter(other => other !== name)].slice(0, maxNames);
	const file = fileOf(env);
	const unfinished = `${file}.${process.pid}.new`;
	try {
		await mkdir(stateHome(env), {recursive: true, mode: 0o700});
		await writeFile(unfinished, `${JSON.stringify(names)}\n`, {mode: 0o600});
		await rename(unfinished, file);
	} catch {
		// A failure is ignored, because the list is only a convenience.
	}
}

function fileOf(env: Env): string {
	return join(stateHome(env), 'recent-models.json');
}

const maxNames = 8;
const listSchema = z.array(z.string().max(300)).max(100);
