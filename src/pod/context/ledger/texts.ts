import {t} from '../../../language/index.ts';
import type {ItemOf} from '../../../worker/index.ts';

export type ContextOp = ItemOf<'context'>['op'];

/** The texts that a user reads about the context. */
export const contextTexts = {
	noItems: t`No items selected.`,
	noSuchItem: (id: string) => t`This session has no item ${id.slice(0, maxIdShown)}.`,
	reasoning: t`Reasoning cannot be changed without the answer that follows it.`,
	wrongType: (op: ContextOp, type: string) => t`An item of type ${type} cannot be ${done[op]}.`,
	systemPrompt: t`System prompt`,
	summary: t`Summary`,
	deferring: (tool: string, count: number) => t`${tool}: ${count} tools on demand`,
	gap: t`Items left out here`,
};

const maxIdShown = 40;

const done: Readonly<Record<ContextOp, string>> = {
	drop: t`dropped`,
	pin: t`pinned`,
	prune: t`pruned`,
	restore: t`restored`,
};

export const requestTexts = {
	none: (wanted: string) =>
		wanted === '' ? t`No request was sent yet.` : t`No request of this session begins with ${wanted}.`,
	noSetup: t`The setup before this request is missing, so inkpod cannot rebuild its body.`,
};
