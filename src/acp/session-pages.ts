import type {ListSessionsResponse} from '@agentclientprotocol/sdk';
import type {StoredInfo} from './host.ts';

/** Returns one page of a list of sessions. The cursor is the id of the last session of the page before. */
export function pageOf(sessions: readonly StoredInfo[], cursor: string | null | undefined): ListSessionsResponse {
	const start = cursor === null || cursor === undefined ? 0 : sessions.findIndex(({id}) => id === cursor) + 1;
	const page = sessions.slice(start, start + pageSize);
	const last = page.at(-1);
	return {
		sessions: page.map(({id, cwd, title, changed}) => ({sessionId: id, cwd, title, updatedAt: changed})),
		...(last !== undefined && start + pageSize < sessions.length && {nextCursor: last.id}),
	};
}

const pageSize = 50;
