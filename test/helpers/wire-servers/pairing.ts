/** The calls, results and messages of a request, in order. */
export type Said = {readonly type: 'calls' | 'results'; readonly ids: readonly string[]} | {readonly type: 'user'};

/**
Returns why the calls and results do not match. Each batch of calls must be answered completely before the user's next
message, and no other call may be answered.
*/
export function refusePairing(said: readonly Said[]): string | undefined {
	let pending = new Set<string>();
	const all = new Set<string>();
	for (const entry of said) {
		if (entry.type === 'user') {
			if (pending.size > 0) break;
			continue;
		}
		for (const id of entry.ids) {
			if (entry.type === 'results') {
				if (!pending.delete(id)) return `The result ${id} has no call before it.`;
			} else {
				if (all.has(id)) return `The call id ${id} is there twice.`;
				pending = new Set([...pending, id]);
				all.add(id);
			}
		}
	}
	return pending.size > 0 ? `The calls ${[...pending].join(', ')} have no result right after them.` : undefined;
}
