import type {BtwAnswer} from '../../../pod/protocol.ts';

export type BtwState = Exclude<BtwAnswer, {readonly sentence: string}>;

/** The page that shows a side question and its answer. */
export type BtwPage = {
	readonly kind: 'btw';
	readonly answer: BtwState;
	/** The number of rows below the page. */
	readonly below: number;
};

export function btwPage(answer: BtwState): BtwPage {
	return {kind: 'btw', answer, below: 0};
}
