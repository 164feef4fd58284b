import type {BtwAnswer, BtwStep, PodClient} from '../protocol.ts';

/** A pod as one client sees it. Only this client knows the ids of its side questions. */
export type OwnAsides = {
	readonly client: PodClient;
	/** Discards the side questions that the client still has, because nobody else can. */
	readonly close: () => void;
};

/** Remembers the side questions of a client until it discards them. */
export function ownAsides(pod: PodClient): OwnAsides {
	const ids = new Set<string>();
	let isClosed = false;

	function discardAll(): void {
		for (const id of ids) void pod.btw({op: 'discard', id}).catch(() => {});
		ids.clear();
	}

	async function btw(step: BtwStep): Promise<BtwAnswer> {
		const answer = await pod.btw(step);
		if (step.op === 'discard') ids.delete(step.id);
		else if (step.op === 'ask' && 'id' in answer) ids.add(answer.id);
		if (isClosed) discardAll();
		return answer;
	}

	return {
		client: {...pod, btw},
		close() {
			isClosed = true;
			discardAll();
		},
	};
}
