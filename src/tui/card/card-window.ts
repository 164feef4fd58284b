import {composerRows, viewComposer} from '../composer/composer-view.ts';
import type {AppState} from '../state/app-state.ts';
import {asksOf} from '../state/selectors.ts';
import {cardHint, cardPlaceholder} from './card-facts.ts';
import {maxCardRows, viewCard, type AskView} from './view/card-view.ts';

/** Returns the card that the screen shows in this state. */
export function cardOnScreen(state: AppState): AskView | undefined {
	const {
		size: {columns, rows},
		composer,
		card,
		now,
		isSplit,
		setup: {isSpoken},
	} = state;
	const below = viewComposer(composer, composerRows(rows), cardPlaceholder(state)).rows.length;
	const hints = cardHint(state) === undefined ? 0 : 1;
	const facts = {asks: asksOf(state), card, now, isSplit, isSpoken};
	return viewCard(facts, columns, maxCardRows(rows, below + hints));
}
