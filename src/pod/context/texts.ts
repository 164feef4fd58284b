import type {ItemOf} from '../../worker/index.ts';

export type ContextOp = ItemOf<'context'>['op'];

/** The texts that a user reads about the context. */
export const contextTexts = {
	noItems: 'No items selected.',
	noSuchItem: (id: string) => `This session has no item ${id.slice(0, maxIdShown)}.`,
	reasoning: 'Reasoning cannot be changed without the answer that follows it.',
	wrongType: (op: ContextOp, type: string) => `An item of type ${type} cannot be ${done[op]}.`,
	systemPrompt: 'System prompt',
	summary: 'Summary',
	gap: 'Items left out here',
};

const maxIdShown = 40;

const done: Readonly<Record<ContextOp, string>> = {
	drop: 'dropped',
	pin: 'pinned',
	prune: 'pruned',
	restore: 'restored',
};

export const requestTexts = {
	none: (wanted: string) =>
		wanted === '' ? 'No request was sent yet.' : `No request of this session begins with ${wanted}.`,
	noSetup: 'The setup before this request is missing, so its body cannot be made again.',
};
