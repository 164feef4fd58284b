import type {SideQuestionAnswer} from '../../../pod/protocol.ts';

export type SideQuestionState = Exclude<SideQuestionAnswer, {readonly sentence: string}>;

/** The page that shows a side question and its answer. */
export type SideQuestionPage = {
	readonly kind: 'btw';
	readonly answer: SideQuestionState;
	/** The number of rows below the page. */
	readonly below: number;
};

export function sideQuestionPage(answer: SideQuestionState): SideQuestionPage {
	return {kind: 'btw', answer, below: 0};
}
