import {readdir, unlink} from 'node:fs/promises';
import {join} from 'node:path';
import {z} from 'zod';
import type {Env} from '../../ground/env/env.ts';
import {sessionId, stateHome} from '../../disk/paths.ts';
import {readPrivateJson, writePrivateFile} from '../../permissions/trust/private-file.ts';

/** A session that the server has open. Everything else about it is in its record. */
export type Served = z.infer<typeof servedSchema>;
const servedSchema = z.object({
	id: z.string().regex(sessionId),
	/** The directory of its terminal, an absolute path. */
	cwd: z.string().max(8192),
	manifest: z.string().max(8192).optional(),
});

/** The sessions of a server, which it opens again after a restart: a file for each in `served/` of the state folder. */
export type ServedList = {
	/** Returns the sessions in the order of their ids. */
	read(): Promise<readonly Served[]>;
	/** Rejects with the system's error. */
	add(served: Served): Promise<void>;
	remove(id: string): Promise<void>;
};

export function servedList(env: Env): ServedList {
	const folder = join(stateHome(env), 'served');
	const fileOf = (id: string) => join(folder, `${id}.json`);
	return {
		async read() {
			const names = (await readdir(folder).catch(() => [])).filter(name => name.endsWith('.json')).toSorted();
			const found = await Promise.all(
				names
					.slice(0, maxServed)
					.map(
						async name => servedSchema.safeParse(await readPrivateJson(join(folder, name), maxBytes)).data,
					),
			);
			return found.filter(served => served !== undefined);
		},
		add: async served => writePrivateFile(fileOf(served.id), `${JSON.stringify(served)}\n`),
		remove: async id => unlink(fileOf(id)).catch(() => {}),
	};
}

/** The maximum number of sessions. Each has a pod of its own in memory. */
export const maxServed = 64;
const maxBytes = 65_536;
