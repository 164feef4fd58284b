import type {Approval} from '../../../pod/protocol.ts';
import {createField, type Field} from '../field-state.ts';
import {matchesOf} from './filter.ts';
import {listStart, type ListState} from './list.ts';
import {answerWords, deciderWords} from './approvals-texts.ts';

/** The page that lists what decided about the calls of the session, the latest first. */
export type ApprovalsPage = {
	readonly kind: 'approvals';
	readonly approvals: readonly Approval[];
	/** The time when the approvals were listed, in milliseconds since the epoch. The rows show ages at this time. */
	readonly asOf: number;
	readonly list: ListState;
	readonly query: Field;
};

/** The session has new approvals. `asOf` is in milliseconds since the epoch. */
export type ApprovalsAction = {
	readonly type: 'approvals listed';
	readonly approvals: readonly Approval[];
	readonly asOf: number;
};

export function approvalsPage(approvals: readonly Approval[], asOf: number): ApprovalsPage {
	return {kind: 'approvals', approvals, asOf, list: listStart, query: createField()};
}

/** Returns the approvals that match the query. A word may be anywhere in what the page shows of an approval. */
export function foundApprovals({approvals, query}: ApprovalsPage): readonly Approval[] {
	return matchesOf(approvals, query, approval => {
		const {tool, subject, reason = '', shown = ''} = approval;
		return [answerWords(approval), deciderWords(approval), tool, subject, reason, shown].join('\n');
	});
}

/** Updates the page with newer approvals. The highlight stays on the same approval. */
export function withApprovals(page: ApprovalsPage, {approvals, asOf}: ApprovalsAction): ApprovalsPage {
	const chosen = foundApprovals(page)[page.list.at];
	const next = {...page, approvals, asOf};
	const at = foundApprovals(next).findIndex(({item, at: time}) => item === chosen?.item && time === chosen.at);
	// A highlight on the latest approval stays at the top of the list.
	return at === -1 || page.list.at === 0 ? next : {...next, list: {at, top: page.list.top + at - page.list.at}};
}
