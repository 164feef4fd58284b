import {createSession} from '../../src/pod/disk/log/open.ts';
import {createSideSession} from '../../src/pod/disk/conversations/side-questions.ts';
import type {Item, ItemOf} from '../../src/pod/protocol.ts';
import {systemClock} from '../../src/worker/index.ts';

/** The parts of a compaction that no test of a side session looks at. */
export function compactionItem(id: string, conversation?: ItemOf<'compaction'>['conversation']): ItemOf<'compaction'> {
	return {
		id,
		at: '2026-01-01T00:00:09.000Z',
		type: 'compaction',
		summary: 'So far.',
		firstKept: id,
		keptIds: [],
		refs: [],
		refused: [],
		before: 10,
		after: 1,
		model: 'm',
		usage: {input: 7, output: 1},
		...(conversation && {conversation}),
	};
}

/**
Creates a session with these items, then compactions. Each has its own conversation of these items. `finished: false`
leaves a conversation without its compaction.
*/
export async function compactedSession(
	at: {readonly root: string; readonly cwd: string},
	items: readonly Item[],
	...sides: ReadonlyArray<{readonly id: string; readonly items: readonly Item[]; readonly finished?: boolean}>
): Promise<string> {
	const clock = systemClock();
	const session = createSession(at, clock);
	await session.log.write(items);
	for (const {id, items: own, finished = true} of sides) {
		const side = createSideSession(session, {id}, clock);
		await side.log.write(own);
		const conversation = await side.close();
		if (finished) await session.log.write([compactionItem(id, conversation)]);
	}
	await session.close();
	return session.dir;
}
