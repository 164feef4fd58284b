import {homeOf, type Env} from '../../ground/env/env.ts';
import {listAllSessions} from './list.ts';
import {sessionsRoot} from '../paths.ts';
import {trashSession} from './trash.ts';

/**
Moves the sessions that were not written for so many days to the trash. Pinned ones, damaged ones, open ones and `kept`
stay. Returns how many it moved. Never rejects: what cannot be moved stays until the next start.
*/
export async function retireSessions(
	env: Env,
	{days, kept, now = Date.now()}: {readonly days: number; readonly kept?: string | undefined; readonly now?: number},
): Promise<number> {
	let moved = 0;
	const before = now - days * dayMs;
	for (const session of await listAllSessions(sessionsRoot(env, homeOf(env))).catch(() => [])) {
		const isOld = Date.parse(session.changed) < before;
		if (!isOld || session.pinned === true || session.problem !== undefined || session.dir === kept) continue;
		const trashed = await trashSession(session.dir, env).catch(() => undefined);
		if (trashed?.ok === true) moved++;
	}
	return moved;
}

const dayMs = 86_400_000;
