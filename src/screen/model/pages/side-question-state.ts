import type {SideQuestionAnswer} from '../../../pod/protocol.ts';

export type SideQuestionState = Exclude<SideQuestionAnswer, {readonly sentence: string}>;

/** The page that shows a side question and its answer. */
export type SideQuestionPage = {
	readonly kind: 'btw';
	readonly answer: SideQuestionState;
	/** The number of rows below the page. */
	readonly below: number;
};

export type SideQuestionAction =
	/** The pod has returned the state of the side question on the page. */
	| {readonly type: 'side question read'; readonly answer: SideQuestionState}
	/** `below` is the number of rows of the side question below the page. */
	| {readonly type: 'scroll side question'; readonly below: number};

export function sideQuestionPage(answer: SideQuestionState): SideQuestionPage {
	return {kind: 'btw', answer, below: 0};
}

export function reduceSideQuestion(page: SideQuestionPage, action: SideQuestionAction): SideQuestionPage {
	switch (action.type) {
		case 'side question read':
			return page.answer.id === action.answer.id ? {...page, answer: action.answer} : page;
		case 'scroll side question':
			return {...page, below: action.below};
		default:
			return action satisfies never;
	}
}
